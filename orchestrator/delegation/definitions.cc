#include "orchestrator/delegation/definitions.h"

#include "base/text.h"
#include "orchestrator/broker/channel.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile_json.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

using subagents::DefinitionFormat;

constexpr auto kSpan = std::chrono::seconds(20);
constexpr char kWhat[] = "reading definitions of agents: ";

std::string Shown(const std::string& text) { return VisibleText(TruncateUtf8(text, 500), Newlines::kEscape); }

std::unexpected<Error> Broken(const std::string& what) { return Fail(ErrorKind::kProtocol, kWhat + what); }

// The frames that answer one look.
Status Answer(CellChannel* channel, const Deadline& until, StartedCell* cell, size_t* bytes, FoundDefinitions* found) {
  for (size_t begun = found->files.size();;) {
    auto arrival = channel->Wait(until);
    switch (arrival.event) {
      case CellChannel::Event::kFrame: break;
      case CellChannel::Event::kCancelled: return Fail(ErrorKind::kCancelled, "told to stop");
      case CellChannel::Event::kTimeout: return Fail(ErrorKind::kTimeout, std::string(kWhat) + "the cell was not done in time");
      case CellChannel::Event::kBroken: return Broken(Shown(arrival.text));
      case CellChannel::Event::kEnded:
      case CellChannel::Event::kClosed: {
        const auto ending = EndingOf(cell->jail.Stop(), {"closed_pipe", 0, "the cell closed its pipe without an answer", ""});
        return Fail(ErrorKind::kClosed, kWhat + ending.detail, ending.hint);
      }
    }
    *bytes += arrival.text.size();
    auto raw = subagents::DecodeFrame(arrival.text);
    channel->Done();
    if (!raw) return Broken(Shown(raw.error().message));
    if (*bytes > kMaxDefinitionBytes) return Fail(ErrorKind::kLimit, kWhat + std::string("they are more than 16 MiB together"), "fewer or shorter files");
    if (raw->type == "definition") {
      auto one = FromJson<subagents::ForeignDefinition>(raw->body);
      if (!one) return Broken("frame definition: " + Shown(one.error().message));
      if (found->files.size() == subagents::kMaxForeignFiles) return Broken("the cell sent more files than it may");
      found->files.push_back(*std::move(one));
      continue;
    }
    if (raw->type == "fault") {
      auto fault = FromJson<subagents::FaultFrame>(raw->body);
      return Broken("the cell gave up: " + (fault ? Shown(fault->message) : std::string()));
    }
    if (raw->type != "looked") return Broken("the cell sent another frame than definition");
    auto looked = FromJson<subagents::LookedFrame>(raw->body);
    if (!looked) return Broken("frame looked: " + Shown(looked.error().message));
    if (static_cast<size_t>(looked->definitions) != found->files.size() - begun) return Broken("the cell miscounted its files");
    if (!looked->incomplete.empty()) found->incomplete.push_back(Shown(looked->incomplete));
    return {};
  }
}

}  // namespace

std::vector<subagents::LookFrame> RepositoryPlaces() {
  return {{".claude/agents", DefinitionFormat::kClaude},
          {".gemini/agents", DefinitionFormat::kGemini},
          {".opencode/agent", DefinitionFormat::kOpencode},
          {".opencode/agents", DefinitionFormat::kOpencode},
          {".codex/agents", DefinitionFormat::kCodex}};
}

Result<FoundDefinitions> ReadDefinitions(const CellAccess& access, const sandbox::Workspace& workspace, const std::vector<subagents::LookFrame>& places) {
  const sandbox::Profile read_only = TRY(sandbox::ShippedProfile("read-only"));
  const Deadline until = Deadline::After(kSpan);
  CellStarter::Wanted wanted;
  wanted.profile = &read_only;
  wanted.workspace = &workspace;
  wanted.wall_ms = std::chrono::milliseconds(kSpan).count() + 5000;
  wanted.cancel_fd = access.cancel_fd;
  auto cell = access.starter->Start(wanted, until);
  if (!cell) {
    Error error = std::move(cell).error().error;
    error.message = kWhat + error.message;
    return std::unexpected(std::move(error));
  }
  CellChannel channel({cell->to.get(), cell->from.get(), cell->jail.end_fd()}, access.cancel_fd, subagents::kMaxFrameBytes, access.pool);
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kDefinitions;
  channel.Send(subagents::EncodeFrame("task", task));
  FoundDefinitions found;
  size_t bytes = 0;
  for (const subagents::LookFrame& place : places) {
    channel.Send(subagents::EncodeFrame("look", place));
    TRY(Answer(&channel, until, &*cell, &bytes, &found));
  }
  return found;
}

}  // namespace paddock::orchestrator
