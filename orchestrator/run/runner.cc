#include "orchestrator/run/runner.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <tuple>

#include "base/child_process.h"
#include "base/frame_pipe.h"
#include "base/text.h"
#include "orchestrator/delegation/hidden_paths.h"
#include "orchestrator/run/denials.h"
#include "orchestrator/run/ending.h"
#include "orchestrator/run/run_loop.h"
#include "sandbox/limits/group.h"
#include "sandbox/program_plan.h"
#include "sandbox/receipt.h"

namespace paddock::orchestrator {
namespace {

constexpr auto kStartSpan = std::chrono::seconds(10);
constexpr uint64_t kMostKept = 1u << 20;  // of each of stdout and stderr in a report
constexpr size_t kMostCopyReport = 64u << 10;

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

std::vector<std::string> WireWords(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(WireFromBytes(word));
  return out;
}

// A plan that can't be made for this command, or for any.
RunEnding PlanEnding(const std::string& program, const Error& error) {
  if (error.kind == ErrorKind::kCancelled) return SetupEnding("plan", error);
  if (error.sys_errno == ENOENT || error.sys_errno == EACCES) {
    RunEnding ending = ExecEnding(program, error.sys_errno);
    ending.detail = error.message;
    ending.hint = error.hint;
    return ending;
  }
  return SetupEnding("plan", error);
}

std::vector<StageLatency> Latencies(const sandbox::Jail& jail, uint64_t began_ns, uint64_t go_ns) {
  std::vector<std::pair<uint64_t, const char*>> done;
  for (size_t i = 0; i < sandbox::kStageNames.size(); ++i)
    if (jail.stage_times()[i] > began_ns) done.emplace_back(jail.stage_times()[i], sandbox::kStageNames[i]);
  std::sort(done.begin(), done.end());
  std::vector<StageLatency> out;
  uint64_t before = began_ns;
  auto add = [&](const char* stage, uint64_t from, uint64_t to) { out.push_back({stage, static_cast<int64_t>((to - std::min(from, to)) / 1000)}); };
  for (const auto& [at, name] : done) {
    if (go_ns && at > go_ns) continue;  // after go: exec
    add(name, before, at);
    before = at;
  }
  if (!go_ns) return out;
  add("go", before, go_ns);
  add("total", began_ns, go_ns);
  return out;
}

std::vector<BoundLimit> Limits(const sandbox::LimitRules& rules, std::optional<int64_t> timeout_ms) {
  constexpr char kEach[] = "resource limit of each process", kPaddock[] = "paddock";
  std::string wall = rules.wall;
  if (auto ms = sandbox::ParseDuration(wall); timeout_ms && ms && *timeout_ms < *ms) wall = *timeout_ms % 1000 ? std::to_string(*timeout_ms) + "ms" : std::to_string(*timeout_ms / 1000) + "s";
  return {{"wall", wall, "paddock, and the jail's own clock"}, {"cpu", rules.cpu, kEach},
          {"memory", rules.memory, "RLIMIT_DATA of each process; shared memory is not held"},                     {"processes", std::to_string(rules.processes), "resource limit of the jail's user"},
          {"files", std::to_string(rules.files), kEach},       {"file_size", rules.file_size, kEach},
          {"output", rules.output, kPaddock},                  {"violations", std::to_string(rules.violations), "the jail's first process"}};
}

RunOutput OutputOf(const std::optional<OutputRelay>& relay) {
  if (!relay) return {};
  return {WireFromBytes(relay->kept()), relay->truncated(), relay->total()};
}

// A run under way, which fills a report.
class Running {
 public:
  explicit Running(const RunOrder& order) : order_(order) {
    report_.command = WireWords(order.command);
    report_.profile = order.profile->name;
    report_.allowed = order.profile->syscalls.allow;
    report_.limits = Limits(order.profile->limits, order.timeout_ms);
  }

