#include "agentcore/tools/commit_log.h"

#include <algorithm>

#include "agentcore/tools/rows.h"

namespace paddock::agentcore {
namespace {

constexpr int64_t kMostLines = 1'000'000'000'000;  // so that many of them have a sum

// "12\t3\tpath", "-\t-\tpath"; with an empty path two more fields follow, the old path and the new.
bool IsChange(std::string_view field) {
  if (field.starts_with('\n')) field.remove_prefix(1);
  for (int i = 0; i < 2; ++i) {
    const size_t tab = field.find('\t');
    if (tab == field.npos || tab == 0) return false;
    const std::string_view count = field.substr(0, tab);
    if (count != "-" && Number(count) < 0) return false;
    field.remove_prefix(tab + 1);
  }
  return true;
}

FileChange TakeChange(std::string_view* rest) {
  std::string_view field = TakePart(rest, '\0');
  if (field.starts_with('\n')) field.remove_prefix(1);
  FileChange change;
  change.added = std::clamp<int64_t>(Number(TakePart(&field, '\t')), 0, kMostLines);
  change.removed = std::clamp<int64_t>(Number(TakePart(&field, '\t')), 0, kMostLines);
  if (!field.empty()) {
    change.path = field;
    return change;
  }
  change.old_path = TakePart(rest, '\0');
  change.path = TakePart(rest, '\0');
  return change;
}

}  // namespace

bool IsCommitId(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::optional<ShownCommit> TakeShownCommit(std::string_view* output) {
  ShownCommit shown;
  shown.commit.id = TakePart(output, '\0');
  if (!IsCommitId(shown.commit.id)) return std::nullopt;
  shown.commit.time = Number(TakePart(output, '\0'));
  shown.commit.author = TakePart(output, '\0');
  shown.commit.subject = TakePart(output, '\0');
  shown.body = TakePart(output, '\0');
  return shown;
}

std::vector<Commit> ParseCommitLog(std::string_view output, bool whole) {
  std::vector<Commit> commits;
  std::string_view rest = output;
  while (!rest.empty()) {
    Commit commit;
    std::string_view id = TakePart(&rest, '\0');
    if (id.starts_with('\n')) id.remove_prefix(1);
    if (!IsCommitId(id)) break;
    commit.id = id;
    commit.time = Number(TakePart(&rest, '\0'));
    commit.author = TakePart(&rest, '\0');
    commit.subject = TakePart(&rest, '\0');
    while (IsChange(rest.substr(0, rest.find('\0')))) commit.changes.push_back(TakeChange(&rest));
    commits.push_back(std::move(commit));
  }
  if (!whole && !commits.empty()) commits.pop_back();
  return commits;
}

}  // namespace paddock::agentcore
