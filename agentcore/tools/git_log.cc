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

using GitLogRequest = PathRequest<GitLogArguments>;

struct FileTotals {
  int64_t commits = 0, added = 0, removed = 0;
  std::string last_id;
};

bool IsHidden(const Git& git, const FileChange& change) { return git.Hides(change.path) || (!change.old_path.empty() && git.Hides(change.old_path)); }

struct Listing {
  std::vector<Commit> commits;
  bool cut = false, timed_out = false;  // there may be more
  std::string fault = {};               // why of some commits the changes are not counted; empty: they all are
};

GitQuestion QuestionOf(const GitLogRequest& request, bool changes) {
  const GitLogArguments& asked = request.asked;
  GitQuestion question{.words = {"log", "-z", kCommitFormat, "-n", std::to_string(asked.limit + 1), "--skip=" + std::to_string(asked.offset)}, .revisions = {asked.revision}, .path = request.path};
  if (changes) question.words.push_back("--numstat");
  for (std::string& option : PlainOptions()) question.words.push_back(std::move(option));
  return question;
}

// Three quarters of the time that is left.
Deadline MostOf(const Deadline& deadline) {
  const auto left = deadline.left();
  return left ? Deadline::After(*left * 3 / 4) : deadline;
}

// To count what a commit changed git has to read whole files, which one of them can make fail or take long: the commits are
// listed all the same then.
ToolOutcome<Listing> ListCommits(const Git& git, const GitLogRequest& request, const ToolContext& context) {
  GitQuestion question = QuestionOf(request, true);
  question.deadline = MostOf(context.deadline);
  ProgramEnd end = TRY(git.Try(std::move(question)));
  const auto fault = Git::FaultOf(end);
  // A repository without a commit has no HEAD yet.
  if (fault && request.asked.revision == "HEAD" && fault->message.find("bad revision 'HEAD'") != std::string::npos) return Listing{};
  if (fault && fault->status == ToolStatus::kNotFound) return std::unexpected(*fault);
  Listing listing{.commits = ParseCommitLog(end.output, end.ended_well()), .cut = end.cut};
  if (end.ended_well() || end.cut) return listing;
  end = TRY(git.Ask(QuestionOf(request, false)));
  listing.fault = fault && !end.timed_out ? fault->message : "it took too long";
  std::vector<Commit> all = ParseCommitLog(end.output, end.ended_well());
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].counted = i < listing.commits.size() && all[i].id == listing.commits[i].id;
    if (all[i].counted) all[i].changes = std::move(listing.commits[i].changes);
  }
  listing.commits = std::move(all);
  listing.cut = end.cut;
  listing.timed_out = end.timed_out;
  return listing;
}

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
    const Git git = TRY(Git::Open(context, request.path));
    Listing listing = TRY(ListCommits(git, request, context));
    return Assemble(git, request, std::move(listing), context);
  }

 private:
  ToolOutcome<void> Complete(GitLogRequest* request) const override { return CheckRevision("revision", request->asked.revision, true); }

  static ToolResult Assemble(const Git& git, const GitLogRequest& request, Listing listing, const ToolContext& context) {
    const GitLogArguments& asked = request.asked;
    std::vector<Commit>& commits = listing.commits;
    bool more = std::ssize(commits) > asked.limit;
    if (more) commits.resize(static_cast<size_t>(asked.limit));
    Artifact list;
    list.kind = "commits";
    list.path = PathToText(request.path);
    int64_t hidden = 0, uncounted = 0;
    size_t bytes = 0;
    std::map<std::string, FileTotals> files;
    for (const Commit& commit : commits) {
      int64_t added = 0, removed = 0, count = 0;
      for (const FileChange& change : commit.changes) {
        if (IsHidden(git, change)) {
          ++hidden;
          continue;
        }
        ++count;
        added += change.added;
        removed += change.removed;
      }
      const auto number = [&](int64_t value) { return commit.counted ? std::to_string(value) : std::string("-"); };
      std::string row = Row({commit.id, UtcTime(commit.time), Column(commit.author, kMaxAuthor), number(count), number(added), number(removed), Column(commit.subject, kMaxSubject)});
      if ((bytes += row.size() + 1) > context.max_output_bytes && !list.lines.empty()) {
        more = true;
        break;
      }
      list.lines.push_back(std::move(row));
      uncounted += !commit.counted;
      if (asked.changes) CountFiles(git, commit, &files);
    }
    const bool broke_off = listing.cut || listing.timed_out;
    const int64_t given = std::ssize(list.lines);
    list.facts["truncated"] = more || broke_off;
    list.facts["next_offset"] = more || broke_off ? Json(asked.offset + given) : Json(nullptr);
    list.facts["total"] = more || broke_off ? Json(nullptr) : Json(asked.offset + given);
    list.facts["hidden"] = hidden;
    list.facts["uncounted"] = uncounted;

    ToolResult result;
    result.success = true;
    result.status = broke_off || uncounted ? ToolStatus::kPartial : ToolStatus::kOk;
    result.summary = std::to_string(given) + (given == 1 ? " commit" : " commits") + (request.path == "." ? "" : " that changed " + QuotedPath(request.path)) +
                     (more || broke_off ? ", and there are more" : "");
    result.output = result.summary + "." + git.Note();
    if (given == 0 && asked.offset == 0) result.output += "\nThe history has nothing here: no commit, or none that changed this path.";
    if (hidden) result.output += "\nLeft out: " + std::to_string(hidden) + " changes of files that the profile hides.";
    if (uncounted) {
      result.output += "\nNot counted: what " + std::to_string(uncounted) + (uncounted == 1 ? " commit" : " commits") + " changed; git could not compare all of its files (" + listing.fault + ").";
      result.recovery_hint = "the commits are right; ask git_show for one of them with a path";
    }
    if (broke_off) {
      result.output += listing.timed_out ? "\nNot complete: the deadline passed before git had ended." : "\nNot complete: git wrote more than there is room for.";
      result.recovery_hint = "what is given is right; ask for fewer commits at a time, or for a path";
    }
    if (more || broke_off)
      result.next_actions.push_back("for more: " + CallText("git_log", Json{{"path", asked.path}, {"revision", asked.revision}, {"limit", asked.limit}, {"offset", asked.offset + given}}));
    result.artifacts.push_back(std::move(list));
    if (asked.changes) result.artifacts.push_back(Changes(git, request.path, files, uncounted > 0));
    return result;
  }

  static void CountFiles(const Git& git, const Commit& commit, std::map<std::string, FileTotals>* files) {
    for (const FileChange& change : commit.changes) {
      if (IsHidden(git, change)) continue;
      FileTotals& totals = (*files)[change.path];
      ++totals.commits;
      totals.added += change.added;
      totals.removed += change.removed;
      if (totals.last_id.empty()) totals.last_id = commit.id;
    }
  }

  static Artifact Changes(const Git& git, const std::string& path, const std::map<std::string, FileTotals>& files, bool gaps) {
    std::vector<std::pair<std::string, FileTotals>> sorted(files.begin(), files.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.commits > b.second.commits; });
    Artifact out;
    out.kind = "changes";
    out.path = PathToText(path);
    out.facts["files"] = sorted.size();
    out.facts["truncated"] = gaps || sorted.size() > kMaxChanges;
    sorted.resize(std::min(sorted.size(), kMaxChanges));
    for (const auto& [name, totals] : sorted)
      out.lines.push_back(Row({PathToText(git.InWorkspace(name)), std::to_string(totals.commits), std::to_string(totals.added), std::to_string(totals.removed), totals.last_id}));
    return out;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeGitLog() { return std::make_unique<GitLog>(); }

}  // namespace paddock::agentcore
