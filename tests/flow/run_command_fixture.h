// `paddock run` as a shell starts it.
#pragma once

#include "orchestrator/run/outcome.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {

class RunCommandTest : public FlowTest {
 protected:
  // paddock run ARGUMENTS, in the test's repository.
  Command Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    Command command = Paddock(std::move(arguments));
    command.folder = Path("repo");
    return command;
  }
  // sh -c SCRIPT there; $P is paddock.
  Command Shell(const std::string& script) const {
    Command command = Run({});
    command.environment["P"] = command.argv[0];
    command.argv = {"/bin/sh", "-c", script};
    return command;
  }
  // Of a run with --json.
  static orchestrator::RunReport ReportOf(const Outcome& outcome) {
    auto json = ParseJson(outcome.out);
    if (!json) {
      ADD_FAILURE() << json.error().message << "\n" << outcome.out << outcome.err;
      return {};
    }
    auto report = FromJson<orchestrator::RunReport>(*json);
    if (!report) {
      ADD_FAILURE() << report.error().message << "\n" << outcome.out;
      return {};
    }
    EXPECT_EQ(report->exit_status, outcome.status);
    return *report;
  }
};

}  // namespace paddock::flow
