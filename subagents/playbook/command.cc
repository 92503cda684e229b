#include "subagents/playbook/command.h"

#include <algorithm>
#include <optional>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxCommandBytes = 160;
// In place of a folder that the repository hasn't, and that a build makes: what only the tree's own files say is not of it.
constexpr char kMadeFolder[] = "?";

using Words = std::vector<std::string>;

Words Split(std::string_view text) {
  Words out;
  std::string word;
  for (char c : text) {
    if (c == ' ' || c == '\t') {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

bool IsOption(const std::string& word) { return word.size() > 1 && word[0] == '-'; }
bool IsAssignment(const std::string& word) { return MatchesWhole(word, R"([A-Za-z_][A-Za-z0-9_]*=[^=]*)"); }

// How a tool's arguments decide what a call of it is. `rest` is a pattern of all arguments, joined by one space.
struct ToolForm {
  const char* tool;  // pattern of the first word
  const char* rest;
  const char* group;
  CommandKind kind;
};

constexpr auto kSetup = CommandKind::kSetup;
constexpr auto kConfigure = CommandKind::kConfigure;
constexpr auto kBuild = CommandKind::kBuild;
constexpr auto kTest = CommandKind::kTest;

// The first form that matches is it. OPT stands for options with their values glued on.
#define OPT R"((?: ?-[\w.,:/=+*"'@-]+)*)"
constexpr ToolForm kForms[] = {
    {"autoreconf", OPT, "configure", kConfigure},
    {R"(\./(autogen|bootstrap|buildconf)(\.sh)?|sh (autogen|bootstrap)\.sh)", OPT, "configure", kConfigure},
    {R"((\.\.?/)+configure)", OPT, "configure", kConfigure},
    {"cmake", R"(--build \S+ --target (test|check)\b.*)", "ctest", kTest},
    {"cmake", R"(--build( \S+)?( --?[\w-]+( \w+)?)*)", "cmake", kBuild},
    {"cmake", R"(--preset[ =]\S+)", "cmake", kConfigure},
    {"cmake", R"((-[\w.=:/+-]+ |-[SBG] \S+ ?)*(\.|\.\.|\.\./\.\.)?( ?-[\w.=:/+-]+| -[SBG] \S+)*)", "cmake", kConfigure},
    {"ctest", R"((-[\w=.-]+( [\w./-]+)?( |$))*)", "ctest", kTest},
    {"meson", R"(setup( -\S+)* [\w./-]+( -\S+)*|_?build\w*/?( -\S+)*)", "meson", kConfigure},
    {"meson", R"(compile( -C [\w./-]+)?( -\S+)*)", "meson", kBuild},
    {"meson", R"(test( -C [\w./-]+)?( -\S+)*)", "meson test", kTest},
    {"ninja", R"((-C [\w./-]+ )?(test|check)( -C [\w./-]+)?)", "meson test", kTest},
    {"ninja", R"((-C [\w./-]+)?( ?-\S+)*( ?all)?)", "meson", kBuild},
    {"bazel(isk)?", R"(test (-\S+ )*(//|:|\.\.\.).*)", "bazel test", kTest},
    {"bazel(isk)?", R"(build (-\S+ )*(//|:|\.\.\.).*)", "bazel", kBuild},
    {"scons", OPT, "scons", kBuild},
    {"cargo", R"((\+\S+ )?(test|nextest run)( -\S+( [\w/,'"-]+)?)*)", "cargo test", kTest},
    {"cargo", R"((\+\S+ )?build( -\S+( [\w/,'"-]+)?)*)", "cargo", kBuild},
    {"go", R"(test( -\S+)*( [\w./-]*\.\.\.| \.)?( -\S+)*)", "go test", kTest},
    {"go", R"(build( -\S+)*( [\w./-]+)?)", "go", kBuild},
    {"npm|pnpm|yarn|bun", R"(t|test( -\S+)*|run(-script)? test)", "npm test", kTest},
    {"npm|pnpm|yarn|bun", R"((install|i|ci)( --[\w-]+)*)", "npm install", kSetup},
    {"yarn", R"()", "npm install", kSetup},
    {R"(mvn|\./mvnw)", R"(((-D \S+|-\S+|clean) )*(test|verify)( -D \S+| -\S+)*)", "mvn test", kTest},
    {R"(mvn|\./mvnw)", R"(((-D \S+ |-\S+ ?|clean ?))*((compile|package|install)( -D \S+| -\S+)*)?)", "mvn", kBuild},
    {R"(gradle|\./gradlew)", R"(((-\S+|clean) )*(test|check)( -\S+)*)", "gradle test", kTest},
    {R"(gradle|\./gradlew)", R"(((-\S+|clean) )*(build|assemble|jar|installDist|shadowJar)( (build|assemble|jar|test|check)| -\S+)*)", "gradle", kBuild},
    {"ant", R"((test|check|junit)[\w-]*)", "ant test", kTest},
    {"ant", R"((jar|compile|build|dist|all)?)", "ant", kBuild},
    {"sbt", R"(test)", "sbt test", kTest},
    {"sbt", R"(compile|package|assembly)", "sbt", kBuild},
    {"pytest|py\\.test", R"(( ?-[\w=.:/-]+| ?[\w./-]*(test|spec)[\w./-]*| ?auto)*)", "pytest", kTest},
    {"tox", R"((run)?( ?-[em] [\w.,-]+| ?-[\w-]+)*)", "tox", kTest},
    {"nox", R"(|-s \w*test\w*)", "nox", kTest},
    {"python3?|py", R"(-m pytest( -\S+)* [\w./-]+\.py)", "pytest", CommandKind::kOther},  // one file of many
    {"python3?|py", R"(-m pytest\b[ \w./=-]*)", "pytest", kTest},
    // One test by its name is not the project's tests.
    {"python3?|py", R"(-m unittest( (-\S+|discover|[\w-]*/[\w./-]*|\w+(\.\w+)?))*)", "unittest", kTest},
    {"python3?|py", R"(-m tox( \S+)*)", "tox", kTest},
    {"python3?|py", R"(-m nox( \S+)*)", "nox", kTest},
    {"python3?|py", R"(-m build)", "pip", kBuild},
    {"python3?|py", R"((\./)?setup\.py (test|check))", "setup.py test", kTest},
    {"python3?|py", R"((\./)?setup\.py (build|install|develop|build_ext)( -\S+)*)", "pip", kBuild},
    {"python3?|py", R"(manage\.py test.*)", "manage.py", kTest},
    {"python3?|py", R"(-m pip install( -[\w-]+)* ['"]?\.(\[[\w,-]+\])?['"]?)", "pip", kBuild},
    {"pip3?|uv pip", R"(install( -[\w-]+)* ['"]?\.(\[[\w,-]+\])?['"]?)", "pip", kBuild},
    {"poetry", R"(install( -\S+)*|build)", "poetry", kBuild},
    {"poetry|uv|pdm|hatch|pipenv", R"(run ([\w-]+ )*tox( run)?( -\S+)*)", "tox", kTest},
    {"poetry|uv|pdm|hatch|pipenv", R"(run ([\w-]+ )*(pytest|nox|test\w*)( -\S+)*|test)", "pytest", kTest},
    {"uv", R"(sync( -\S+)*|build)", "uv", kBuild},
    {"hatch|flit|pdm", R"(build|install)", "pip", kBuild},
    {"perl", R"(Makefile\.PL( -?\S+)*|Build\.PL( -?\S+)*)", "perl", kConfigure},
    {R"(\./Build)", R"(test)", "Build test", kTest},
    {R"(\./Build)", R"()", "perl", kBuild},
    {"prove", R"((-\S+ ?)+(x?t/?\S*)?)", "make", kTest},
    {"dzil", R"(test)", "dzil test", kTest},
    {"dzil", R"(build)", "dzil", kBuild},
    {"bundle", R"(install|)", "bundle", kSetup},
    {"rake|bundle exec rake", R"(test\S*|spec\S*|)", "rake", kTest},
    {"rspec|bundle exec rspec", OPT, "rspec", kTest},
    {"gem", R"(build [\w.-]+\.gemspec)", "gem", kBuild},
    {"rake|bundle exec rake", R"(build|compile)", "gem", kBuild},
    {"composer", R"(test|run-script test|run test)", "composer test", kTest},
    {"composer", R"((install|update)( -\S+)*)", "composer", kSetup},
    {R"((\./)?vendor/bin/phpunit|phpunit)", OPT, "composer test", kTest},
    {"cabal", R"((v2-|new-)?test.*)", "cabal test", kTest},
    {"cabal", R"((v2-|new-)?build( [\w:-]+)?( -\S+)*)", "cabal", kBuild},
    {"stack", R"(test( -\S+)*)", "stack test", kTest},
    {"stack", R"(build( -\S+)*|setup)", "stack", kBuild},
    {"dune", R"((runtest|test)( -\S+)*)", "dune test", kTest},
    {"dune", R"(build( [@\w./-]+)?( -\S+)*)", "dune", kBuild},
    {"dotnet", R"(test( \S+)*)", "dotnet test", kTest},
    {"dotnet", R"((build|restore)( [\w./-]+)*)", "dotnet", kBuild},
    {R"((\./)?rebar3)", R"(eunit|ct|do eunit.*|proper)", "rebar3 test", kTest},
    {R"((\./)?rebar3)", R"(compile)", "rebar3", kBuild},
    {"mix", R"(test( -\S+)*)", "mix test", kTest},
    {"mix", R"(deps\.get)", "mix", kSetup},
    {"mix", R"(compile)", "mix", kBuild},
    {"zig", R"(build test( -\S+)*)", "zig test", kTest},
    {"zig", R"(build( -\S+)*)", "zig", kBuild},
    {"swift", R"(test( -\S+)*)", "swift test", kTest},
    {"swift", R"(build( -\S+)*)", "swift", kBuild},
    {"luarocks", R"(make( [\w.-]+)?)", "luarocks", kBuild},
    {"luarocks", R"(test)", "luarocks test", kTest},
    {"busted", OPT, "busted", kTest},
    {"npx", R"((--no-install )?(tap|mocha|jest|vitest|ava|jasmine)( run)?( -\S+)*)", "npx", kTest},
    {"deno", R"(test( -\S+)*)", "deno test", kTest},
    {"bats", R"(( ?-\S+| ?[\w./-]*test[\w./-]*)+)", "bats", kTest},
};
#undef OPT

bool IsMakeTarget(const std::string& word, const CommandWorld& world) {
  static const std::set<std::string> kUsual = {"all", "build", "test", "tests", "check", "install"};
  return world.make_targets.contains(word) || kUsual.contains(word);
}

std::optional<Command> MakeCommand(const Words& words, const CommandWorld& world) {
  Command command{"", "make", kBuild, 0};
  std::string target;
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-C" || words[i] == "-f" || words[i] == "-j") {
      if (words[i] != "-j" || (i + 1 < words.size() && MatchesWhole(words[i + 1], "[0-9]+"))) ++i;
      ++command.extras;
    } else if (IsOption(words[i]) || IsAssignment(words[i])) {
      command.extras += words[i].starts_with("-j") ? 0 : 1;
    } else if (target.empty() && MatchesWhole(words[i], R"([\w][\w./-]*)") && IsMakeTarget(words[i], world)) {
      target = words[i];
    } else {
      return std::nullopt;
    }
  }
  if (target == "test" || target == "tests" || target == "check") command.kind = kTest;
  else if (!target.empty() && target != "all" && target != "build") command.kind = KindOfName(target) == kTest ? kTest : CommandKind::kOther;
  if (command.kind == kTest && target != "test" && target != "check" && target != "tests") ++command.extras;
  return command;
}

