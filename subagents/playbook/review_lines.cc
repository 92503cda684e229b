// ClaimsOfLines: rules on single added lines.
#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_hunk.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/review_secrets.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSpots = 6;
constexpr size_t kMaxLow = 120;        // claims of low severity
constexpr size_t kMostMarks = 6;       // lines from the mark of a test to what it marks
constexpr size_t kMostLinesBack = 60;  // to what holds a line
constexpr size_t kMostPassed = 16;     // matches that are no code, in a line
constexpr char kPassed = '\x01';       // in the place of what they begin with

std::string FirstLineOf(const FileDiff& file) {
  if (!file.first_line.empty()) return file.first_line;
  return !file.hunks.empty() && file.hunks[0].new_start <= 1 && !file.hunks[0].lines.empty() ? file.hunks[0].lines[0].text : std::string();
}

// Which lines of a hunk of Rust lie in a module of tests, or in a test: from its mark to the bracket that closes it, as deep as the line that opened it.
std::vector<bool> InRustTests(const Hunk& hunk) {
  std::vector<bool> out(hunk.lines.size());
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    if (!MatchesPart(hunk.lines[i].text, R"(^\s*(#\[cfg\(test\)\]|#\[(tokio::)?test\]|(pub\s+)?mod\s+tests?\b))")) continue;
    size_t open = i;
    while (open < hunk.lines.size() && open - i < kMostMarks && hunk.lines[open].text.find_first_of("{;") == std::string::npos) ++open;
    if (open == hunk.lines.size() || open - i == kMostMarks) continue;
    const std::string& opener = hunk.lines[open].text;
    if (opener.find('{') == std::string::npos || opener.find(';') < opener.find('{')) continue;  // `mod tests;` holds nothing
    const size_t depth = Indent(opener);
    const bool at_once = MatchesPart(opener, R"(\}\s*$)");
    for (; i < hunk.lines.size(); ++i) {
      out[i] = true;
      if (i >= open && (at_once || (i > open && Indent(hunk.lines[i].text) <= depth && Trim(hunk.lines[i].text).starts_with('}')))) break;
    }
  }
  return out;
}

// The line that holds lines[index]: the nearest before it that is less deep, as far as the hunk shows.
std::string_view HolderOf(const Hunk& hunk, size_t index) {
  const size_t indent = Indent(hunk.lines[index].text);
  for (size_t i = index; i-- > 0 && index - i <= kMostLinesBack;) {
    const std::string& text = hunk.lines[i].text;
    if (hunk.lines[i].sign != '-' && !Trim(text).empty() && Indent(text) < indent) return text;
  }
  return "";
}

// Where what a rule is about begins: before it a match may hold the byte that keeps it apart.
size_t BeginOf(const ReviewRule& rule, std::string_view text, size_t at) {
  if (std::string_view(rule.line).starts_with("(?:^|[^") && at < text.size() && !IsNameByte(text[at])) return at + 1;
  return std::max(at, std::min(text.find_first_not_of(" \t"), text.size()));
}

// What a comment says excuses nothing of its line.
std::string WithoutComments(std::string_view line, const MaskedLine& mask) {
  std::string out(line.substr(0, kMostJudged));
  for (size_t i = 0; i < out.size() && i < mask.bytes.size(); ++i)
    if (mask.bytes[i] == kCommentByte) out[i] = ' ';
  return out;
}

// Does a match of the rule begin in code? What stands in a string or a comment before it is passed over.
bool MatchesInCode(const ReviewRule& rule, std::string_view line, const MaskedLine& mask) {
  std::string text(line.substr(0, kMostJudged));
  for (size_t passed = 0; passed < kMostPassed; ++passed) {
    const auto at = MatchAt(text, rule.line);
    if (!at) return false;
    const size_t begin = BeginOf(rule, text, *at);
    if (begin >= text.size() || mask.IsCodeAt(begin)) return true;
    text[begin] = kPassed;
  }
  return false;
}

// The rules of a table for this language.
std::vector<const ReviewRule*> RulesFor(std::string_view language, std::span<const ReviewRule> table) {
  std::vector<const ReviewRule*> out;
  for (const auto& rule : table)
    if (MatchesWhole(language, rule.languages)) out.push_back(&rule);
  return out;
}

// The removed lines of a hunk: what they hold, too, isn't new.
class RemovedLines {
 public:
  RemovedLines(const FileDiff& file, const Hunk& hunk) {
    for (const auto& line : hunk.lines)
      if (line.sign == '-' && !IsCommentLine(file.path, line.text)) lines_.push_back(line.text), trimmed_.insert(Trim(line.text));
  }

