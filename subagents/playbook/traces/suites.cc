#include "subagents/playbook/traces/suites.h"

#include <utility>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxTitles = 200, kMaxTitle = 200;
constexpr size_t kBelowNumber = 5, kBelowTitle = 2;  // blanks more
constexpr std::string_view kOpens = "▶ ";

}  // namespace

void Suites::Take(std::string_view line) {
  if (const size_t at = line.find(kOpens); at != line.npos && titles_.size() < kMaxTitles) titles_.insert(std::string(TruncateUtf8(line.substr(at + kOpens.size()), kMaxTitle)));
}

void Suites::Begin(std::string_view line) { deeper_ = line.ends_with(':') ? std::string::npos : line.find_first_not_of(' ') + kBelowNumber; }

std::string Suites::Next(std::string_view line) {
  const size_t indent = line.find_first_not_of(' '), least = std::exchange(deeper_, std::string::npos);
  if (least == std::string::npos || indent == std::string::npos || indent < least) return "";
  std::string_view title = line.substr(indent);
  if (title.ends_with(':')) title.remove_suffix(1);
  else deeper_ = indent + kBelowTitle;
  return std::string(TruncateUtf8(title, kMaxTitle));
}

}  // namespace paddock::subagents