std::optional<Command> ScriptCommand(const Words& words, const CommandWorld& world, const std::string& cwd) {
  size_t at = 0;
  static const std::set<std::string> kShells = {"sh", "bash", "python", "python3", "perl", "ruby", "node"};
  if (kShells.contains(words[0]) && words.size() > 1) at = 1;
  std::string path = words[at];
  if (path.starts_with("./")) path = path.substr(2);
  else if (at == 0 && path.find('/') == std::string::npos) return std::nullopt;
  if (MatchesPart(path, R"(\.(md|rst|txt|adoc|h|c|cc|cpp|hpp|json|toml|ya?ml|xml|cfg|ini|in|ac|am|t|rs|go|java)$)")) return std::nullopt;
  if (!IsPlainPath(path) || !world.has_file(cwd.empty() ? path : cwd + "/" + path)) return std::nullopt;
  Command command{"", "script:" + (cwd.empty() ? path : cwd + "/" + path), KindOfName(BaseName(path)), 0};
  for (size_t i = at + 1; i < words.size(); ++i) {
    if (!IsPlainPath(words[i]) && !IsOption(words[i])) return std::nullopt;
    ++command.extras;
  }
  return command;
}

std::optional<Command> NpmRun(const Words& words, const CommandWorld& world) {
  static const std::set<std::string> kTools = {"npm", "pnpm", "yarn", "bun"};
  if (!kTools.contains(words[0]) || words.size() < 2) return std::nullopt;
  size_t at = words[1] == "run" || words[1] == "run-script" ? 2 : words[0] == "yarn" || words[0] == "pnpm" ? 1 : 0;
  if (at == 0 || words.size() != at + 1 || !world.npm_scripts.contains(words[at])) return std::nullopt;
  CommandKind kind = KindOfName(words[at]);
  // "check" and the like do something else than "test" where both are there.
  const bool own = kind == kTest && !words[at].starts_with("test");
  return Command{"", own ? "npm script:" + words[at] : kind == kTest ? "npm test" : "npm run", kind, words[at] == "test" || words[at] == "build" ? 0 : 1};
}

