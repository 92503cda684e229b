// Repositories as bad as they get, built below a test's own folder, and what paddock says of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agentcore/tools/oddities.h"
#include "subagents/tool_call.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {

// Stands in files outside of the repository: no output may ever hold it.
inline constexpr char kOutside[] = "OUTSIDE-OF-THE-REPOSITORY";

class OddWorkspace : public FlowTest {
 protected:
  OddWorkspace();
  ~OddWorkspace() override;

  void Fifo(const std::string& name) const;
  void Link(const std::string& target, const std::string& name) const;
  void Sparse(const std::string& name, int64_t bytes) const;
  void Mode(const std::string& name, unsigned mode) const;
  // A chain of `levels` folders "d" below `name`; the fixture takes it apart again.
  void Deep(const std::string& name, int levels);

  // The explorer over repo (or `folder`), and what must hold for every repository: it ends by itself, soon, as completed
  // or partial, and shows nothing of outside.
  subagents::ResultTicket Explore(const std::string& folder = "repo") const;
  // The same by a command that the test has made.
  subagents::ResultTicket ExploreBy(const Command& command) const;
  // One call on repo. The report's result must be there.
  agentcore::ToolResult Call(const std::string& tool, const Json& arguments) const;
  // Each of the three tools on `path`: this status, an error and a hint.
  void ExpectEachTool(const std::string& path, const char* read, const char* list, const char* search) const;

  // `command` in a mount namespace of its own, after `mounts` (shell commands; $ROOT is the test's folder). As an ordinary user
  // in a user namespace too.
  Command WithMounts(const std::string& mounts, Command command) const;

 private:
  std::vector<std::pair<std::string, int>> deep_;
};

// The notes of a ticket, one a line.
std::string Notes(const subagents::ResultTicket& ticket);

}  // namespace paddock::flow
