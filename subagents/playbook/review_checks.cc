#include "subagents/playbook/review_checks.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNamed = 8, kMaxSpots = 8;

// A condition of the kind that guards: against nothing, below or above a bound, by a right.
constexpr char kGuarding[] =
    R"(\b(NULL|nullptr|nil|None|null|undefined)\b|if\s*\(?\s*!\w|\bnot\s+\w|[<>]=?\s*0\b|[<>]=?\s*[\w.>()-]*(?i:max|min|size|len|limit|count|cap|end)|\berr\b|(?i:auth|permission|allowed|admin|valid|verif|token|signature|escape|sanit))";
constexpr char kAnyCheck[] = R"((?i)\b(if|elif|unless|\w*assert\w*|require\w*|check\w*|ensure\w*|\w*valid\w*|verify\w*|guard|catch|except|switch|case|match|when|while|min|max|clamp\w*)\b|\?|\|\||&&)";

bool Share(const Words& a, const Words& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& word) { return b.contains(word); });
}

size_t WordAt(std::string_view text, std::string_view word) {
  size_t at = text.find(word);
  while (at != std::string_view::npos && ((at > 0 && IsWord(text[at - 1])) || (at + word.size() < text.size() && IsWord(text[at + word.size()])))) at = text.find(word, at + 1);
  return at;
}

class FileChecks {
 public:
  FileChecks(const FileDiff& file, const std::set<std::string>& standing, const Words& defined) : file_(file), standing_(standing), defined_(defined), guards_(file.path) {}

  struct Gone {
    std::string text;
    int64_t old_line = 0;
    bool is_right = false, in_comment = false;
    ReviewSpot spot;
  };
  std::vector<Gone> Take() const {
    std::vector<Gone> out;
    for (const auto& hunk : file_.hunks) TakeHunk(hunk, &out);
    return out;
  }

 private:
  // Is the value that it is about made in a removed line before it, and nowhere in what stands?
  bool SubjectIsGone(const Hunk& hunk, size_t index, const Guard& guard) const {
    if (MatchesPart(guard.condition, R"(:=)")) return !MatchesPart(guard.condition, R"((?i)valid|check|verif|auth|ensure|permission|allowed|sanit)");
    Words subjects = WordsOf(guard.condition);
    for (const char* common : {"err", "error"})
      if (MatchesPart(guard.condition, common[3] == 0 ? R"(\berr\b)" : R"(\berror\b)")) subjects.insert(common);
    bool any_gone = false, any_stands = false;
    for (const auto& word : subjects) {
      bool made = false, stands = false;
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const std::string& text = hunk.lines[i].text;
        if (IsCommentLine(file_.path, text)) continue;
        const size_t at = WordAt(text, word);
        if (at == std::string::npos) continue;
        if (hunk.lines[i].sign != '-') stands = stands || (word != "err" && word != "error");
        else if (i < index && (MatchesPart(text.substr(at + word.size()), R"(^\s*(,[\w\s,]+|:\s*[\w\[\], |.]+)?(:=|=[^=]))") || DefinedOn(file_.path, text).has_value())) made = true;
      }
      any_stands = any_stands || stands;
      any_gone = any_gone || (made && !stands && !((word == "err" || word == "error") && MadeAnew(hunk, word)));
    }
    // A bound that went with its check is no reason for what it bounded to be without one.
    return any_gone && !(any_stands && MatchesPart(guard.condition, "[^-<>=][<>]=?[^<>]"));
  }

  static bool MadeAnew(const Hunk& hunk, const std::string& word) {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) {
      const size_t at = line.text.find(word);
      return line.sign != '-' && at != std::string::npos && MatchesPart(line.text.substr(at + word.size()), R"(^\s*:?=[^=])");
    });
  }

  // Another check of the same in its place.
  bool IsReplaced(const Hunk& hunk, const Guard& guard) const {
    const Words words = WordsOf(guard.condition);
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) {
      return line.sign == '+' && !IsCommentLine(file_.path, line.text) && MatchesPart(line.text, kAnyCheck) && (words.empty() || Share(words, WordsOf(line.text)));
    });
  }

  void TakeHunk(const Hunk& hunk, std::vector<Gone>* out) const {
    size_t function_indent = std::string::npos;  // of a function that is gone, in whose lines we are
    size_t removed = 0;
    bool any_check_added = false, removes_definition = false;
    for (const auto& line : hunk.lines) {
      removed += line.sign == '-' ? 1 : 0;
      any_check_added = any_check_added || (line.sign == '+' && !IsCommentLine(file_.path, line.text) && MatchesPart(line.text, kAnyCheck));
    }
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& line = hunk.lines[i];
      if (line.sign == '+') continue;
      const std::string_view text = Trim(line.text);
      const auto defined = DefinedOn(file_.path, line.text);
      const bool is_definition = defined && defined->kind != "variable" && defined->kind != "constant" && defined->kind != "macro" && defined->kind != "declaration";
      if (line.sign == ' ') {
        if (text.size() > 1 && function_indent != std::string::npos && (Indent(line.text) < function_indent || is_definition || (Indent(line.text) == function_indent && !MatchesPart(text, R"(^[})\]]|^end\b)")))) function_indent = std::string::npos;
        continue;
      }
      if (is_definition) {
        const bool gone = !defined_.contains(defined->name);
        removes_definition = removes_definition || gone;
        if (gone && (function_indent == std::string::npos || Indent(line.text) <= function_indent)) function_indent = Indent(line.text);
        else if (!gone) function_indent = std::string::npos;
        continue;
      }
      auto guard = guards_.At(hunk, i);
      if (!guard) continue;
      const size_t at = i;
      const bool wanted = guard->only_ends || (MatchesPart(line.text, kGuarding) && !any_check_added && !removes_definition && removed <= 15);
      if (wanted && guard->only_ends) i = std::max(i, guard->last);
      if (!wanted || function_indent != std::string::npos || standing_.contains(guard->key)) continue;
      if (guard->is_right ? RightWentWithItsFunction(hunk, at) : SubjectIsGone(hunk, at, *guard) || IsReplaced(hunk, *guard)) continue;
      if (InTextOrComment(ReviewLanguage(file_.path), line.text, line.text.find_first_not_of(" \t"))) continue;
      out->push_back({std::string(TruncateUtf8(text, 160)), line.old_line, guard->is_right, IsInComment(hunk, text), PlaceOfRemoved(file_, hunk, at)});
    }
  }

  bool RightWentWithItsFunction(const Hunk& hunk, size_t index) const {
    for (size_t i = index + 1; i < hunk.lines.size() && hunk.lines[i].sign == '-'; ++i) {
      auto defined = DefinedOn(file_.path, hunk.lines[i].text);
      if (defined) return !defined_.contains(defined->name);
    }
    return false;
  }

  bool IsInComment(const Hunk& hunk, std::string_view text) const {
    return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '+' && IsCommentLine(file_.path, line.text) && line.text.find(text) != std::string::npos; });
  }

  const FileDiff& file_;
  const std::set<std::string>& standing_;
  const Words& defined_;
  GuardReader guards_;
};

