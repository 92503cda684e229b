#include <algorithm>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/command_ranking.h"
#include "subagents/playbook/counted.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/test_plan.h"
#include "subagents/playbook/visibility.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostFindings = 20, kMostListed = 200, kFirst = 5;

// What a body shows, and what a test of it needs.
constexpr struct {
  const char *line, *needs;
} kNeeds[] = {
    {R"(\b(urllib\.request\.urlopen|requests\.(get|post)|http\.(Get|Post)|curl_easy_perform|net\.Dial)\s*\()", "a stand-in for the network"},
    {R"(\b(fopen|open|opendir|readFile(Sync)?|writeFile(Sync)?|os\.(Open|Create|ReadFile|WriteFile|path|listdir|remove)|ioutil\.\w+|File::(open|create)|new File(Reader|Writer|InputStream|OutputStream)?|io\.open|Files\.\w+)\s*\()", "a temporary folder"},
    {R"(\b(time|now|sleep|usleep|nanosleep|time\.(Now|Sleep|time)|Date\.now|currentTimeMillis|datetime\.now)\s*\()", "a clock that the test sets"},
    {R"(\b(rand|random|Math\.random|rand\.\w+)\s*\()", "a fixed seed"},
    {R"(\b(getenv|os\.environ|process\.env|os\.Getenv|env::var)\b)", "an environment that the test sets"},
};

// A branch that stands within a line, or may: "a ? b : c", "x if y", an arm of a match, a macro of the project.
constexpr char kWithin[] = R"(\s\?\s|\s\?$|\?\?|=>|\S.*\s(if|unless)\s|\b(match|when|select|cond)\b.*\{|(\)|\w)\?[;.)]|^\s*\w+!\s*[({\[]|\)\s*(if|for|while)\s*\()";

struct Body {
  int64_t branches = 0;
  bool more_branches = false;  // that no line begins: how many isn't known
  std::vector<int64_t> errors;  // lines
  std::string needs;
};

// A line of prose in a comment or a text of several lines, which may have no sign of its own.
bool IsNoCode(const MaskedLine& mask, std::string_view text) {
  const size_t at = IndentOf(text);
  return at < mask.bytes.size() && mask.bytes.find(kCodeByte, at) == std::string::npos;
}

Body Look(const RepoView& view, const PublicFunction& function) {
  Body body;
  const SeenLines* lines = view.LinesOf(function.path);
  if (lines == nullptr) return body;
  const MaskedLines& mask = view.MaskOf(function.path);
  const int64_t last = function.lines > 0 ? function.line + function.lines - 1 : EndOfBody(*lines, function.line);
  for (auto it = lines->upper_bound(function.line); it != lines->end() && it->first <= last; ++it) {
    const std::string& text = it->second.text;
    if (it->second.cut || IsCommentLine(function.path, text) || IsNoCode(mask.at(it->first), text)) continue;
    if (MatchesPart(text, R"(^\s*(\}\s*)?(else\s+if|if|elif|for|while|case|when|catch|except|match|unless)\b)")) ++body.branches;
    if (MatchesPart(text, kWithin) && !MatchesPart(text, R"(^\s*(\}\s*)?else\s+if\b[^?]*$)")) body.more_branches = true;
    if (MatchesPart(text, R"(^\s*(raise\s+\w|throw\s+|return\s+(Err\(|.*\b(errors\.New|fmt\.Errorf)\()))")) body.errors.push_back(it->first);
    for (const auto& need : kNeeds)
      if (body.needs.empty() && MatchesPart(text, need.line)) body.needs = need.needs;
  }
  return body;
}

class Writer {
 public:
  Writer(const RepoView& view, const TestPlanSeen& seen) : view_(view), seen_(seen), functions_(PublicFunctions(view, seen.symbols)), names_(NamesInTests(view, functions_)) {
    untested_ = RankUntested(view, seen, functions_, names_);
    auto commands = RankCommands(view, RankLanguages(view), CommandKind::kTest);
    if (!commands.empty()) command_ = commands[0];
  }

  void Command() {
    if (!command_) return;
    findings_.push_back({"Tests run with `" + Short(command_->text) + "`", Severity::kInfo, "", command_->in_docs ? Confidence::kHigh : Confidence::kMedium, command_->evidence});
    if (findings_.back().evidence.size() > 4) findings_.back().evidence.resize(4);
  }

