// What a jail costs, beside bubblewrap with the same namespaces in the same run.
//
//   build/check/bin/paddock_bench            needs bwrap on PATH; run it as root and as an ordinary user
//
// The parent is made 200 MB resident first: a launcher that is asked over a socket doesn't care, a fork would.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/frame_pipe.h"
#include "orchestrator/delegation/cell_starter.h"
#include "sandbox/jail.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile_json.h"
#include "sandbox/receipt.h"
#include "subagents/frames.h"
#include "tests/bench/measure.h"

extern char** environ;

void RegisterFilterBenchmarks();  // filter_bench.cc
void RegisterRunBenchmarks();     // run_bench.cc
void RegisterWarmBenchmarks();    // warm_bench.cc

namespace {

using namespace paddock;
using namespace paddock::sandbox;
using namespace paddock::bench;

constexpr int kRuns = 400;

// Everything that is there before a jail is asked for.
struct World {
  std::vector<char> ballast;
  std::string folder;
  Profile profile;
  Workspace workspace;
  std::unique_ptr<Launcher> launcher;
  BuiltPlan built;
  Baseline baseline;

  World() {
    std::string bin = std::filesystem::canonical("/proc/self/exe").parent_path();
    launcher = Must(Launcher::Start(bin + "/paddock-jail"));
    ballast.assign(200u << 20, 'x');
    std::string pattern = std::filesystem::temp_directory_path() / "paddock-bench-XXXXXX";
    folder = mkdtemp(pattern.data());
    UniqueFd file(open((folder + "/megabyte").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
    const std::string line = "a line of forty bytes, newline included\n";
    for (int i = 0; i < (1 << 20) / 40; ++i) (void)!write(file.get(), line.data(), line.size());
    profile = Must(ShippedProfile("read-only"));
    workspace = Must(ResolveWorkspace(folder, {}));
    PlanRequest request;
    request.profile = &profile;
    request.workspace = &workspace;
    request.program = bin + "/paddock-cell";
    request.descriptors = {0, 1, 2, 3, 4, 5};
    built = Must(BuildPlan(request, ThisCaller()));
    baseline = Must(ReadBaseline());
    Must(launcher->WaitReady(Soon()));
  }
  ~World() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};
World& TheWorld() {
  static World world;
  return world;
}

struct Cell {
  Jail jail;
  UniqueFd to, from;
  std::unique_ptr<FrameReader> reader;
  std::string ready;
};

Cell StartCell() {
  World& world = TheWorld();
  Pipe in = Must(MakePipe()), out = Must(MakePipe());
  std::vector<UniqueFd> passed;
  for (int i = 0; i < 3; ++i) passed.emplace_back(open("/dev/null", O_RDWR | O_CLOEXEC));
  passed.push_back(std::move(in.read));
  passed.push_back(std::move(out.write));
  passed.push_back(Must(SealedMemfd("filter", world.built.second_filter)));
  Jail jail = Must(world.launcher->StartJail(world.built.plan, std::move(passed), Soon()));
  auto reader = std::make_unique<FrameReader>(out.read.get(), 8u << 20);
  std::string ready = Must(reader->Next(Soon()));
  return {std::move(jail), std::move(in.write), std::move(out.read), std::move(reader), std::move(ready)};
}

void LaunchToReady(benchmark::State& state) {
  TheWorld();
  std::vector<double> times;
  std::array<std::vector<double>, static_cast<size_t>(Stage::kCount)> stages;
  for (auto _ : state) {
    const auto from = Clock::now();
    Cell cell = StartCell();
    const auto to = Clock::now();
    times.push_back(Micros(from, to));
    state.SetIterationTime(times.back() / 1e6);
    Must(cell.jail.WaitStarted(Soon()));
    // From the start of the request to the end of each stage, both on CLOCK_MONOTONIC.
    const auto start_ns = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(from.time_since_epoch()).count());
    for (size_t i = 0; i < stages.size(); ++i)
      if (cell.jail.stage_times()[i] > start_ns) stages[i].push_back(static_cast<double>(cell.jail.stage_times()[i] - start_ns) / 1000);
    cell.jail.Stop();
  }
  state.counters["median_us"] = Percentile(times, 0.5);
  state.counters["p90_us"] = Percentile(times, 0.9);
  for (size_t i = 0; i < stages.size(); ++i)
    if (!stages[i].empty()) state.counters[std::to_string(10 + i) + "_" + kStageNames[i] + "_us"] = Percentile(stages[i], 0.5);
}
BENCHMARK(LaunchToReady)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMicrosecond);

void LaunchToReceipt(benchmark::State& state) {
  World& world = TheWorld();
  std::vector<double> times, receipts;
  for (auto _ : state) {
    const auto from = Clock::now();
    Cell cell = StartCell();
    Must(cell.jail.WaitStarted(Soon()));
    const auto ready = Clock::now();
    auto receipt = Must(ReadReceipt(cell.jail.payload_pid(), cell.jail.payload_pidfd(), world.profile, world.built, world.baseline, {}, true));
    const auto to = Clock::now();
    times.push_back(Micros(from, to));
    receipts.push_back(Micros(ready, to));
    state.SetIterationTime(times.back() / 1e6);
    cell.jail.Stop();
  }
  state.counters["median_us"] = Percentile(times, 0.5);
  state.counters["receipt_us"] = Percentile(receipts, 0.5);
}
BENCHMARK(LaunchToReceipt)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMicrosecond);

