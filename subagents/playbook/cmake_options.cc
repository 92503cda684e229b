#include "subagents/playbook/cmake_options.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

// The call that begins on this line, up to its bracket, as one line.
std::string WholeCall(const SeenLines& lines, int64_t number) {
  std::string out;
  for (auto at = lines.find(number); at != lines.end() && at->first < number + 6; ++at) {
    out += (out.empty() ? "" : " ") + at->second.text;
    if (at->second.text.find(')') != std::string::npos) break;
  }
  return out;
}

constexpr char kFiles[] = "(.*/)?(CMakeLists\\.txt|[\\w.-]+\\.cmake)";

std::set<std::string, std::less<>> OffByDefault(const RepoView& view) {
  static constexpr LineRule kOption{"(.*/)?CMakeLists\\.txt", R"((?i)^\s*(?:cmake_dependent_)?option\s*\(\s*(\w+))"};
  static constexpr const char* kOff = R"re((?i)\(\s*\w+(?:\s+"[^"]*")?(?:\s*\)|\s+(?:OFF|FALSE|NO|0)\s*(?:\)|")))re";
  std::set<std::string, std::less<>> off, known;
  for (const auto& hit : FindLines(view, kOption, 200))
    if (known.insert(hit.groups[0]).second && MatchesPart(WholeCall(*view.LinesOf(hit.path), hit.line), kOff)) off.insert(hit.groups[0]);
  return off;
}

// What a condition can't be true without, of options that are off.
class Condition {
 public:
  Condition(std::string_view text, const std::set<std::string, std::less<>>& off) : off_(off) {
    static const RE2 kToken(R"re(\s*("(?:[^"\\]|\\.)*"|[()]|[^\s()"]+))re");
    re2::StringPiece rest(text.data(), text.size());
    for (std::string token; RE2::Consume(&rest, kToken, &token);) tokens_.push_back(token);
    understood_ = rest.empty();
  }
  // The first of them; "" where there is none, or where brackets don't close.
  std::string Option() {
    const std::string option = Whole(0);
    return understood_ && at_ == tokens_.size() ? option : "";
  }

 private:
  static constexpr int kMaxDepth = 50;

  bool Next(std::string_view token) { return at_ < tokens_.size() && tokens_[at_] == token && ++at_ > 0; }
  // AND and OR from left to right, neither before the other: so CMake has it.
  std::string Whole(int depth) {
    std::string option = Part(depth);
    while (true) {
      const bool both = Next("AND");
      if (!both && !Next("OR")) return option;
      const std::string other = Part(depth);
      if (both ? option.empty() : other.empty()) option = both ? other : "";
    }
  }
  // A name, brackets, or a test of several words, which asks for nothing.
  std::string Part(int depth) {
    const size_t first = at_;
    constexpr std::string_view kEnds[] = {"AND", "OR", "(", ")"};
    while (at_ < tokens_.size() && std::find(std::begin(kEnds), std::end(kEnds), tokens_[at_]) == std::end(kEnds)) ++at_;
    const size_t words = at_ - first;
    if (!Next("(")) return words == 1 && off_.contains(tokens_[first]) ? tokens_[first] : "";
    const std::string inside = depth < kMaxDepth ? Whole(depth + 1) : "";
    understood_ = Next(")") && understood_;
    return words == 0 ? inside : "";  // NOT (...)
  }

  const std::set<std::string, std::less<>>& off_;
  std::vector<std::string> tokens_;
  size_t at_ = 0;
  bool understood_ = true;
};

// Lines that stand below such a condition, by the outermost. None behind a gap: what is open there isn't known.
std::map<int64_t, std::string> LinesWith(const SeenLines& lines, const std::set<std::string, std::less<>>& off) {
  std::map<int64_t, std::string> out;
  std::vector<std::string> open;  // of each condition its option; "" where it has none, or this is the other branch of it
  int64_t last = 0;
  for (const auto& [number, line] : lines) {
    if (number != last + 1) break;
    last = number;
    const auto with = std::find_if(open.begin(), open.end(), [](const auto& option) { return !option.empty(); });
    if (with != open.end()) out[number] = *with;
    if (auto condition = FirstGroup(line.text, R"((?i)^\s*if\s*\(\s*(.*?)\s*\)\s*(?:#.*)?$)")) open.push_back(Condition(*condition, off).Option());
    else if (MatchesPart(line.text, R"((?i)^\s*if\s*\()")) open.emplace_back();
    else if (MatchesPart(line.text, R"((?i)^\s*else(if)?\s*\()") && !open.empty()) open.back().clear();
    else if (MatchesPart(line.text, R"((?i)^\s*endif\s*\()") && !open.empty()) open.pop_back();
  }
  return out;
}

}  // namespace

CMakeOptions::CMakeOptions(const RepoView& view) {
  const auto off = OffByDefault(view);
  if (off.empty()) return;
  for (const auto& path : view.ReadFiles())
    if (MatchesWhole(path, kFiles)) lines_[path] = LinesWith(*view.LinesOf(path), off);
  static constexpr LineRule kAdded{"CMakeLists\\.txt", R"re((?i)^\s*add_subdirectory\s*\(\s*"?(?:\$\{\w+\}/)?([\w./-]+))re"};
  for (const auto& hit : FindLines(view, kAdded, 200))
    if (const auto option = lines_[hit.path].find(hit.line); option != lines_[hit.path].end()) added_.emplace_back(hit.groups[0], option->second);
}

std::optional<std::string> CMakeOptions::Of(const std::string& path, int64_t line) const {
  if (const auto lines = lines_.find(path); lines != lines_.end())
    if (const auto option = lines->second.find(line); option != lines->second.end()) return option->second;
  const std::string folder(FolderName(path));
  for (const auto& [added, option] : added_)
    if (added == folder || folder.starts_with(added + "/")) return option;
  return std::nullopt;
}

CMakeTests FindCMakeTests(const RepoView& view) {
  static constexpr LineRule kTest{kFiles, CMAKE_TEST, nullptr, CMAKE_NO_TEST};
  const CMakeOptions options(view);
  CMakeTests out;
  for (const auto& hit : FindLines(view, kTest, 200)) {
    const auto option = options.Of(hit.path, hit.line);
    if (!option) return {true, ""};
    if (!out.any) out = {true, *option};
  }
  return out;
}

}  // namespace paddock::subagents