std::optional<Command> ParseOne(Words words, const CommandWorld& world, const std::string& cwd) {
  int extras = 0;
  while (!words.empty() && (IsAssignment(words[0]) || words[0] == "sudo" || words[0] == "time" || words[0] == "env")) {
    words.erase(words.begin());
    ++extras;
  }
  if (words.empty()) return std::nullopt;
  // As it is called where the folder is on the path: on Windows.
  if (MatchesWhole(words[0], R"((gradlew|mvnw)(\.bat|\.cmd)?)"))
    if (std::string wrapper = words[0].substr(0, words[0].find('.')); world.has_file(wrapper)) words[0] = "./" + wrapper;
  std::string joined;
  for (const auto& word : words) joined += (joined.empty() ? "" : " ") + word;
  std::optional<Command> out;
  const bool made_here = cwd == kMadeFolder;
  if (words[0] == "make" || words[0] == "gmake") {
    if (!made_here) out = MakeCommand(words, world);
  } else {
    for (const auto& form : kForms) {
      size_t first = 1;  // a tool can be two or three words ("bundle exec rake")
      std::string tool = words[0];
      while (!MatchesWhole(tool, form.tool) && first < words.size() && first < 3) tool += " " + words[first++];
      if (!MatchesWhole(tool, form.tool)) continue;
      std::string rest = joined.size() > tool.size() ? joined.substr(tool.size() + 1) : "";
      if (!MatchesWhole(rest, form.rest)) continue;
      int options = 0;
      for (size_t i = first; i < words.size(); ++i) options += IsOption(words[i]) ? 1 : 0;
      out = Command{"", form.group, form.kind, options};
      break;
    }
    if (!out && !made_here) out = NpmRun(words, world);
    if (!out && !made_here) out = ScriptCommand(words, world, cwd);
  }
  if (!out) return std::nullopt;
  out->text = (cwd.empty() || made_here ? "" : "cd " + cwd + " && ") + joined;
  out->extras += extras;
  return out;
}

