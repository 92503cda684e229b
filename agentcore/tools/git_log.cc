// git_log: the commits of a repository or of a path in it. Its artifacts and facts are described in history_tools.h.
#include <algorithm>
#include <map>

#include "agentcore/tools/commit_log.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/rows.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxChanges = 500;
constexpr size_t kMaxAuthor = 100, kMaxSubject = 300;

struct GitLogArguments {
  std::string path = ".";
  std::string revision = "HEAD";
  int64_t limit = 50;
  int64_t offset = 0;
  bool changes = false;
};
auto Fields(FieldsOf<GitLogArguments>) {
  using A = GitLogArguments;
  return std::make_tuple(
      Optional("path", &A::path, "only commits that changed this file or folder, relative to the workspace; it need not exist any more").MaxLength(32768),
      Optional("revision", &A::revision, "where to begin: HEAD, a branch, a tag, the id of a commit; or a range a..b").NonEmpty().MaxLength(256),
      Optional("limit", &A::limit, "commits in this result").Min(1).Max(1000),
      Optional("offset", &A::offset, "commits to skip, from next_offset of an earlier result").Min(0).Max(1'000'000'000),
      Optional("changes", &A::changes, "true: also which files these commits changed, most often changed first"));
}

struct FileTotals {
  int64_t commits = 0, added = 0, removed = 0;
  std::string last_id;
};

bool IsHidden(const ToolContext& context, const FileChange& change) {
  return context.hidden && (context.hidden->Hides(change.path, false) || (!change.old_path.empty() && context.hidden->Hides(change.old_path, false)));
}

using GitLogRequest = PathRequest<GitLogArguments>;

class GitLog : public PathTool<GitLogRequest> {
 public:
  GitLog()
      : PathTool(ToolSpecOf<GitLogArguments>(
            "git_log",
            "list commits, newest first: id, date, author, number of files, lines added and removed, subject. With a path only those that changed it; with changes also "
            "which files change most often.",
            "what a commit changed line by line (use git_show), who wrote the lines of a file (use git_blame).",
            Json{{"path", "src"}, {"limit", 20}, {"changes", true}})) {}

  ToolOutcome<ToolResult> Look(const GitLogRequest& request, const ToolContext& context) const override {
    const GitLogArguments& asked = request.asked;
    const Git git = TRY(Git::Open(context));
    std::vector<std::string> words = {"log", "-z", "--numstat", kCommitFormat, "-n", std::to_string(asked.limit + 1), "--skip=" + std::to_string(asked.offset)};
    for (std::string& option : PlainOptions()) words.push_back(std::move(option));
    for (const std::string& word : {std::string("--end-of-options"), asked.revision, std::string("--")}) words.push_back(word);
    if (request.path != ".") words.push_back(request.path);
    auto end = git.Run(std::move(words));
    // A repository without a commit has no HEAD yet.
    if (!end && asked.revision == "HEAD" && end.error().message.find("bad revision 'HEAD'") != std::string::npos) {
      end = ProgramEnd();
      end->exit_status = 0;
    }
    if (!end) return std::unexpected(std::move(end).error());
    if (end->timed_out && end->output.empty()) return std::unexpected(TooSlow("git_log", asked.path));
    return Assemble(request, ParseCommitLog(end->output, end->ended_well()), *end, context);
  }

 private:
  ToolOutcome<void> Complete(GitLogRequest* request) const override { return CheckRevision("revision", request->asked.revision, true); }

  static ToolResult Assemble(const GitLogRequest& request, std::vector<Commit> commits, const ProgramEnd& end, const ToolContext& context) {
    const GitLogArguments& asked = request.asked;
    bool more = std::ssize(commits) > asked.limit;
    if (more) commits.resize(static_cast<size_t>(asked.limit));
    Artifact list;
    list.kind = "commits";
    list.path = PathToText(request.path);
    int64_t hidden = 0;
    size_t bytes = 0;
    std::map<std::string, FileTotals> files;
    for (const Commit& commit : commits) {
      int64_t added = 0, removed = 0, count = 0;
      for (const FileChange& change : commit.changes) {
        if (IsHidden(context, change)) {
          ++hidden;
          continue;
        }
        ++count;
        added += change.added;
        removed += change.removed;
      }
      std::string row = Row({commit.id, UtcTime(commit.time), Column(commit.author, kMaxAuthor), std::to_string(count), std::to_string(added), std::to_string(removed),
                             Column(commit.subject, kMaxSubject)});
      if ((bytes += row.size() + 1) > context.max_output_bytes && !list.lines.empty()) {
        more = true;
        break;
      }
      list.lines.push_back(std::move(row));
      if (asked.changes) CountFiles(commit, context, &files);
    }
    const bool broke_off = !end.ended_well();
    const int64_t given = std::ssize(list.lines);
    list.facts["truncated"] = more || broke_off;
    list.facts["next_offset"] = more || broke_off ? Json(asked.offset + given) : Json(nullptr);
    list.facts["total"] = more || broke_off ? Json(nullptr) : Json(asked.offset + given);
    list.facts["hidden"] = hidden;

    ToolResult result;
    result.success = true;
    result.status = broke_off ? ToolStatus::kPartial : ToolStatus::kOk;
    result.summary = std::to_string(given) + (given == 1 ? " commit" : " commits") + (request.path == "." ? "" : " that changed " + QuotedPath(request.path)) +
                     (more || broke_off ? ", and there are more" : "");
    result.output = result.summary + ".";
    if (given == 0 && asked.offset == 0) result.output += "\nThe history has nothing here: no commit, or none that changed this path.";
    if (hidden) result.output += "\nLeft out: " + std::to_string(hidden) + " changes of files that the profile hides.";
    if (broke_off) {
      result.output += end.timed_out ? "\nNot complete: the deadline passed before git had ended." : "\nNot complete: git wrote more than there is room for.";
      result.recovery_hint = "what is given is right; ask for fewer commits at a time, or for a path";
    }
    if (more || broke_off)
      result.next_actions.push_back("for more: " + CallText("git_log", Json{{"path", asked.path}, {"revision", asked.revision}, {"limit", asked.limit}, {"offset", asked.offset + given}}));
    result.artifacts.push_back(std::move(list));
    if (asked.changes) result.artifacts.push_back(Changes(request.path, files));
    return result;
  }

  static void CountFiles(const Commit& commit, const ToolContext& context, std::map<std::string, FileTotals>* files) {
    for (const FileChange& change : commit.changes) {
      if (IsHidden(context, change)) continue;
      FileTotals& totals = (*files)[change.path];
      ++totals.commits;
      totals.added += change.added;
      totals.removed += change.removed;
      if (totals.last_id.empty()) totals.last_id = commit.id;
    }
  }

  static Artifact Changes(const std::string& path, const std::map<std::string, FileTotals>& files) {
    std::vector<std::pair<std::string, FileTotals>> sorted(files.begin(), files.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.commits > b.second.commits; });
    Artifact out;
    out.kind = "changes";
    out.path = PathToText(path);
    out.facts["files"] = sorted.size();
    out.facts["truncated"] = sorted.size() > kMaxChanges;
    sorted.resize(std::min(sorted.size(), kMaxChanges));
    for (const auto& [name, totals] : sorted)
      out.lines.push_back(Row({PathToText(name), std::to_string(totals.commits), std::to_string(totals.added), std::to_string(totals.removed), totals.last_id}));
    return out;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeGitLog() { return std::make_unique<GitLog>(); }

}  // namespace paddock::agentcore
