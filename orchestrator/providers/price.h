// What a model costs, as the user's settings say: US dollars per million tokens. Counted in billionths of a dollar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agentcore/model/model.h"
#include "base/fields.h"
#include "base/result.h"

namespace paddock::orchestrator {

struct ModelPrice {
  double input = 0, output = 0;
  std::optional<double> cached_input;
};
inline auto Fields(FieldsOf<ModelPrice>) {
  return std::make_tuple(Required("input", &ModelPrice::input, "US dollars for a million tokens sent").Min(0).Max(1e6),
                         Optional("cached_input", &ModelPrice::cached_input, "the same, of those read from the server's cache; null: as input").Min(0).Max(1e6),
                         Required("output", &ModelPrice::output, "US dollars for a million tokens received").Min(0).Max(1e6));
}

// Rounded up.
int64_t CostNanos(const ModelPrice& price, const agentcore::ModelUsage& usage);
// At most: nothing is read from a cache, unless that is dearer.
int64_t MostCostNanos(const ModelPrice& price, int64_t input_tokens, int64_t output_tokens);

// "$0.0123"; "under $0.0001".
std::string DollarsText(int64_t nanos);
// "0.5", "2", "1.25": millionths of a dollar. kInvalid for anything else, and past a million dollars.
Result<int64_t> ReadDollars(std::string_view text);

}  // namespace paddock::orchestrator