  void Untested() {
    if (!seen_.searched) return;
    for (const auto& function : untested_) {
      const bool listed = list_.size() < kMostListed;
      const bool compared = IsCompared(function);
      auto& first = compared ? named_ : others_;
      const bool told = compared ? findings_.size() < kMostFindings : first.size() < kFirst;
      if (first.size() < kFirst) first.push_back(function);
      auto citation = told ? view_.Cite(function.path, function.line, function.line, function.name) : std::nullopt;
      if (!listed && findings_.size() >= kMostFindings) break;
      if (!listed && !citation) continue;
      const TestPlace place = PlaceOfTest(view_, function, functions_, names_);
      const Body body = Look(view_, function);
      const std::string kind = Kind(body);
      if (listed)
        list_.push_back(Json{{"name", function.name}, {"path", function.path}, {"line", function.line}, {"lines", function.lines}, {"commits", function.commits}, {"test_file", place.path}, {"test_file_exists", place.exists}, {"kind", kind}});
      if (!citation) continue;
      // What isn't known of its size isn't said.
      std::string size = function.lines > 0 ? Count(function.lines, "line", "lines") : "";
      if (body.branches > 0 && !body.more_branches) size += (size.empty() ? "At least " : ", ") + Count(body.branches, "branch", "branches");
      std::string commits = function.commits > 0 ? std::to_string(function.commits) + " of the last " + Count(seen_.listed_commits, "commit", "commits") : "";
      std::string detail = size;
      if (!commits.empty()) detail += (size.empty() ? "Its file is in " : "; its file is in ") + commits;
      detail += std::string(detail.empty() ? "" : ". ") + "To write: " + kind + (place.sure ? ", in " + place.path + " (" + place.why + ")." : ".");
      if (command_) detail += " Run with `" + Short(command_->text) + "`.";
      std::vector<Citation> evidence = {*citation};
      for (int64_t line : body.errors)
        if (evidence.size() < 3)
          if (auto error = view_.Cite(function.path, line, line)) evidence.push_back(*error);
      // A test of types is compiled and not run.
      const auto types = names_.types_of.find(function.name);
      if (types != names_.types_of.end()) detail += " Only a test of types has the name, which is compiled and never run: " + *types->second.begin() + ".";
      const std::string what = Short(function.name, 100) + "` (" + function.path + ":" + std::to_string(function.line) + ")";
      const auto doc = names_.docs_of.find(function.name);
      if (doc != names_.docs_of.end()) detail += " A doc comment has it in code, which `cargo test` runs where it is an example: " + doc->second + ".";
      const char* denied = types != names_.types_of.end() ? "No test that is run names `" : doc != names_.docs_of.end() ? "No test but a doc comment names `" : "No test names `";
      findings_.push_back({!compared ? "`" + what + " is public, and no test in " + function.language + " was recognized" : denied + what, Severity::kLow, Short(detail, 2000), Confidence::kMedium, std::move(evidence)});
    }
  }

  Report Finish(const PlaybookRun& run) {
    Report report;
    const int64_t unknown = static_cast<int64_t>(std::count_if(functions_.begin(), functions_.end(), [&](const auto& function) { return seen_.unknown.contains(function.name) && !names_.files_of.contains(function.name) && !names_.words_of.contains(function.name); }));
    const int64_t total = static_cast<int64_t>(functions_.size());
    const int64_t untested = seen_.searched ? static_cast<int64_t>(untested_.size()) : 0;
    const auto word_only = WordOnly();
    const int64_t words = seen_.searched ? static_cast<int64_t>(word_only.size()) : 0;
    const int64_t tested = seen_.searched ? total - untested - unknown - words : 0;
    std::string& out = report.summary;
    if (total == 0) out = "No public function was found, of those that are defined and exported in a way that this playbook knows.";
    else if (!seen_.searched) out = "Public functions were found, but the tests were not searched for them.";
    else if (!std::any_of(functions_.begin(), functions_.end(), [&](const auto& function) { return IsCompared(function); })) out = Count(total, "public function was found.", "public functions were found.");
    else out = "Of " + Count(total, "public function that was recognised", "public functions that were recognised") + " " + Count(tested, "is", "are") + " named in the code of tests (by the word: it may be another of that name there)" + (words > 0 ? ", of " + std::to_string(words) + " only the word stands in a test (in a text, a comment, or of something else)" : "") + ", and " + std::to_string(untested) + " in none" + InDocs() + (unknown > 0 ? "; of " + std::to_string(unknown) + " it isn't known" : "") + ".";
    if (seen_.searched) out += WithoutTests();
    out += Names(named_, " First: ");
    out += Names(others_, seen_.listed_commits == 0 ? " The largest of those: " : " The first of those, by size and by how often their files change: ");
    if (command_) out += " Tests run with `" + Short(command_->text) + "`.";
    else out += " No test command was found.";
    if (!named_.empty()) out += " That no test names a function doesn't say that none runs it, and that one does doesn't say that it is tested well.";
    if (seen_.listed_commits == 0) out += " The history wasn't there to be read: the order is by size alone.";
    if (view_.listing_cut()) out += " The repository has more files than were listed.";
    if (seen_.functions_cut) out += " A search for functions was cut off: there may be more of them.";
    if (AnyOfPrivateModule()) out += " What Python modules of a name with `_` define is counted only where it is handed on (by an `__init__.py` or an `__all__`).";
    if (!seen_.left_out.empty()) out += " Functions in " + Joined(seen_.left_out) + " were not looked for.";
    out += " No language model was used: a fixed playbook made " + std::to_string(run.tool_calls) + " tool calls.";
    report.complete = total > 0 && seen_.searched && !run.cut_short && !view_.tree_incomplete() && !seen_.functions_cut && unknown == 0;
    if (run.cut_short) report.next_actions.push_back("run the test-planner again with more turns: there was more to look at");
    for (size_t i = 0; i < named_.size() && i < 3; ++i) report.next_actions.push_back("write a test for `" + Short(named_[i].name, 100) + "` of " + ShortenWords(named_[i].path, 200));
    report.findings = std::move(findings_);
    report.data = Json{{"untested", std::move(list_)}, {"tested", tested}, {"word_only", word_only}, {"unknown", unknown}, {"total", total}, {"command", command_ ? Json(command_->text) : Json(nullptr)}};
    return report;
  }

