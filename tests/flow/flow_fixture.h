// A whole run in folders of the test's own: repository, settings, state, home and temporary files.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "subagents/ticket.h"
#include "tests/flow/run.h"

namespace paddock::flow {

// The folder of paddock, paddock-jail and paddock-cell, and the one where paddock-cell is hostile_cell.
std::string ProgramsFolder();
std::string HostileFolder();

class FlowTest : public testing::Test {
 protected:
  FlowTest();
  ~FlowTest() override;

  // Below the test's own folder: state, config, home, tmp, repo.
  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) const;  // makes the folders above
  std::string Read(const std::string& name) const;
  std::vector<std::string> List(const std::string& name) const;  // every path below, sorted

  // {"schema": "paddock/script/1", "turns": TURNS, ...} as a file; the value for --model. `turns` is JSON text.
  std::string Script(const std::string& turns, const std::string& more = "") const;
  // paddock with these arguments, in the test's folders.
  Command Paddock(std::vector<std::string> arguments, const std::string& programs = ProgramsFolder()) const;
  // investigate explorer GOAL --repo repo --json, and what is added.
  Command Investigate(std::vector<std::string> more, const std::string& programs = ProgramsFolder()) const;
  // Started, finished, and nothing left of it.
  Outcome Perform(const Command& command) const;

  std::string root_;
};

// The one ticket that a run with --json printed; a failure when there is anything else on standard output.
subagents::ResultTicket TicketOf(const Outcome& outcome);
std::string StatusOf(const subagents::ResultTicket& ticket);

// A quoted JSON string.
std::string Quoted(const std::string& text);

}  // namespace paddock::flow
