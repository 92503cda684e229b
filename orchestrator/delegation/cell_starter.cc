#include "orchestrator/delegation/cell_starter.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <algorithm>

#include "base/text.h"
#include "orchestrator/broker/channel.h"
#include "sandbox/machine/mend.h"
#include "subagents/cell_abi.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxReadyBytes = 4096;
constexpr auto kWriteSpan = std::chrono::seconds(2);
constexpr auto kBuildSpan = std::chrono::seconds(10);
constexpr auto kLook = std::chrono::milliseconds(50);

std::unexpected<StartFailure> Failed(std::string kind, Error error, std::optional<sandbox::Receipt> receipt = {}) {
  if (error.hint.empty() && error.sys_errno) error.hint = sandbox::machine::MendCall(error.sys_errno, sandbox::machine::ReadFacts());
  return std::unexpected(StartFailure{std::move(error), std::move(kind), 0, std::move(receipt)});
}

std::string KindOf(const Error& error) {
  if (error.kind == ErrorKind::kCancelled) return "cancelled";
  if (error.kind == ErrorKind::kTimeout) return "timeout";
  if (error.message.find("launcher is dead") != std::string::npos) return "launcher_dead";
  return "setup_error";
}

struct Pipes {
  UniqueFd to, from;                // ours
  std::vector<UniqueFd> passed;     // the cell's, in the order of kDescriptors
};
const std::vector<int32_t> kDescriptors = {0, 1, 2, subagents::kFrameInFd, subagents::kFrameOutFd, subagents::kSecondFilterFd};

Result<Pipes> MakePipes(const std::string& second_filter) {
  Pipes pipes;
  for (int i = 0; i < 3; ++i) {
    pipes.passed.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!pipes.passed.back()) return FailErrno("/dev/null");
  }
  Pipe in = TRY(MakePipe()), out = TRY(MakePipe());
  pipes.passed.push_back(std::move(in.read));
  pipes.passed.push_back(std::move(out.write));
  pipes.passed.push_back(TRY(sandbox::SealedMemfd("paddock-filter", second_filter)));
  pipes.to = std::move(in.write);
  pipes.from = std::move(out.read);
  return pipes;
}

// The cell's own word on what it was denied.
Result<std::vector<sandbox::Denied>> ReadWitness(const std::string& line) {
  auto frame = TRY(subagents::DecodeFrame(line));
  if (frame.type != "ready") return Fail(ErrorKind::kProtocol, "expected ready, got another frame");
  auto ready = TRY(FromJson<subagents::ReadyFrame>(frame.body));
  std::vector<sandbox::Denied> denied;
  for (const auto& witness : ready.witness)
    for (const auto& layer : EnumNames(FieldsOf<sandbox::Layer>{}))
      if (witness.layer == layer.name) denied.push_back({layer.value, static_cast<int>(witness.error)});
  return denied;
}

