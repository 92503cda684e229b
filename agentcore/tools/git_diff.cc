// git_diff: what changed between two commits, or since one. Its artifacts and facts are described in history_tools.h.
#include "agentcore/tools/diff_result.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/path_tool.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

struct GitDiffArguments {
  std::string from = "HEAD";
  std::string to;
  std::string path = ".";
  int64_t context = 3;
};
auto Fields(FieldsOf<GitDiffArguments>) {
  using A = GitDiffArguments;
  return std::make_tuple(Optional("from", &A::from, "the commit, branch or tag before").NonEmpty().MaxLength(256),
                         Optional("to", &A::to, "the commit, branch or tag after; empty: the files as they are now").MaxLength(256),
                         Optional("path", &A::path, "only this file or folder, relative to the workspace").MaxLength(32768),
                         Optional("context", &A::context, "unchanged lines shown around each change").Min(0).Max(50));
}

using GitDiffRequest = PathRequest<GitDiffArguments>;

class GitDiff : public PathTool<GitDiffRequest> {
 public:
  GitDiff()
      : PathTool(ToolSpecOf<GitDiffArguments>(
            "git_diff",
            "show what changed between two commits, or from a commit to the files as they are now: each changed file with its hunks, lines with + and -.",
            "what one commit changed (use git_show), the list of commits (use git_log), citing lines (read the file).",
            Json{{"from", "HEAD~1"}, {"to", "HEAD"}, {"path", "src"}})) {}

  ToolOutcome<ToolResult> Look(const GitDiffRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const Git git = TRY(Git::Open(context, path));
    const bool files = asked.to.empty();
    DiffGaps gaps;
    // Submodules are repositories with settings of their own: what is in them is not looked at, only which commit they are at.
    GitQuestion question{.words = {"diff", "--ignore-submodules=dirty"}, .revisions = {asked.from}, .path = path, .files = files};
    if (files) gaps.left_out = TRY(FilesToLeaveOut(git, context, asked.from, context.hidden ? git.work() : path));
    else question.revisions.push_back(asked.to);
    question.without = gaps.left_out.paths;
    gaps.from_hidden = TRY(RenamedFromHidden(git, context, question));
    for (const std::string& word : {std::string("--raw"), std::string("-p"), "--unified=" + std::to_string(asked.context)}) question.words.push_back(word);
    for (std::string& option : DiffOptions()) question.words.push_back(std::move(option));
    const ProgramEnd end = TRY(git.Ask(std::move(question)));
    ToolResult result;
    result.summary = VisibleText(asked.from, Newlines::kEscape) + " to " + (files ? "the files as they are" : VisibleText(asked.to, Newlines::kEscape));
    if (files) result.output = "\nFiles that git does not know are not compared; list_files shows them.";
    AddDiff(git, path, end, gaps, context, &result);
    return result;
  }

 private:
  ToolOutcome<void> Complete(GitDiffRequest* request) const override {
    TRY(CheckRevision("from", request->asked.from, false));
    if (!request->asked.to.empty()) TRY(CheckRevision("to", request->asked.to, false));
    return {};
  }
};

}  // namespace

std::unique_ptr<Tool> MakeGitDiff() { return std::make_unique<GitDiff>(); }

}  // namespace paddock::agentcore
