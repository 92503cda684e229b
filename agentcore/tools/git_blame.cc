// git_blame: which commit each line of a file comes from. Its artifact is described in history_tools.h.
#include <map>

#include "agentcore/tools/commit_log.h"
#include "agentcore/tools/git_program.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/history_tools.h"
#include "agentcore/tools/rows.h"
#include "agentcore/tools/tool_spec.h"
#include "agentcore/tools/workspace_path.h"
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

struct Origin {
  std::string author, subject;
  int64_t time = -1;
};
struct Run {
  int64_t first = 0, last = 0;
  std::string id;
};
struct Blame {
  std::vector<Run> runs;
  std::map<std::string, Origin> origins;  // by id
};

// --porcelain: "ID OLD NEW [COUNT]", then once for each commit what is known of it, then the line itself after a tab.
Blame ParseBlame(std::string_view rest) {
  Blame blame;
  std::string id;
  int64_t number = 0;
  while (!rest.empty()) {
    std::string_view line = TakePart(&rest, '\n');
    if (line.starts_with('\t')) {
      if (!blame.runs.empty() && blame.runs.back().id == id && blame.runs.back().last + 1 == number) blame.runs.back().last = number;
      else blame.runs.push_back({number, number, id});
      continue;
    }
    const std::string_view word = TakePart(&line, ' ');
    if (IsCommitId(word)) {
      id = word;
      TakePart(&line, ' ');
      number = Number(TakePart(&line, ' '));
      blame.origins.try_emplace(id);
    } else if (word == "author") {
      blame.origins[id].author = line;
    } else if (word == "author-time") {
      blame.origins[id].time = Number(line);
    } else if (word == "summary") {
      blame.origins[id].subject = line;
    }
  }
  return blame;
}

class GitBlame : public Tool {
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
    const std::string range = "-L" + std::to_string(asked.line_start) + "," + (asked.line_end ? std::to_string(asked.line_end) : "");
    // Of the files as they are, so that the numbers are those of read_file.
    auto end = git->Run({"blame", "--porcelain", "--no-textconv", "--encoding=none", range, "--", path});
    if (!end) return ResultOf(std::move(end).error());
    if (!end->ended_well()) return ResultOf(TooSlow("git_blame", asked.path));
    return Assemble(path, ParseBlame(end->output), context);
  }

 private:
  struct Request {
    GitBlameArguments asked;
    std::string path;
  };
  ToolOutcome<Request> Understand(const Json& arguments) const {
    auto parsed = ReadArguments<GitBlameArguments>(spec_, arguments);
    if (!parsed) return std::unexpected(std::move(parsed).error());
    auto path = WorkspacePath(parsed->path);
    if (!path) return std::unexpected(std::move(path).error());
    if (parsed->line_end && parsed->line_end < parsed->line_start)
      return std::unexpected(BadArguments(spec_, Error{ErrorKind::kInvalid, "$.line_end: expected a line after line_start, or 0", "", 0}));
    return Request{*std::move(parsed), *std::move(path)};
  }

  static ToolResult Assemble(const std::string& path, const Blame& blame, const ToolContext& context) {
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
    result.output = result.summary + ".";
    if (truncated) {
      result.output += "\nCut by the size of one result.";
      result.recovery_hint = "ask for fewer lines, with line_start and line_end";
    }
    result.artifacts.push_back(std::move(out));
    return result;
  }

  const ToolSpec spec_ = ToolSpecOf<GitBlameArguments>(
      "git_blame",
      "say which commit each line of a file comes from: runs of lines with commit, date, author and subject. The numbers are those of read_file.",
      "the lines themselves (use read_file), what a commit changed (use git_show).",
      Json{{"path", "src/main.c"}, {"line_start", 1}, {"line_end", 40}});
};

}  // namespace

std::unique_ptr<Tool> MakeGitBlame() { return std::make_unique<GitBlame>(); }

}  // namespace paddock::agentcore
