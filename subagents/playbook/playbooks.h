// The playbooks, one a file: each stands where the language model of the shipped subagent of its name would.
#pragma once

#include <memory>

#include "subagents/playbook.h"

namespace paddock::subagents {

std::unique_ptr<Playbook> MakeArchitect();
std::unique_ptr<Playbook> MakeDebugger();
std::unique_ptr<Playbook> MakeExplorer();
std::unique_ptr<Playbook> MakeInvestigator();
std::unique_ptr<Playbook> MakeReviewer();
std::unique_ptr<Playbook> MakeTriage();
std::unique_ptr<Playbook> MakeTestPlanner();

}  // namespace paddock::subagents
