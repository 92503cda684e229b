// A checker: asked which lines a citation names, it answers with their raw bytes. It knows no quote and judges
// nothing, and no citation holds it for longer than its deadline.
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/line_range.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"
#include "subagents/cell/cell.h"

namespace paddock::subagents {
namespace {

constexpr std::chrono::seconds kCiteTimeout{2};
// Raw bytes: a thirtieth would hold any quote. As JSON they grow at most twelvefold (six for a control
// character, and UTF-16 is sent twice), which stays within a frame.
constexpr size_t kMaxRangeBytes = 512u << 10;
constexpr size_t kMaxRangeLines = 20'000;

// ReadLineRange says kNotFound for a missing file and for missing lines: a file that opens has too few.
const char* MissingStatus(int root_fd, const CiteFrame& cite) {
  auto path = agentcore::WorkspacePath(cite.path);
  return path && agentcore::OpenRegularFile(root_fd, *path) ? "no_lines" : "no_file";
}

const char* StatusOf(const Error& error, int root_fd, const CiteFrame& cite) {
  switch (error.kind) {
    case ErrorKind::kNotFound: return MissingStatus(root_fd, cite);
    case ErrorKind::kInvalid: return agentcore::WorkspacePath(cite.path) ? "not_text" : "no_file";
    case ErrorKind::kLimit: return "too_long";
    case ErrorKind::kTimeout: return "timeout";
    default: return "denied";  // refused, or it can't be read
  }
}

RangeFrame Answer(int root_fd, const agentcore::HiddenNames& hidden, const CiteFrame& cite) {
  RangeFrame range;
  range.n = cite.n;
  range.status = "no_lines";
  if (cite.line_end < cite.line_start) return range;
  if (auto path = agentcore::WorkspacePath(cite.path); path && agentcore::RefuseHidden(&hidden, root_fd, *path)) {
    range.status = "denied";
    return range;
  }
  auto read = agentcore::ReadLineRange(root_fd, cite.path, cite.line_start, cite.line_end, kMaxRangeBytes,
                                       Deadline::After(kCiteTimeout));
  if (!read) {
    range.status = StatusOf(read.error(), root_fd, cite);
    return range;
  }
  range.status = "ok";
  range.changed_ns = read->changed_ns;
  range.bytes = WireFromBytes(read->raw);
  const bool shown_differently =
      agentcore::IsUtf16(read->encoding) || (read->encoding == agentcore::TextEncoding::kUtf8Bom && cite.line_start == 1);
  if (shown_differently) {
    if (read->lines.size() > kMaxRangeLines) return RangeFrame{cite.n, "too_long", {}, 0};
    for (const auto& line : read->lines) range.lines.push_back(WireFromBytes(line));
  }
  return range;
}

}  // namespace

Status RunChecker(Channel* channel, const TaskFrame& task, const CellOptions& options) {
  auto hidden = agentcore::HiddenNames::Parse(task.hide);
  if (!hidden) return Fail(ErrorKind::kProtocol, hidden.error().message);
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  for (;;) {
    RawFrame raw = TRY(channel->Receive());
    if (raw.type != "cite") return Fail(ErrorKind::kProtocol, "expected cite, got another frame");
    CiteFrame cite = TRY(BodyOf<CiteFrame>(raw));
    TRY(channel->Send(EncodeFrame("range", Answer(root.get(), *hidden, cite))));
  }
}

}  // namespace paddock::subagents
