#include "orchestrator/broker/usage_sum.h"

#include <algorithm>

namespace paddock::orchestrator {

void AddUsage(const subagents::Usage& used, subagents::Usage* total) {
  const auto wall_ms = total->wall_ms;
  if (!total->turns) {  // nobody's yet
    *total = used;
    total->wall_ms = wall_ms;
    return;
  }
  const auto add = [](std::optional<int64_t>* sum, const std::optional<int64_t>& one) {
    if (one) *sum = sum->value_or(0) + *one;
  };
  add(&total->turns, used.turns);
  add(&total->tool_calls, used.tool_calls);
  add(&total->input_tokens, used.input_tokens);
  add(&total->cached_tokens, used.cached_tokens);
  add(&total->output_tokens, used.output_tokens);
  add(&total->output_bytes, used.output_bytes);
  if (used.input_tokens.value_or(0) > 0 && !used.cost_nanos) total->cost_nanos.reset();
  if (total->cost_nanos && used.cost_nanos) *total->cost_nanos += *used.cost_nanos;
  add(&total->cpu_ms, used.cpu_ms);
  if (used.peak_rss_kb) total->peak_rss_kb = std::max(total->peak_rss_kb.value_or(0), *used.peak_rss_kb);
}

}  // namespace paddock::orchestrator
