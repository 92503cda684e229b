// `paddock run --profile sealed -- /bin/true` beside bubblewrap's usual line, in turns: from a shell, and from a paddock
// that is running already. The counters are medians in µs, and their ratios.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/frame_pipe.h"
#include "sandbox/jail.h"
#include "sandbox/profile_json.h"
#include "sandbox/program_plan.h"
#include "sandbox/receipt.h"
#include "tests/bench/measure.h"

extern char** environ;

namespace {

using namespace paddock;
using namespace paddock::bench;
using namespace paddock::sandbox;

constexpr int kRounds = 200;

// Start to end of a command, in µs; below 0 when it failed.
double Spawned(const std::vector<const char*>& argv) {
  const auto from = Clock::now();
  pid_t pid = 0;
  int status = -1;
  if (posix_spawnp(&pid, argv[0], nullptr, nullptr, const_cast<char* const*>(argv.data()), environ) == 0) waitpid(pid, &status, 0);
  return status == 0 ? Micros(from, Clock::now()) : -1;
}

// A program in a sealed jail of a launcher that is there: plan, jail, receipt, go.
class Running {
 public:
  Running() : profile_(Must(ShippedProfile("sealed"))), launcher_(Must(Launcher::Start(Bin() + "/paddock-jail"))), baseline_(Must(ReadBaseline())) {
    Must(launcher_->WaitReady(Soon()));
  }
  static std::string Bin() { return std::filesystem::canonical("/proc/self/exe").parent_path(); }

  Jail Start(std::vector<std::string> argv) {
    ProgramRequest request;
    request.profile = &profile_;
    request.argv = std::move(argv);
    request.programs_folder = Bin();
    const BuiltPlan built = Must(BuildProgramPlan(request, ThisCaller()));
    std::vector<UniqueFd> passed;
    Pipe input = Must(MakePipe());
    passed.push_back(std::move(input.read));
    for (int i = 1; i < 3; ++i) passed.emplace_back(open("/dev/null", O_WRONLY | O_CLOEXEC));
    input_ = std::move(input.write);
    Jail jail = Must(launcher_->StartJail(built.plan, std::move(passed), Soon()));
    Must(jail.WaitStarted(Soon()));
    auto receipt = Must(ReadReceipt(jail.payload_pid(), jail.payload_pidfd(), profile_, built, baseline_,
                                    {{Layer::kLandlock, jail.landlock_witness()}, {Layer::kSeccomp, jail.seccomp_witness()}}, true));
    Must(CheckReceipt(receipt));
    Must(jail.Go());
    return jail;
  }

  double Once() {
    const auto from = Clock::now();
    Jail jail = Start({"/bin/true"});
    EndedByPidfd(jail.end_fd(), Soon());
    const JailEnd end = jail.Stop();
    return end.kind == EndKind::kExited && end.code == 0 ? Micros(from, Clock::now()) : -1;
  }

 private:
  Profile profile_;
  std::unique_ptr<Launcher> launcher_;
  Baseline baseline_;
  UniqueFd input_;
};

void RunTrue(benchmark::State& state) {
  const std::string paddock = Running::Bin() + "/paddock";
  Running running;
  std::vector<double> bwrap, shell, inside;
  for (auto _ : state) {
    bwrap.push_back(Spawned({"bwrap", "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent",
                             "--new-session", "/bin/true", nullptr}));
    shell.push_back(Spawned({paddock.c_str(), "run", "--profile", "sealed", "--", "/bin/true", nullptr}));
    inside.push_back(running.Once());
    if (bwrap.back() < 0 || shell.back() < 0 || inside.back() < 0) {
      state.SkipWithError("one of the three failed: is bwrap installed, and are user namespaces allowed?");
      return;
    }
    state.SetIterationTime(shell.back() / 1e6);
  }
  const double against = Percentile(bwrap, 0.5);
  state.counters["bwrap_us"] = against;
  state.counters["shell_us"] = Percentile(shell, 0.5);
  state.counters["running_us"] = Percentile(inside, 0.5);
  state.counters["shell_ratio"] = Percentile(shell, 0.5) / against;
  state.counters["running_ratio"] = Percentile(inside, 0.5) / against;
}

// A jail that waits: pid 1 and the program.
void IdleJail(benchmark::State& state) {
  Running running;
  for (auto _ : state) {
    Jail jail = running.Start({"cat"});
    pollfd nothing{-1, 0, 0};
    poll(&nothing, 1, 300);  // until it waits for its input
    state.counters["program_pss_kib"] = static_cast<double>(Pss(jail.payload_pid()));
    state.counters["init_pss_kib"] = static_cast<double>(Pss(ParentOf(jail.payload_pid())));
    jail.Stop();
  }
}

}  // namespace

void RegisterRunBenchmarks() {
  benchmark::RegisterBenchmark("RunTrue", RunTrue)->UseManualTime()->Iterations(kRounds)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("IdleJail", IdleJail)->Iterations(1);
}
