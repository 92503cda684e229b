// ClaimsOfChanges and the rest: what shows only where several lines, or files, are seen together.
#include <algorithm>
#include <map>
#include <set>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/long_comments.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/review_checks.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

class Changes {
 public:
  explicit Changes(const std::vector<FileDiff>& files) : files_(files) {}

  std::vector<ReviewClaim> Take() {
    for (const auto& file : files_) {
      MergeMarks(file);
      if (!IsProsePath(file.path) && !IsMadePath(file.path)) {
        CodeInComments(file);
        Swallowed(file);
      }
      Binary(file);
      Install(file);
    }
    Build();
    for (auto& claim : ClaimsOfTests(files_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfUnreached(files_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfAllocations(files_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfRemovedChecks(files_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfBounds(files_)) claims_.push_back(std::move(claim));
    for (auto& claim : ClaimsOfWeakened(files_)) claims_.push_back(std::move(claim));
    return std::move(claims_);
  }

 private:
  void MergeMarks(const FileDiff& file) {
    std::vector<ReviewSpot> spots;
    for (const auto& hunk : file.hunks)
      for (const auto& line : hunk.lines)
        if (line.sign == '+' && MatchesPart(line.text, R"(^(<{7}|>{7})( |$))") && spots.size() < 4) spots.push_back({file.path, line.new_line, line.text, ""});
    if (!spots.empty()) claims_.push_back({"Marks of a merge that was not finished: " + file.path, Severity::kHigh, "Both sides stand in the file.", Confidence::kHigh, std::move(spots)});
  }

  void CodeInComments(const FileDiff& file) {
    const std::string language = LanguageOf(file.path);
    if (language.empty() || IsTestPath(file.path)) return;
    auto code = [&](std::string_view text) {
      if (!IsCommentLine(file.path, text) || MatchesPart(text, R"(^\s*(///|//!|/\*\*|#!|\*\s|##))")) return false;
      if (language == "Go" && MatchesPart(text, R"(^\s*//\t)")) return false;  // an example in what documents it
      auto inner = FirstGroup(text, R"(^\s*(?://|#|--|/\*)\s?(.*)$)");
      return inner && MatchesPart(*inner, R"([;{}]\s*(\*/)?$|^\s*(if|for|while|elif|else|try|with|def|fn|func|return|import|from|let|const|var)\b.*[:({;=]|^\s*[\w.\[\]>-]+\s*[-+|&]?=\s*\S|^\s*[\w.]+\(.*\)\s*;?$)") &&
             !MatchesPart(*inner, R"(^\s*[A-Z]\w+ (\w+ ){3,}|e\.g\.|for example|[.?!]$)");
    };
    for (const auto& hunk : file.hunks) {
      size_t run = 0;
      for (size_t i = 0; i <= hunk.lines.size(); ++i) {
        if (i < hunk.lines.size() && hunk.lines[i].sign == '+' && code(hunk.lines[i].text)) {
          ++run;
          continue;
        }
        if (run >= 3 && !GoesOnWithComment(file, hunk, i - run)) {
          const DiffLine& first = hunk.lines[i - run];
          claims_.push_back({"Code that was commented out: " + file.path, Severity::kLow, std::to_string(run) + " lines from line " + std::to_string(first.new_line) + " on. Version control keeps what is removed.",
                             Confidence::kMedium, {{file.path, first.new_line, first.text, ""}}});
          return;
        }
        run = 0;
      }
    }
  }

  // Lines of code that a comment goes on with are its example.
  static bool GoesOnWithComment(const FileDiff& file, const Hunk& hunk, size_t index) {
    while (index > 0 && hunk.lines[index - 1].sign == '-') --index;
    return index > 0 && IsCommentLine(file.path, hunk.lines[index - 1].text);
  }

  // What catches any error and does nothing.
  void Swallowed(const FileDiff& file) {
    if (LanguageOf(file.path).empty() || IsTestPath(file.path)) return;
    std::vector<ReviewSpot> spots;
    size_t count = 0;
    for (const auto& hunk : file.hunks) {
      for (size_t i = 0; i < hunk.lines.size(); ++i) {
        const std::string& text = hunk.lines[i].text;
        if (hunk.lines[i].sign != '+' || Trim(text).empty() || IsCommentLine(file.path, text)) continue;  // so that no line is looked past twice
        size_t next = i + 1;
        while (next < hunk.lines.size() && (hunk.lines[next].sign == '-' || Trim(hunk.lines[next].text).empty() || IsCommentLine(file.path, hunk.lines[next].text))) ++next;
        const std::string_view after = next < hunk.lines.size() ? Trim(hunk.lines[next].text) : std::string_view();
        bool swallows = false;
        if (LanguageOf(file.path) == "Python") {
          swallows = MatchesPart(text, R"(^\s*except(\s+\(?(Base)?Exception\)?(\s+as\s+\w+)?)?\s*:\s*(pass|\.\.\.)\s*(#.*)?$)") ||
                     (MatchesPart(text, R"(^\s*except(\s+\(?(Base)?Exception\)?(\s+as\s+\w+)?)?\s*:\s*(#.*)?$)") && MatchesPart(after, R"(^(pass|\.\.\.)\s*(#.*)?$)"));
        } else if (LanguageOf(file.path) == "Ruby") {
          swallows = MatchesPart(text, R"(^\s*rescue(\s+(StandardError|Exception))?(\s*=>\s*\w+)?\s*$)") && MatchesPart(after, R"(^(nil|end)$)");
        } else if (LanguageOf(file.path) == "Go") {
          const std::string_view right_after = i + 1 < hunk.lines.size() ? Trim(hunk.lines[i + 1].text) : std::string_view();  // a comment may say why
          swallows = MatchesPart(text, R"(\berr\w*\s*!=\s*nil\s*\{\s*\}\s*$)") || (MatchesPart(text, R"(^\s*(\}\s*else\s+)?if\b.*\berr\w*\s*!=\s*nil\s*\{\s*$)") && right_after == "}");
        } else if (MatchesPart(text, R"(\bcatch\s*(\([^)]*\)\s*)?\{)")) {
          swallows = MatchesPart(text, R"(\bcatch\s*(\([^)]*\)\s*)?\{\s*(/\*.*\*/\s*)?\})") || (MatchesPart(text, R"(\{\s*(//.*)?$)") && after.starts_with("}"));
          const size_t at = MatchAt(text, R"(\bcatch\b)").value_or(0);
          swallows = swallows && !InTextOrComment(LanguageOf(file.path), text, at);
        }
        if (swallows && ++count <= 6) spots.push_back({file.path, hunk.lines[i].new_line, text, ""});
      }
    }
    if (count == 0) return;
    claims_.push_back({(LanguageOf(file.path) == "Go" ? "An error is asked for, and nothing is done about it: " : "An exception is swallowed: ") + file.path, Severity::kLow, "Nobody hears that it failed." + (count > 1 ? " " + std::to_string(count) + " places." : std::string()), Confidence::kHigh, std::move(spots)});
  }

  void Binary(const FileDiff& file) {
    if (!file.binary || (file.status != "added" && file.status != "changed")) return;
    const bool runs = MatchesPart(file.path, R"((?i)\.(exe|dll|so|dylib|jar|class|pyc|o|a|wasm|ko|deb|rpm|apk|msi)$)");
    if (MatchesPart(file.path, R"((?i)\.(png|jpe?g|gif|ico|svg|webp|ttf|woff2?|otf|pdf|mo|xcf|psd)$)") && !runs) return;
    if (IsSidePath(file.path) && !runs) return;  // test data
    claims_.push_back({std::string(runs ? "A binary that runs was " : "A binary file was ") + file.status + ": " + file.path, runs ? Severity::kMedium : Severity::kLow,
                       "Nobody can review what is in it: better made from its sources.", Confidence::kHigh, {{file.path, 0, "", ""}}});
  }

  void Install(const FileDiff& file) {
    if (BaseName(file.path) != "package.json") return;
    std::set<std::string> named;
    for (const auto& hunk : file.hunks)
      for (const auto& line : hunk.lines) {
        if (line.sign != '+') continue;
        if (auto name = FirstGroup(line.text, R"re(^\s*"((?:pre|post)?install|prepare|prepublish)"\s*:)re"); name && named.insert(*name).second)
          claims_.push_back({"npm runs a script by itself (" + *name + "): " + file.path, Severity::kMedium, "Whoever installs the package runs it.", Confidence::kHigh, {{file.path, line.new_line, line.text, ""}}});
      }
  }

  // Says of a manifest what the package is called, by whom it is and where its pages are, or is its version: nothing is built by it.
  static bool Describes(std::string_view line) {
    return MatchesPart(line, R"(^\s*["']?(\w+\.)?version["']?\s*[:=]\s*["']?v?\d[\w.+-]*["']?\s*,?\s*$)") ||
           MatchesPart(line, R"((?i)^\s*["']?(\w+\.)?(metadata\[["']\w+_ur[il]["']\]|description|long_description\w*|summary|keywords|authors?(_email)?|maintainers?(_email)?|email|homepage(_uri|_url)?|(home)?page_?url|changelog_uri|documentation(_uri)?|licen[sc]e)["']?\s*[:=])") ||
           MatchesPart(line, R"(^\s*["'][\w ./+()-]+( :: [\w ./+()-]+)+["']\s*,?\s*$)");
  }
  static bool OnlyDescribes(const FileDiff& file) {
    if (file.status != "changed" || !file.whole) return false;
    bool any = false;
    for (const auto& hunk : file.hunks)
      for (const auto& line : hunk.lines) {
        if (line.sign == ' ' || Trim(line.text).empty()) continue;
        if (!Describes(line.text)) return false;
        any = true;
      }
    return any;
  }

  void Build() {
    BuildOf(false, "It is built, checked or installed otherwise: ", "Such files decide what runs on the machines of those who build it.");
    BuildOf(true, "What the project's own servers run was changed: ", "Workflows run with the rights of the repository, some with its secrets.");
  }

  void BuildOf(bool ci, const char* title, const char* why) {
    std::vector<ReviewSpot> spots;
    std::string names;
    size_t count = 0;
    for (const auto& file : files_) {
      if (!IsBuildPath(file.path) || IsCiPath(file.path) != ci || IsForeignPath(file.path) || file.binary || OnlyDescribes(file)) continue;
      const auto works = [&](const DiffLine& each) { return each.sign != ' ' && Trim(each.text).size() > 2 && !Describes(each.text) && !IsCommentLine(file.path, each.text) && !Trim(each.text).starts_with('#'); };
      const DiffLine* added = nullptr;
      bool changed = file.hunks.empty();  // what isn't known may
      for (const auto& hunk : file.hunks)
        for (const auto& line : hunk.lines) {
          changed = changed || works(line);
          if (added == nullptr && line.sign == '+' && works(line)) added = &line;
        }
      if (!changed) continue;
      if (++count <= 6) names += (names.empty() ? "" : ", ") + file.path;
      if (added != nullptr && spots.size() < 6) spots.push_back({file.path, added->new_line, added->text, ""});
    }
    if (count > 0 && !spots.empty()) claims_.push_back({title + names + (count > 6 ? " and more" : ""), Severity::kInfo, why, Confidence::kHigh, std::move(spots)});
  }

  const std::vector<FileDiff>& files_;
  std::vector<ReviewClaim> claims_;
};

// The folders that say what a file is about.
std::set<std::string> Areas(std::string_view path) {
  std::set<std::string> out{TestedStem(path)};
  for (auto folder = FolderName(path); !folder.empty(); folder = FolderName(folder))
    if (const auto name = BaseName(folder); !MatchesWhole(name, R"((?i)\w*tests?|\w*spec|t|unit\w*|e2e|integration|functional|src|lib|libs|include|main|java|kotlin|scala|pkg|packages|internal|cmd|com|org|io|net|app|core|source|code|python|js)")) out.insert(std::string(name));
  return out;
}

// The tests that a change adds lines to.
class ChangedTests {
 public:
  explicit ChangedTests(const std::vector<FileDiff>& files) {
    for (const auto& file : files) {
      if (!IsTestPath(file.path) || file.status == "removed" || file.Added() == 0) continue;
      stems_.insert(TestedStem(file.path));
      folders_.insert(std::string(FolderName(file.path)));
      areas_.merge(Areas(file.path));
    }
  }

  // Is one of them of the same area as the source, by its name or its folders?
  bool AnyBeside(std::string_view source) const {
    if (folders_.contains(std::string(FolderName(source)))) return true;
    for (const auto& area : Areas(source))
      if (areas_.contains(area)) return true;
    const std::string stem = TestedStem(source);
    return std::any_of(stems_.begin(), stems_.end(), [&](const auto& tests) { return (stem.size() > 3 && tests.find(stem) != std::string::npos) || (tests.size() > 3 && stem.find(tests) != std::string::npos); });
  }

 private:
  std::set<std::string> stems_, folders_, areas_;
};

}  // namespace

std::vector<ReviewClaim> ClaimsOfChanges(const std::vector<FileDiff>& files) { return Changes(files).Take(); }

std::vector<std::string> ChangedWithoutTests(const std::vector<FileDiff>& files) {
  std::vector<std::pair<int64_t, std::string>> without;
  const ChangedTests tests(files);
  for (const auto& file : files) {
    if (!IsOwnSource(file.path) || IsSidePath(file.path) || IsToolSettingsPath(file.path) || file.status == "removed") continue;
    bool inline_tests = false;
    for (const auto& hunk : file.hunks)
      for (const auto& line : hunk.lines) inline_tests = inline_tests || (line.sign != ' ' && MatchesPart(line.text, R"(^\s*(#\[(\w+::)?test|unittest\b|>>> ))"));
    const int64_t code = CountChangedCode(file, nullptr);
    if (code >= kLeastCode && !inline_tests && !tests.AnyBeside(file.path)) without.emplace_back(-code, file.path);
  }
  std::stable_sort(without.begin(), without.end());
  std::vector<std::string> out;
  for (auto& [lines, path] : without) out.push_back(std::move(path));
  return out;
}

std::vector<ChangedName> ChangedInterfaces(const std::vector<FileDiff>& files) {
  std::map<std::string, ChangedName> before;
  std::map<std::string, std::vector<std::pair<const FileDiff*, const DiffLine*>>> after;
  auto each_definition = [&](bool removed, auto take) {
    for (const auto& file : files) {
      if (!IsOwnSource(file.path) || (removed && !file.whole)) continue;  // it may stand behind the cut
      for (const auto& hunk : file.hunks)
        for (const auto& line : hunk.lines)
          if ((line.sign == '-') == removed && !Trim(line.text).empty())
            if (auto defined = DefinedOn(file.path, line.text); defined && defined->kind != "variable" && defined->kind != "module") take(file, line, *defined);
    }
  };
  each_definition(true, [&](const auto& file, const auto& line, const auto& defined) { before.emplace(defined.name, ChangedName{defined.name, file.path, std::string(Trim(line.text)), "", {}}); });
  if (before.empty()) return {};
  each_definition(false, [&](const auto& file, const auto& line, const auto& defined) {
    if (before.contains(defined.name)) after[defined.name].emplace_back(&file, &line);
  });
  std::vector<ChangedName> out;
  for (auto& [name, change] : before) {
    auto now = after.find(name);
    if (now != after.end()) {
      bool same = false;
      for (const auto& [file, line] : now->second) same = same || Trim(line->text) == change.before || line->sign == ' ';
      if (same) continue;
      const auto& [file, line] = now->second.front();
      auto defined = DefinedOn(file->path, line->text);
      if (!defined || !(defined->is_public || LanguageOf(file->path) == "C header")) continue;
      if (defined->kind != "function" && defined->kind != "declaration") continue;
      change.after = Trim(line->text);
      change.spot = {file->path, line->new_line, line->text, ""};
    }
    if (out.size() < 12) out.push_back(std::move(change));
  }
  return out;
}

}  // namespace paddock::subagents
