#include "agentcore/tools/diff_result.h"

#include <algorithm>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

bool IsHidden(const ToolContext& context, const PatchFile& file) {
  return context.hidden && (context.hidden->Hides(file.path, false) || (!file.old_path.empty() && context.hidden->Hides(file.old_path, false)));
}

// What of the file's hunks fits `room`.
Artifact Hunks(const PatchFile& file, size_t* room) {
  Artifact out;
  out.kind = "diff";
  out.path = PathToText(file.path);
  int64_t cut = 0;
  for (const std::string_view& line : file.lines) {
    std::string text = WireFromBytes(line.substr(0, kMaxLineBytes));
    if (text.size() + 1 > *room) break;
    *room -= text.size() + 1;
    cut += line.size() > kMaxLineBytes;
    out.lines.push_back(std::move(text));
  }
  if (out.lines.size() < file.lines.size()) *room = 0;
  out.facts = Json{{"status", file.status}, {"old_path", PathToText(file.old_path)}, {"added", file.added}, {"removed", file.removed}, {"binary", file.binary},
                   {"truncated", out.lines.size() < file.lines.size()}, {"cut_lines", cut}};
  return out;
}

}  // namespace

void AddDiff(const std::string& path, const ProgramEnd& end, const ToolContext& context, ToolResult* result) {
  std::vector<PatchFile> files = ParsePatch(end.output);
  const size_t all = files.size();
  std::erase_if(files, [&](const PatchFile& file) { return IsHidden(context, file); });
  const size_t hidden = all - files.size();
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
    list.entries.push_back(PathToText(file.path));
    if (room == 0) {
      truncated = true;
      continue;
    }
    diffs.push_back(Hunks(file, &room));
    truncated = truncated || room == 0;
  }
  list.facts = Json{{"files", files.size()}, {"added", added}, {"removed", removed}, {"truncated", truncated}, {"hidden", hidden}};
  const std::string what = std::to_string(files.size()) + (files.size() == 1 ? " file" : " files") + " changed, " + std::to_string(added) + " lines added, " +
                           std::to_string(removed) + " removed";
  result->success = true;
  result->status = truncated ? ToolStatus::kPartial : ToolStatus::kOk;
  result->summary += (result->summary.empty() ? "" : ": ") + what;
  result->output = result->summary + "." + result->output;
  if (hidden) result->output += "\nLeft out: " + std::to_string(hidden) + (hidden == 1 ? " file" : " files") + " that the profile hides.";
  if (end.timed_out) result->output += "\nNot complete: the deadline passed before git had ended.";
  if (truncated) {
    result->output += "\nNot everything is shown: a bound of this result was reached.";
    result->recovery_hint = "ask for one file or folder at a time, with path";
  }
  result->artifacts.push_back(std::move(list));
  for (Artifact& diff : diffs) result->artifacts.push_back(std::move(diff));
}

}  // namespace paddock::agentcore
