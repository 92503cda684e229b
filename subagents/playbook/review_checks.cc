#include "subagents/playbook/review_checks.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "subagents/playbook/called_names.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_hunk.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNamed = 8, kMaxSpots = 8;

// A condition of the kind that guards: against nothing, below or above a bound, by a right.
constexpr char kGuarding[] =
    R"(\b(NULL|nullptr|nil|None|null|undefined)\b|if\s*\(?\s*!\w|\bnot\s+\w|[<>]=?\s*0\b|[<>]=?\s*[\w.>()-]*(?i:max|min|size|len|limit|count|cap|end)|\berr\b|(?i:auth|permission|allowed|admin|valid|verif|token|signature|escape|sanit))";
constexpr char kAnyCheck[] = R"((?i)\b(if|elif|unless|\w*assert\w*|\w*require\w*|\w*check\w*|\w*ensure\w*|\w*valid\w*|\w*verify\w*|guard|catch|except|switch|case|match|when|while|min|max|clamp\w*)\b|\?|\|\||&&)";

// The last names of what a condition is about: of `this.options.signal` it is "signal".
Words LastNames(const std::string& condition) {
  Words out;
  for (const std::string& word : WordsOf(condition))
    for (size_t at = WordAt(condition, word); at != std::string::npos; at = WordAt(condition, word, at + 1))
      if (!MatchesPart(std::string_view(condition).substr(at + word.size()), R"(^\s*(\.|->|::|\?\.)\w)")) out.insert(word);
  return out;
}

// What the change adds.
struct StandingChecks {
  std::map<std::string, Words> last_names;  // path → of the guards that it adds there: a check may have moved, with a shorter name
  std::set<std::string> keys;  // of its guards
  Words defined;
  Words checking;              // functions that it defines with a guard in them
};

// The checks that a hunk adds, and the calls of what checks: a check may have moved into a function.
struct AddedChecks {
  bool any = false;
  Words words;  // that they are about
  std::vector<std::string_view> comments;  // added beside them

  AddedChecks(const FileDiff& file, const Hunk& hunk, const Words& checking) {
    const auto checks = [&](const std::string& text) {
      const auto called = checking.empty() ? std::vector<std::string>() : AllNamesCalled(text);
      return std::any_of(called.begin(), called.end(), [&](const auto& name) { return checking.contains(name); });
    };
    for (const auto& line : hunk.lines) {
      if (line.sign != '+') continue;
      if (IsCommentLine(file.path, line.text)) {
        comments.push_back(line.text);
      } else if (MatchesPart(line.text, kAnyCheck) || checks(line.text)) {
        any = true;
        words.merge(WordsOf(line.text));
      }
    }
  }
  // Another check of the same.
  bool Replace(const Guard& guard) const {
    const Words about = WordsOf(guard.condition);
    return any && (about.empty() || std::any_of(about.begin(), about.end(), [&](const auto& word) { return words.contains(word); }));
  }
  bool IsInComment(std::string_view text) const {
    return std::any_of(comments.begin(), comments.end(), [&](const auto& comment) { return comment.find(text) != std::string::npos; });
  }
};

// The checks that a file has lost.
class FileChecks {
 public:
  FileChecks(const FileDiff& file, const StandingChecks& standing) : file_(file), standing_(standing), guards_(file.path) {
    for (const auto& hunk : file.hunks) TakeHunk(hunk);
  }

  struct Gone {
    std::string text;
    int64_t old_line = 0;
    bool in_comment = false;
  };
  const std::vector<Gone>& named() const { return named_; }  // the first of them
  size_t count() const { return count_; }
  bool any_right() const { return any_right_; }
  std::vector<ReviewSpot> TakeSpots() { return std::move(spots_); }

 private:
  // Is the value that it is about made in a removed line before it, and nowhere in what stands?
  static bool SubjectIsGone(const RemovedCode& code, size_t index, const Guard& guard) {
    if (MatchesPart(guard.condition, R"(:=)")) return !MatchesPart(guard.condition, R"((?i)valid|check|verif|auth|ensure|permission|allowed|sanit)");
    Words subjects = WordsOf(guard.condition);
    for (const char* common : {"err", "error"})
      if (MatchesPart(guard.condition, common[3] == 0 ? R"(\berr\b)" : R"(\berror\b)")) subjects.insert(common);
    bool any_gone = false, any_stands = false;
    for (const auto& word : subjects) {
      const bool error = word == "err" || word == "error";
      const bool stands = !error && code.Stands(word);
      any_stands = any_stands || stands;
      any_gone = any_gone || (!stands && code.IsMadeBefore(index, word) && !(error && code.IsMadeAnew(word)));
    }
    // A bound that went with its check is no reason for what it bounded to be without one.
    return any_gone && !(any_stands && MatchesPart(guard.condition, "[^-<>=][<>]=?[^<>]"));
  }

