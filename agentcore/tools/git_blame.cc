// git_blame: which commit each line of a file comes from. Its artifact is described in history_tools.h.
#include "agentcore/tools/blame.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/rows.h"
#include "agentcore/tools/working_files.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxAuthor = 100, kMaxSubject = 300;

struct GitBlameArguments {
  std::string path;
  int64_t line_start = 1;
  int64_t line_end = 0;
};
auto Fields(FieldsOf<GitBlameArguments>) {
  using A = GitBlameArguments;
  return std::make_tuple(Required("path", &A::path, "file, relative to the workspace, as list_files prints it").NonEmpty().MaxLength(32768),
                         Optional("line_start", &A::line_start, "number of the first line wanted, from 1").Min(1).Max(1'000'000'000),
                         Optional("line_end", &A::line_end, "number of the last line wanted; 0: to the end of the file").Min(0).Max(1'000'000'000));
}

using GitBlameRequest = PathRequest<GitBlameArguments>;

class GitBlame : public PathTool<GitBlameRequest> {
 public:
  GitBlame()
      : PathTool(ToolSpecOf<GitBlameArguments>(
            "git_blame",
            "say which commit each line of a file comes from: runs of lines with commit, date, author and subject. The numbers are those of read_file.",
            "the lines themselves (use read_file), what a commit changed (use git_show).",
            Json{{"path", "src/main.c"}, {"line_start", 1}, {"line_end", 40}})) {}

  ToolOutcome<ToolResult> Look(const GitBlameRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const Git git = TRY(Git::Open(context, path));
    TRY(CheckWayTo(git, context, path));
    const std::string range = "-L" + std::to_string(asked.line_start) + "," + (asked.line_end ? std::to_string(asked.line_end) : "");
    // Of the files as they are, so that the numbers are those of read_file.
    const ProgramEnd end = TRY(git.Ask({.words = {"blame", "--porcelain", "--no-textconv", "--encoding=none", range, "--", git.InRepository(path)}, .files = true}));
    if (!end.ended_well()) return std::unexpected(TooSlow());
    return Assemble(git, path, ParseBlame(end.output), context);
  }

 private:
  ToolOutcome<void> Complete(GitBlameRequest* request) const override {
    if (request->asked.line_end && request->asked.line_end < request->asked.line_start) return Bad("$.line_end: expected a line after line_start, or 0");
    return {};
  }

  static ToolResult Assemble(const Git& git, const std::string& path, const Blame& blame, const ToolContext& context) {
    Artifact out;
    out.kind = "blame";
    out.path = PathToText(path);
    size_t bytes = 0;
    bool truncated = false;
    for (const auto& run : blame.runs) {
      const Origin& origin = blame.origins.at(run.id);
      const bool committed = run.id.find_first_not_of('0') != std::string::npos;
      std::string row = Row({std::to_string(run.first), std::to_string(run.last), run.id, committed ? UtcTime(origin.time) : "unknown",
                             committed ? Column(origin.author, kMaxAuthor) : "", committed ? Column(origin.subject, kMaxSubject) : "not committed yet"});
      if ((bytes += row.size() + 1) > context.max_output_bytes && !out.lines.empty()) {
        truncated = true;
        break;
      }
      out.lines.push_back(std::move(row));
    }
    out.facts["commits"] = blame.origins.size();
    out.facts["truncated"] = truncated;
    ToolResult result;
    result.success = true;
    result.status = truncated ? ToolStatus::kPartial : ToolStatus::kOk;
    result.summary = QuotedPath(path) + ": " + std::to_string(out.lines.size()) + " runs of lines from " + std::to_string(blame.origins.size()) +
                     (blame.origins.size() == 1 ? " commit" : " commits");
    result.output = result.summary + "." + git.Note();
    if (truncated) {
      result.output += "\nCut by the size of one result.";
      result.recovery_hint = "ask for fewer lines, with line_start and line_end";
    }
    result.artifacts.push_back(std::move(out));
    return result;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeGitBlame() { return std::make_unique<GitBlame>(); }

}  // namespace paddock::agentcore
