// ClaimsOfPrints: output that was for whoever wrote the change, told by a project that prints nowhere else.
#include <algorithm>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/long_comments.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/review_tree.h"

namespace paddock::subagents {
namespace {

constexpr PrintCall kPrints[] = {
    {"Python", "*.py", R"(^\s*print\s*\()", "print("},
    {"Java", "*.java", R"(\bSystem\.(out|err)\.print(ln|f)?\s*\()", "System.out"},
    {"Go", "*.go", R"(\bfmt\.Print(ln|f)?\()", "fmt.Print"},
    {"Rust", "*.rs", R"(^\s*e?println!\s*\()", "println!"},
    {"Ruby", "*.rb", R"(^\s*puts\s)", "puts"},
};
constexpr size_t kMaxSpots = 4;

// Printing is what a program for a terminal does.
bool IsProgram(std::string_view path) { return MatchesWhole(BaseName(path), R"((?i)(main|cli|__main__|app|console|cmd|command\w*|setup|manage|\w*print\w*|\w*log\w*|\w*debug\w*|\w*repl|\w*shell)\.\w+)") || MatchesPart(path, R"((^|/)(bin|cmd|cli|exe|script|scripts|tools|commands?)/)"); }
bool IsLibrary(std::string_view path) { return IsOwnSource(path) && !IsSidePath(path) && !IsProgram(path); }

bool IsPrint(const PrintCall& print, const std::string& text) {
  const auto at = MatchAt(text, print.pattern);
  return at && !InTextOrComment(print.language, text, std::max(*at, text.find_first_not_of(" \t"))) && !MatchesPart(text, R"(\bfile\s*=)");
}

// Lines of the file that print and that the change has added.
std::vector<ReviewSpot> AddedPrints(const PrintCall& print, const FileDiff& file) {
  std::vector<ReviewSpot> out;
  for (const auto& hunk : file.hunks) {
    const auto commented = InLongComment(print.language, hunk);
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& line = hunk.lines[i];
      if (line.sign == '+' && !commented[i] && IsPrint(print, line.text)) out.push_back({file.path, line.new_line, line.text, ""});
    }
  }
  return out;
}

}  // namespace

std::vector<PrintCall> PrintsToLookFor(const std::vector<FileDiff>& files) {
  std::vector<PrintCall> out;
  for (const auto& print : kPrints)
    if (std::any_of(files.begin(), files.end(), [&](const auto& file) { return LanguageOf(file.path) == print.language && IsLibrary(file.path) && !AddedPrints(print, file).empty(); })) out.push_back(print);
  return out;
}

std::vector<ReviewClaim> ClaimsOfPrints(const RepoView& view, const std::vector<FileDiff>& files, const std::set<std::string>& said) {
  std::vector<ReviewClaim> claims;
  for (const auto& print : PrintsToLookFor(files)) {
    std::vector<ReviewSpot> added;
    for (const auto& file : files)
      if (LanguageOf(file.path) == print.language && IsLibrary(file.path))
        for (auto& spot : AddedPrints(print, file)) added.push_back(std::move(spot));
    std::set<std::pair<std::string, int64_t>> places;
    for (const auto& spot : added) places.emplace(spot.path, spot.line);
    bool elsewhere = false;
    for (const auto& path : view.ReadFiles()) {
      if (LanguageOf(path) != print.language || !IsOwnSource(path) || IsSidePath(path)) continue;
      for (const auto& [number, line] : *view.LinesOf(path))
        elsewhere = elsewhere || (IsPrint(print, line.text) && !places.contains({path, number}));
    }
    std::erase_if(added, [&](const auto& spot) { return said.contains(spot.path); });
    if (elsewhere || added.empty()) continue;
    const std::string path = added[0].path;
    if (added.size() > kMaxSpots) added.resize(kMaxSpots);
    claims.push_back({"Output in a project whose sources print nowhere else: " + path, Severity::kLow, std::string("`") + print.shown + "` stands in no other line of its sources that was found: debug output, perhaps.", Confidence::kMedium, std::move(added)});
  }
  return claims;
}

}  // namespace paddock::subagents
