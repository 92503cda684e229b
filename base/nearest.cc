#include "base/nearest.h"

#include <algorithm>

namespace paddock {
namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearestName(std::string_view wanted, const std::vector<std::string>& known) {
  if (wanted.size() > 128) return {};
  std::string best;
  size_t best_distance = std::max<size_t>(1, wanted.size() / 3) + 1;
  for (const auto& name : known) {
    size_t distance = EditDistance(wanted, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string NearestHint(std::string_view wanted, const std::vector<std::string>& known) {
  std::string name = NearestName(wanted, known);
  return name.empty() ? std::string() : "did you mean \"" + name + "\"?";
}

}  // namespace paddock
