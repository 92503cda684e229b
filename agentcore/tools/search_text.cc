// search_text: lines that match a pattern. Its artifacts and facts are described in read_only_tools.h.
#include <map>

#include "agentcore/tools/file_search.h"
#include "agentcore/tools/path_filter.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/tree_facts.h"
#include "agentcore/tools/walk.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxSkipped = 200;  // names told for each reason

struct SearchTextArguments {
  std::string pattern;
  std::string path = ".";
  std::string glob;
  bool ignore_case = false;
  bool literal = false;
  int64_t context = 0;
  int64_t limit = 100;
  bool ignored = false;
};
auto Fields(FieldsOf<SearchTextArguments>) {
  using A = SearchTextArguments;
  return std::make_tuple(
      Required("pattern", &A::pattern, "regular expression in RE2 syntax, matched within single lines").NonEmpty().MaxLength(4096),
      Optional("path", &A::path, "folder or file to search, relative to the workspace").MaxLength(32768),
      Optional("glob", &A::glob, "only files that fit; without a slash it is matched against names (*.py), with one against whole paths (src/**/*.{c,h}); empty: all").MaxLength(1024),
      Optional("ignore_case", &A::ignore_case, "true: upper and lower case are the same"),
      Optional("literal", &A::literal, "true: the pattern is plain text"),
      Optional("context", &A::context, "lines shown before and after each match").Min(0).Max(10),
      Optional("limit", &A::limit, "lines that match, at most").Min(1).Max(1000),
      Optional("ignored", &A::ignored, "true: also in what .gitignore leaves out, and in .git without its objects"));
}

struct Search {
  SearchTally tally;
  WalkReport walk;
  int64_t files_searched = 0, binary = 0, unreadable = 0, special = 0, symlinks = 0;
  std::vector<Artifact> excerpts;
  std::vector<std::string> files;  // with matches
  std::map<std::string, std::vector<std::string>> skipped;  // why → what the glob takes and was not searched whole
  Oddities odd;

  bool complete() const { return walk.complete() && !tally.deadline_passed; }
};

struct SearchTextRequest : PathRequest<SearchTextArguments> {
  PathFilter filter;
  std::optional<LineRegex> regex;
};

class SearchText : public PathTool<SearchTextRequest> {
 public:
  SearchText()
      : PathTool(ToolSpecOf<SearchTextArguments>(
            "search_text",
            "find lines that match a pattern, in all text files below a folder or in one file. Gives the lines with their numbers. Files that .gitignore "
            "leaves out and .git (unless `ignored` is true), links and binary files are skipped and counted.",
            "finding files by name (use list_files with pattern), reading around a place you know (use read_file), matches that span lines.",
            Json{{"pattern", "fn\\s+main"}, {"path", "src"}, {"glob", "*.rs"}, {"context", 2}})) {}

  ToolOutcome<ToolResult> Look(const SearchTextRequest& request, const ToolContext& context) const override {
    const std::string& start = request.path;
    Search search;
    const struct stat st = TRY(StatInside(context.root_fd, start));
    if (S_ISDIR(st.st_mode)) {
      TRY(SearchTree(request, context, &search));
    } else {
      const TextFile text = TRY(OpenTextFile(context.root_fd, start));
      if (text.content.binary) return std::unexpected(BinaryFileError(start, text));
      SearchOne(text, start, request, context, &search);
    }
    return Assemble(request.asked, start, std::move(search));
  }

 private:
  ToolOutcome<void> Complete(SearchTextRequest* request) const override {
    const SearchTextArguments& asked = request->asked;
    auto filter = PathFilter::Parse(asked.glob);
    if (!filter) return Bad("$.glob: " + filter.error().message, filter.error().hint);
    request->filter = *std::move(filter);
    if (asked.pattern.find('\n') != std::string::npos)
      return Bad("$.pattern: holds a newline, but patterns are matched within single lines", "search for one of its lines, with context to see the others");
    auto regex = LineRegex::Compile(asked.pattern, {.ignore_case = asked.ignore_case, .literal = asked.literal});
    if (!regex)
      return Bad("$.pattern: " + VisibleText(TruncateUtf8(regex.error().message, 300), Newlines::kEscape),
                 "RE2 syntax: no look-around and no back-references; set literal to true to search for plain text");
    request->regex.emplace(*std::move(regex));
    return {};
  }