  RunReport Run() {
    const uint64_t began_ns = NowNs();
    auto jail = Start();
    if (!jail) return Done(std::move(jail).error());
    auto held = Hold(&*jail);
    // A jail that went away with its launcher has nothing to read.
    if (!held && EndedByPidfd(order_.launcher->process().pidfd(), Deadline::After({}))) return Done(LauncherDiedEnding());
    if (!held) return Done(CancelledOr(SetupEnding("receipt", held.error())));
    std::optional<OuterTerminal> outer;
    Terminals terminals{jail->TakeTerminal(), nullptr};
    if (terminals.master) {
      outer.emplace(0, 1);
      outer->GiveSettings(terminals.master.get());  // before the program may ask for them
      outer->GiveSize(terminals.master.get());
      terminals.outer = &*outer;
    }
    const uint64_t go_ns = NowNs();
    if (auto went = jail->Go(); !went) return Done(SetupEnding("go", went.error()));
    std::function<bool()> cpu_passed;
    if (BoundByGroup("cpu")) cpu_passed = [this] { return group_.CpuPassed(cpu_us_); };
    RunLoop loop(&*jail, &stdio_, order_.signals, std::move(terminals), cpu_passed);
    EndFacts facts;
    facts.loop = loop.Run(Deadline::After(std::chrono::milliseconds(built_.plan.wall_ms)), [&] { TakeDenials(&*jail); });
    const uint64_t end_ns = NowNs();
    order_.launcher->Dismiss();
    facts.program = order_.command.front();
    facts.profile = order_.profile->name;
    if (order_.profile->exec.mode == sandbox::ExecRules::Mode::kList) facts.listed = order_.profile->exec.programs;
    facts.copy_report = ReadCopyReport();
    facts.out_of_memory = group_.OomKills() > 0;
    for (const sandbox::ResourceLimit& limit : built_.plan.limits)
      if (limit.resource == RLIMIT_CPU) facts.cpu_limit_us = limit.value * 1'000'000;
    report_.stages = Latencies(*jail, began_ns, go_ns);
    report_.violation_count = std::max(jail->violation_count(), report_.violation_count);
    Measure(facts.loop.jail, end_ns - go_ns);
    return Done(EndingOfRun(facts, &report_.notes));
  }

 private:
  std::expected<sandbox::Jail, RunEnding> Start() {
    const StdioKinds kinds = order_.apart ? StdioKinds{InputKind::kEmpty, OutputKind::kKeep, OutputKind::kKeep, true} : LookAtStdio(order_.keep_output);
    sandbox::ProgramRequest request;
    request.profile = order_.profile;
    request.workspace = order_.workspace;
    request.argv = order_.command;
    request.working_folder = order_.working_folder;
    request.stdin_terminal = kinds.in == InputKind::kTerminal;
    request.stdout_terminal = kinds.out == OutputKind::kTerminal;
    request.stderr_terminal = kinds.err == OutputKind::kTerminal;
    request.wall_ms = order_.timeout_ms;
    request.programs_folder = order_.programs_folder;
    request.own_network = true;
    if (order_.profile->filesystem.root == sandbox::RootKind::kHost) request.homes = sandbox::HomeFolders();
    if (auto grouped = MakeGroup(); !grouped) return std::unexpected(SetupEnding("plan", grouped.error()));
    request.memory_group = BoundByGroup("memory");
    auto hidden = LookForHidden();
    if (!hidden) return std::unexpected(std::move(hidden).error());
    request.hidden = *std::move(hidden);
    auto built = sandbox::BuildProgramPlan(request, order_.caller);
    if (!built) return std::unexpected(PlanEnding(order_.command.front(), built.error()));
    built_ = *std::move(built);
    report_.plan_digest = built_.plan_digest;
    auto output = sandbox::ParseSize(order_.profile->limits.output);
    if (!output) return std::unexpected(SetupEnding("plan", output.error()));
    budget_.left = static_cast<uint64_t>(*output);
    auto stdio = MakeStdio(kinds, &budget_, kMostKept);
    if (!stdio) return std::unexpected(SetupEnding("descriptors", stdio.error()));
    stdio_ = *std::move(stdio);
    if (order_.apart) stdio_.out->KeepTail(kMostKept);
    if (!built_.plan.copier.empty()) {
      auto pipe = MakePipe();
      if (!pipe) return std::unexpected(SetupEnding("descriptors", pipe.error()));
      copy_report_ = std::move(pipe->read);
      stdio_.passed.push_back(std::move(pipe->write));
    }
    auto groups = group_.JoinDescriptors();
    if (!groups) return std::unexpected(SetupEnding("groups", groups.error()));
    const Deadline deadline = Deadline::After(kStartSpan);
    auto jail = order_.launcher->StartJail(built_.plan, std::move(stdio_.passed), deadline, order_.signals->cancel_fd(), *std::move(groups));
    if (!jail) return std::unexpected(CancelledOr(SetupEnding("launcher", jail.error())));
    // While the jail is built.
    auto baseline = sandbox::ReadBaseline();
    if (!baseline) return std::unexpected(SetupEnding("receipt", baseline.error()));
    baseline_ = *std::move(baseline);
    if (auto started = jail->WaitStarted(deadline, order_.signals->cancel_fd()); !started) {
      const auto& end = jail->end();
      const char* stage = end && end->kind == sandbox::EndKind::kSetupError ? sandbox::kStageNames[static_cast<size_t>(end->stage)] : "start";
      return std::unexpected(CancelledOr(SetupEnding(stage, started.error())));
    }
    return *std::move(jail);
  }

