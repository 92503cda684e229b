#include "orchestrator/providers/answer_stream.h"

#include "orchestrator/providers/wire_json.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxAnswerBytes = 4u << 20;

}  // namespace

Status Answer::Count(size_t more) {
  bytes += more;
  if (bytes <= kMaxAnswerBytes) return {};
  return Fail(ErrorKind::kLimit, "the model's answer is longer than " + std::to_string(kMaxAnswerBytes >> 20) + " MiB");
}

Result<AnswerCall*> AnswerStream::AddCall() {
  if (answer_.calls.size() >= kMaxAnswerCalls) return Fail(ErrorKind::kLimit, "the model's answer has more than " + std::to_string(kMaxAnswerCalls) + " calls");
  return &answer_.calls.emplace_back();
}

const Json* AnswerStream::FaultIn(const Json& event) const { return Member(event, "error") ? &event : nullptr; }

agentcore::ModelTurn AnswerStream::Turn() {
  using agentcore::Finish;
  agentcore::ModelTurn turn;
  turn.text = JoinHalves(std::move(answer_.text));
  turn.usage = answer_.usage;
  turn.finish = answer_.finish.value_or(Finish::kStop);
  if (!answer_.refusal.empty() && answer_.calls.empty()) turn.finish = Finish::kRefused;
  if (turn.finish == Finish::kRefused && turn.text.empty()) turn.text = JoinHalves(std::move(answer_.refusal));
  turn.reasoning = std::move(answer_.reasoning);
  for (agentcore::ReasoningItem& one : turn.reasoning) one.item = JoinHalvesIn(std::move(one.item));
  for (AnswerCall& call : answer_.calls) {
    agentcore::ToolCall out;
    out.tool = JoinHalves(std::move(call.name));
    if (turn.finish == Finish::kLength) {
      out.fault = "the answer was cut off at its limit of tokens, so this call was not run; say less, and call it again";
    } else if (call.arguments.find_first_not_of(" \t\r\n") != std::string::npos) {
      auto arguments = ParseJoined(std::move(call.arguments));
      if (arguments) out.arguments = *std::move(arguments);
      else out.fault = "the arguments of this call are no JSON (" + arguments.error().message + "), so it was not run; call it again with a whole JSON object";
    }
    turn.calls.push_back(std::move(out));
  }
  answer_.calls.clear();
  return turn;
}

}  // namespace paddock::orchestrator
