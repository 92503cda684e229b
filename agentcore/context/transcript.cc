#include "agentcore/context/transcript.h"

#include <iterator>

#include "agentcore/context/token_estimate.h"
#include "agentcore/pipeline/clean.h"
#include "agentcore/pipeline/render.h"

namespace paddock::agentcore {
namespace {

constexpr TextSize kMessage{64, 8};    // what a message or a call costs besides its text
constexpr size_t kSmallResult = 600;   // bytes: nothing is won by pruning it

}  // namespace

TextSize SizeOf(const std::string& text) { return {text.size(), EstimateTokens(text)}; }

TextSize SizeOf(const std::vector<CallOutcome>& outcomes) {
  TextSize size;
  for (const CallOutcome& outcome : outcomes) {
    size += kMessage;
    // For those that are no language models nothing is rendered, and nothing counted in tokens.
    size += outcome.text.empty() ? TextSize{ResultBytes(outcome.result), 0} : SizeOf(outcome.text);
  }
  return size;
}

TextSize SizeOf(const TranscriptTurn& turn) {
  TextSize size = kMessage;
  size += SizeOf(turn.notice);
  size += SizeOf(turn.shown);
  size += SizeOf(turn.answer.text);
  for (const ToolCall& call : turn.answer.calls) size += kMessage, size += SizeOf(call.tool), size += SizeOf(DumpJson(call.arguments));
  for (const ReasoningItem& one : turn.answer.reasoning) size += kMessage, size += SizeOf(DumpJson(one.item));
  return size;
}

TextSize SizeOf(const ToolSpec& tool) {
  TextSize size = kMessage;
  size += SizeOf(tool.description);
  size += SizeOf(DumpJson(tool.parameters));
  return size;
}

void Transcript::Add(TranscriptTurn turn) {
  sizes_.push_back(SizeOf(turn));
  total_ += sizes_.back();
  turns_.push_back(std::move(turn));
}

size_t Transcript::Prune(size_t index) {
  TranscriptTurn& turn = turns_[index];
  size_t freed = 0;
  for (CallOutcome& outcome : turn.shown) {
    if (outcome.text.size() <= kSmallResult) continue;
    ToolResult stub = outcome.result;
    stub.artifacts.clear();
    stub.next_actions.clear();
    stub.output = "(left out to save room; make the call again if you need it)";
    std::string text = RenderUntrusted(stub, outcome.call.tool);
    if (text.size() >= outcome.text.size()) continue;
    freed += outcome.text.size() - text.size();
    outcome.text = std::move(text);
  }
  if (freed == 0) return 0;
  total_.bytes -= sizes_[index].bytes;
  total_.tokens -= sizes_[index].tokens;
  sizes_[index] = SizeOf(turn);
  total_ += sizes_[index];
  return freed;
}

Transcript::Taken Transcript::TakeFirst(size_t n) {
  Taken taken;
  const auto end = static_cast<ptrdiff_t>(n);
  taken.turns.assign(std::make_move_iterator(turns_.begin()), std::make_move_iterator(turns_.begin() + end));
  turns_.erase(turns_.begin(), turns_.begin() + end);
  sizes_.erase(sizes_.begin(), sizes_.begin() + end);
  if (!turns_.empty()) {
    taken.last_results = std::exchange(turns_.front().shown, {});
    sizes_.front() = SizeOf(turns_.front());
  }
  total_ = {};
  for (const TextSize& size : sizes_) total_ += size;
  return taken;
}

}  // namespace paddock::agentcore
