// What the suites of the machines share: what `paddock doctor` says.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/report/doctor_report.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {

class MachineTest : public FlowTest {
 protected:
  Command DoctorCommand() const { return Paddock({"doctor", "--json", "--repo", Path("repo")}); }
  orchestrator::DoctorReport Doctor() const { return Doctor(DoctorCommand()); }
  orchestrator::DoctorReport Doctor(const Command& command) const {
    const Outcome outcome = Perform(command);
    auto json = ParseJson(outcome.out, {.max_bytes = 1u << 20});
    EXPECT_TRUE(json) << outcome.out << outcome.err;
    if (!json) return {};
    auto report = FromJson<orchestrator::DoctorReport>(*json);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : orchestrator::DoctorReport{};
  }
};

inline std::string StepOf(const orchestrator::DoctorReport& report, const std::string& name) {
  for (const auto& one : report.steps)
    if (NameOf(one.step) == name) return std::string(NameOf(one.outcome)) + ": " + one.seen;
  return "no step " + name;
}

inline std::string MendOf(const orchestrator::DoctorReport& report, const std::string& name) {
  for (const auto& one : report.steps)
    if (NameOf(one.step) == name) return one.mend;
  return "no step " + name;
}

}  // namespace paddock::flow
