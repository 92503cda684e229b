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
    const Git git = TRY(Git::Open(context));
    std::vector<std::string> words = {"show", "--raw", "-p", "--unified=" + std::to_string(asked.context), "--diff-merges=first-parent", std::string(kCommitFormat) + "%x00%b%x00"};
    for (std::string& option : PlainOptions()) words.push_back(std::move(option));
    for (const std::string& word : {std::string("--end-of-options"), asked.commit + "^{commit}", std::string("--")}) words.push_back(word);
    if (path != ".") words.push_back(path);
    ProgramEnd end = TRY(git.Run(std::move(words)));
    if (end.timed_out && end.output.empty()) return std::unexpected(TooSlow("git_show", asked.path));
    return Assemble(path, std::move(end), context);
  }

 private:
  ToolOutcome<void> Complete(GitShowRequest* request) const override { return CheckRevision("commit", request->asked.commit, false); }

  static ToolResult Assemble(const std::string& path, ProgramEnd end, const ToolContext& context) {
    std::string_view rest = end.output;
    const std::string_view id = TakePart(&rest, '\0'), time = TakePart(&rest, '\0'), author = TakePart(&rest, '\0'), subject = TakePart(&rest, '\0'), body = TakePart(&rest, '\0');
    if (end.output.empty() && path != ".")
      return ToolFailure(ToolStatus::kNotFound, "that commit did not change " + PathToText(path), "leave the path out to see all of the commit, or ask git_log which commits changed it",
                         {CallText("git_log", Json{{"path", PathToText(path)}, {"limit", 20}})});
    if (!IsCommitId(id))
      return ToolFailure(ToolStatus::kFailed, "git said something else than a commit", "use the id of a commit that git_log names", {CallText("git_log", Json{{"limit", 20}})});
    Artifact commit;
    commit.kind = "commits";
    commit.path = PathToText(path);
    const std::string head = Row({std::string(id), UtcTime(Number(time)), Column(author, kMaxAuthor)}), last = Column(subject, kMaxSubject);
    commit.facts["body"] = WireFromBytes(body.substr(0, kMaxBody));
    ToolResult result;
    result.summary = "commit " + std::string(id.substr(0, 12));
    end.output.erase(0, static_cast<size_t>(rest.data() - end.output.data()));
    ToolResult diff;
    AddDiff(path, end, context, &diff);
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
