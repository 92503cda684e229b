#include "subagents/playbook/review_untested.h"

#include <algorithm>
#include <set>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/long_comments.h"
#include "subagents/playbook/test_files.h"
#include "subagents/playbook/visibility.h"
#include "subagents/playbook/word_roles.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostNew = 12, kMostNamed = 6;
// What others call by another name, or nobody does.
constexpr char kNoSubject[] = R"(main|init|toString|equals|hashCode|compareTo|clone|finalize|close|__\w+__|String|Error|Len|Less|Swap|Unwrap|to_s|inspect|initialize|constructor|render|setUp|tearDown)";

bool HasWord(std::string_view text, const std::string& name) { return NameAt(text, name) != std::string_view::npos; }

bool IsNamedInTests(const RepoView& view, const TestFiles& tests, const std::vector<FileDiff>& files, const std::string& name) {
  for (const auto& path : view.ReadFiles()) {
    if (!tests.Has(path)) continue;
    const SeenLines& lines = *view.LinesOf(path);
    if (std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return HasWord(line.second.text, name); })) return true;
  }
  for (const auto& file : files)
    if (IsTestPath(file.path))
      for (const auto& hunk : file.hunks)
        if (std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign != '-' && HasWord(line.text, name); })) return true;
  return false;
}

// Of C and C++ what a header declares (IsOffered has the last word); but for friends and what only stands for a function of a base.
bool IsForOthers(std::string_view path, const DefinedName& defined, std::string_view line) {
  if (IsHeader(path)) return (defined.kind == "function" || defined.kind == "declaration") && line.find('(') != line.npos && !MatchesPart(line, R"(\b(friend|override|operator|final)\b|~)");
  return defined.kind == "function" && defined.is_public;
}

}  // namespace

std::optional<ReviewSpot> FirstAdded(const std::vector<FileDiff>& files, const std::string& path) {
  std::optional<ReviewSpot> any;
  for (const auto& file : files) {
    if (file.path != path) continue;
    for (const auto& hunk : file.hunks) {
      const auto commented = InLongComment(LanguageOf(path), hunk);
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const DiffLine& line = hunk.lines[i];
        if (line.sign != '+' || !MatchesPart(line.text, R"(\w\w)")) continue;
        if (!commented[i] && !IsCommentLine(path, line.text) && !MatchesPart(line.text, R"(^\s*(#\s*(include|pragma|import)\b|(import|from|package|using|use|require)\b))")) return ReviewSpot{path, line.new_line, line.text, ""};
        if (!any) any = ReviewSpot{path, line.new_line, line.text, ""};
      }
    }
  }
  return any;
}

bool HasTests(const RepoView& view) {
  return std::any_of(view.files().begin(), view.files().end(), [](const auto& path) { return IsTestPath(path) && !LanguageOf(path).empty(); });
}

bool AnyTestChanged(const std::vector<FileDiff>& files) {
  // A line that only switches a test off tests nothing.
  constexpr const char* kSkips =
      R"((?i)^\s*(?:@[\w.]*(?:skip|ignore|disabled|expectedfailure)|#\[ignore\b|(?:pytest|unittest|self|t|b|tb)\.skip|x(?:it|describe|test)\s*\(|(?:it|describe|test|context)\.skip\s*\(|GTEST_SKIP\b|skip\b|pytestmark\s*=.*\bskip|raise\s+[\w.]*SkipTest|TEST\w*\(.*\bDISABLED_)|^\W*$)";
  return std::any_of(files.begin(), files.end(), [&](const auto& file) {
    if (!IsTestPath(file.path) || file.status == "removed" || file.Added() == 0) return false;
    if (!file.whole || file.hunks.empty()) return true;
    return std::any_of(file.hunks.begin(), file.hunks.end(), [&](const auto& hunk) { return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '+' && !MatchesPart(line.text, kSkips); }); });
  });
}

bool AddsToOwnTests(const RepoView& view, const FileDiff& file) {
  const SeenLines* lines = view.LinesOf(file.path);
  if (lines == nullptr) return false;
  const InlineTests tests(file.path, *lines);
  return std::any_of(file.hunks.begin(), file.hunks.end(), [&](const auto& hunk) {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '+' && tests.Has(line.new_line); });
  });
}