void StopAndReap(benchmark::State& state) {
  std::vector<double> times;
  for (auto _ : state) {
    Cell cell = StartCell();
    const auto from = Clock::now();
    cell.jail.Stop();
    times.push_back(Micros(from, Clock::now()));
    state.SetIterationTime(times.back() / 1e6);
  }
  state.counters["median_us"] = Percentile(times, 0.5);
}
BENCHMARK(StopAndReap)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMicrosecond);

// The same namespaces, the host's root read-only, no filter: start to exit of /bin/true.
void Bubblewrap(benchmark::State& state) {
  TheWorld();
  const char* const argv[] = {"bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
                              "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev", "--cap-drop", "ALL", "--", "/bin/true", nullptr};
  std::vector<double> times;
  for (auto _ : state) {
    const auto from = Clock::now();
    pid_t pid = 0;
    int status = -1;
    if (posix_spawnp(&pid, "bwrap", nullptr, nullptr, const_cast<char* const*>(argv), environ) == 0) waitpid(pid, &status, 0);
    times.push_back(Micros(from, Clock::now()));
    if (status != 0) {
      state.SkipWithError("bwrap did not run: is it installed, and are user namespaces allowed?");
      return;
    }
    state.SetIterationTime(times.back() / 1e6);
  }
  state.counters["median_us"] = Percentile(times, 0.5);
  state.counters["p90_us"] = Percentile(times, 0.9);
}
BENCHMARK(Bubblewrap)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMicrosecond);

// A frame to a checker cell and a frame back, built, written, read, parsed and checked on both sides: the
// question for a path that is refused without a look, and for the first line of a file that is opened and read.
void RoundTrip(benchmark::State& state, const char* path) {
  Cell cell = StartCell();
  Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("go", subagents::GoFrame{}), Soon()));
  subagents::TaskFrame task;
  task.kind = subagents::CellKind::kChecker;
  Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("task", task), Soon()));
  std::vector<double> times;
  int64_t n = 0;
  for (auto _ : state) {
    const auto from = Clock::now();
    Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("cite", subagents::CiteFrame{n++, path, 1, 1}), Soon()));
    auto frame = Must(subagents::DecodeFrame(Must(cell.reader->Next(Soon()))));
    Must(FromJson<subagents::RangeFrame>(frame.body));
    times.push_back(Micros(from, Clock::now()));
    state.SetIterationTime(times.back() / 1e6);
  }
  state.counters["median_us"] = Percentile(times, 0.5);
}
void FrameRoundTrip(benchmark::State& state) { RoundTrip(state, "../outside"); }
BENCHMARK(FrameRoundTrip)->UseManualTime()->Iterations(5000)->Unit(benchmark::kMicrosecond);
void QuestionRoundTrip(benchmark::State& state) { RoundTrip(state, "megabyte"); }
BENCHMARK(QuestionRoundTrip)->UseManualTime()->Iterations(5000)->Unit(benchmark::kMicrosecond);

// Memory of a jail whose cell has read a file of 1 MB.
void MemoryOfACell(benchmark::State& state) {
  for (auto _ : state) {
    Cell cell = StartCell();
    Must(cell.jail.WaitStarted(Soon()));
    Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("go", subagents::GoFrame{}), Soon()));
    subagents::TaskFrame task;
    task.tools = {"search_text", "read_file"};
    Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("task", task), Soon()));
    Must(cell.reader->Next(Soon()));
    subagents::TurnFrame turn;
    turn.calls.push_back({"call-1-1", "search_text", Json{{"pattern", "not there"}}});
    turn.calls.push_back({"call-1-2", "read_file", Json{{"path", "megabyte"}, {"limit", 2000}}});
    Must(WriteFrame(cell.to.get(), subagents::EncodeFrame("turn", turn), Soon()));
    for (;;) {
      auto frame = Must(subagents::DecodeFrame(Must(cell.reader->Next(Soon()))));
      if (frame.type == "next_turn") break;
    }
    state.counters["cell_pss_kib"] = static_cast<double>(Pss(cell.jail.payload_pid()));
    state.counters["init_pss_kib"] = static_cast<double>(Pss(ParentOf(cell.jail.payload_pid())));
    cell.jail.Stop();
  }
}
BENCHMARK(MemoryOfACell)->Iterations(1);

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  benchmark::Initialize(&argc, argv);
  RegisterFilterBenchmarks();
  RegisterRunBenchmarks();
  RegisterWarmBenchmarks();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
