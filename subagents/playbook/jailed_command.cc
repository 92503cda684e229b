#include "subagents/playbook/jailed_command.h"

#include <set>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr char kNoNetwork[] = " (the jail has no network: packages that it needs have to be there before)";

struct RootBuild {
  const char* tool;  // two of them in one root: neither is certain
  const char* file;
  const char* command;
};
// Of a tool the first counts.
constexpr RootBuild kBuilds[] = {
    {"cargo", "Cargo.toml", "cargo build"},
    {"go", "go.mod", "go build ./..."},
    {"maven", "mvnw", "./mvnw package"},
    {"maven", "pom.xml", "mvn package"},
    {"gradle", "gradlew", "./gradlew build"},
    {"gradle", "build.gradle", "gradle build"},
    {"gradle", "build.gradle.kts", "gradle build"},
    {"python", "pyproject.toml", "python3 -m pip install ."},
    {"python", "setup.py", "python3 -m pip install ."},
    {"native", "CMakeLists.txt", "cmake -B build && cmake --build build"},
    {"native", "meson.build", "meson setup build && meson compile -C build"},
    {"native", "configure", "./configure && make"},
};
// What another tool's project has as well.
constexpr const char* kMakefiles[] = {"GNUmakefile", "makefile", "Makefile"};
constexpr RootBuild kNodeBuilds[] = {{"", "pnpm-lock.yaml", "pnpm install"}, {"", "yarn.lock", "yarn install"}, {"", "package-lock.json", "npm ci"}, {"", "npm-shrinkwrap.json", "npm ci"}, {"", "package.json", "npm install"}};

// "" where it can't be told.
std::string BuildOf(const RepoView& view) {
  std::set<std::string> tools;
  std::string command;
  for (const auto& build : kBuilds)
    if (view.HasFile(build.file) && tools.insert(build.tool).second) command = build.command;
  if (view.HasFile("package.json")) {
    tools.insert("node");
    for (const auto& build : kNodeBuilds)
      if (view.HasFile(build.file)) {
        command = build.command;
        break;
      }
  }
  for (const char* makefile : kMakefiles)
    if (tools.empty() && view.HasFile(makefile)) return "make";
  return tools.size() == 1 ? command : "";
}

std::string InSingleQuotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string Jailed(const std::string& command) {
  const bool plain = MatchesWhole(command, R"([\w./+-][\w./+:@,-]*(?:\s+(?:[\w./+:@,=-]+|"[^"$`\\]*"|'[^']*'))*)") && !MatchesPart(command, R"(^(cd|source|export|\.)\s)");
  return "paddock run --profile build -- " + (plain ? command : "sh -c " + InSingleQuotes(command));
}

std::string JailedBuildOf(const RepoView& view) {
  const std::string command = BuildOf(view);
  if (!command.empty()) return Jailed(command) + kNoNetwork;
  return std::string("paddock run --profile build -- COMMAND, where COMMAND is what installs or builds it: paddock investigate explorer \"how is it built?\" names it") + kNoNetwork;
}

}  // namespace paddock::subagents