// The limit of processor time that a jail has: the plan's, or the caller's own where that is lower.
int64_t ProcessorMs(const sandbox::Plan& plan) {
  rlimit own{};
  uint64_t seconds = getrlimit(RLIMIT_CPU, &own) == 0 ? own.rlim_cur : RLIM_INFINITY;
  for (const sandbox::ResourceLimit& limit : plan.limits)
    if (limit.resource == RLIMIT_CPU) seconds = std::min<uint64_t>(seconds, limit.value);
  return static_cast<int64_t>(std::clamp<uint64_t>(seconds, 1, 86'400)) * 1000;
}

Status SayGo(StartedCell* cell) { return WriteFrame(cell->to.get(), subagents::EncodeFrame("go", subagents::GoFrame{}), Deadline::After(kWriteSpan)); }

std::unexpected<StartFailure> EndedBeforeReady(const sandbox::JailEnd& end, bool only_closed) {
  const subagents::Ending own = only_closed ? subagents::Ending{"closed_pipe", 0, "the cell closed its pipe", ""} : subagents::Ending{"exit", 0, "the cell ended", ""};
  const subagents::Ending ending = EndingOf(end, own);
  const std::string when = end.kind == sandbox::EndKind::kSetupError ? "" : "before ready: ";
  const std::string hint = ending.hint.empty() ? "install or build paddock-cell again, beside paddock" : ending.hint;
  return std::unexpected(StartFailure{Error{ErrorKind::kClosed, when + ending.detail, hint, 0}, ending.kind, ending.code, {}});
}

}  // namespace

Result<std::unique_ptr<CellStarter>> CellStarter::Make(const std::string& programs, uint32_t root_jail_uid) {
  auto starter = std::make_unique<CellStarter>();
  starter->programs_ = programs;
  starter->caller_ = sandbox::ThisCaller();
  starter->caller_.root_jail_uid = root_jail_uid;
  starter->launcher_ = TRY(sandbox::Launcher::Start(programs + "/paddock-jail"));
  return starter;
}

CellStarter::CellStarter()
    : warm_([this](const WarmPlan& plan, int cancel_fd) { return Build(plan.profile, plan.built, cancel_fd, Deadline::Never()); }) {}

Result<sandbox::BuiltPlan> CellStarter::PlanOf(const Wanted& wanted) const {
  sandbox::PlanRequest request;
  request.profile = wanted.profile;
  request.workspace = wanted.workspace;
  if (wanted.hidden) request.hidden = *wanted.hidden;
  request.program = programs_ + "/paddock-cell";
  request.descriptors = kDescriptors;
  if (wanted.wall_ms > 0) request.wall_ms = wanted.wall_ms;
  return sandbox::BuildPlan(request, caller_);
}

// Its pid 1 keeps the clock of the profile, whatever time is wanted: one plan serves all, and the parent ends it before.
std::optional<StartedCell> CellStarter::TakeWarm(const Wanted& wanted) {
  if (change_plan || !warm_.kept() || !wanted.profile->filesystem.hide.empty() || (wanted.hidden && !wanted.hidden->empty())) return std::nullopt;
  Wanted any = wanted;
  any.wall_ms = 0;
  auto built = PlanOf(any);
  if (!built) return std::nullopt;  // which is told when one is built
  auto cell = warm_.Take({*wanted.profile, wanted.workspace ? std::optional(*wanted.workspace) : std::nullopt, *std::move(built)});
  if (!cell || !cell->jail.RestartClock() || !SayGo(&*cell)) return std::nullopt;
  cell->warm = true;
  return cell;
}

std::expected<StartedCell, StartFailure> CellStarter::Start(const Wanted& wanted, const Deadline& deadline) {
  if (auto warm = TakeWarm(wanted)) return *std::move(warm);
  auto built = PlanOf(wanted);
  if (!built) return Failed("setup_error", built.error());
  if (change_plan) {
    change_plan(&*built);
    sandbox::UpdateDigests(&*built);
  }
  auto cell = Build(*wanted.profile, *built, wanted.cancel_fd, deadline);
  if (!cell) return cell;
  if (auto went = SayGo(&*cell); !went) return Failed("exit", went.error(), std::move(cell->receipt));
  return cell;
}

// Up to its receipt.
std::expected<StartedCell, StartFailure> CellStarter::Build(const sandbox::Profile& profile, const sandbox::BuiltPlan& built, int cancel_fd, const Deadline& by) {
  while (!building_.try_acquire_for(kLook)) {
    pollfd stop{cancel_fd, POLLIN, 0};
    if (poll(&stop, 1, 0) > 0) return Failed("cancelled", Error{ErrorKind::kCancelled, "told to stop", "", 0});
    if (by.passed()) return Failed("timeout", Error{ErrorKind::kTimeout, "the time was up before it was its turn to be started", "allow more time, or start fewer at once", 0});
  }
  const std::unique_ptr<std::counting_semaphore<>, void (*)(std::counting_semaphore<>*)> turn(&building_, [](auto* one) { one->release(); });
  const Deadline patience = Deadline::After(kBuildSpan), deadline = patience.Earlier(by);
  auto pipes = MakePipes(built.second_filter);
  if (!pipes) return Failed("setup_error", pipes.error());
  std::unique_lock lock(mutex_);
  if (!baseline_) {
    auto baseline = sandbox::ReadBaseline();
    if (!baseline) return Failed("setup_error", baseline.error());
    baseline_ = *std::move(baseline);
  }
  auto jail = launcher_->StartJail(built.plan, std::move(pipes->passed), deadline, cancel_fd);
  lock.unlock();
  if (!jail) return Failed(KindOf(jail.error()), jail.error());
  if (auto started = jail->WaitStarted(patience, cancel_fd, by); !started) return Failed(KindOf(started.error()), started.error());

  // A channel of its own for this one frame: it is small, and nothing may come after it before go.
  CellChannel channel({pipes->to.get(), pipes->from.get(), jail->end_fd()}, cancel_fd, kMaxReadyBytes, nullptr);
  auto arrival = channel.Wait(deadline);
  switch (arrival.event) {
    case CellChannel::Event::kFrame:
      break;
    case CellChannel::Event::kCancelled:
      return Failed("cancelled", Error{ErrorKind::kCancelled, "told to stop", "", 0});
    case CellChannel::Event::kTimeout:
      return Failed("timeout", Error{ErrorKind::kTimeout, "the cell did not say ready in time", "run it again on a quieter machine", 0});
    case CellChannel::Event::kBroken:
      return Failed("protocol_error", Error{ErrorKind::kProtocol, "before ready: " + VisibleText(arrival.text, Newlines::kEscape), "", 0});
    case CellChannel::Event::kClosed:
    case CellChannel::Event::kEnded:
      return EndedBeforeReady(jail->Stop(), arrival.event == CellChannel::Event::kClosed);
  }
  auto witness = ReadWitness(arrival.text);
  if (!witness) return Failed("protocol_error", witness.error());
  const bool session_done = jail->stage_times()[static_cast<size_t>(sandbox::Stage::kSession)] != 0;
  auto receipt = sandbox::ReadReceipt(jail->payload_pid(), jail->payload_pidfd(), profile, built, *baseline_, *witness, session_done);
  if (!receipt) return Failed("receipt", receipt.error());
  if (auto ok = sandbox::CheckReceipt(*receipt); !ok) return Failed("receipt", ok.error(), *std::move(receipt));
  // Nobody has spoken to it yet, so it has nothing more to say.
  if (auto more = channel.Wait(Deadline::After({})).event; more == CellChannel::Event::kFrame || more == CellChannel::Event::kBroken)
    return Failed("protocol_error", Error{ErrorKind::kProtocol, "the cell said more than ready before it was told to go", "install or build paddock-cell again, beside paddock", 0},
                  *std::move(receipt));
  jail->ForgetWitness();
  return StartedCell{*std::move(jail), std::move(pipes->to), std::move(pipes->from), *std::move(receipt), ProcessorMs(built.plan), false};
}

subagents::Ending EndingOf(const sandbox::JailEnd& end, const subagents::Ending& own) {
  using sandbox::EndKind;
  subagents::Ending ending = own;
  switch (end.kind) {
    case EndKind::kExited:
      if (end.code == 0) return own;
      ending.kind = end.code == subagents::kExitAllocFailed ? "alloc_failed" : end.code == subagents::kExitProtocol ? "protocol_error" : "exit";
      ending.code = end.code;
      ending.detail = end.code == subagents::kExitAllocFailed ? "the cell reached its memory limit" : "the cell exited with status " + std::to_string(end.code);
      if (end.code == subagents::kExitAllocFailed) ending.hint = "a smaller question, or a profile with more memory";
      return ending;
    case EndKind::kSignaled: {
      const char* name = sigabbrev_np(end.code);
      ending.kind = "signal";
      ending.code = end.code;
      ending.detail = std::string("the cell was killed by SIG") + (name ? name : std::to_string(end.code).c_str());
      if (end.code == SIGXCPU || end.code == SIGKILL) ending.hint = "if nobody killed it: its limit of processor time, or the machine's memory";
      return ending;
    }
    case EndKind::kTooManyViolations:
      return {"violation_limit", 0, "the jail was ended: too many of its calls were denied", ""};
    case EndKind::kDeadline:
      return {"timeout", 0, "the jail's own clock ran out", "allow more time"};
    case EndKind::kSetupError: {
      Error error = sandbox::SetupError(end.stage, end.code, end.detail);
      return {"setup_error", end.code, error.message, error.hint};
    }
    case EndKind::kLauncherDead:
      return {"launcher_dead", 0, "the launcher died, and all its jails with it", "run it again; if it happens again, see the kernel log"};
    case EndKind::kLost:
      return {"signal", SIGKILL, "somebody else killed the jail's first process", "see the kernel log for the out-of-memory killer"};
    case EndKind::kCopyFailed:  // a cell has no copier
    case EndKind::kKilled:
    case EndKind::kRunning:
      return own;  // by us, for the reason that the broker gives
  }
  return own;
}

}  // namespace paddock::orchestrator
