// What git and ctags write, whatever a repository made them write: taken apart into what fits its columns, and nothing of it leaves
// its own.
#include "agentcore/tools/blame.h"
#include "agentcore/tools/commit_log.h"
#include "agentcore/tools/patch.h"
#include "agentcore/tools/rows.h"
#include "agentcore/tools/symbols.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

namespace {

void RequireColumn(const std::string& bytes) {
  const std::string column = Column(bytes, 300);
  REQUIRE(IsValidUtf8(column) && column.find_first_of("\t\n\r") == column.npos, column);
}

void RequireCommit(const Commit& commit) {
  REQUIRE(IsCommitId(commit.id) && commit.time >= -1, commit.id);
  for (const std::string& text : {commit.author, commit.subject}) {
    REQUIRE(text.find('\0') == text.npos, text);
    RequireColumn(text);
  }
  for (const FileChange& change : commit.changes) REQUIRE(change.added >= 0 && change.removed >= 0 && change.path.find('\0') == change.path.npos, change.path);
}

void TryLog(const std::string& bytes) {
  const auto whole = ParseCommitLog(bytes, true), cut = ParseCommitLog(bytes, false);
  REQUIRE(cut.size() + !whole.empty() == whole.size(), bytes);
  for (const Commit& commit : whole) RequireCommit(commit);
}

void TryShow(const std::string& bytes) {
  std::string_view rest = bytes;
  const auto shown = TakeShownCommit(&rest);
  if (!shown) return;
  RequireCommit(shown->commit);
  REQUIRE(shown->body.find('\0') == shown->body.npos && std::string_view(bytes).ends_with(rest), shown->body);
}

void TryPatch(const std::string& bytes) {
  for (const PatchFile& file : ParsePatch(bytes)) {
    constexpr std::string_view kStatuses[] = {"added", "removed", "changed", "renamed", "copied", "type", "mode"};
    REQUIRE(std::find(std::begin(kStatuses), std::end(kStatuses), file.status) != std::end(kStatuses), file.status);
    int64_t added = 0, removed = 0;
    for (const std::string_view line : file.lines) {
      REQUIRE(line.data() >= bytes.data() && line.data() + line.size() <= bytes.data() + bytes.size() && line.find('\n') == line.npos, line);
      added += line.starts_with('+');
      removed += line.starts_with('-');
    }
    REQUIRE(file.added == added && file.removed == removed, file.path);
  }
  REQUIRE(UnquotedName(QuotedName(bytes)) == bytes, bytes);
  UnquotedName(bytes);
}

void TryBlame(const std::string& bytes) {
  const Blame blame = ParseBlame(bytes);
  for (const BlamedRun& run : blame.runs) REQUIRE(run.first >= 1 && run.first <= run.last && IsCommitId(run.id) && blame.origins.contains(run.id), run.id);
  for (const auto& [id, origin] : blame.origins) {
    REQUIRE(IsCommitId(id) && origin.time >= -1, id);
    RequireColumn(origin.author);
    RequireColumn(origin.subject);
  }
}

void TryTags(const std::string& bytes) {
  for (const Symbol& symbol : ParseTags(bytes)) {
    REQUIRE(!symbol.name.empty() && !symbol.path.empty() && symbol.line > 0 && symbol.end >= 0, symbol.name);
    const std::string row = SymbolRow(symbol);
    REQUIRE(IsValidUtf8(row) && std::count(row.begin(), row.end(), '\t') == 5 && row.find('\n') == row.npos, row);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  constexpr void (*kReaders[])(const std::string&) = {TryLog, TryShow, TryPatch, TryBlame, TryTags};
  const size_t reader = input.Byte() % std::size(kReaders);
  kReaders[reader](input.Rest());
  return 0;
}
