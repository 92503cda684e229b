#include "agentcore/loop/chant.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace paddock::agentcore {
namespace {

constexpr size_t kTail = 16u << 10;
constexpr size_t kLeastBytes = 400;
constexpr size_t kLeastTimes = 8;

// Words without what changes from time to time: spaces count as one, digits as the same digit.
std::string Levelled(std::string_view text) {
  std::string out;
  for (unsigned char c : text) {
    if (std::isspace(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (std::isdigit(c)) {
      if (out.empty() || out.back() != '0') out += '0';
    } else {
      out += static_cast<char>(std::tolower(c));
    }
  }
  return out;
}

bool SaysSomething(std::string_view piece) {
  return std::count_if(piece.begin(), piece.end(), [](unsigned char c) { return std::isalpha(c) || c >= 0x80; }) >= 3;
}

}  // namespace

// From the end backwards: at each length the shortest period of what was passed so far, by the failure function of
// Knuth, Morris and Pratt.
bool IsChant(std::string_view text) {
  if (text.size() < kLeastBytes) return false;
  std::string tail = Levelled(text.substr(text.size() - std::min(text.size(), kTail)));
  std::reverse(tail.begin(), tail.end());
  if (!tail.empty() && tail.front() == ' ') tail.erase(0, 1);
  std::vector<size_t> border(tail.size(), 0);
  for (size_t i = 1, k = 0; i < tail.size(); ++i) {
    while (k > 0 && tail[i] != tail[k]) k = border[k - 1];
    if (tail[i] == tail[k]) ++k;
    border[i] = k;
    const size_t length = i + 1, period = length - k;
    if (length >= kLeastBytes && length >= kLeastTimes * period && SaysSomething(std::string_view(tail).substr(0, period))) return true;
  }
  return false;
}

}  // namespace paddock::agentcore