  // Did one of them fit the rule, of the same first capture? Each stands for one added line.
  bool Take(const ReviewRule& rule, std::string_view added) {
    const auto [known, fresh] = fitting_.try_emplace(&rule);
    if (fresh)
      for (std::string_view line : lines_)
        if (MatchesPart(line, rule.line)) ++known->second[FirstGroup(line, rule.line).value_or("")];
    const auto fitting = known->second.find(FirstGroup(added, rule.line).value_or(""));
    if (fitting == known->second.end() || fitting->second == 0) return false;
    --fitting->second;
    return true;
  }
  // Is one of them the same, but for "_ = " before it?
  bool HoldGiven(std::string_view text) const {
    const size_t to_nothing = text.find("_ = ");
    if (to_nothing == std::string_view::npos) return false;
    const std::string_view given = Trim(text.substr(to_nothing + 4));
    return !given.empty() && trimmed_.contains(given);
  }

 private:
  std::vector<std::string_view> lines_;
  std::set<std::string_view> trimmed_;
  std::map<const ReviewRule*, std::map<std::string, size_t>> fitting_;
};

struct Scan {
  std::vector<ReviewClaim> claims;
  std::map<std::pair<std::string, std::string>, size_t> by_title;  // and path
  std::map<size_t, size_t> counts;
  size_t low = 0;

  void Add(const FileDiff& file, const ReviewRule& rule, const DiffLine& line, std::string quote) {
    std::string title = rule.title;
    if (const size_t at = title.find("{1}"); at != std::string::npos) title.replace(at, 3, FirstGroup(line.text, rule.line).value_or("?"));
    title += ": " + file.path;
    auto [slot, fresh] = by_title.emplace(std::pair(title, file.path), claims.size());
    if (fresh) {
      if (rule.severity <= Severity::kLow && ++low > kMaxLow) {
        by_title.erase(slot);
        return;
      }
      claims.push_back({title, rule.severity, rule.why, rule.severity == Severity::kHigh ? Confidence::kHigh : Confidence::kMedium, {}});
    }
    ReviewClaim& claim = claims[slot->second];
    const size_t lines = ++counts[slot->second];
    if (lines > 1) claim.detail = std::string(rule.why) + " " + std::to_string(lines) + " added lines" + (lines > kMaxSpots ? ", the first " + std::to_string(kMaxSpots) + " cited." : ".") + (quote.empty() ? "" : " The same secret may stand in several.");
    if (claim.spots.size() < kMaxSpots) claim.spots.push_back({file.path, line.new_line, line.text, std::move(quote)});
  }
};

}  // namespace

std::vector<ReviewClaim> ClaimsOfLines(const std::vector<FileDiff>& files) {
  Scan scan;
  for (const auto& file : files) {
    if (IsMadePath(file.path)) continue;
    const std::string language = ReviewLanguage(file.path, FirstLineOf(file));
    // A tool is run by people, and what is wrong in it is wrong; what it prints is what it is for.
    const bool test = HoldsTrials(file.path), side = IsSidePath(file.path), prose = IsProsePath(file.path);
    const auto secrets = RulesFor(language, SecretRules()), risks = RulesFor(language, RiskRules()), leftovers = RulesFor(language, LeftoverRules());
    for (const auto& hunk : file.hunks) {
      const std::vector<MaskedLine> masks = MaskOfHunk(language, hunk);
      const std::vector<bool> rust_tests = language == "Rust" ? InRustTests(hunk) : std::vector<bool>(hunk.lines.size());
      RemovedLines removed(file, hunk);
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const DiffLine& line = hunk.lines[i];
        if (line.sign != '+') continue;
        auto wanted = [&](const ReviewRule& rule, bool quiet) {
          if (quiet && !rule.in_tests && !(rule.in_side && !IsTestPath(file.path))) return false;
          if (!(rule.in_text ? MatchesPart(line.text, rule.line) : MatchesInCode(rule, line.text, masks[i]))) return false;
          if (rule.unless != nullptr && MatchesPart(rule.in_text ? line.text : WithoutComments(line.text, masks[i]), rule.unless)) return false;
          return rule.unless_within == nullptr || !MatchesPart(HolderOf(hunk, i), rule.unless_within);
        };
        if (auto secret = SecretIn(hunk, i, secrets, test || side)) scan.Add(file, *secret->rule, line, std::move(secret->shown));
        if (prose || removed.HoldGiven(line.text)) continue;
        // Of several the worst.
        const ReviewRule* risk = nullptr;
        for (const ReviewRule* rule : risks)
          if (!rust_tests[i] && (risk == nullptr || rule->severity > risk->severity) && wanted(*rule, test) && !removed.Take(*rule, line.text)) risk = rule;
        if (risk != nullptr) scan.Add(file, *risk, line, "");
        for (const ReviewRule* rule : leftovers)
          if (wanted(*rule, test || side) && !removed.Take(*rule, line.text)) {
            scan.Add(file, *rule, line, "");
            break;
          }
      }
    }
  }
  return std::move(scan.claims);
}

}  // namespace paddock::subagents
