#include "orchestrator/delegation/end_cell.h"

#include <poll.h>

#include "orchestrator/delegation/blocked_calls.h"

namespace paddock::orchestrator {
namespace {

constexpr int kExitMs = 2000;  // from a cell's result to its exit

}  // namespace

CellLink LinkTo(StartedCell* cell) {
  return {cell->to.get(), cell->from.get(), cell->jail.end_fd(), cell->jail.news_fd(), [cell] {
            cell->jail.ReadNews();
            TakeDenied(cell);
            return cell->jail.news_fd();
          }};
}

void EndCell(StartedCell* cell, ServeOutcome* served) {
  cell->to.reset();
  if (served->got_result) {
    pollfd wait{cell->jail.end_fd(), POLLIN, 0};
    poll(&wait, 1, kExitMs);
  }
  const sandbox::JailEnd end = cell->jail.Stop();
  served->ending = EndingOf(end, served->ending);
  const bool by_itself = end.kind == sandbox::EndKind::kKilled || (end.kind == sandbox::EndKind::kExited && end.code == 0);
  // A cell that was killed or crashed is that, whatever it or the model said before.
  if (!by_itself) served->status = end.kind == sandbox::EndKind::kDeadline ? subagents::TicketStatus::kTimeout : subagents::TicketStatus::kCrashed;
  if (end.cpu_us) served->usage.cpu_ms = static_cast<int64_t>(*end.cpu_us / 1000);
  if (cell->jail.reports_violations()) {
    TakeDenied(cell);
    served->violations = std::move(cell->denied);
    served->violation_count = cell->jail.violation_count();
    served->violation_count_is_whole = cell->jail.violation_count_is_whole();
  }
  if (end.peak_rss_kb) served->usage.peak_rss_kb = static_cast<int64_t>(*end.peak_rss_kb);
}

subagents::Ending EndingOf(const StartFailure& failure) {
  return {failure.kind, failure.code ? failure.code : failure.error.sys_errno, failure.error.message, failure.error.hint};
}

}  // namespace paddock::orchestrator