// Without a prompt, a trailing comment and a final colon or full stop of prose.
std::string_view Strip(std::string_view line) {
  auto trim = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == ';')) line.remove_suffix(1);
  };
  trim();
  if (line.starts_with("$ ") || line.starts_with("% ") || line.starts_with("> ") || line.starts_with("# ")) line.remove_prefix(2);
  for (std::string_view mark : {" # ", "\t# ", " #", ";#"})
    if (size_t at = line.find(mark); at != std::string_view::npos) line = line.substr(0, at);
  trim();
  return line;
}

}  // namespace

CommandKind KindOfName(std::string_view name) {
  const std::string lower = Lower(name);
  if (MatchesPart(lower, R"((^|[^a-z])(lint|format|fmt|style|spell|clean|release|publish|coverage|cov|bench\w*|fuzz\w*|doc|docs|gen\w*|install|certs?|update|fetch|download|deploy|server|setup|print|show|report|upload)([^a-z]|$))"))
    return CommandKind::kOther;
  if (MatchesPart(lower, R"((^|[^a-z])(run_?)?(unit)?(tests?|check|specs?)([^a-z]|$)|runtests)")) return kTest;
  if (MatchesPart(lower, R"((^|[^a-z])(build|compile|make|quickstart|dist|bundle)([^a-z]|$))")) return kBuild;
  return CommandKind::kOther;
}

