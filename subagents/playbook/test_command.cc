#include "subagents/playbook/test_command.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "subagents/playbook/command_ranking.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostWays = 5, kMostFolders = 20;
constexpr const char* kOfBuildFolder[] = {"CMakeCache.txt", "build.ninja"};  // what CMake and Meson leave in one

bool AnyFile(const RepoView& view, const char* pattern) {
  return std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return !IsForeignPath(path) && MatchesWhole(path, pattern); });
}

// unittest looks for tests from the top down, through packages only.
std::string UnittestFolder(const RepoView& view) {
  if (AnyFile(view, R"(test\w*\.py|[^/]*tests?[^/]*/__init__\.py)")) return "";
  for (const char* folder : {"tests", "test"})
    if (std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return path.starts_with(std::string(folder) + "/test"); })) return folder;
  return "";
}

bool IsConfigured(const RepoView& view, const std::string& folder) {
  return std::any_of(std::begin(kOfBuildFolder), std::end(kOfBuildFolder), [&](const char* name) { return view.HasFile(folder + "/" + name); });
}

// A folder that was configured elsewhere is taken by none that would build in the copy: the command makes one beside it.
std::string InFreshFolder(std::string text, const RepoView& view) {
  if (!MatchesPart(text, R"(\bcmake (?:-\S+ )*(?:-S|-B|\.)|\bmeson setup )")) return text;
  std::set<std::string> configured;
  for (const std::string& path : view.files())
    if (PathDepth(path) == 1 && IsConfigured(view, std::string(FolderName(path)))) configured.insert(std::string(FolderName(path)));
  for (const std::string& folder : configured) {
    std::string fresh = folder + "-fresh";
    while (IsConfigured(view, fresh)) fresh += "-fresh";
    RE2::GlobalReplace(&text, R"(((?:-B ?|--build |--test-dir |-C ?|\bcd |\bmkdir (?:-p )?|\bmeson setup )(?:\./)?))" + RE2::QuoteMeta(folder) + R"((/?(?:[\s;&]|$)))", "\\1" + fresh + "\\2");
  }
  return text;
}

// With what must be built before, and so that the log says what fails.
std::string FromFreshCopy(std::string text, const std::string& system, const RepoView& view) {
  const bool ctest = text.find("ctest") != text.npos;
  if (text.find("ctest --preset") != text.npos) return text;
  if (text.starts_with("python ")) text = "python3" + text.substr(6);
  if (text == "pytest" || text.starts_with("pytest ")) text = "python3 -m " + text;
  if (text == "python3 -m unittest")
    if (const std::string folder = UnittestFolder(view); !folder.empty()) text += " discover -s " + folder;
  // Not installed, but importable from where it lies.
  if (text.starts_with("python3 -m ") && AnyFile(view, R"(src/\w+/__init__\.py|src/\w+\.py)")) text = "PYTHONPATH=src " + text;
  const bool autotools = system == "Autotools" && text.starts_with("make");
  if (ctest || text.starts_with("meson test") || autotools) {
    const std::string build = ctest ? "cmake -S . -B build && cmake --build build" : text.starts_with("meson") ? "meson setup build" : view.HasFile("configure") ? "./configure && make" : "autoreconf -fi && ./configure && make";
    // Automake keeps what a failing test says in a file, which is gone with the copy.
    if (autotools && view.HasFile("Makefile.am")) text += " VERBOSE=1";
    if (text.starts_with("ctest") && text.find("--test-dir") == text.npos) text += " --test-dir build";
    if (!text.starts_with("cmake ")) text = build + " && " + text;
    if (ctest && text.find("--output-on-failure") == text.npos) text += " --output-on-failure";
  }
  return InFreshFolder(std::move(text), view);
}

struct Way {
  std::string program, command;
  std::string when;  // a shell's condition: what it needs is installed
};

Way WayOf(const std::string& command) {
  std::string rest = command;
  static const RE2 variable(R"([A-Z_]+=\S* )");
  re2::StringPiece text(rest);
  while (RE2::Consume(&text, variable)) {}
  rest = std::string(text);
  Way way{rest.substr(0, rest.find(' ')), command, ""};
  way.when = "command -v " + way.program + " >/dev/null";
  if (rest.starts_with("python3 -m pytest")) way.when = "python3 -c 'import pytest' 2>/dev/null", way.program = "pytest";
  // Without a network they take what is there already, or nothing.
  if (rest.starts_with("uv run ")) way.when = "command -v uv >/dev/null && [ -d .venv ]";
  if (rest.starts_with("bundle exec ")) way.when = "bundle check >/dev/null 2>&1";
  return way;
}

// Programs that do nothing but run tests, with plain words behind them: one test of many as well.
#define RUNNER R"((?:[A-Z_]+=[\w./:-]* )*(?:npx (?:--no-install )?(?:tap|mocha|jest|vitest|ava|jasmine)|(?:python3? -m )?pytest|python3? -m unittest|python3? -m (?:\w+\.)*tests?|node(?: --?[\w./=@:-]+)* --test|go test|cargo test|ctest))"
constexpr char kRunner[] = RUNNER R"((?: [\w./*:=,@^+-]+)*)";
// In the midst of words: with paths and plain options behind it, and nothing that one of these may belong to.
constexpr char kRunnerInWords[] = R"((?:^|[\s"'(]))" "(" RUNNER
    R"((?: (?:-[vxqsra]{1,3}|-race|-short|--?[\w-]+=[\w./,:-]*\w|--(?:verbose|quiet|all|workspace|release|output-on-failure|no-fail-fast|bail))"
    R"(|\.{1,2}/(?:[\w./*-]*[\w*/])?(?:\.\.\.)?|(?:tests?|src|lib|pkg|packages)/(?:[\w./*-]*[\w*/])?(?:::[\w:]+)?|[\w-]+/(?:[\w./*-]*/)?(?:[\w*-]+\.\w+)?(?:::[\w:]+)?|[\w-]+\.(?:py|js|mjs|cjs|ts)(?:::[\w:]+)?))*))"
    R"((?:$|[,;:?!)]|["'.](?:\s|$)|\s+[^\s"'-]))";
