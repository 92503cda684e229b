// Turns of a playbook, whichever it is.
#include <gtest/gtest.h>

#include "subagents/playbook/paced.h"

namespace paddock::subagents {
namespace {

class Counting : public PacedPlaybook {
 public:
  int taken = 0;
  bool cut_short = false;

 private:
  void Take(const agentcore::CallOutcome& /*outcome*/) override { ++taken; }
  void Plan(const ModelRequestFrame& request) override {
    if (request.turn == 1) queue_.Add("list_files", Json::object());
    if (request.turn == 2) queue_.Read("a.c", 10);
  }
  Report Write(const PlaybookRun& run) override {
    cut_short = run.cut_short;
    return {};
  }
};

ModelRequestFrame Request(int64_t turn, std::vector<agentcore::CallOutcome> latest, bool wrap_up = false) {
  ModelRequestFrame frame;
  frame.latest = std::move(latest);
  frame.turn = turn;
  frame.max_turns = 10;
  frame.wrap_up = wrap_up;
  return frame;
}

// The time for an answer was over: the loop asks for the report with what it had shown before, and runs none of what the late answer asked for.
TEST(PacedPlaybook, WhatALateAnswerAskedForWasNotRun) {
  Counting playbook;
  ASSERT_EQ(playbook.Next(Request(1, {})).calls.at(0).tool, "list_files");
  agentcore::CallOutcome listed;
  listed.call = {"call-1", "list_files", Json::object()};
  ASSERT_EQ(playbook.Next(Request(2, {listed})).calls.at(0).tool, "read_file");
  EXPECT_EQ(playbook.Next(Request(3, {listed}, true)).calls.at(0).tool, "report");
  EXPECT_EQ(playbook.taken, 1);
  EXPECT_TRUE(playbook.cut_short);
}

TEST(PacedPlaybook, AllThatWasAskedForIsNotCutShort) {
  Counting playbook;
  playbook.Next(Request(1, {}));
  agentcore::CallOutcome listed, read;
  listed.call = {"call-1", "list_files", Json::object()};
  read.call = {"call-2", "read_file", Json::object()};
  playbook.Next(Request(2, {listed}));
  EXPECT_EQ(playbook.Next(Request(3, {read})).calls.at(0).tool, "report");
  EXPECT_EQ(playbook.taken, 2);
  EXPECT_FALSE(playbook.cut_short);
}

}  // namespace
}  // namespace paddock::subagents