bool IsPlainPath(std::string_view path) {
  return !path.empty() && path.size() < 300 && path[0] != '-' && MatchesWhole(path, R"([\w./+@%,:=-]+)");
}

std::vector<Command> ParseCommandLine(std::string_view line, const CommandWorld& world, std::string* cwd) {
  std::vector<Command> out;
  line = Strip(line);
  if (line.empty() || line.size() > kMaxCommandBytes || MatchesPart(line, R"([<>`|\\{}$…]|\[\w+\]$|\.\.\. )")) return out;
  while (!line.empty()) {
    size_t cut = std::min(line.find("&&"), line.find(';'));
    std::string_view part = line.substr(0, cut);
    line = cut == std::string_view::npos ? std::string_view() : line.substr(cut + (line[cut] == '&' ? 2 : 1));
    Words words = Split(part);
    if (words.empty()) continue;
    if (words[0] == "cd" && words.size() == 2) {
      std::string folder = words[1];
      while (folder.ends_with("/")) folder.pop_back();
      if (*cwd == "!") {  // the clone's own name comes first
        size_t slash = folder.find('/');
        *cwd = "";
        if (slash == std::string::npos) continue;
        folder = folder.substr(slash + 1);
      }
      std::string joined = cwd->empty() ? folder : *cwd + "/" + folder;
      // A folder that the repository does not have is a build folder or the clone itself.
      if (folder == ".." || folder == "-") *cwd = "";
      else if (*cwd == kMadeFolder) continue;
      else if (IsPlainPath(folder) && world.has_folder(joined)) *cwd = joined;
      else if (MatchesWhole(BaseName(folder), R"((?i)_?(cmake-)?(build|bld|out|obj|bin)([-_.]?[\w.-]*)?)")) *cwd = kMadeFolder;
      continue;
    }
    if (words[0] == "git" && words.size() > 1 && words[1] == "clone") *cwd = "!";  // the next cd enters the clone
    if (words[0] == "git" || words[0] == "mkdir" || words[0] == "popd" || words[0] == "pushd") continue;
    if (auto command = ParseOne(std::move(words), world, *cwd == "!" ? "" : *cwd)) out.push_back(*std::move(command));
    else return out;  // not understood: what follows may mean something else
  }
  return out;
}

}  // namespace paddock::subagents
