// A run of `paddock exec --json` in folders of the test's own, and its events.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/agent/exec_events.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {

struct ExecRun {
  std::vector<Json> events;
  orchestrator::ExecResult result;

  std::vector<Json> OfType(const std::string& type) const {
    std::vector<Json> found;
    for (const Json& event : events)
      if (event["type"] == type) found.push_back(event);
    return found;
  }
  // Of the call with that number.
  Json Finished(size_t n) const {
    const auto all = OfType("call_finished");
    return n < all.size() ? all[n] : Json{{"summary", "there is none"}};
  }
};

// Every line is an event, the first is run_started, the last is the result, and there is one of each.
inline ExecRun ExecRunOf(const Outcome& outcome) {
  ExecRun run;
  size_t begin = 0;
  for (size_t end; (end = outcome.out.find('\n', begin)) != std::string::npos; begin = end + 1) {
    auto json = ParseJson(std::string_view(outcome.out).substr(begin, end - begin), {.max_bytes = 64u << 20, .max_values = 4'000'000});
    EXPECT_TRUE(json) << outcome.out;
    if (json) run.events.push_back(*std::move(json));
  }
  EXPECT_EQ(begin, outcome.out.size()) << "half a line at the end";
  if (run.events.empty() || !run.events.back().contains("result")) {
    ADD_FAILURE() << "no result: " << outcome.out << outcome.err;
    return run;
  }
  EXPECT_EQ(run.events.front()["type"], "run_started");
  EXPECT_EQ(run.events.front()["schema"], orchestrator::kExecEventsSchema);
  EXPECT_EQ(run.OfType("run_started").size(), 1u);
  EXPECT_EQ(run.OfType("result").size(), 1u);
  auto result = FromJson<orchestrator::ExecResult>(run.events.back()["result"]);
  EXPECT_TRUE(result) << result.error().message;
  if (result) run.result = *result;
  return run;
}

class ExecTest : public FlowTest {
 protected:
  Command Exec(std::vector<std::string> more, const std::string& programs = ProgramsFolder()) const {
    std::vector<std::string> arguments{"exec", "what is this?", "--repo", Path("repo")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Paddock(std::move(arguments), programs);
  }
  ExecRun Run(const std::string& script, std::vector<std::string> more = {}, const std::string& programs = ProgramsFolder()) {
    more.insert(more.end(), {"--json", "--model", script});
    outcome_ = Perform(Exec(std::move(more), programs));
    return ExecRunOf(outcome_);
  }
  Outcome outcome_;
};

inline std::string StatusOf(const orchestrator::ExecResult& result) { return NameOf(result.status); }

}  // namespace paddock::flow
