#include "orchestrator/delegation/checker.h"

#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

constexpr auto kStartSpan = std::chrono::seconds(20);  // with the wait for its turn
constexpr auto kAnswerSpan = std::chrono::seconds(5);  // the cell itself gives up after two

}  // namespace

Checker::Checker(StartedCell cell, FramePool* pool, int cancel_fd)
    : cell_(std::move(cell)),
      channel_({cell_.to.get(), cell_.from.get(), cell_.jail.end_fd()}, cancel_fd, subagents::kMaxFrameBytes, pool) {}

Result<std::unique_ptr<CitationChecker>> Checker::Start(CellStarter* starter, const CellStarter::Wanted& wanted, FramePool* pool) {
  auto cell = starter->Start(wanted, Deadline::After(kStartSpan));
  if (!cell) return std::unexpected(std::move(cell).error().error);
  std::unique_ptr<Checker> checker(new Checker(*std::move(cell), pool, wanted.cancel_fd));
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kChecker;
  task.hide = wanted.profile->filesystem.hide;
  checker->channel_.Send(subagents::EncodeFrame("task", task));
  return std::unique_ptr<CitationChecker>(std::move(checker));
}

Result<subagents::RangeFrame> Checker::Ask(const subagents::CiteFrame& cite) {
  channel_.Send(subagents::EncodeFrame("cite", cite));
  auto arrival = channel_.Wait(Deadline::After(kAnswerSpan));
  switch (arrival.event) {
    case CellChannel::Event::kFrame:
      break;
    case CellChannel::Event::kTimeout:
      return Fail(ErrorKind::kTimeout, "the checker did not answer in time");
    case CellChannel::Event::kCancelled:
      return Fail(ErrorKind::kCancelled, "told to stop");
    default:
      return Fail(ErrorKind::kClosed, "the checker's cell ended");
  }
  auto raw = TRY(subagents::DecodeFrame(arrival.text));
  channel_.Done();
  if (raw.type != "range") return Fail(ErrorKind::kProtocol, "the checker sent another frame than range");
  auto range = TRY(FromJson<subagents::RangeFrame>(raw.body));
  if (range.n != cite.n) return Fail(ErrorKind::kProtocol, "the checker answered another question");
  return range;
}

}  // namespace paddock::orchestrator
