// git_diff: what changed between two commits, or since one. Its artifacts and facts are described in history_tools.h.
#include "agentcore/tools/diff_result.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/tool_spec.h"
#include "agentcore/tools/workspace_path.h"
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

class GitDiff : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  ToolOutcome<void> Check(const Json& arguments) const override {
    if (auto request = Understand(arguments); !request) return std::unexpected(std::move(request).error());
    return {};
  }

  ToolResult Run(const Json& arguments, const ToolContext& context) const override {
    auto request = Understand(arguments);
    if (!request) return ResultOf(std::move(request).error());
    const auto& [asked, path] = *request;
    if (auto refused = RefuseHidden(context.hidden, context.root_fd, path)) return ResultOf(*std::move(refused));
    auto git = Git::Open(context);
    if (!git) return ResultOf(std::move(git).error());
    // Submodules are repositories with settings of their own: what is in them is not looked at, only which commit they are at.
    std::vector<std::string> words = {"diff", "--raw", "-p", "--unified=" + std::to_string(asked.context), "--ignore-submodules=dirty"};
    for (std::string& option : DiffOptions()) words.push_back(std::move(option));
    words.push_back("--end-of-options");
    words.push_back(asked.from);
    if (!asked.to.empty()) words.push_back(asked.to);
    words.push_back("--");
    if (path != ".") words.push_back(path);
    auto end = git->Run(std::move(words));
    if (!end) return ResultOf(std::move(end).error());
    if (end->timed_out && end->output.empty()) return ResultOf(TooSlow("git_diff", asked.path));
    ToolResult result;
    result.summary = VisibleText(asked.from, Newlines::kEscape) + " to " + (asked.to.empty() ? "the files as they are" : VisibleText(asked.to, Newlines::kEscape));
    if (asked.to.empty()) result.output = "\nFiles that git does not know are not compared; list_files shows them.";
    AddDiff(path, *end, context, &result);
    return result;
  }

 private:
  struct Request {
    GitDiffArguments asked;
    std::string path;
  };
  ToolOutcome<Request> Understand(const Json& arguments) const {
    auto parsed = ReadArguments<GitDiffArguments>(spec_, arguments);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    auto path = WorkspacePath(parsed->path);
    if (!path) return std::unexpected(std::move(path).error());
    if (auto checked = CheckRevision("from", parsed->from, false); !checked) return std::unexpected(std::move(checked).error());
    if (!parsed->to.empty())
      if (auto checked = CheckRevision("to", parsed->to, false); !checked) return std::unexpected(std::move(checked).error());
    return Request{*std::move(parsed), *std::move(path)};
  }

  const ToolSpec spec_ = ToolSpecOf<GitDiffArguments>(
      "git_diff",
      "show what changed between two commits, or from a commit to the files as they are now: each changed file with its hunks, lines with + and -.",
      "what one commit changed (use git_show), the list of commits (use git_log), citing lines (read the file).",
      Json{{"from", "HEAD~1"}, {"to", "HEAD"}, {"path", "src"}});
};

}  // namespace

std::unique_ptr<Tool> MakeGitDiff() { return std::make_unique<GitDiff>(); }

}  // namespace paddock::agentcore
