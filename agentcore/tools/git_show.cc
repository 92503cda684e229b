// git_show: one commit and what it changed. Its artifacts and facts are described in history_tools.h.
#include "agentcore/tools/commit_log.h"
#include "agentcore/tools/diff_result.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/rows.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxBody = 16u << 10, kMaxAuthor = 200, kMaxSubject = 1000;

struct GitShowArguments {
  std::string commit;
  std::string path = ".";
  int64_t context = 3;
};
auto Fields(FieldsOf<GitShowArguments>) {
  using A = GitShowArguments;
  return std::make_tuple(Required("commit", &A::commit, "id of the commit, or a branch or tag that names it").NonEmpty().MaxLength(256),
                         Optional("path", &A::path, "only what it changed in this file or folder, relative to the workspace").MaxLength(32768),
                         Optional("context", &A::context, "unchanged lines shown around each change").Min(0).Max(50));
}

using GitShowRequest = PathRequest<GitShowArguments>;

class GitShow : public PathTool<GitShowRequest> {
 public:
  GitShow()
      : PathTool(ToolSpecOf<GitShowArguments>(
            "git_show",
            "show one commit: its author, date and message, and what it changed against its first parent, file by file with hunks.",
            "the difference between two commits (use git_diff), the list of commits (use git_log).",
            Json{{"commit", "HEAD"}, {"path", "src"}})) {}

  ToolOutcome<ToolResult> Look(const GitShowRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const Git git = TRY(Git::Open(context, path));
    GitQuestion question{.words = {"show", "--diff-merges=first-parent"}, .revisions = {asked.commit + "^{commit}"}, .path = path};
    for (std::string& option : PlainOptions()) question.words.push_back(std::move(option));
    GitQuestion renames = question;
    renames.words.push_back("--format=");
    DiffGaps gaps;
    gaps.from_hidden = TRY(RenamedFromHidden(git, context, std::move(renames)));
    for (const std::string& word : {std::string("--raw"), std::string("-p"), "--unified=" + std::to_string(asked.context), std::string(kShowFormat)})
      question.words.push_back(word);
    ProgramEnd end = TRY(git.Ask(std::move(question)));
    return Assemble(git, path, std::move(end), gaps, context);
  }

 private:
  ToolOutcome<void> Complete(GitShowRequest* request) const override { return CheckRevision("commit", request->asked.commit, false); }

  static ToolResult Assemble(const Git& git, const std::string& path, ProgramEnd end, const DiffGaps& gaps, const ToolContext& context) {
    std::string_view rest = end.output;
    const auto shown = TakeShownCommit(&rest);
    if (end.output.empty() && path != git.work())
      return ToolFailure(ToolStatus::kNotFound, "that commit did not change " + PathToText(path), "leave the path out to see all of the commit, or ask git_log which commits changed it",
                         {CallText("git_log", Json{{"path", PathToText(path)}, {"limit", 20}})});
    if (!shown)
      return ToolFailure(ToolStatus::kFailed, "git said something else than a commit", "use the id of a commit that git_log names", {CallText("git_log", Json{{"limit", 20}})});
    Artifact commit;
    commit.kind = "commits";
    commit.path = PathToText(path);
    const auto& [id, time, author, subject, changes, counted] = shown->commit;
    const std::string head = Row({id, UtcTime(time), Column(author, kMaxAuthor)}), last = Column(subject, kMaxSubject);
    commit.facts["body"] = WireFromBytes(std::string_view(shown->body).substr(0, kMaxBody));
    ToolResult result;
    result.summary = "commit " + id.substr(0, 12);
    end.output.erase(0, static_cast<size_t>(rest.data() - end.output.data()));
    ToolResult diff;
    AddDiff(git, path, end, gaps, context, &diff);
    const Json& facts = diff.artifacts.front().facts;
    commit.lines = {head + "\t" + facts["files"].dump() + "\t" + facts["added"].dump() + "\t" + facts["removed"].dump() + "\t" + last};
    diff.summary = result.summary + ": " + diff.summary;
    diff.output = result.summary + ": " + diff.output;
    diff.artifacts.insert(diff.artifacts.begin(), std::move(commit));
    return diff;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeGitShow() { return std::make_unique<GitShow>(); }

}  // namespace paddock::agentcore