  void TakeHunk(const Hunk& hunk) {
    const int64_t removed = std::count_if(hunk.lines.begin(), hunk.lines.end(), [](const auto& line) { return line.sign == '-'; });
    if (removed == 0) return;
    const AddedChecks added(file_, hunk, standing_.checking);
    const RemovedCode code(file_, hunk);
    const StandingLines stand(file_, hunk);
    size_t function_indent = std::string::npos;  // of a function that is gone, in whose lines we are
    bool removes_definition = false;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      const DiffLine& line = hunk.lines[i];
      if (line.sign == '+') continue;
      const std::string_view text = Trim(line.text);
      const auto& defined = code.Defined(i);
      const bool is_definition = defined && defined->kind != "variable" && defined->kind != "constant" && defined->kind != "macro" && defined->kind != "declaration";
      if (line.sign == ' ') {
        if (text.size() > 1 && function_indent != std::string::npos && (Indent(line.text) < function_indent || is_definition || (Indent(line.text) == function_indent && !MatchesPart(text, R"(^[})\]]|^end\b)")))) function_indent = std::string::npos;
        continue;
      }
      if (is_definition) {
        const bool gone = !standing_.defined.contains(defined->name);
        removes_definition = removes_definition || gone;
        if (gone && (function_indent == std::string::npos || Indent(line.text) <= function_indent)) function_indent = Indent(line.text);
        else if (!gone) function_indent = std::string::npos;
        continue;
      }
      auto guard = guards_.At(hunk, i);
      if (!guard) continue;
      const size_t at = i;
      const bool wanted = guard->only_ends || (guard->ends && added.IsInComment(text)) || (MatchesPart(line.text, kGuarding) && !added.any && !removes_definition && removed <= 15);
      if (wanted && guard->only_ends) i = std::max(i, guard->last);
      if (!wanted || function_indent != std::string::npos || standing_.keys.contains(guard->key)) continue;
      if (guard->is_right ? RightWentWithItsFunction(code, at) : SubjectIsGone(code, at, *guard) || added.Replace(*guard) || StandsElsewhere(*guard)) continue;
      if (InTextOrComment(ReviewLanguage(file_.path), line.text, line.text.find_first_not_of(" \t"))) continue;
      any_right_ = any_right_ || guard->is_right;
      if (++count_ <= kMaxNamed) named_.push_back({std::string(TruncateUtf8(text, 160)), line.old_line, added.IsInComment(text)});
      if (spots_.size() < kMaxSpots && cited_.insert(stand.LineAt(at)).second) spots_.push_back(stand.At(at));
    }
  }

  // Does the change add a guard about the same, somewhere in the file?
  bool StandsElsewhere(const Guard& guard) const {
    const auto added = standing_.last_names.find(file_.path);
    if (added == standing_.last_names.end()) return false;
    const Words names = LastNames(guard.condition);
    return std::any_of(names.begin(), names.end(), [&](const auto& name) { return added->second.contains(name); });
  }

  bool RightWentWithItsFunction(const RemovedCode& code, size_t index) const {
    const DefinedName* next = code.NextDefined(index);
    return next != nullptr && !standing_.defined.contains(next->name);
  }

  const FileDiff& file_;
  const StandingChecks& standing_;
  GuardReader guards_;
  std::vector<Gone> named_;
  size_t count_ = 0;
  bool any_right_ = false;
  std::vector<ReviewSpot> spots_;
  std::set<int64_t> cited_;  // lines
};

bool IsJudged(const FileDiff& file) {
  return file.whole && !LanguageOf(file.path).empty() && !IsTestPath(file.path) && file.status != "removed" && !IsProsePath(file.path) && !IsMadePath(file.path);
}

}  // namespace

std::vector<ReviewClaim> ClaimsOfRemovedChecks(const std::vector<FileDiff>& files) {
  StandingChecks standing;
  if (std::none_of(files.begin(), files.end(), [](const auto& file) { return file.Count('-') > 0 && IsJudged(file); })) return {};
  for (const auto& file : files) {
    if (LanguageOf(file.path).empty() || IsTestPath(file.path)) continue;
    const GuardReader guards(file.path);
    for (const auto& hunk : file.hunks) {
      std::string function;  // whose lines these are
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const auto name = hunk.lines[i].sign == '-' || Trim(hunk.lines[i].text).empty() ? std::nullopt : DefinedOn(file.path, hunk.lines[i].text);
        if (name && name->kind == "function") function = hunk.lines[i].sign == '+' ? name->name : "";
        if (hunk.lines[i].sign != '+' || Trim(hunk.lines[i].text).empty()) continue;
        if (name) standing.defined.insert(name->name);
        // "err != nil" stands everywhere, and says of no other that it moved.
        const auto guard = guards.At(hunk, i);
        if (guard && (guard->is_right || !WordsOf(guard->condition).empty())) standing.keys.insert(guard->key);
        if (guard) standing.last_names[file.path].merge(LastNames(guard->condition));
        if (guard && guard->ends && !function.empty()) standing.checking.insert(function);
      }
    }
  }
  std::vector<ReviewClaim> claims;
  for (const auto& file : files) {
    if (!IsJudged(file)) continue;
    FileChecks checks(file, standing);
    const size_t count = checks.count();
    if (count == 0) continue;
    ReviewClaim claim;
    claim.title = (count == 1 ? "A check was removed from " : std::to_string(count) + " checks were removed from ") + file.path;
    claim.severity = checks.any_right() ? Severity::kHigh : Severity::kMedium;
    claim.confidence = Confidence::kMedium;
    claim.of_absence = true;
    for (const auto& gone : checks.named()) {
      claim.detail += (claim.detail.empty() ? "`" : "; `") + gone.text + "` (line " + std::to_string(gone.old_line) + " before the change";
      claim.detail += gone.in_comment ? ", now a comment)" : ")";
    }
    claim.spots = checks.TakeSpots();
    if (count > kMaxNamed) claim.detail += " and " + std::to_string(count - kMaxNamed) + " more";
    claim.detail += std::string(". No other check of the same values was found in what the change adds to the file; what is cited stands ") + (count == 1 ? "where it was." : "where they were.");
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace paddock::subagents
