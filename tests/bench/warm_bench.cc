// From the call to the task accepted: a cell that is built then, beside one that was built before, in one run.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/frame_pipe.h"
#include "orchestrator/delegation/cell_starter.h"
#include "sandbox/profile_json.h"
#include "subagents/frames.h"
#include "tests/bench/measure.h"

namespace {

using namespace paddock;
using namespace paddock::bench;
using orchestrator::CellStarter;

constexpr int kRuns = 1000;

struct Warmth {
  Warmth() {
    starter = Must(CellStarter::Make(std::filesystem::canonical("/proc/self/exe").parent_path()));
    std::string pattern = std::filesystem::temp_directory_path() / "paddock-bench-XXXXXX";
    folder = mkdtemp(pattern.data());
    std::ofstream(folder + "/README.md") << "# Thing\n";
    profile = Must(sandbox::ShippedProfile("read-only"));
    workspace = Must(sandbox::ResolveWorkspace(folder, {}));
  }
  ~Warmth() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::unique_ptr<CellStarter> starter;
  std::string folder;
  sandbox::Profile profile;
  sandbox::Workspace workspace;
};

// Until the cell has its task and asks for the first turn; µs. The jail is ended afterwards.
double ToAccepted(Warmth* world, bool warm) {
  const auto from = Clock::now();
  auto cell = world->starter->Start({.profile = &world->profile, .workspace = &world->workspace}, Soon());
  if (!cell) GiveUp(cell.error().error);
  subagents::TaskFrame task;
  task.tools = {"list_files", "read_file", "search_text"};
  Must(WriteFrame(cell->to.get(), subagents::EncodeFrame("task", task), Soon()));
  FrameReader reader(cell->from.get(), 1u << 20);
  Must(reader.Next(Soon()));
  const auto to = Clock::now();
  if (cell->warm != warm) GiveUp(Fail(ErrorKind::kInternal, warm ? "a cell was built that should have been there" : "a cell was there that should have been built").error());
  return Micros(from, to);
}

// Both by turns, so that what the machine does besides falls on both.
void CallToAccepted(benchmark::State& state) {
  Warmth world;
  orchestrator::WarmCells& pool = world.starter->warm();
  ToAccepted(&world, false);
  std::vector<double> cold, warm;
  for (auto _ : state) {
    world.starter->KeepWarm({.cells = 0});
    if (!pool.WaitFor(0, Soon())) GiveUp(Fail(ErrorKind::kInternal, "the pool is not empty").error());
    cold.push_back(ToAccepted(&world, false));
    world.starter->KeepWarm({.cells = 1});
    if (cold.size() == 1) ToAccepted(&world, false);  // asked for once
    if (!pool.WaitFor(1, Soon())) GiveUp(Fail(ErrorKind::kInternal, "no warm cell").error());
    warm.push_back(ToAccepted(&world, true));
    state.SetIterationTime(warm.back() / 1e6);
  }
  for (auto& [name, times] : std::map<std::string, std::vector<double>&>{{"cold", cold}, {"warm", warm}}) {
    state.counters[name + "_median_us"] = Percentile(times, 0.5);
    state.counters[name + "_p99_us"] = Percentile(times, 0.99);
  }
  state.counters["cold_by_warm"] = Percentile(cold, 0.5) / Percentile(warm, 0.5);
  state.counters["pss_kib"] = static_cast<double>(pool.cell_kb());
}

}  // namespace

void RegisterWarmBenchmarks() { benchmark::RegisterBenchmark("CallToAccepted", CallToAccepted)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMicrosecond); }