bool IsJudged(const FileDiff& file) {
  return file.whole && !LanguageOf(file.path).empty() && !IsTestPath(file.path) && file.status != "removed" && !IsProsePath(file.path) && !IsMadePath(file.path);
}

}  // namespace

ReviewSpot PlaceOfRemoved(const FileDiff& file, const Hunk& hunk, size_t index) {
  std::vector<ReviewSpot> near;
  auto stands = [&](size_t i) {
    const DiffLine& line = hunk.lines[i];
    if (line.sign == '-' || Trim(line.text).size() < 2) return false;
    near.push_back({file.path, line.new_line, line.text, "", {}});
    return true;
  };
  for (size_t i = index, found = 0; i < hunk.lines.size() && found < 2; ++i) found += stands(i) ? 1 : 0;
  for (size_t i = index, found = 0; i-- > 0 && found < 2;) found += stands(i) ? 1 : 0;
  if (near.empty()) return {file.path, 0, "", "", {}};
  ReviewSpot spot = std::move(near.front());
  near.erase(near.begin());
  spot.instead = std::move(near);
  return spot;
}

std::vector<ReviewClaim> ClaimsOfRemovedChecks(const std::vector<FileDiff>& files) {
  std::set<std::string> standing;
  Words defined;
  for (const auto& file : files) {
    if (LanguageOf(file.path).empty() || IsTestPath(file.path)) continue;
    const GuardReader guards(file.path);
    for (const auto& hunk : file.hunks)
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        if (hunk.lines[i].sign != '+') continue;
        if (auto name = DefinedOn(file.path, hunk.lines[i].text)) defined.insert(name->name);
        // "err != nil" stands everywhere, and says of no other that it moved.
        if (auto guard = guards.At(hunk, i); guard && (guard->is_right || !WordsOf(guard->condition).empty())) standing.insert(guard->key);
      }
  }
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (!IsJudged(file)) continue;
    const auto gone = FileChecks(file, standing, defined).Take();
    if (gone.empty()) continue;
    ReviewClaim claim;
    claim.title = (gone.size() == 1 ? "A check was removed from " : std::to_string(gone.size()) + " checks were removed from ") + file.path;
    claim.severity = Severity::kMedium;
    claim.confidence = Confidence::kMedium;
    claim.of_absence = true;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (gone[i].is_right) claim.severity = Severity::kHigh;
      if (i < kMaxNamed) {
        claim.detail += (i == 0 ? "`" : "; `") + gone[i].text + "` (line " + std::to_string(gone[i].old_line) + " before the change";
        claim.detail += gone[i].in_comment ? ", now a comment)" : ")";
      }
      const auto same = [&](const ReviewSpot& spot) { return spot.line == gone[i].spot.line; };
      if (claim.spots.size() < kMaxSpots && std::none_of(claim.spots.begin(), claim.spots.end(), same)) claim.spots.push_back(gone[i].spot);
    }
    if (gone.size() > kMaxNamed) claim.detail += " and " + std::to_string(gone.size() - kMaxNamed) + " more";
    claim.detail += std::string(". No other check of the same values stands there in the change; what is cited stands ") + (gone.size() == 1 ? "where it was." : "where they were.");
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
