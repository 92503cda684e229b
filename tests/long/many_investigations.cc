// One process, many investigations one after the other: its memory, its descriptors, children, mounts and control groups stay what they were.
//
//   many_investigations [RUNS [BASE_URL]]      default 30, with a model's server of its own
//
// A script and a language model by turns, each run with a record, with cells that were built ahead and others. Memory may grow by 2 MB after
// the first tenth of the runs (at least ten); the others not at all. Looked at after every tenth, when no cell waits. Prints a line at a tenth, a
// fifth, half and the end.
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "agentcore/model/scripted.h"
#include "orchestrator/delegation/investigation.h"
#include "orchestrator/providers/server_model.h"
#include "orchestrator/providers/http_process.h"
#include "orchestrator/session/record.h"
#include "sandbox/profile_json.h"
#include "subagents/builtin.h"
#include "tests/long/canned_server.h"
#include "tests/long/held.h"

namespace {

using namespace paddock;
using namespace paddock::orchestrator;
namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long kMostGrowthKb = 1 << 30;  // a sanitizer keeps what was freed
#else
constexpr long kMostGrowthKb = 2048;
#endif

constexpr char kScript[] = R"({"schema": "paddock/script/1", "turns": [
  {"calls": [{"tool": "list_files", "arguments": {"path": "."}}, {"tool": "read_file", "arguments": {"path": "README.md"}}]},
  {"report": {"summary": "It is a thing.", "findings": [{"title": "t", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"}]}]}}]})";

// Everything that stays from run to run.
struct World {
  World() : programs(fs::canonical("/proc/self/exe").parent_path()) {
    starter = Must(CellStarter::Make(programs));
    folder = MakeFolder();
  }
  ~World() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string programs, folder;
  std::unique_ptr<CellStarter> starter;
};

std::unique_ptr<agentcore::Model> MakeModel(bool language, const World& world, const std::string& url) {
  if (!language) return std::make_unique<agentcore::ScriptedModel>(Must(agentcore::ParseScript(kScript, "script")));
  ModelSettings settings;
  settings.base_url = url;
  settings.model = "calls";
  ServerModelSetup setup;
  setup.endpoint = Must(ResolveEndpoint("calls", settings, {}));
  setup.transport = std::make_unique<HttpProcess>(SharedHttpPool(setup.endpoint.url, "", world.programs + "/paddock-http", HttpEnvironment({})));
  return std::make_unique<ServerModel>(std::move(setup));
}

bool RunOne(World* world, int number, const std::string& url) {
  Investigation in;
  in.ticket.id = "run-" + std::to_string(number);
  in.ticket.subagent = "explorer";
  in.ticket.goal = "what is this?";
  in.ticket.budget.turns = 6;
  in.ticket.budget.wall_ms = 60'000;
  in.definition = Must(subagents::BuiltinDefinition("explorer"));
  in.tools = in.definition.tools;
  in.profile = Must(sandbox::ShippedProfile(in.definition.profile));
  in.sealed_profile = Must(sandbox::ShippedProfile("sealed"));
  in.workspace = Must(sandbox::ResolveWorkspace(world->folder + "/repo", {}));
  FramePool pool(kLargeFrames);
  auto record = Must(RunRecord::Create(world->folder + "/state", in.ticket.id, ToJson(in.ticket)));
  auto model = MakeModel(number % 2 == 0, *world, url);
  in.model = model.get();
  in.starter = world->starter.get();
  in.events = record.get();
  in.pool = &pool;
  const subagents::ResultTicket ticket = Investigate(in);
  const Status written = record->WriteResult(ToJson(ticket));
  std::error_code ignored;
  fs::remove_all(record->folder(), ignored);
  if (ticket.status == subagents::TicketStatus::kCompleted && ticket.citations_verified == 1 && written) return true;
  std::fprintf(stderr, "run %d: %s\n", number, DumpJson(ToJson(ticket)).c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? atoi(argv[1]) : 30;
  if (runs < 20) {
    std::fprintf(stderr, "many_investigations: expected at least 20 runs\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  World world;
  std::optional<CannedServer> server;
  if (argc <= 2) server.emplace(Must(CannedServer::Start()));
  const std::string url = argc > 2 ? argv[2] : server->url();

  const int warm = std::max(10, runs / 10);
  const std::set<int> shown = {warm, 2 * warm, runs / 2, runs};
  std::optional<Held> first, base;
  for (int i = 1; i <= runs; ++i) {
    world.starter->KeepWarm();
    if (!RunOne(&world, i, url)) return 1;
    if (i % 10 != 0 && !shown.contains(i)) continue;
    world.starter->KeepWarm({.cells = 0});
    if (!world.starter->warm().WaitFor(0, Deadline::After(std::chrono::seconds(30)))) return std::fprintf(stderr, "run %d: cells that nobody wants still wait\n", i), 1;
    const Held now = Look();
    if (!first) first = now;
    if (i == warm) base = now;
    if (shown.contains(i))
      std::printf("after %5d runs: %6ld kB, %zu descriptors, %zu children, %zu mounts, %zu control groups\n", i, now.rss_kb, now.descriptors, now.children, now.mounts, now.groups);
    if (now.descriptors != first->descriptors || now.children != first->children || now.mounts > first->mounts || now.groups > first->groups) {
      std::fprintf(stderr, "run %d left something: %zu descriptors, %zu children, %zu mounts and %zu control groups, %zu, %zu, %zu and %zu at first\n", i, now.descriptors, now.children,
                   now.mounts, now.groups, first->descriptors, first->children, first->mounts, first->groups);
      return 1;
    }
    if (base && now.rss_kb - base->rss_kb > kMostGrowthKb) {
      std::fprintf(stderr, "run %d: %ld kB more than after run %d; at most %ld\n", i, now.rss_kb - base->rss_kb, warm, kMostGrowthKb);
      return 1;
    }
  }
  return 0;
}
