// ClaimsOfTests: tests, and assertions in them, that a change takes away.
#include <string.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_guards.h"
#include "subagents/playbook/review_hunk.h"

namespace paddock::subagents {
namespace {

// What a test is called in a line that begins one; the quotes around it are no part of its name.
constexpr struct {
  const char* languages;
  const char* line;
} kTestNames[] = {
    {"Python", R"(^\s*(?:async\s+)?def\s+(test\w*))"},
    {"JavaScript|TypeScript", R"re(^\s*(?:it|test|specify)\s*\(\s*('[^']{2,100}'|"[^"]{2,100}"|`[^`]{2,100}`))re"},
    {"Go", R"(^func\s+(Test\w+|Example\w+|Fuzz\w+)\s*\()"},
    {"Rust", R"(^\s*(?:async\s+)?fn\s+(\w+)\s*\(\s*\)\s*\{)"},
    {"Java|Kotlin|Groovy|C#|Scala", R"(^\s*(?:public\s+|internal\s+)?(?:void|fun)\s+(\w+)\s*\(\s*\))"},
    {"C\\+\\+", R"(^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|BOOST_AUTO_TEST_CASE)\s*\(\s*([^)]{2,100})\))"},
    {"C", R"(^\s*(?:static\s+)?(?:void|int)\s+(test\w*|\w+_test)\s*\()"},
    {"C", R"(^\s*(?:START_TEST|TEST)\s*\(\s*([^)]{2,100})\))"},
    {"Ruby", R"re(^\s*it\s+['"]([^'"]{2,100})['"])re"},
    {"Ruby|PHP", R"(^\s*(?:public\s+function|def)\s+(test\w*))"},
    {"Perl", R"re(^\s*subtest\s+['"]?([^'"]{2,100}?)['"]?\s*=>)re"},
};

// A line of a test that says what has to hold. What only prepares it (t.Fatal behind an error) is none.
constexpr char kAssertion[] =
    R"(^\s*(?:await\s+|return\s+)?(?:(?:\w+(?:\.|::|->))*(?:assert\w*|ASSERT\w*|EXPECT\w*|expect\w*|should\w*|require|verify\w*|REQUIRE\w*|CHECK\w*|\w+Test)\s*[!(.]|(?:t|tap|assert|test|expect|chai)\.(?:equal\w*|same\w*|not\w*|deep\w*|strict\w*|ok|is\w*|match\w*|throws\w*|rejects\w*|Equal\w*|True|False)\s*\(|(?:assert|refute)\w*\s+[^=\s]))";
// One that holds whatever the code does.
constexpr char kHoldsAlways[] = R"re((?i)\b(?:assert|assert_?true|ok|true|is_?true|assert!)\s*[(\s]\s*(?:true|1|!0)\s*\)?\s*(?:[,;)]|$)|(?i)\bexpect\s*\(\s*true\s*\)\s*\.(?:to\b|to_?\w*equal|to_?be)[^;]*true|(?i)\bassert_?false\s*\(\s*false\s*\))re";
constexpr size_t kMaxSpots = 4, kMostUnregistered = 20;

// The added lines, to be asked whether they hold a name. With too many bytes to look through for it nothing is said to be gone.
class AddedText {
 public:
  void Add(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }
  bool Holds(const std::string& name) const {
    if (searched_ > kMostSearched) return true;
    searched_ += text_.size();
    std::string_view rest = text_;
    while (const void* found = memmem(rest.data(), rest.size(), name.data(), name.size())) {
      const char* at = static_cast<const char*>(found);
      const char* end = at + name.size();
      if ((at == text_.data() || !IsNameByte(at[-1])) && !IsNameByte(*end)) return true;  // a line's end stands behind all of them
      if ((searched_ += name.size()) > kMostSearched) return true;
      rest.remove_prefix(static_cast<size_t>(at + 1 - rest.data()));
    }
    return false;
  }
  bool is_exhausted() const { return searched_ > kMostSearched; }

 private:
  static constexpr size_t kMostSearched = 256u << 20;
  std::string text_;
  mutable size_t searched_ = 0;
};

bool Asserts(const FileDiff& file, const std::string& text) { return MatchesPart(text, kAssertion) && !IsCommentLine(file.path, text); }
// With it a test can fail.
bool AssertsSomething(const FileDiff& file, const std::string& text) { return Asserts(file, text) && !MatchesPart(text, kHoldsAlways); }

std::string LineOf(std::string_view text) { return std::string(TruncateUtf8(Trim(text), 120)); }

class TestChanges {
 public:
  explicit TestChanges(const std::vector<FileDiff>& files) : files_(files) {
    for (const auto& file : files_)
      for (const auto& hunk : file.hunks)
        for (const auto& line : hunk.lines)
          if (line.sign == '+' && !IsProsePath(file.path)) {  // that a document names a test says of none that it moved
            const std::string_view text = Trim(line.text);
            if (!added_.insert(std::string(text)).second) continue;
            added_text_.Add(text);
            if (MatchesPart(text, R"(^add_test\s*\()")) registered_.Add(text);
          }
  }

  std::vector<ReviewClaim> Take() {
    for (const auto& file : files_) {
      if (IsProsePath(file.path) || IsMadePath(file.path) || !file.whole) continue;
      if (BaseName(file.path) == "CMakeLists.txt") Unregistered(file);
      if (!IsTestPath(file.path)) continue;
      RemovedTests(file);
      RemovedAssertions(file);
      NotCalled(file);
      CommentedOut(file);
    }
    for (auto& claim : claims_) claim.of_absence = true;
    return std::move(claims_);
  }

 private:
  std::optional<std::string> TestIn(const FileDiff& file, std::string_view text) const {
    const std::string language = LanguageOf(file.path);
    for (const auto& rule : kTestNames)
      if (MatchesWhole(language, rule.languages))
        if (auto name = FirstGroup(text, rule.line); name && !name->empty()) return std::string_view("'\"`").find(name->front()) == std::string_view::npos ? *name : name->substr(1, name->size() - 2);
    return std::nullopt;
  }

  void RemovedTests(const FileDiff& file) {
    std::string names;
    size_t count = 0;
    ReviewSpot spot{file.path, 0, "", ""};
    for (const auto& hunk : file.hunks) {
      const StandingLines stand(file, hunk);
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        if (hunk.lines[i].sign != '-') continue;
        auto name = TestIn(file, hunk.lines[i].text);
        if (!name || added_text_.Holds(*name)) continue;
        // Its line alone became another's: renamed.
        if ((i == 0 || hunk.lines[i - 1].sign != '-') && i + 1 < hunk.lines.size() && hunk.lines[i + 1].sign == '+' && TestIn(file, hunk.lines[i + 1].text)) continue;
        if (++count <= 4) names += (names.empty() ? "`" : ", `") + std::string(TruncateUtf8(*name, 80)) + "`";
        if (spot.line == 0 && file.status != "removed") spot = stand.At(i);
      }
    }
    if (count == 0) return;
    claims_.push_back({(count == 1 ? "A test was removed: " : (added_text_.is_exhausted() ? "At least " : "") + std::to_string(count) + " tests were removed: ") + file.path, Severity::kMedium,
                       names + (count > 4 ? " and more" : "") + (file.status == "removed" ? ". The whole file is gone." : count == 1 ? ". The cited line stands where it was." : ". The cited line stands where the first was."),
                       Confidence::kHigh, {spot}});
  }

