#include "agentcore/tools/diff_result.h"

#include <algorithm>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/patch.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

bool IsHidden(const Git& git, const DiffGaps& gaps, const PatchFile& file) {
  return git.Hides(file.path) || (!file.old_path.empty() && git.Hides(file.old_path)) || gaps.from_hidden.contains(file.path);
}

std::string Files(int64_t count) { return std::to_string(count) + (count == 1 ? " file" : " files"); }

// What of the file's hunks fits `room`.
Artifact Hunks(const Git& git, const PatchFile& file, size_t* room) {
  Artifact out;
  out.kind = "diff";
  out.path = PathToText(git.InWorkspace(file.path));
  int64_t cut = 0;
  for (const std::string_view& line : file.lines) {
    std::string text = WireFromBytes(line.substr(0, kMaxLineBytes));
    if (text.size() + 1 > *room) break;
    *room -= text.size() + 1;
    cut += line.size() > kMaxLineBytes;
    out.lines.push_back(std::move(text));
  }
  if (out.lines.size() < file.lines.size()) *room = 0;
  out.facts = Json{{"status", file.status}, {"old_path", file.old_path.empty() ? "" : PathToText(git.InWorkspace(file.old_path))}, {"added", file.added}, {"removed", file.removed}, {"binary", file.binary},
                   {"truncated", out.lines.size() < file.lines.size()}, {"cut_lines", cut}};
  return out;
}

}  // namespace

ToolOutcome<std::set<std::string>> RenamedFromHidden(const Git& git, const ToolContext& context, GitQuestion question) {
  std::set<std::string> found;
  if (!context.hidden || context.hidden->empty() || question.path == git.work()) return found;
  question.path = git.work();
  for (const char* word : {"--raw", "--diff-filter=R"}) question.words.push_back(word);
  for (std::string& option : DiffOptions()) question.words.push_back(std::move(option));
  const ProgramEnd end = TRY(git.Ask(std::move(question)));
  if (!end.ended_well())
    return std::unexpected(ToolError{ToolStatus::kUnsupported, "git can't tell in time what was renamed from a name that the profile hides",
                                     "ask for the whole commit or comparison, without path", {CallText("git_log", Json{{"limit", 20}})}});
  for (PatchFile& file : ParsePatch(end.output))
    if (git.Hides(file.old_path)) found.insert(std::move(file.path));
  return found;
}

void AddDiff(const Git& git, const std::string& path, const ProgramEnd& end, const DiffGaps& gaps, const ToolContext& context, ToolResult* result) {
  std::vector<PatchFile> files = ParsePatch(end.output);
  const size_t all = files.size();
  std::erase_if(files, [&](const PatchFile& file) { return IsHidden(git, gaps, file); });
  const int64_t hidden = static_cast<int64_t>(all - files.size()) + gaps.left_out.hidden, closed = gaps.left_out.closed, special = gaps.left_out.special;
  Artifact list;
  list.kind = "listing";
  list.path = PathToText(path);
  std::vector<Artifact> diffs;
  size_t room = context.max_output_bytes;
  int64_t added = 0, removed = 0;
  bool truncated = !end.ended_well() || files.size() > kMaxDiffFiles;
  for (const PatchFile& file : files) {
    added += file.added;
    removed += file.removed;
    if (list.entries.size() == kMaxDiffFiles) continue;
    list.entries.push_back(PathToText(git.InWorkspace(file.path)));
    if (room == 0) {
      truncated = true;
      continue;
    }
    diffs.push_back(Hunks(git, file, &room));
    truncated = truncated || room == 0;
  }
  list.facts = Json{{"files", files.size()}, {"added", added}, {"removed", removed}, {"truncated", truncated}, {"hidden", hidden}, {"unreadable", closed + special}};
  const std::string what = Files(std::ssize(files)) + " changed, " + std::to_string(added) + " lines added, " +
                           std::to_string(removed) + " removed";
  result->success = true;
  result->status = truncated || closed || special ? ToolStatus::kPartial : ToolStatus::kOk;
  result->summary += (result->summary.empty() ? "" : ": ") + what;
  result->output = result->summary + "." + result->output;
  result->output += git.Note();
  if (hidden) result->output += "\nLeft out: " + Files(hidden) + " that the profile hides.";
  if (closed) result->output += "\nLeft out: " + Files(closed) + " that can't be read for lack of permission.";
  if (special) result->output += "\nLeft out: " + Files(special) + " in whose place is no regular file any more, or a repository that git could not open.";
  if (end.timed_out) result->output += "\nNot complete: the deadline passed before git had ended.";
  if (truncated) {
    result->output += "\nNot everything is shown: a bound of this result was reached.";
    result->recovery_hint = "ask for one file or folder at a time, with path";
  }
  result->artifacts.push_back(std::move(list));
  for (Artifact& diff : diffs) result->artifacts.push_back(std::move(diff));
}

}  // namespace paddock::agentcore
