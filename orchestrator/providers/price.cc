#include "orchestrator/providers/price.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr double kNanosPerToken = 1'000;  // of a price of one dollar for a million
constexpr double kMostNanos = 1e16;       // so that sums of many still fit
constexpr int64_t kMostMicros = 1'000'000'000'000;

int64_t Nanos(double dollars_per_million_times_tokens) { return static_cast<int64_t>(std::ceil(std::min(dollars_per_million_times_tokens * kNanosPerToken - 1e-6, kMostNanos))); }

}  // namespace

int64_t CostNanos(const ModelPrice& price, const agentcore::ModelUsage& usage) {
  const int64_t in = std::max<int64_t>(usage.input_tokens, 0), out = std::max<int64_t>(usage.output_tokens, 0);
  const int64_t cached = std::clamp<int64_t>(usage.cached_tokens.value_or(0), 0, in);
  const double sum = price.input * static_cast<double>(in - cached) + price.cached_input.value_or(price.input) * static_cast<double>(cached) + price.output * static_cast<double>(out);
  return std::max<int64_t>(Nanos(sum), 0);
}

int64_t MostCostNanos(const ModelPrice& price, int64_t input_tokens, int64_t output_tokens) {
  ModelPrice dearest = price;
  dearest.input = std::max(price.input, price.cached_input.value_or(0));
  dearest.cached_input.reset();
  return CostNanos(dearest, {input_tokens, output_tokens});
}

std::string DollarsText(int64_t nanos) {
  if (nanos > 0 && nanos < 100'000) return "under $0.0001";
  const int64_t parts = nanos / 100'000;  // of ten thousand
  std::string fraction = std::to_string(10'000 + parts % 10'000).substr(1);
  while (fraction.size() > 2 && fraction.back() == '0') fraction.pop_back();
  return "$" + std::to_string(parts / 10'000) + "." + fraction;
}

Result<int64_t> ReadDollars(std::string_view text) {
  const auto bad = [&] { return Fail(ErrorKind::kInvalid, "\"" + VisibleText(TruncateUtf8(text, 32), Newlines::kEscape) + "\": expected US dollars, for example 0.50, at most 1000000 and at most 6 digits after the point"); };
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  if (whole.size() + fraction.size() == 0 || whole.size() > 7 || fraction.size() > 6 || (point < text.size() && fraction.empty())) return bad();
  fraction.resize(6, '0');
  const std::string digits = std::string(whole) + fraction;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return bad();
  int64_t micros = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), micros);
  if (micros > kMostMicros) return bad();
  return micros;
}

}  // namespace paddock::orchestrator
