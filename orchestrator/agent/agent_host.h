// What the conversation and the loop of the main agent tell its broker, its record and whoever watches.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "agentcore/loop/loop.h"
#include "orchestrator/agent/exec_events.h"
#include "orchestrator/broker/host.h"

namespace paddock::orchestrator {

// The host of a subagent, and what people see besides.
class AgentHost : public BrokerHost {
 public:
  AgentHost(const HostSetup& setup, const agentcore::Redactor& redactor, const ExecWatcher& watcher, int max_turns)
      : BrokerHost(setup, redactor), redactor_(redactor), watcher_(watcher), max_turns_(max_turns) {}

  void OnTurn(const agentcore::TranscriptTurn& turn, const std::vector<std::string>& mended) override {
    BrokerHost::OnTurn(turn, mended);
    for (const std::string& what : mended) watcher_(WarningEvent{"the model's answer was mended: " + ForTerminal(what, redactor_)});
    const auto& answer = turn.answer;
    watcher_(TurnEvent{turn.turn, max_turns_, static_cast<int64_t>(answer.calls.size()), answer.usage.input_tokens, answer.usage.output_tokens});
    if (!answer.text.empty()) watcher_(TextEvent{turn.turn, answer.text});
  }

  void OnPhase(agentcore::Phase phase, const std::string& reason) override {
    BrokerHost::OnPhase(phase, reason);
    watcher_(PhaseEvent{NameOf(phase), ForTerminal(reason, redactor_)});
  }
  void OnRoom(agentcore::RoomStep step, int64_t tokens, int64_t budget, const std::string& text) override {
    BrokerHost::OnRoom(step, tokens, budget, text);
    if (step != agentcore::RoomStep::kPruned) watcher_(WarningEvent{ForTerminal(text, redactor_) + " (" + std::to_string(tokens) + " of " + std::to_string(budget) + " tokens)"});
  }

 private:
  const agentcore::Redactor& redactor_;
  const ExecWatcher& watcher_;
  const int max_turns_;
};

class AgentObserver : public agentcore::LoopObserver {
 public:
  AgentObserver(const ExecWatcher& watcher, const agentcore::Redactor& redactor) : watcher_(watcher), redactor_(redactor) {}

  void CallStarted(const agentcore::ToolCall& call) override { watcher_(CallStartedEvent{call.id, ForTerminal(call.tool, redactor_), SubjectOf(call)}); }
  void CallFinished(const agentcore::ToolCall& call, const agentcore::ToolResult& result, std::chrono::milliseconds spent) override {
    watcher_(CallFinishedEvent{call.id, ForTerminal(call.tool, redactor_), result.success, result.status, ForTerminal(result.summary, redactor_), spent.count()});
  }

 private:
  std::string SubjectOf(const agentcore::ToolCall& call) const {
    for (const char* key : {"pattern", "path", "goal"})
      if (auto found = call.arguments.find(key); found != call.arguments.end() && found->is_string()) return ForTerminal(found->get_ref<const std::string&>(), redactor_);
    return call.tool == "list_files" ? "." : "";
  }
  const ExecWatcher& watcher_;
  const agentcore::Redactor& redactor_;
};

}  // namespace paddock::orchestrator
