#include "tests/flow/flow_fixture.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace paddock::flow {

namespace fs = std::filesystem;

std::string ProgramsFolder() { return fs::canonical("/proc/self/exe").parent_path(); }
std::string HostileFolder() { return ProgramsFolder() + "/hostile"; }

FlowTest::FlowTest() {
  std::string pattern = fs::temp_directory_path() / "paddock-flow-XXXXXX";
  root_ = mkdtemp(pattern.data());
  for (const char* name : {"state", "config", "home", "tmp", "repo"}) fs::create_directory(Path(name));
  Write("repo/README.md", "# Thing\n\nA thing that does one thing.\nBuild it with `make`.\n");
  Write("repo/src/main.c", "#include <stdio.h>\n\nint main(void) {\n  puts(\"thing\");\n  return 0;\n}\n");
}

FlowTest::~FlowTest() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void FlowTest::Write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(Path(name)).parent_path());
  std::ofstream file(Path(name), std::ios::binary);
  file << text;
  ASSERT_TRUE(file.good()) << name;
}

std::string FlowTest::Read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(Path(name), std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> FlowTest::List(const std::string& name) const {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(Path(name), ignored)) paths.push_back(fs::relative(entry.path(), Path(name)));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string FlowTest::Script(const std::string& turns, const std::string& more) const {
  Write("script.json", R"({"schema": "paddock/script/1", "turns": )" + turns + more + "}");
  return "scripted:" + Path("script.json");
}

Command FlowTest::Paddock(std::vector<std::string> arguments, const std::string& programs) const {
  Command command;
  command.argv = std::move(arguments);
  command.argv.insert(command.argv.begin(), programs + "/paddock");
  command.environment = {{"HOME", Path("home")},   {"XDG_STATE_HOME", Path("state")}, {"XDG_CONFIG_HOME", Path("config")},
                         {"TMPDIR", Path("tmp")}, {"PATH", "/usr/bin:/bin"},         {"LANG", "C.UTF-8"}};
  return command;
}

Command FlowTest::Investigate(std::vector<std::string> more, const std::string& programs) const {
  std::vector<std::string> arguments{"investigate", "explorer", "what is this?", "--json", "--repo", Path("repo")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Paddock(std::move(arguments), programs);
}

Outcome FlowTest::Perform(const Command& command) const {
  Outcome outcome;
  {
    PaddockRun run(command);
    outcome = run.Finish();
  }  // nothing may be left
  return outcome;
}

subagents::ResultTicket TicketOf(const Outcome& outcome) {
  const std::string& text = outcome.out;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text << outcome.err;
  EXPECT_TRUE(text.ends_with("\n"));
  auto json = ParseJson(text, {.max_bytes = 64u << 20, .max_values = 4'000'000});
  if (!json) {
    ADD_FAILURE() << "no JSON on standard output: " << json.error().message << "\n" << text << outcome.err;
    return {};
  }
  auto ticket = FromJson<subagents::ResultTicket>(*json);
  if (!ticket) {
    ADD_FAILURE() << "no result ticket: " << ticket.error().message << "\n" << text;
    return {};
  }
  return *ticket;
}

std::string StatusOf(const subagents::ResultTicket& ticket) {
  for (const auto& one : EnumNames(FieldsOf<subagents::TicketStatus>{}))
    if (one.value == ticket.status) return one.name;
  return "?";
}

std::string Quoted(const std::string& text) { return DumpJson(Json(text)); }

}  // namespace paddock::flow