  // Asked of a cell, which sees what the program will see of the repository.
  std::expected<std::vector<std::string>, RunEnding> LookForHidden() {
    if (order_.profile->filesystem.hide.empty() || !order_.workspace) return std::vector<std::string>{};
    auto starter = CellStarter::Make(order_.programs_folder, order_.caller.root_jail_uid);
    if (!starter) return std::unexpected(SetupEnding("hide", starter.error()));
    FramePool pool(1);
    auto hidden = FindHiddenPaths(starter->get(), *order_.profile, *order_.workspace, &pool, order_.signals->cancel_fd(), Deadline::Never());
    if (!hidden) return std::unexpected(CancelledOr(SetupEnding("hide", hidden.error().error)));
    for (std::string& note : hidden->notes) report_.notes.push_back(std::move(note));
    return std::move(hidden->paths);
  }

  // A control group for what one can hold; resource limits hold the rest.
  Status MakeGroup() {
    const sandbox::LimitRules& rules = order_.profile->limits;
    cpu_us_ = static_cast<uint64_t>(TRY(sandbox::ParseDuration(rules.cpu))) * 1000;
    sandbox::limits::LimitWanted wanted;
    wanted.memory_bytes = static_cast<uint64_t>(TRY(sandbox::ParseSize(rules.memory)));
    wanted.processes = static_cast<uint64_t>(rules.processes) + 3;  // the jail's builder and two helpers are gone when the program begins
    wanted.cpu_us = cpu_us_;
    group_ = sandbox::limits::LimitGroup::Make(wanted, *order_.places);
    grouped_ = std::any_of(group_.bindings().begin(), group_.bindings().end(), [](const sandbox::limits::Binding& one) { return one.by.starts_with("cgroup"); });
    for (const sandbox::limits::Binding& binding : group_.bindings())
      for (BoundLimit& limit : report_.limits)
        if (limit.limit == binding.limit) limit.by = binding.by;
    return {};
  }

  bool BoundByGroup(std::string_view limit) const {
    return std::any_of(group_.bindings().begin(), group_.bindings().end(),
                       [&](const sandbox::limits::Binding& one) { return one.limit == limit && one.by.starts_with("cgroup"); });
  }