  static void SearchOne(const TextFile& text, const std::string& path, const SearchTextRequest& request, const ToolContext& context, Search* search) {
    SearchLimits limits{.context = request.asked.context, .matches = request.asked.limit, .output_bytes = context.max_output_bytes, .deadline = context.deadline};
    const size_t before = search->excerpts.size();
    const SearchTally tally = search->tally;
    if (!SearchFile(text, path, *request.regex, limits, &search->tally, &search->excerpts)) {
      ++search->unreadable;
      Skip("unreadable", path, request, search);
      return;
    }
    ++search->files_searched;
    if (search->tally.cut_files > tally.cut_files) Skip("large", path, request, search);
    else if (search->tally.long_lines > tally.long_lines) Skip("long line", path, request, search);
    if (search->excerpts.size() > before) search->files.push_back(PathToText(path));
  }

  // Who wants all that a glob takes is told what of it was not searched whole.
  static void Skip(const char* why, std::string_view path, const SearchTextRequest& request, Search* search, const std::string& target = {}) {
    if (!request.asked.ignored || request.filter.wants_all() || search->skipped[why].size() >= kMaxSkipped) return;
    search->skipped[why].push_back(PathToText(path) + (target.empty() ? "" : " -> " + PathToText(target)));
  }

  static void SkipNoFile(const WalkEntry& entry, const SearchTextRequest& request, const ToolContext& context, Search* search) {
    if (IsSpecial(entry.kind)) Skip("special", entry.path, request, search);
    if (entry.kind != EntryKind::kSymlink) return;
    const auto target = StatInside(context.root_fd, std::string(entry.path));
    Skip(target && S_ISDIR(target->st_mode) ? "folder link" : "link", entry.path, request, search, LinkTarget(context.root_fd, entry.path));
  }

  // It was a file when the folder was read.
  static void NotOpened(const std::string& path, const ToolError& error, const SearchTextRequest& request, Search* search) {
    ++search->unreadable;
    Skip("unreadable", path, request, search);
    const bool closed = error.status == ToolStatus::kDenied || (error.status == ToolStatus::kFailed && !error.retryable);
    search->odd.Add(closed ? OddKind::kUnreadableFile : OddKind::kChanged, path);
  }

  static ToolOutcome<void> SearchTree(const SearchTextRequest& request, const ToolContext& context, Search* search) {
    WalkOptions options;
    options.start = request.path;
    options.hidden = context.hidden;
    options.ignored = request.asked.ignored;
    options.deadline = context.deadline;
    GlobCost cost{.deadline = context.deadline};
    search->walk = TRY(Walk(context.root_fd, options, &cost, [&](const WalkEntry& entry) {
      search->special += IsSpecial(entry.kind);
      search->symlinks += entry.kind == EntryKind::kSymlink;
      if (entry.kind == EntryKind::kFolder || !request.filter.Wants(entry.path, &cost)) return true;
      if (entry.kind != EntryKind::kFile) return SkipNoFile(entry, request, context, search), true;
      std::string path(entry.path);
      auto text = OpenTextFile(context.root_fd, path);
      if (!text) NotOpened(path, text.error(), request, search);
      else if (text->content.binary) ++search->binary, Skip("binary", path, request, search);
      else SearchOne(*text, path, request, context, search);
      // After the file, so that at least one is searched.
      if (!search->tally.done() && context.deadline.passed()) search->tally.deadline_passed = true;
      return !search->tally.done();
    }));
    search->odd.AddAll(search->walk.odd);
    return {};
  }

