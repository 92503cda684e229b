// What loading each shipped profile's filters costs: size and time, in a forked child for each load, as a loaded filter stays.
#include <benchmark/benchmark.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/profile_json.h"
#include "sandbox/syscall_filter.h"
#include "sandbox/syscall_groups.h"

namespace {

using namespace paddock;
using namespace paddock::sandbox;
using Clock = std::chrono::steady_clock;

constexpr int kLoads = 2000;

// Loads `before`, if any, and then `program`; µs for the latter. Nothing when the child could not.
std::optional<double> LoadOnce(const std::string& before, const std::string& program) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    auto load = [](const std::string& bytes) {
      sock_fprog code{static_cast<unsigned short>(bytes.size() / sizeof(sock_filter)), reinterpret_cast<sock_filter*>(const_cast<char*>(bytes.data()))};
      return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &code) == 0;
    };
    double micros = -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && (before.empty() || load(before))) {
      const auto from = Clock::now();
      if (load(program)) micros = std::chrono::duration<double, std::micro>(Clock::now() - from).count();
    }
    (void)!write(ends[1], &micros, sizeof micros);
    _exit(0);
  }
  close(ends[1]);
  double micros = -1;
  const bool told = child > 0 && read(ends[0], &micros, sizeof micros) == sizeof micros && micros >= 0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return told ? std::optional(micros) : std::nullopt;
}

void LoadFilter(benchmark::State& state, const std::string& name, bool second) {
  auto profile = ShippedProfile(name);
  auto rules = profile ? ResolveCalls(profile->syscalls.allow) : std::unexpected(profile.error());
  auto start = StartCalls();
  if (!rules || !start) return state.SkipWithError("the profile can't be read");
  // What the child does after the load has to be allowed: nothing is denied here, it is only as large.
  CallRules first = Union(*rules, *start);
  auto before = CompileFilter(first, {}), program = CompileFilter(*rules, {});
  if (!before || !program) return state.SkipWithError("the filter can't be compiled");
  const sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  const std::string one_instruction(reinterpret_cast<const char*>(&allow), sizeof allow);
  std::vector<double> times, floor;
  for (auto _ : state) {
    if (auto least = LoadOnce(second ? *before : std::string(), one_instruction)) floor.push_back(*least);
    auto micros = second ? LoadOnce(*before, *program) : LoadOnce({}, *before);
    if (!micros) return state.SkipWithError("a filter was not loaded");
    times.push_back(*micros);
    state.SetIterationTime(*micros / 1e6);
  }
  std::sort(times.begin(), times.end());
  std::sort(floor.begin(), floor.end());
  state.counters["median_us"] = times[times.size() / 2];
  state.counters["p90_us"] = times[times.size() * 9 / 10];
  // What the machine takes now for a filter that says yes to all: much more while it is busy.
  if (!floor.empty()) state.counters["least_median_us"] = floor[floor.size() / 2];
  state.counters["instructions"] = static_cast<double>((second ? program : before)->size() / sizeof(sock_filter));
}

}  // namespace

// A profile without calls can't be measured: its child could not say so.
void RegisterFilterBenchmarks() {
  for (const std::string& name : ShippedProfileNames()) {
    auto profile = ShippedProfile(name);
    if (!profile || profile->syscalls.allow.empty()) continue;
    for (bool second : {false, true})
      benchmark::RegisterBenchmark(("LoadFilter/" + name + (second ? "/second" : "/first")).c_str(), LoadFilter, name, second)
          ->UseManualTime()->Iterations(kLoads)->Unit(benchmark::kMicrosecond);
  }
}
