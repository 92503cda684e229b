// Many subagents at once in one process, each with a language model behind HTTP: what each brings, what it costs, and whether any is late.
//
//   many_at_once [SUBAGENTS [LATE_MS]]      default 64, 1000
//
// Nine of ten take five turns with a model that answers after 50 ms: four read a file, the fifth reports, with evidence that must be
// found. The tenth has 4 s and a model that never answers: it must be over by LATE_MS after that. This process may be 150 MB large at
// most, and a cell with its pid 1 6 MB.
#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "base/memory.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/providers/http_process.h"
#include "orchestrator/providers/server_model.h"
#include "orchestrator/session/record.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "tests/long/canned_server.h"
#include "tests/long/held.h"

namespace {

using namespace paddock;
using namespace paddock::orchestrator;
using std::chrono::milliseconds;
namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long kMostKb = 1 << 30, kMostCellKb = 1 << 30;  // a sanitizer takes more
#else
constexpr long kMostKb = 150 * 1024, kMostCellKb = 6 * 1024;
#endif
constexpr milliseconds kLatency{50}, kTight{4'000};

struct World {
  explicit World(int at_once) : programs(fs::canonical("/proc/self/exe").parent_path()), server(Must(CannedServer::Start(kLatency))) {
    starter = Must(CellStarter::Make(programs));
    starter->KeepWarm();
    folder = MakeFolder();
    settings.base_url = server.url();
    settings.at_once = at_once;  // as who runs so many sets it
  }
  ~World() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string programs, folder;
  CannedServer server;
  std::unique_ptr<CellStarter> starter;
  ModelSettings settings;
  FramePool pool{kLargeFrames};
};

struct One {
  bool stalls = false;
  subagents::ResultTicket ticket;
  milliseconds late{0};  // after its deadline; negative: before
};

void Perform(World* world, int number, One* one) {
  Investigation in;
  in.ticket.id = "one-" + std::to_string(number);
  in.ticket.subagent = "explorer";
  in.ticket.goal = "what is this?";
  in.ticket.budget.turns = 8;
  in.ticket.budget.wall_ms = one->stalls ? kTight.count() : 120'000;
  in.definition = Must(subagents::BuiltinDefinition("explorer"));
  in.tools = in.definition.tools;
  in.profile = Must(sandbox::ShippedProfile("read-only"));
  in.workspace = Must(sandbox::ResolveWorkspace(world->folder + "/repo", {}));
  ModelSettings settings = world->settings;
  settings.model = one->stalls ? "stalls" : "five";
  ServerModelSetup setup;
  setup.endpoint = Must(ResolveEndpoint(settings.model, settings, {}));
  setup.transport = std::make_unique<HttpProcess>(SharedHttpPool(setup.endpoint.url, "", world->programs + "/paddock-http", HttpEnvironment({})));
  setup.gate = SharedGate(setup.endpoint.url, "", GateOf(settings));
  ServerModel model(std::move(setup));
  auto record = Must(RunRecord::Create(world->folder + "/state", in.ticket.id, ToJson(in.ticket)));
  in.model = &model;
  in.starter = world->starter.get();
  in.events = record.get();
  in.pool = &world->pool;
  const auto from = Deadline::Clock::now();
  one->ticket = Investigate(in);
  one->late = std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - from) - milliseconds(in.ticket.budget.wall_ms);
  Must(record->WriteResult(ToJson(one->ticket)));
}

// Of one that was late: what was recorded of it, and when.
void PrintTimes(const World& world, size_t number) {
  std::ifstream events(world.folder + "/state/paddock/runs/one-" + std::to_string(number) + "/events.jsonl");
  std::optional<int64_t> first;
  for (std::string line; std::getline(events, line);) {
    const auto event = ParseJson(line, {});
    if (!event) continue;
    const int64_t at = (*event)["time_ms"].get<int64_t>();
    if (!first) first = at;
    std::fprintf(stderr, "%6lld ms %s %.120s\n", static_cast<long long>(at - *first), (*event)["type"].get<std::string>().c_str(), DumpJson((*event)["data"]).c_str());
  }
}

bool Right(const One& one) {
  if (one.stalls) return one.ticket.status == subagents::TicketStatus::kTimeout || one.ticket.ending.kind == "timeout";  // or never started in time
  return one.ticket.status == subagents::TicketStatus::kCompleted && one.ticket.findings.size() == 2 && one.ticket.citations == 2 && one.ticket.citations_verified == 2 &&
         one.ticket.usage.turns == 5;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 64;
  const milliseconds most_late(argc > 2 ? atoi(argv[2]) : 1000);
  if (count < 1) {
    std::fprintf(stderr, "many_at_once: expected a number of subagents\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  KeepMemorySmall();
  World world(count);
  std::vector<One> all(static_cast<size_t>(count));
  for (size_t i = 0; i < all.size(); ++i) all[i].stalls = i % 10 == 9;
  std::atomic<bool> done = false;
  CellSizes sizes;
  const auto from = Deadline::Clock::now();
  {
    std::jthread sampler([&] {
      for (; !done; std::this_thread::sleep_for(milliseconds(200))) LookAtCells(&sizes);
    });
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&, i] { Perform(&world, i, &all[static_cast<size_t>(i)]); });
    threads.clear();
    done = true;
  }
  const auto took = std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - from);
  const long peak_kb = StatusKb("VmHWM:");

  int right = 0, wrong = 0;
  milliseconds latest{0};
  size_t slowest = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const One& one = all[i];
    if (one.late > latest) latest = one.late, slowest = i;
    if (Right(one)) ++right;
    else if (++wrong <= 3) std::fprintf(stderr, "%s\n", DumpJson(ToJson(one.ticket)).c_str());
  }
  std::printf("%d of %d tickets are right after %lld ms; the latest %lld ms after its deadline; this process %ld kB at most; up to %zu cells, the largest %ld kB with its pid 1\n", right, count,
              static_cast<long long>(took.count()), static_cast<long long>(latest.count()), peak_kb, sizes.most, sizes.largest_kb);
  if (latest > most_late) PrintTimes(world, slowest);
  return right == count && latest <= most_late && peak_kb <= kMostKb && sizes.most > 0 && sizes.largest_kb <= kMostCellKb ? 0 : 1;
}
