// A change of one file, made up for the reviewer's tests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subagents/playbook/diff.h"
#include "subagents/playbook/review_claims.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {

// One hunk of these lines, each with its sign; it begins at line `first` of the file.
inline FileDiff ChangedFile(const std::string& path, const std::vector<std::string>& lines, int64_t first = 40) {
  FileDiff file{path, path, "changed", false, {Hunk{first, first, {}}}};
  int64_t before = first, after = first;
  for (const auto& line : lines) file.hunks[0].lines.push_back({line[0], line[0] == '+' ? 0 : before++, line[0] == '-' ? 0 : after++, line.substr(1)});
  return file;
}

inline std::string TitlesOf(const std::vector<ReviewClaim>& claims) {
  std::string out;
  for (const auto& claim : claims) out += claim.title + "\n";
  return out;
}
// What is said of its lines, and of them together.
inline std::string TitlesOf(const FileDiff& file) { return TitlesOf(ClaimsOfLines({file})) + TitlesOf(ClaimsOfChanges({file})); }

// The reviewer's report on a change of these files: path → its hunks' lines, as of DiffResult.
inline Report ReviewOf(Files files, const std::map<std::string, std::vector<std::string>>& change) {
  PlaybookRepo repo(std::move(files));
  repo.more = [&](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool != "git_show") return std::nullopt;
    return DiffResult(change);
  };
  return repo.Run("reviewer", "commit deadbee1");
}

struct ChangeCase {
  const char* path;
  std::vector<std::string> lines;
  const char* title;
};

}  // namespace paddock::subagents