  // What is in force around the program, before it may begin.
  Status Hold(sandbox::Jail* jail) {
    const bool session_done = jail->stage_times()[static_cast<size_t>(sandbox::Stage::kSession)] != 0;
    report_.receipt = TRY(sandbox::ReadReceipt(jail->payload_pid(), jail->payload_pidfd(), *order_.profile, built_, baseline_,
                                               {{sandbox::Layer::kLandlock, jail->landlock_witness()}, {sandbox::Layer::kSeccomp, jail->seccomp_witness()}}, session_done));
    if (grouped_ && !group_.Holds(jail->payload_pid()))
      return Fail(ErrorKind::kDenied, "the program is not in the control group that limits it", "run it again; if it happens again, see who moves processes between cgroups here");
    return sandbox::CheckReceipt(*report_.receipt);
  }

  // Told to stop before the program was let go.
  RunEnding CancelledOr(RunEnding ending) const {
    pollfd cancel{order_.signals->cancel_fd(), POLLIN, 0};
    if (poll(&cancel, 1, 0) <= 0) return ending;
    while (auto number = order_.signals->Next())
      if (*number == SIGINT || *number == SIGTERM || *number == SIGHUP || *number == SIGQUIT) return SignalEnding(RunEndingKind::kCancelled, *number);
    return ending;
  }

  void TakeDenials(sandbox::Jail* jail) {
    for (const sandbox::Violation& one : jail->TakeViolations()) AddDenial(one, *order_.profile, &report_.violations);
  }

  std::string ReadCopyReport() const {
    std::string text;
    char chunk[4096];
    for (ssize_t n; copy_report_ && text.size() < kMostCopyReport && (n = read(copy_report_.get(), chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(n));
    return text;
  }

  void Measure(const sandbox::JailEnd& end, uint64_t wall_ns) {
    RunUsage& usage = report_.usage;
    usage.wall_ms = static_cast<int64_t>(wall_ns / 1'000'000);
    if (end.cpu_us) usage.cpu_ms = static_cast<int64_t>(*end.cpu_us / 1000);
    if (end.peak_rss_kb) usage.peak_memory = static_cast<int64_t>(*end.peak_rss_kb * 1024);
    const sandbox::limits::Usage counted = group_.Read();
    if (counted.cpu_us) usage.cpu_ms = static_cast<int64_t>(*counted.cpu_us / 1000);
    if (counted.peak_memory_bytes) usage.peak_memory = static_cast<int64_t>(*counted.peak_memory_bytes);
    usage.output = (stdio_.out ? stdio_.out->total() : 0) + (stdio_.err ? stdio_.err->total() : 0);
    usage.output_dropped = budget_.dropped;
    if (order_.apart && stdio_.out) report_.last_output = stdio_.out->tail();
    if (!order_.keep_output && !order_.apart) return;
    report_.out = OutputOf(stdio_.out);
    report_.err = OutputOf(stdio_.err);
  }

  RunReport Done(RunEnding ending) {
    report_.ending = std::move(ending);
    report_.exit_status = RunExitStatus(report_.ending);
    // Who takes the output for whole would not look at a line on standard error.
    if (report_.exit_status == 0 && report_.usage.output_dropped > 0) report_.exit_status = kExitRunPaddock;
    return std::move(report_);
  }

  const RunOrder& order_;
  RunReport report_;
  sandbox::BuiltPlan built_;
  sandbox::Baseline baseline_;
  sandbox::limits::LimitGroup group_;
  bool grouped_ = false;
  uint64_t cpu_us_ = 0;
  OutputBudget budget_;
  Stdio stdio_;
  UniqueFd copy_report_;
};

}  // namespace

RunReport RunInJail(const RunOrder& order) { return Running(order).Run(); }

RunReport NothingRan(const std::vector<std::string>& command, const std::string& profile, const std::string& stage, const Error& error) {
  RunReport report;
  report.command = WireWords(command);
  report.profile = profile;
  report.ending = SetupEnding(stage, error);
  report.exit_status = RunExitStatus(report.ending);
  return report;
}

}  // namespace paddock::orchestrator