  // Those of tests that stay. A hunk with a new assertion has them otherwise, and a file with as many new ones elsewhere: not fewer.
  void RemovedAssertions(const FileDiff& file) {
    if (file.status == "removed" || LanguageOf(file.path).empty()) return;
    ReviewClaim claim{"", Severity::kLow, "", Confidence::kMedium, {}};
    size_t count = 0, added = 0;
    for (const auto& hunk : file.hunks) {
      for (const auto& line : hunk.lines) added += line.sign == '+' && AssertsSomething(file, line.text) ? 1 : 0;
      bool stays = true;
      const bool any_new = std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const auto& line) { return line.sign == '+' && AssertsSomething(file, line.text); });
      for (size_t i = 0; i < hunk.lines.size() && !any_new; ++i) {
        const DiffLine& line = hunk.lines[i];
        if (TestIn(file, line.text)) stays = line.sign != '-';
        if (line.sign != '-' || !stays || !Asserts(file, line.text) || added_.contains(std::string(Trim(line.text)))) continue;
        if (++count > kMaxSpots) continue;
        claim.detail += (count == 1 ? "`" : "; `") + LineOf(line.text) + "` (line " + std::to_string(line.old_line) + " before the change)";
        claim.spots.push_back(StandingLines(file, hunk).At(i));
      }
    }
    if (count <= added) return;
    claim.title = (count == 1 ? "An assertion was removed from " : std::to_string(count) + " assertions were removed from ") + file.path;
    claim.detail += std::string(count > kMaxSpots ? " and more" : "") + ". None was added in " + (count == 1 ? "its" : "their") + " place; what is cited stands where " + (count == 1 ? "it was." : "they were.");
    claims_.push_back(std::move(claim));
  }

  // In C a test is what main() calls.
  void NotCalled(const FileDiff& file) {
    if (!MatchesWhole(LanguageOf(file.path), "C|C\\+\\+")) return;
    for (const auto& hunk : file.hunks) {
      std::set<std::string> gone;
      for (const auto& line : hunk.lines)
        if (line.sign == '-')
          if (auto name = TestIn(file, line.text)) gone.insert(*std::move(name));
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        if (hunk.lines[i].sign != '-') continue;
        const auto name = FirstGroup(hunk.lines[i].text, R"(^\s+(?:\w+\s*\+?=\s*)?(test_?\w+|\w+_tests?|check_\w+)\s*\([^;{]*\)\s*;)");
        if (!name || gone.contains(*name) || added_text_.Holds(*name)) continue;
        claims_.push_back({"A test is not called any more: " + file.path, Severity::kLow, "`" + LineOf(hunk.lines[i].text) + "` (line " + std::to_string(hunk.lines[i].old_line) + " before the change). What is cited stands where it was.", Confidence::kMedium,
                           {StandingLines(file, hunk).At(i)}});
        return;
      }
    }
  }

  // A line of a test that calls something, and stands in a comment now. Where an assertion of it is gone, that is said already.
  void CommentedOut(const FileDiff& file) {
    if (LanguageOf(file.path).empty()) return;
    ReviewClaim claim{"", Severity::kLow, "", Confidence::kHigh, {}};
    size_t count = 0;
    for (const auto& hunk : file.hunks) {
      std::map<std::string, const DiffLine*> comments;  // that were added, by what is in them
      for (const auto& line : hunk.lines)
        if (line.sign == '+' && IsCommentLine(file.path, line.text))
          if (const auto inner = FirstGroup(line.text, R"(^\s*(?://|#|--|/\*)\s*(\S.*?)\s*$)")) comments.emplace(*inner, &line);
      for (const auto& line : hunk.lines) {
        const std::string old(Trim(line.text));
        if (comments.empty() || line.sign != '-' || IsCommentLine(file.path, line.text) || !MatchesPart(old, R"(\w\s*\(|^@\w)") || MatchesPart(old, kAssertion)) continue;
        const auto now = comments.find(old);
        if (now == comments.end() || ++count > kMaxSpots) continue;
        claim.detail += (count == 1 ? "`" : "; `") + LineOf(old) + "`";
        claim.spots.push_back({file.path, now->second->new_line, now->second->text, ""});
      }
    }
    if (count == 0) return;
    claim.title = (count == 1 ? "A line of a test was commented out: " : std::to_string(count) + " lines of tests were commented out: ") + file.path;
    claim.detail += std::string(count > kMaxSpots ? " and more" : "") + ". What is in a comment proves nothing.";
    claims_.push_back(std::move(claim));
  }

  void Unregistered(const FileDiff& file) {
    size_t count = 0;
    for (const auto& hunk : file.hunks) {
      const StandingLines stand(file, hunk);
      for (size_t i = 0; i < hunk.lines.size() && count < kMostUnregistered; ++i) {
        if (hunk.lines[i].sign != '-') continue;
        auto name = FirstGroup(hunk.lines[i].text, R"(^\s*add_test\s*\(\s*(?:NAME\s+)?([\w.:-]+))");
        if (!name || registered_.Holds(*name)) continue;
        ++count;
        claims_.push_back({"A test is not registered any more: " + file.path, Severity::kMedium, "`" + LineOf(hunk.lines[i].text) + "` (line " + std::to_string(hunk.lines[i].old_line) + " before the change): ctest doesn't run it. What is cited stands where it was.",
                           Confidence::kHigh, {stand.At(i)}});
      }
    }
  }

  const std::vector<FileDiff>& files_;
  std::set<std::string> added_;  // lines, without the blanks around them
  AddedText added_text_, registered_;  // of those all, and with ctest
  std::vector<ReviewClaim> claims_;
};

}  // namespace

std::vector<ReviewClaim> ClaimsOfTests(const std::vector<FileDiff>& files) { return TestChanges(files).Take(); }

}  // namespace paddock::subagents
