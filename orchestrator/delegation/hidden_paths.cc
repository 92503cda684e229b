#include "orchestrator/delegation/hidden_paths.h"

#include <algorithm>

#include "agentcore/tools/hidden_names.h"
#include "base/text.h"
#include "orchestrator/broker/channel.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile_json.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

using subagents::HiddenFault;

constexpr auto kSpan = std::chrono::seconds(20);
constexpr char kWhat[] = "looking for the files that the profile hides: ";

// A path of the cell's, for people.
std::string Shown(const std::string& wire) { return "\"" + std::string(TruncateUtf8(PathToText(BytesFromWire(wire).substr(0, 400)), 200)) + "\""; }

std::unexpected<StartFailure> Failed(std::string kind, ErrorKind error, const std::string& message, std::string hint) {
  return std::unexpected(StartFailure{Error{error, kWhat + message, std::move(hint), 0}, std::move(kind), 0, {}});
}

Status FaultOf(const subagents::HiddenFrame& frame) {
  switch (frame.fault) {
    case HiddenFault::kNone: return {};
    case HiddenFault::kTooMany:
      return Fail(ErrorKind::kLimit, "more than " + std::to_string(subagents::kMaxHiddenPaths) + " files and folders match, the last of them " + Shown(frame.at),
                  "hide the folder that they lie in, such as \"secrets/\", instead of each file");
    case HiddenFault::kTooLong:
      return Fail(ErrorKind::kLimit, "the names of what matches are too long together, the last of them " + Shown(frame.at),
                  "hide the folder that they lie in, such as \"secrets/\", instead of each file");
    case HiddenFault::kWhole:
      return Fail(ErrorKind::kInvalid, "the link " + Shown(frame.at) + " matches, and leads to the repository itself", "remove the link, or write a pattern that does not match it");
    case HiddenFault::kChanged:
      return Fail(ErrorKind::kInvalid, "the repository changed at " + Shown(frame.at) + " while it was looked through", "run it again when nothing else works on the folder");
    case HiddenFault::kUnreadable:
      return Fail(ErrorKind::kSystem, Shown(frame.at) + " could not be looked at", "see whether its disk or file system is in order");
  }
  return {};
}

// In a jail that sees more than the repository, what a link leads to may be there.
bool SeesMore(const sandbox::Profile& profile) {
  return profile.filesystem.root != sandbox::RootKind::kCellOnly || !profile.filesystem.read.empty();
}

}  // namespace

Result<HiddenPaths> ReadHiddenFrame(std::string_view text, const sandbox::Profile& profile) {
  auto raw = TRY(subagents::DecodeFrame(text));
  if (raw.type == "fault") {
    auto fault = TRY(FromJson<subagents::FaultFrame>(raw.body));
    return Fail(ErrorKind::kProtocol, "the cell gave up: " + VisibleText(fault.message, Newlines::kEscape));
  }
  if (raw.type != "hidden") return Fail(ErrorKind::kProtocol, "the cell sent another frame than hidden");
  auto frame = FromJson<subagents::HiddenFrame>(raw.body);
  if (!frame) return Fail(ErrorKind::kProtocol, "frame hidden: " + std::string(TruncateUtf8(VisibleText(frame.error().message, Newlines::kEscape), 500)));
  TRY(FaultOf(*frame));
  HiddenPaths out;
  for (const std::string& path : frame->paths) out.paths.push_back(BytesFromWire(path));
  if (frame->links_out.empty()) return out;
  const std::string what = "the link " + Shown(frame->links_out[0]) + (frame->links_out.size() > 1 ? " (and others)" : "") + " matches what the profile hides, and leads to nothing in the repository";
  if (SeesMore(profile))
    return Fail(ErrorKind::kInvalid, what + ": what it leads to may be seen by another name", "remove the link, or put a file in its place");
  out.notes.push_back(what);
  return out;
}

void NoteUnmatched(const std::vector<std::string>& asked, HiddenPaths* hidden) {
  for (const std::string& pattern : asked) {
    const auto names = agentcore::HiddenNames::Parse({pattern});
    const bool matched = names && std::any_of(hidden->paths.begin(), hidden->paths.end(), [&](const std::string& path) { return names->Match(path, true) || names->Match(path, false); });
    if (!matched) hidden->notes.push_back("--hide \"" + VisibleText(TruncateUtf8(pattern, 100), Newlines::kEscape) + "\" matches nothing here: names are compared byte by byte, upper and lower case apart (\":(icase)\" before the pattern takes any case)");
  }
}

std::expected<HiddenPaths, StartFailure> FindHiddenPaths(CellStarter* starter, const sandbox::Profile& profile, const sandbox::Workspace& workspace, FramePool* pool,
                                                         int cancel_fd, const Deadline& deadline) {
  if (profile.filesystem.hide.empty() || profile.filesystem.workspace == sandbox::WorkspaceAccess::kNone) return HiddenPaths{};
  auto read_only = sandbox::ShippedProfile("read-only");
  if (!read_only) return std::unexpected(StartFailure{read_only.error(), "setup_error", 0, {}});
  const Deadline until = Deadline::After(kSpan).Earlier(deadline);
  CellStarter::Wanted wanted;
  wanted.profile = &*read_only;
  wanted.workspace = &workspace;
  wanted.wall_ms = std::chrono::milliseconds(kSpan).count() + 5000;
  wanted.cancel_fd = cancel_fd;
  auto cell = starter->Start(wanted, until);
  if (!cell) {
    cell.error().error.message = kWhat + cell.error().error.message;
    return std::unexpected(std::move(cell).error());
  }
  CellChannel channel({cell->to.get(), cell->from.get(), cell->jail.end_fd()}, cancel_fd, subagents::kMaxFrameBytes, pool);
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kHide;
  task.hide = profile.filesystem.hide;
  channel.Send(subagents::EncodeFrame("task", task));
  auto arrival = channel.Wait(until);
  switch (arrival.event) {
    case CellChannel::Event::kFrame: break;
    case CellChannel::Event::kCancelled: return Failed("cancelled", ErrorKind::kCancelled, "told to stop", "");
    case CellChannel::Event::kTimeout: return Failed("timeout", ErrorKind::kTimeout, "the cell was not done in time", "a smaller folder, or one on a faster disk");
    case CellChannel::Event::kBroken: return Failed("protocol_error", ErrorKind::kProtocol, VisibleText(arrival.text, Newlines::kEscape), "");
    case CellChannel::Event::kEnded:
    case CellChannel::Event::kClosed: {
      const auto ending = EndingOf(cell->jail.Stop(), {"closed_pipe", 0, "the cell closed its pipe without an answer", ""});
      return std::unexpected(StartFailure{Error{ErrorKind::kClosed, kWhat + ending.detail, ending.hint, 0}, ending.kind, ending.code, {}});
    }
  }
  auto hidden = ReadHiddenFrame(arrival.text, profile);
  channel.Done();
  if (hidden) return *std::move(hidden);
  const bool broken = hidden.error().kind == ErrorKind::kProtocol;
  return Failed(broken ? "protocol_error" : "setup_error", hidden.error().kind, hidden.error().message, hidden.error().hint);
}

}  // namespace paddock::orchestrator