#undef RUNNER

// Quoted in the goal, and one that runs tests: such a program, or what the table of tools knows as one. Else such a program in its words.
std::string CommandOfGoal(const RepoView& view, std::string_view goal, const std::vector<CommandOffer>& offers) {
  static const RE2 quoted("`([^`\n]{2,160})`");
  re2::StringPiece rest(goal.data(), goal.size());
  std::string text;
  while (RE2::FindAndConsume(&rest, quoted, &text)) {
    if (MatchesWhole(text, kRunner)) return FromFreshCopy(text, "", view);
    std::string folder;
    const auto commands = ParseCommandLine(text, WorldOf(view), &folder);
    if (commands.size() != 1 || commands[0].kind != CommandKind::kTest) continue;
    const auto known = std::find_if(offers.begin(), offers.end(), [&](const CommandOffer& offer) { return offer.group == commands[0].tool; });
    return FromFreshCopy(commands[0].text, known == offers.end() ? "" : known->system, view);
  }
  std::string words(goal);
  RE2::GlobalReplace(&words, quoted, "");
  const auto in_words = FirstGroup(words, kRunnerInWords);
  return in_words ? FromFreshCopy(*in_words, "", view) : "";
}

}  // namespace

void AskForBuildFolders(CallQueue* queue) {
  for (const char* name : kOfBuildFolder) queue->Add("list_files", Json{{"pattern", std::string("*/") + name}, {"ignored", true}, {"depth", 2}, {"limit", kMostFolders}});
}

std::string TestCommand(const RepoView& view, std::string_view goal) {
  const auto languages = RankLanguages(view);
  auto tests = RankCommands(view, languages, CommandKind::kTest);
  // These want to fetch things first.
  std::stable_partition(tests.begin(), tests.end(), [](const CommandOffer& offer) { return offer.group != "tox" && offer.group != "nox"; });
  std::vector<Way> ways;
  const auto add = [&](const std::string& command) {
    Way way = WayOf(command);
    if (ways.size() < kMostWays && std::none_of(ways.begin(), ways.end(), [&](const Way& have) { return have.program == way.program; })) ways.push_back(std::move(way));
  };
  if (const std::string own = CommandOfGoal(view, goal, tests); !own.empty()) add(own);
  for (const CommandOffer& offer : tests) {
    const std::string text = FromFreshCopy(offer.text, offer.system, view);
    if (text.starts_with("cd ") && tests.size() > 1) continue;  // that there is one says nothing of what follows
    add(text);
    // What is installed for all may be enough.
    if (auto bare = FirstGroup(text, R"(^(?:bundle exec|(?:uv|poetry|pdm|pipenv|hatch) run(?: --?[\w-]+)*) ((?:rake|rspec|pytest|python)\b.*))")) add(FromFreshCopy(*bare, "", view));
  }
  if (ways.empty()) return "";
  if (ways.size() == 1 || ways[0].program.find('/') != std::string::npos) return ways[0].command;
  std::string command;
  for (const Way& way : ways) command += (command.empty() ? "if " : "; elif ") + way.when + "; then " + way.command;
  return command + "; else echo none of the programs that run the tests is here; exit 127; fi";
}

std::string QuotedCommand(std::string_view goal) {
  static const RE2 quoted("`((?:[A-Z_]+=\\S* )*(?:\\./\\S+|make|cmake|ctest|ninja|meson|autoreconf|npm|npx|yarn|pnpm|node|python3?|pytest|tox|nox|uv|go|cargo|mvn|gradle|sh|bash|bundle|rake|rspec|ruby|perl|prove|php|composer|dotnet|swift|zig|mix|stack|cabal)(?: [^`\n]{1,400})?)`");
  // Of other programs, by their options or as one of those that everybody has.
  static const RE2 others("`((?:ls|cat|echo|grep|find|git|curl|wget|docker|rm|cp|mv|env|which) [^`\n]{1,400}|[a-z][\\w.+/-]+(?: [\\w./=@:+-]+)* -(?:[A-Za-z]{1,3}|-[a-z][\\w-]+)(?:[= ][^`\n]{0,400})?)`");
  const re2::StringPiece in(goal.data(), goal.size());
  std::string text;
  return RE2::PartialMatch(in, quoted, &text) || RE2::PartialMatch(in, others, &text) ? text : "";
}

std::string NotTaken(const RepoView& view, std::string_view goal) {
  const std::string quoted = QuotedCommand(goal);
  if (quoted.empty() || !CommandOfGoal(view, goal, RankCommands(view, RankLanguages(view), CommandKind::kTest)).empty()) return "";
  return "`" + quoted + "` is not asked for: a run is of one plain command of a program that is known to run tests, without a shell's signs, and this is none. ";
}

}  // namespace paddock::subagents