 private:
  // Where no test of its language was recognized, that none names it says nothing.
  bool IsCompared(const PublicFunction& function) const { return names_.families.contains(LanguageFamily(function.language)); }

  static std::string Names(const std::vector<PublicFunction>& functions, const char* before) {
    std::string out;
    for (const auto& function : functions) out += (out.empty() ? before : std::string(", ")) + "`" + Short(function.name, 80) + "` (" + ShortenWords(function.path, 160) + ")";
    return out.empty() ? "" : out + ".";
  }

  std::string InDocs() const {
    const auto n = std::count_if(untested_.begin(), untested_.end(), [&](const auto& function) { return names_.docs_of.contains(function.name); });
    return n > 0 ? " (of these " + std::to_string(n) + " in code of a doc comment)" : "";
  }

  std::string WithoutTests() const {
    std::set<std::string> languages;
    for (const auto& function : untested_)
      if (!IsCompared(function)) languages.insert(function.language);
    std::string out;
    for (const auto& language : languages) out += (out.empty() ? "" : ", ") + language;
    return out.empty() ? "" : " No test in " + out + " was recognized: which of its functions are tested isn't known.";
  }

  bool AnyOfPrivateModule() const {
    const PythonModules python(view_);
    const auto files = view_.ReadFiles();
    return std::any_of(files.begin(), files.end(), [&](const auto& path) { return path.ends_with(".py") && IsOwnSource(path) && !IsTrialPath(path) && python.HandedOn(path); });
  }

  static std::string Joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
  }

  // Of each such function its name.
  std::vector<std::string> WordOnly() const {
    std::vector<std::string> out;
    for (const auto& function : functions_)
      if (seen_.searched && names_.IsWordOnly(function.name)) out.push_back(function.name);
    return out;
  }

  static std::string Kind(const Body& body) {
    std::string kind = body.branches >= 4 ? "a table of cases, one a branch" : body.branches > 0 || body.more_branches ? "a unit test of each branch" : "a unit test of what it gives back";
    if (!body.needs.empty()) kind += ", with " + body.needs;
    if (!body.errors.empty()) kind += ", and " + Count(static_cast<int64_t>(body.errors.size()), "case", "cases") + " in which it fails";
    return kind;
  }

  const RepoView& view_;
  const TestPlanSeen& seen_;
  std::vector<PublicFunction> functions_;
  TestNames names_;
  std::vector<PublicFunction> untested_;
  std::vector<PublicFunction> named_;   // those of them that come first
  std::vector<PublicFunction> others_;  // and of those in a language without tests
  std::optional<CommandOffer> command_;
  std::vector<ClaimedFinding> findings_;
  Json list_ = Json::array();
};

}  // namespace

Report WriteTestPlan(const RepoView& view, const TestPlanSeen& seen, const PlaybookRun& run) {
  Writer writer(view, seen);
  writer.Command();
  writer.Untested();
  return writer.Finish(run);
}

}  // namespace paddock::subagents
