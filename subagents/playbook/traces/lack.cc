#include "subagents/playbook/traces/lack.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/text.h"
#include "subagents/playbook/traces/bare_line.h"

namespace paddock::subagents {
namespace {

using enum LackKind;

struct LackRule {
  LackKind kind;
  const char* hint;     // a text that such a line holds
  const char* pattern;  // RE2, anywhere in the line; its group is what is missing
  const char* begun = nullptr;  // a text that the line or one of the few before it holds
};

// Where Python, or pytest, says which error it was: a docstring that is shown names errors as well.
#define PYTHON R"(^(?:E\s+|(?:ERROR|FAILED) \S.* - )?(?:\w+\.)*)"

constexpr LackRule kRules[] = {
    {kNetwork, "dial tcp", R"(\bdial tcp\b())"},
    {kNetwork, "no suitable address", R"((no suitable address))"},
    {kNetwork, "in name resolution", R"((?:Temporary|Permanent)? ?failure in name resolution())"},
    {kNetwork, "ould not resolve", R"([Cc]ould not resolve (?:host|hostname|proxy)\b())"},
    {kNetwork, "ailed to resolve", R"([Ff]ailed to resolve ['"]?[\w.-]+\.\w+())"},
    {kNetwork, "resolve address for ", R"([Ff]ailed to resolve address for \S+())"},
    {kNetwork, "Unknown host ", R"(\bUnknown host [\w.-]+\.\w+())"},
    {kNetwork, "getaddrinfo", R"(\bgetaddrinfo\b())"},
    {kNetwork, "ENOTFOUND", R"(\bENOTFOUND\b())"},
    {kNetwork, "etwork is unreachable", R"([Nn]etwork is unreachable())"},
    {kNetwork, "EAI_AGAIN", R"(\bEAI_AGAIN\b())"},
    {kNetwork, "module lookup disabled", R"(module lookup disabled by GOPROXY=off())"},
    {kDependency, "No module named ", PYTHON R"((?:ModuleNotFoundError|ImportError): No module named ['"]?([\w.]+))"},
    {kDependency, "No module named ", R"(^\S*python[\d.]*: No module named ['"]?([\w.]+))"},
    {kDependency, "ackageNotFoundError: ", PYTHON R"(PackageNotFoundError: (?:No package metadata was found for )?['"]?([\w.-]+)['"]?$)"},
    {kDependency, "as a dependency of package", R"(failed to get `([\w-]+)` as a dependency of package)"},
    {kDependency, "no matching package named", R"(no matching package named `([\w-]+)` found)"},
    {kDependency, "Could not find ", R"(Could not find (?:gem )?'?([\w-]+)[^']*'? in (?:any of the sources|locally installed gems|rubygems|cached gems))"},
    {kDependency, "cannot load such file -- ", R"(cannot load such file -- ([\w/.-]+))"},
    {kDependency, "annot find ", R"(Cannot find (?:module|package) ['"]([@\w][^'"]*)['"])"},
    {kDependency, "No such file or directory", R"(fatal error: ([\w./+-]+\.(?:h|hh|hpp|hxx|H)|[\w/]+): No such file or directory)"},
    {kDependency, " file not found", R"(fatal error: ['"]([^'"]+)['"] file not found)"},
    {kDependency, "cannot find -l", R"(cannot find -l([\w.+-]+))"},
    {kDependency, "shared librar", R"(error while loading shared libraries: ([\w.+-]+))"},
    {kDependency, "cannot open shared object", PYTHON R"(ImportError: ([\w.+-]+): cannot open shared object file)"},
    {kDependency, "No package '", R"(No package '([^']+)' found)"},
    {kDependency, "package configuration file", R"re(Could not find a package configuration file provided by "([^"]+)")re"},
    {kProgram, "not found", R"(^(?:/\S+/)?\w*sh: (?:line )?\d+: ([\w.+-]+): (?:command )?not found$)"},
    {kProgram, "command not found", R"(^(?:\S+: )?(?:line \d+: )?([\w.+-]+): command not found$)"},
    {kProgram, "No such file", R"(^(?:/\S+/)?env: [‘'"]?([\w.+-]+)['"’]?: No such file or directory$)"},
    {kProgram, "make", R"(^g?make(?:\[\d+\])?: ([\w.+-]+): (?:No such file or directory|Command not found|Permission denied)$)"},
    {kCommand, "No rule to make target", R"(^g?make(?:\[\d+\])?: \*\*\* No rule to make target ['‘`]([^'’`]+)['’`]\.)"},
    {kCommand, "unknown target", R"(^ninja: error: unknown target ['‘]([^'’]+))"},
    {kCommand, "unrecognized arguments", R"(\berror: unrecognized arguments: (\S.*))"},
    {kCommand, "not found: ", R"(^ERROR: (?:file or directory )?not found: (\S+))"},
    {kCommand, "has no attribute", R"(^AttributeError: (?:module|type object) '[\w.]+' has no attribute '([^']+)')", "loader._FailedTest"},
    {kCommand, "issing script", R"(Missing script: ['"]?([\w:.-]+))"},
    {kCommand, "no such ", R"(error: no such (?:sub)?command: `([^`]+)`)"},
    {kBuildFolder, "where CMakeCache.txt was created", R"(CMakeCache\.txt directory (\S+?)(?:/CMakeCache\.txt)? is different than)"},
    {kBuildFolder, "used to generate cache", R"(The source "[^"]*" does not match the source "[^"]*" used to generate cache())"},
    {kSubmodule, "does not contain a CMakeLists.txt", R"(does not contain a CMakeLists\.txt file())", "The source directory"},
    {kSubmodule, "which is not an", R"re("([^"]+)" which is not an\b)re", "add_subdirectory given source"},
    {kProgram, "none of the programs that run the tests is here", R"((none of the programs that run the tests) is here)"},
};
#undef PYTHON

const std::vector<std::unique_ptr<RE2>>& Patterns() {
  thread_local const std::vector<std::unique_ptr<RE2>> patterns = [] {
    std::vector<std::unique_ptr<RE2>> all;
    for (const LackRule& rule : kRules) all.push_back(std::make_unique<RE2>(rule.pattern, RE2::Quiet));
    return all;
  }();
  return patterns;
}

bool Begun(const LackRule& rule, std::string_view line, std::span<const std::string_view> before) {
  if (rule.begun == nullptr || line.find(rule.begun) != line.npos) return true;
  return std::any_of(before.begin(), before.end(), [&](std::string_view one) { return one.find(rule.begun) != one.npos; });
}

// That CMake shows in a line of its own.
std::string FolderShown(std::span<const std::string_view> before) {
  for (size_t i = before.size(); i-- > 0;)
    if (const std::string_view text = Unindented(before[i]); !text.empty()) return std::string(text);
  return "";
}

}  // namespace

std::optional<Lack> LackIn(std::string_view line, std::span<const std::string_view> before, std::string_view next) {
  // What a check expected or got is another thing than what happened.
  if (line.find("ssert") != line.npos) return std::nullopt;
  for (size_t i = 0; i < std::size(kRules); ++i) {
    if (line.find(kRules[i].hint) == line.npos) continue;
    std::string what;
    if (!RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), *Patterns()[i], &what) || !Begun(kRules[i], line, before)) continue;
    // A header of the project's own is included with quotes.
    if (line.find("fatal error:") != line.npos && next.find("#include \"") != next.npos) continue;
    if (kRules[i].kind == kSubmodule && what.empty()) what = FolderShown(before);
    return Lack{kRules[i].kind, std::string(TruncateUtf8(what, 100)), std::string(TruncateUtf8(Unindented(line), 300)), 0, kRules[i].begun != nullptr};
  }
  return std::nullopt;
}

}  // namespace paddock::subagents