  static ToolResult Assemble(const SearchTextArguments& arguments, const std::string& start, Search search) {
    const SearchTally& tally = search.tally;
    ToolResult result;
    result.success = true;
    result.status = search.complete() ? ToolStatus::kOk : ToolStatus::kPartial;
    Artifact listing;
    listing.kind = "listing";
    listing.path = PathToText(start);
    Json& facts = listing.facts;
    facts["files_searched"] = search.files_searched;
    facts["files_matched"] = search.files.size();
    facts["matches"] = tally.matches;
    facts["ignored"] = search.walk.ignored;
    facts["binary"] = search.binary;
    facts["unreadable"] = search.unreadable + search.walk.unreadable;
    facts["special"] = search.special;
    facts["symlinks"] = search.symlinks;
    facts["cut_files"] = tally.cut_files;
    facts["long_lines"] = tally.long_lines;
    facts["truncated"] = tally.truncated;
    facts["complete"] = search.complete();
    facts["path_ignored"] = search.walk.start_ignored;
    facts["odd"] = search.odd.ToFacts();
    listing.entries = std::move(search.files);

    const auto count = [](int64_t n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); };
    result.summary = count(tally.matches, "line matches", "lines match") + " in " + count(std::ssize(listing.entries), "file", "files") + "; " +
                     count(search.files_searched, "file", "files") + " searched";
    std::string& output = result.output;
    output = result.summary + ".";
    if (search.binary > 0) output += "\nSkipped: " + count(search.binary, "binary file", "binary files") + ".";
    if (search.walk.ignored > 0) output += "\nSkipped by ignore rules: " + std::to_string(search.walk.ignored) + " files or folders.";
    output += search.odd.Sentences();
    if (tally.cut_files > 0) output += "\nOf " + count(tally.cut_files, "large file", "large files") + " only the first " + std::to_string(kMaxSearchedBytes) + " bytes were searched.";
    if (tally.long_lines > 0) output += "\nOf " + count(tally.long_lines, "long line", "long lines") + " only the first " + std::to_string(kMaxSearchedLine) + " bytes were searched; matches beyond are not found.";
    int64_t hidden = 0;
    for (const Artifact& excerpt : search.excerpts) hidden += std::ssize(excerpt.cut);
    if (hidden > 0) output += "\n" + count(hidden, "line is", "lines are") + " cut after " + std::to_string(kMaxLineBytes) + " bytes; a match may lie behind the cut.";
    if (search.walk.start_ignored) {
      output += "\nThe folder is left out by the repository's own ignore rules, or is .git; nothing in it was searched.";
      if (!arguments.ignored) result.next_actions.push_back("set ignored to true to search it all the same");
    }
    if (tally.truncated) {
      output += "\nThere may be more matches: a limit of this result was reached.";
      result.next_actions.push_back("narrow the search with path, glob or a longer pattern, or raise limit (at most 1000)");
    }
    std::string gaps = search.walk.Gaps();
    if (tally.deadline_passed && !search.walk.deadline_passed) gaps = "the deadline passed before all files were searched" + (gaps.empty() ? "" : "; " + gaps);
    if (!gaps.empty()) output += "\nNot complete: " + gaps + ".";
    if (!search.complete()) {
      result.recovery_hint = "what was found is right; search one folder at a time for the rest";
      result.next_actions.push_back("search a smaller part: give path or glob");
    }
    if (tally.matches == 0) {
      if (!arguments.literal && arguments.pattern.find_first_of("()[]{}.*+?|^$\\") != std::string::npos)
        result.next_actions.push_back("if the pattern is meant as plain text, set literal to true");
      if (!arguments.ignore_case) result.next_actions.push_back("try ignore_case");
      if (!arguments.literal && arguments.pattern.find("\\n") != std::string::npos) output += "\nPatterns are matched within single lines: \\n never matches.";
    }
    result.artifacts.push_back(std::move(listing));
    for (auto& [why, paths] : search.skipped) {
      Artifact skipped;
      skipped.kind = "skipped";
      skipped.path = PathToText(start);
      skipped.facts["why"] = why;
      skipped.entries = std::move(paths);
      if (!skipped.entries.empty()) result.artifacts.push_back(std::move(skipped));
    }
    for (Artifact& excerpt : search.excerpts) result.artifacts.push_back(std::move(excerpt));
    return result;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeSearchText() { return std::make_unique<SearchText>(); }

}  // namespace paddock::agentcore