std::optional<ReviewClaim> ClaimOfFilesWithoutTests(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<std::string>& without_tests) {
  if (without_tests.empty() || !HasTests(view)) return std::nullopt;
  std::string names;
  for (size_t i = 0; i < without_tests.size() && i < kMostNamed; ++i) names += (i > 0 ? ", " : "") + without_tests[i];
  if (without_tests.size() > kMostNamed) names += " and more";
  const bool loses = std::any_of(files.begin(), files.end(), [](const auto& file) { return IsTestPath(file.path) && !LanguageOf(file.path).empty(); });
  ReviewClaim claim{"Code was changed, no test was: " + names, Severity::kLow, "The repository has tests, and none of them is in this change.", Confidence::kHigh, {}};
  if (loses) claim = {"Code was changed, tests only lost lines: " + names, Severity::kLow, "No line was added to a test.", Confidence::kHigh, {}};
  if (AnyTestChanged(files)) claim = {"Code was changed, no test of the same name or folder was: " + names, Severity::kInfo, "Other tests were changed, and may be of it.", Confidence::kLow, {}};
  auto spot = FirstAdded(files, without_tests[0]);
  if (!spot) return std::nullopt;
  claim.spots.push_back(*std::move(spot));
  return claim;
}

std::vector<NewFunction> NewFunctions(const std::vector<FileDiff>& files) {
  std::vector<NewFunction> out;
  std::set<std::string> before;
  for (const auto& file : files)
    for (const auto& hunk : file.hunks)
      for (const auto& line : hunk.lines)
        if (const auto defined = line.sign == '+' ? std::nullopt : DefinedOn(file.path, line.text)) before.insert(defined->name);
  for (const auto& file : files) {
    const std::string language = LanguageOf(file.path);
    if (!IsOwnSource(file.path) || IsSidePath(file.path) || IsToolSettingsPath(file.path) || (MatchesWhole(language, "Rust|C|C\\+\\+|C header|Shell|Objective-C.*") && !IsHeader(file.path)) || MatchesPart(file.path, R"(\.d\.[cm]?ts$|\.pyi$)")) continue;
    for (const auto& hunk : file.hunks) {
      const auto commented = InLongComment(language, hunk);
      for (size_t i = 0; i < hunk.lines.size() && out.size() < kMostNew; ++i) {
        const DiffLine& line = hunk.lines[i];
        const auto defined = line.sign == '+' && !commented[i] ? DefinedOn(file.path, line.text) : std::nullopt;
        // Of Python what stands at the margin: deeper it may be of a private class, or within a function.
        if (!defined || !IsForOthers(file.path, *defined, line.text) || defined->name.size() < 3 || MatchesWhole(defined->name, kNoSubject) || (language == "Python" && line.text.starts_with(" "))) continue;
        if (before.insert(defined->name).second) out.push_back({defined->name, {file.path, line.new_line, line.text, ""}});
      }
    }
  }
  return out;
}

std::optional<ReviewClaim> ClaimOfNewFunctions(const RepoView& view, const std::vector<FileDiff>& files, const std::vector<NewFunction>& functions) {
  if (!HasTests(view)) return std::nullopt;
  const TestFiles tests(view);
  std::string names;
  size_t count = 0;
  ReviewClaim claim{"", Severity::kLow, "", Confidence::kMedium, {}};
  for (const auto& function : functions) {
    if (IsHeader(function.spot.path) && (view.LinesOf(function.spot.path) == nullptr || !IsOffered(*view.LinesOf(function.spot.path), function.spot.line))) continue;
    if (IsNamedInTests(view, tests, files, function.name)) continue;
    if (++count > kMostNamed) continue;
    names += (count == 1 ? "`" : ", `") + function.name + "`";
    claim.spots.push_back(function.spot);
  }
  if (count == 0) return std::nullopt;
  claim.title = (count == 1 ? "A new function is named in no test: " : std::to_string(count) + " new functions are named in no test: ") + names + (count > kMostNamed ? " and more" : "");
  claim.detail = "Neither in the change nor in the tests that are there already. That may be right where others that are tested call it.";
  return claim;
}

}  // namespace paddock::subagents
