#include "orchestrator/broker/least_budget.h"

#include <algorithm>

#include "agentcore/context/transcript.h"
#include "orchestrator/providers/price.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kBesides = 1'024;         // bytes of a first question that its setup does not have yet
constexpr int64_t kShownNanos = 100'000;   // the smallest sum that is shown

// Of the whole, a tenth is held back for the report (ledger.h).
int64_t Least(int64_t work, int64_t report) { return std::max(work + report, work + work / 9 + 1); }

}  // namespace

Status PaysForAQuestion(const agentcore::ConversationSetup& first, const subagents::Budget& budget, const agentcore::Model& model) {
  if (!model.is_language_model()) return {};
  size_t bytes = kBesides + first.system.size() + first.goal.size() + first.context.size() + agentcore::SizeOf(first.report).bytes;
  if (first.earlier) bytes += first.earlier->bytes();
  for (const auto& tool : first.tools) bytes += agentcore::SizeOf(tool).bytes;
  const int64_t question = SafeTokensOf(bytes), report = std::min(model.max_answer_tokens(), kLeastReportTokens);
  if (const int64_t least = Least(question + kLeastAnswerTokens, question + report); budget.tokens < least)
    return Fail(ErrorKind::kInvalid, "a budget of " + std::to_string(budget.tokens) + " tokens has no room for one question and the report", "allow at least " + std::to_string(least) + " tokens");
  const auto asking = model.CostNanos(question, kLeastAnswerTokens), reporting = model.CostNanos(question, report);
  if (!budget.cost_micros || !asking || !reporting || *asking + *reporting == 0) return {};
  const int64_t least = (Least(*asking, *reporting) / kShownNanos + 1) * kShownNanos, limit = *budget.cost_micros * 1'000;
  if (limit >= least) return {};
  return Fail(ErrorKind::kInvalid, "a budget of " + DollarsText(limit) + " does not pay for one question and the report", "with this model that takes at least " + DollarsText(least) + " (--max-cost)");
}

}  // namespace paddock::orchestrator
