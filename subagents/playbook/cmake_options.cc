#include "subagents/playbook/cmake_options.h"

#include <vector>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

// Conditions around a line, outermost first; "" where it is the other branch of one. None where the file wasn't read from its top.
std::vector<std::string> ConditionsOf(const SeenLines& lines, int64_t number) {
  std::vector<std::string> open;
  int64_t last = 0;
  for (const auto& [at, line] : lines) {
    if (at >= number) break;
    if (at != ++last) return {};
    if (auto condition = FirstGroup(line.text, R"((?i)^\s*if\s*\(\s*(.*?)\s*\)\s*(?:#.*)?$)")) open.push_back(*std::move(condition));
    else if (MatchesPart(line.text, R"((?i)^\s*if\s*\()")) open.emplace_back();
    else if (MatchesPart(line.text, R"((?i)^\s*else(if)?\s*\()") && !open.empty()) open.back().clear();
    else if (MatchesPart(line.text, R"((?i)^\s*endif\s*\()") && !open.empty()) open.pop_back();
  }
  return open;
}

// The call that begins on this line, up to its bracket, as one line.
std::string WholeCall(const SeenLines& lines, int64_t number) {
  std::string out;
  for (auto at = lines.find(number); at != lines.end() && at->first < number + 6; ++at) {
    out += (out.empty() ? "" : " ") + at->second.text;
    if (at->second.text.find(')') != std::string::npos) break;
  }
  return out;
}

bool IsOffByDefault(const RepoView& view, std::string_view name) {
  static constexpr LineRule kOption{"(.*/)?CMakeLists\\.txt", R"((?i)^\s*(?:cmake_dependent_)?option\s*\(\s*(\w+))"};
  static constexpr const char* kOff = R"re((?i)\(\s*\w+(?:\s+"[^"]*")?(?:\s*\)|\s+(?:OFF|FALSE|NO|0)\s*(?:\)|")))re";
  for (const auto& hit : FindLines(view, kOption, 200))
    if (hit.groups[0] == name) return MatchesPart(WholeCall(*view.LinesOf(hit.path), hit.line), kOff);
  return false;
}

std::optional<std::string> OptionOf(const RepoView& view, const std::vector<std::string>& conditions) {
  for (const std::string& condition : conditions)
    for (std::string_view rest = condition; !rest.empty();) {
      const size_t end = rest.find(" AND ");
      const std::string_view part = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 5);
      if (IsOffByDefault(view, part)) return std::string(part);
    }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> CMakeOptionOf(const RepoView& view, const std::string& path, int64_t line) {
  if (const SeenLines* lines = view.LinesOf(path))
    if (auto option = OptionOf(view, ConditionsOf(*lines, line))) return option;
  static constexpr LineRule kAdded{"CMakeLists\\.txt", R"re((?i)^\s*add_subdirectory\s*\(\s*"?(?:\$\{\w+\}/)?([\w./-]+))re"};
  const std::string folder(FolderName(path));
  for (const auto& hit : FindLines(view, kAdded, 200)) {
    if (hit.groups[0] != folder && !folder.starts_with(hit.groups[0] + "/")) continue;
    if (auto option = OptionOf(view, ConditionsOf(*view.LinesOf(hit.path), hit.line))) return option;
  }
  return std::nullopt;
}

CMakeTests FindCMakeTests(const RepoView& view) {
  static constexpr LineRule kTest{"(.*/)?(CMakeLists\\.txt|[\\w.-]+\\.cmake)", CMAKE_TEST, nullptr, CMAKE_NO_TEST};
  CMakeTests out;
  for (const auto& hit : FindLines(view, kTest, 200)) {
    const auto option = CMakeOptionOf(view, hit.path, hit.line);
    if (!option) return {true, ""};
    if (!out.any) out = {true, *option};
  }
  return out;
}

}  // namespace paddock::subagents
