// list_files: what is in the workspace. Its facts are described in read_only_tools.h.
#include "agentcore/tools/path_filter.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/tree_facts.h"
#include "agentcore/tools/walk.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

struct ListFilesArguments {
  std::string path = ".";
  int64_t depth = 0;
  std::string pattern;
  int64_t limit = 500;
  int64_t offset = 0;
  bool ignored = false;
};
auto Fields(FieldsOf<ListFilesArguments>) {
  using A = ListFilesArguments;
  return std::make_tuple(
      Optional("path", &A::path, "folder, relative to the workspace").MaxLength(32768),
      Optional("depth", &A::depth, "levels of folders to go into; 1: this folder only; 0: all levels").Min(0).Max(1000),
      Optional("pattern", &A::pattern, "glob; without a slash it is matched against names (*.py), with one against whole paths (src/**/*.{c,h}); empty: everything").MaxLength(1024),
      Optional("limit", &A::limit, "entries in this result").Min(1).Max(2000),
      Optional("offset", &A::offset, "entries to skip, from next_offset of an earlier result").Min(0).Max(1'000'000'000),
      Optional("ignored", &A::ignored, "true: also what .gitignore leaves out, and .git without its objects"));
}

struct ListFilesRequest : PathRequest<ListFilesArguments> {
  PathFilter filter;
};

class ListFiles : public PathTool<ListFilesRequest> {
 public:
  ListFiles()
      : PathTool(ToolSpecOf<ListFilesArguments>(
            "list_files",
            "find out what files and folders there are. Gives paths sorted by name, folders ending in \"/\", and counts of the whole tree by kind, "
            "extension and top-level folder. Files that .gitignore leaves out, and .git, are skipped and counted unless `ignored` is true. Links are listed, not followed.",
            "finding text inside files (use search_text) or reading a file (use read_file).",
            Json{{"path", "src"}, {"depth", 2}, {"pattern", "*.py"}, {"limit", 200}})) {}

  ToolOutcome<ToolResult> Look(const ListFilesRequest& request, const ToolContext& context) const override {
    const ListFilesArguments& asked = request.asked;
    const std::string& start = request.path;
    WalkOptions options;
    options.start = start;
    options.hidden = context.hidden;
    options.max_level = asked.depth;
    options.details = true;
    options.ignored = asked.ignored;
    options.deadline = context.deadline;
    GlobCost cost{.deadline = context.deadline};
    TreeFacts facts(context.root_fd, start, start == "." && asked.depth == 0);
    Artifact listing;
    listing.kind = "listing";
    listing.path = PathToText(start);
    int64_t matched = 0;
    size_t bytes = 0;
    bool cut = false;
    WalkReport walked = TRY(Walk(context.root_fd, options, &cost, [&](const WalkEntry& entry) {
      facts.Add(entry);
      if (!request.filter.Wants(entry.path, &cost) || matched++ < asked.offset || cut) return true;
      std::string text = PathToText(entry.path);
      if (entry.kind == EntryKind::kFolder) text += '/';
      cut = std::ssize(listing.entries) == asked.limit || (bytes + text.size() > context.max_output_bytes && !listing.entries.empty());
      if (cut) return true;
      bytes += text.size();
      listing.entries.push_back(std::move(text));
      return true;
    }));
    walked.odd.AddAll(facts.TakeOdd(walked.complete()));
    return Assemble(asked, walked, facts, matched, cut, std::move(listing));
  }

 private:
  ToolOutcome<void> Complete(ListFilesRequest* request) const override {
    auto filter = PathFilter::Parse(request->asked.pattern);
    if (!filter) return Bad("$.pattern: " + filter.error().message, filter.error().hint);
    request->filter = *std::move(filter);
    return {};
  }

  static ToolResult Assemble(const ListFilesArguments& arguments, const WalkReport& report, const TreeFacts& facts, int64_t matched, bool cut,
                             Artifact listing) {
    const int64_t given = std::ssize(listing.entries);
    const int64_t next = arguments.offset + given;
    ToolResult result;
    result.success = true;
    result.status = report.complete() ? ToolStatus::kOk : ToolStatus::kPartial;
    // What is short and matters first: a reader's room for facts is bounded.
    facts.PrintCounts(&listing.facts);
    listing.facts["ignored"] = report.ignored;
    listing.facts["unreadable"] = report.unreadable;
    listing.facts["too_deep"] = report.too_deep;
    listing.facts["matched"] = matched;
    listing.facts["truncated"] = cut;
    listing.facts["next_offset"] = cut ? Json(next) : Json(nullptr);
    listing.facts["complete"] = report.complete();
    listing.facts["path_ignored"] = report.start_ignored;
    listing.facts["odd"] = report.odd.ToFacts();
    facts.PrintLists(&listing.facts);

    result.summary = std::to_string(facts.files()) + " files, " + std::to_string(facts.folders()) + " folders in " + QuotedPath(arguments.path) +
                     "; " + std::to_string(report.ignored) + " ignored";
    result.output = result.summary + ".";
    if (!arguments.pattern.empty()) result.output += "\n" + std::to_string(matched) + " of them fit the pattern.";
    if (cut) {
      result.output += "\nShown: " + std::to_string(given) + " entries from offset " + std::to_string(arguments.offset) + " of " + std::to_string(matched) + ".";
      Json call = ToJson(arguments);
      call["offset"] = next;
      result.next_actions.push_back("for more entries: " + CallText("list_files", call));
    } else if (given == 0 && arguments.offset > 0) {
      result.output += "\nThe offset is past the last entry: there are " + std::to_string(matched) + ".";
    }
    if (report.start_ignored) {
      result.output += "\nThe folder is left out by the repository's own ignore rules, or is .git, so its content is not listed.";
      if (!arguments.ignored) {
        Json call = ToJson(arguments);
        call["ignored"] = true;
        result.next_actions.push_back("to see it all the same: " + CallText("list_files", call));
      }
      result.next_actions.push_back("a file in it can be read by its path with read_file");
    }
    if (std::string gaps = report.Gaps(); !gaps.empty()) {
      result.output += "\nNot complete: " + gaps + ".";
      if (!report.complete()) {
        result.recovery_hint = "what is listed is right; list a folder further down for what is missing";
        result.next_actions.push_back("list one folder at a time: list_files with path and depth 1");
      }
    }
    result.output += report.odd.Sentences();
    if (given == 0 && !arguments.pattern.empty() && !report.start_ignored && arguments.offset == 0)
      result.next_actions.push_back("nothing fits the pattern: " + CallText("list_files", Json{{"path", arguments.path}, {"depth", 1}}));
    result.artifacts.push_back(std::move(listing));
    return result;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeListFiles() { return std::make_unique<ListFiles>(); }

}  // namespace paddock::agentcore
