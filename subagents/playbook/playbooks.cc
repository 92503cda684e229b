#include "subagents/playbook/playbooks.h"

namespace paddock::subagents {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Playbook> (*make)();
};
constexpr Entry kPlaybooks[] = {
    {"architect", &MakeArchitect},
    {"debugger", &MakeDebugger},
    {"explorer", &MakeExplorer},
    {"investigator", &MakeInvestigator},
    {"reviewer", &MakeReviewer},
    {"triage", &MakeTriage},
    {"test-planner", &MakeTestPlanner},
};

}  // namespace

std::unique_ptr<Playbook> MakePlaybook(std::string_view name) {
  for (const Entry& entry : kPlaybooks)
    if (entry.name == name) return entry.make();
  return nullptr;
}

}  // namespace paddock::subagents
