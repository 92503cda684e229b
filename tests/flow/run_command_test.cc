// The exit status of `paddock run`, and what goes in and out.
#include <filesystem>

#include "base/text.h"
#include "tests/flow/run_command_fixture.h"

namespace paddock::flow {
namespace {

using orchestrator::RunEndingKind;
using orchestrator::RunReport;
using orchestrator::TimeLimit;
using testing::HasSubstr;

TEST_F(RunCommandTest, PassesTheExitStatusOn) {
  Write("repo/bad", "#!/nonexistent/interpreter\n");
  Write("repo/text", "text\n");
  std::filesystem::permissions(Path("repo/bad"), std::filesystem::perms(0755));
  const struct {
    std::vector<std::string> arguments;
    int status;
  } cases[] = {
      {{"true"}, 0},
      {{"--", "sh", "-c", "exit 7"}, 7},
      {{"sh", "-c", "exit 255"}, 255},
      {{"sh", "-c", "kill -SEGV $$"}, 139},
      {{"sh", "-c", "kill -TERM $$"}, 143},
      {{"sh", "-c", "kill -KILL $$"}, 137},
      {{"no-such-command"}, 127},
      {{"/no/such/command"}, 127},
      {{"./text"}, 126},
      {{"./src"}, 126},
      {{"./bad"}, 126},
      {{"--timeout", "300ms", "sleep", "100"}, 124},
      {{}, 125},
      {{"--profile", "no-such-profile", "true"}, 125},
      {{"--no-such-option", "true"}, 125},
      {{"--timeout", "soon", "true"}, 125},
      {{"--repo", "/no/such/folder", "true"}, 125},
  };
  for (const auto& one : cases) {
    const Outcome outcome = Perform(Run(one.arguments));
    EXPECT_EQ(outcome.status, one.status) << testing::PrintToString(one.arguments) << outcome.err;
    EXPECT_EQ(outcome.out, "") << testing::PrintToString(one.arguments);
    // One line when paddock has something to say, none when the program has ended by itself.
    EXPECT_EQ(outcome.err.empty(), one.status < 124 || one.status > 127 ) << testing::PrintToString(one.arguments) << outcome.err;
  }
}

TEST_F(RunCommandTest, TakesOptionsOnlyBeforeTheCommand) {
  EXPECT_EQ(Perform(Run({"echo", "--json", "--", "--help", "-x"})).out, "--json -- --help -x\n");
  EXPECT_EQ(Perform(Run({"--", "echo", "--", "x"})).out, "-- x\n");
  EXPECT_EQ(Perform(Run({"--timeout=1m", "--profile", "build", "echo", "x"})).out, "x\n");
}

TEST_F(RunCommandTest, GivesArgumentsAsTheyAre) {
  const std::string odd = "\xff\xfe \n\t'\"\\$x\x01";
  EXPECT_EQ(Perform(Run({"printf", "%s|%s|", odd, ""})).out, odd + "||");
  const std::string large(120'000, 'x');
  EXPECT_EQ(Perform(Run({"sh", "-c", "printf %s \"$1\" | wc -c", "sh", large})).out, "120000\n");
}

TEST_F(RunCommandTest, PassesBytesThrough) {
  std::string bytes;
  for (int i = 0; i < 40'000; ++i) bytes += static_cast<char>(i * 7);
  Command command = Run({"sh", "-c", "cat; printf '\\377\\000err' >&2"});
  command.input = bytes;
  const Outcome outcome = Perform(command);
  EXPECT_EQ(outcome.out, bytes);
  EXPECT_EQ(outcome.err, std::string("\xff\0err", 5));
}

TEST_F(RunCommandTest, LeavesWhatItDoesNotReadToTheNext) {
  Write("repo/lines", "one\ntwo\nthree\n");
  // From a file: its position is where the program stopped. true reads nothing.
  EXPECT_EQ(Perform(Shell("while read line; do \"$P\" run true; echo $line; done <lines")).out, "one\ntwo\nthree\n");
  EXPECT_EQ(Perform(Shell("{ \"$P\" run sh -c 'read line; echo got $line'; cat; } <lines")).out, "got one\ntwo\nthree\n");
  // From a pipe: it is the pipe itself.
  EXPECT_EQ(Perform(Shell("cat lines | { \"$P\" run sh -c 'read line; echo got $line'; cat; }")).out, "got one\ntwo\nthree\n");
}

TEST_F(RunCommandTest, TakesInputOfEveryKind) {
  Write("repo/lines", "one\ntwo\n");
  EXPECT_EQ(Perform(Shell("\"$P\" run wc -c </dev/null")).out, "0\n");
  EXPECT_EQ(Perform(Shell("\"$P\" run wc -c <&-")).out, "0\n");
  EXPECT_EQ(Perform(Shell("\"$P\" run wc -c <.")).out, "0\n");
  EXPECT_EQ(Perform(Shell("\"$P\" run head -c 100000 </dev/zero | wc -c")).out, "100000\n");
  EXPECT_EQ(Perform(Shell("mkfifo f; cat lines >f & \"$P\" run cat <f; wait")).out, "one\ntwo\n");
  // What the program gets is no descriptor of the caller's: not the file, but a pipe.
  EXPECT_EQ(Perform(Shell("\"$P\" run stat -Lc %F /dev/stdin /dev/stdout <lines")).out, "fifo\nfifo\n");
}

TEST_F(RunCommandTest, WritesToEveryKind) {
  EXPECT_EQ(Perform(Shell("\"$P\" run echo text >out; \"$P\" run echo more >>out; cat out")).out, "text\nmore\n");
  EXPECT_EQ(Perform(Shell("\"$P\" run sh -c 'echo x 2>/dev/null || exit 3' >&-; echo $?")).out, "3\n");
  // One file for both: in the order in which it was written.
  EXPECT_EQ(Perform(Shell("\"$P\" run sh -c 'for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done' 2>&1 | tr '\\n' ' '")).out,
            "o1 e1 o2 e2 o3 e3 o4 e4 o5 e5 ");
  // A reader that has gone ends the program as it does without paddock, and nobody is told.
  const Outcome gone = Perform(Shell("{ \"$P\" run yes; echo $? >status; } | head -n 2; cat status"));
  EXPECT_EQ(gone.out, "y\ny\n141\n");
  EXPECT_EQ(gone.err, "");
}

TEST_F(RunCommandTest, FailsWhereOutputIsLost) {
  const Outcome outcome = Perform(Shell("\"$P\" run sh -c 'echo text; sleep 100' >/dev/full; echo $?"));
  EXPECT_EQ(outcome.out, "125\n");
  EXPECT_NE(outcome.err.find("ENOSPC"), std::string::npos) << outcome.err;
}

TEST_F(RunCommandTest, DropsAFloodAndSaysSo) {
  Write("config/paddock/profiles/small.json", R"({"schema": "paddock/profile/1", "name": "small", "extends": "build", "limits": {"output": "100K"}})");
  const Outcome outcome = Perform(Run({"--profile", "small", "sh", "-c", "yes | head -c 1000000; exit 5"}));
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.out.size(), 102'400u);
  EXPECT_EQ(outcome.err, "paddock: 897600 bytes of output were dropped, limit of 100K; \"limits\": {\"output\": ...} in a profile sets it\n");
}

TEST_F(RunCommandTest, NeedsNoLargeStack) {
  const Outcome outcome = Perform(Shell("ulimit -s 64; echo in | \"$P\" run --profile sealed -- cat"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "in\n");
}

TEST_F(RunCommandTest, ShellTakesNoCommandAndSaysWhatDoes) {
  const Outcome outcome = Perform(Paddock({"shell", "--", "ls"}));
  EXPECT_EQ(outcome.status, 125);
  EXPECT_NE(outcome.err.find("paddock run -- COMMAND"), std::string::npos) << outcome.err;
}

// `decode <in >out && use out` must not go on with a part.
TEST_F(RunCommandTest, LostOutputIsNeverASuccess) {
  Write("config/paddock/profiles/small.json", R"({"schema": "paddock/profile/1", "name": "small", "extends": "build", "limits": {"output": "100K"}})");
  EXPECT_EQ(Perform(Run({"--profile", "small", "sh", "-c", "yes | head -c 1000000"})).status, 125);
  EXPECT_EQ(Perform(Run({"--profile", "small", "sh", "-c", "yes | head -c 100000"})).status, 0);
}

TEST_F(RunCommandTest, HandsOverTheOutputOfARunThatTookTooLong) {
  const Outcome outcome = Perform(Run({"--timeout", "1s", "sh", "-c", "echo so far; sleep 100 & sleep 100"}));
  EXPECT_EQ(outcome.status, 124);
  EXPECT_EQ(outcome.out, "so far\n");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_LT(outcome.took, std::chrono::seconds(20));
}

TEST_F(RunCommandTest, EndsWhenItsProcessorTimeIsUsedUp) {
  Write("config/paddock/profiles/small.json", R"({"schema": "paddock/profile/1", "name": "small", "extends": "build", "limits": {"cpu": "1s"}})");
  const RunReport report = ReportOf(Perform(Run({"--profile", "small", "--json", "--", "sh", "-c", "while :; do :; done"})));
  EXPECT_EQ(report.exit_status, 124);
  EXPECT_EQ(report.ending.kind, RunEndingKind::kTimeout);
  EXPECT_EQ(report.ending.which, TimeLimit::kCpu);
}

TEST_F(RunCommandTest, ReportsAsJson) {
  RunReport report = ReportOf(Perform(Run({"--json", "--", "sh", "-c", "printf 'a\\377\\000b'; echo err >&2; exit 3", "\xff"})));
  EXPECT_EQ(report.ending.kind, RunEndingKind::kExit);
  EXPECT_EQ(report.ending.code, 3);
  ASSERT_TRUE(report.out && report.err && report.receipt && report.plan_digest);
  EXPECT_EQ(BytesFromWire(report.out->text), std::string("a\xff\0b", 4));
  EXPECT_EQ(report.err->text, "err\n");
  EXPECT_EQ(report.out->bytes, 4u);
  EXPECT_EQ(report.command.size(), 4u);
  EXPECT_EQ(BytesFromWire(report.command[3]), "\xff");
  EXPECT_FALSE(report.stages.empty());
  EXPECT_EQ(report.stages.back().stage, "total");
  EXPECT_EQ(report.receipt->plan_digest, *report.plan_digest);
  EXPECT_TRUE(report.usage.cpu_ms && report.usage.peak_memory);
  EXPECT_THAT(report.receipt->notes, testing::Contains(HasSubstr("the copier, which alone sees the original of the private copy, was not read")));

  report = ReportOf(Perform(Run({"--json", "sh", "-c", "kill -SEGV $$"})));
  EXPECT_EQ(report.ending.signal, "SIGSEGV");
  report = ReportOf(Perform(Run({"--json", "no-such-command"})));
  EXPECT_EQ(report.ending.kind, RunEndingKind::kExecError);
  EXPECT_EQ(report.ending.error_name, "ENOENT");
  const Outcome usage = Perform(Run({"--json", "--profile", "no-such-profile", "true"}));
  report = ReportOf(usage);
  EXPECT_EQ(report.ending.kind, RunEndingKind::kSetupError);
  EXPECT_FALSE(report.receipt);
  EXPECT_NE(usage.err.find("no-such-profile"), std::string::npos);
}

TEST_F(RunCommandTest, SaysWhatWasDenied) {
  const std::string script = "import socket\nfor i in range(3):\n  try: socket.socket(40, socket.SOCK_STREAM)\n  except OSError as e: print(e.errno)\n";
  Outcome outcome = Perform(Run({"python3", "-c", script}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "1\n1\n1\n");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("denied 3 calls: socket(AF_VSOCK"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("profile build"), std::string::npos) << outcome.err;
  const RunReport report = ReportOf(Perform(Run({"--json", "python3", "-c", script})));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violation_count, 3u);
  EXPECT_EQ(report.violations[0].count, 3);
  EXPECT_EQ(report.violations[0].name, "socket");
  EXPECT_EQ(report.violations[0].error_name, "EPERM");
  EXPECT_TRUE(report.violations[0].process_name.starts_with("python3"));
}

// What a repository says of the jail that it is looked at in counts for nothing.
TEST_F(RunCommandTest, TakesNoProfileOfTheRepository) {
  auto profile = [](const char* name, const char* base) { return std::string(R"({"schema": "paddock/profile/1", "name": ")") + name + R"(", "extends": ")" + base + "\"}"; };
  Write("repo/mine.json", profile("mine", "build"));
  Write("mine.json", profile("mine", "build"));
  Write("through.json", profile("through", "./repo/mine.json"));
  Write("repo/alone.json", profile("alone", "sealed"));
  auto run = [&](const std::string& file) { return Perform(Run({"--profile", file, "--", "true"})); };
  EXPECT_EQ(run(Path("mine.json")).status, 0);
  for (const std::string& file : {Path("repo/mine.json"), Path("through.json")}) {
    const Outcome outcome = run(file);
    EXPECT_EQ(outcome.status, 125);
    EXPECT_THAT(outcome.err, HasSubstr("repo/mine.json: lies in the repository"));
  }
  EXPECT_THAT(run(Path("through.json")).err, HasSubstr("through.json:1: $.extends: "));
  EXPECT_EQ(run("./alone.json").status, 0) << "a profile that shows no repository may lie anywhere";
}

TEST_F(RunCommandTest, LeavesTheRepositoryAsItWas) {
  const Outcome outcome = Perform(Run({"sh", "-c", "echo changed >README.md; echo new >new; cat new; rm -r src"}));
  EXPECT_EQ(outcome.out, "new\n") << outcome.err;
  EXPECT_EQ(List("repo"), (std::vector<std::string>{"README.md", "src", "src/main.c"}));
  EXPECT_NE(Read("repo/README.md"), "changed\n");
}

}  // namespace
}  // namespace paddock::flow
