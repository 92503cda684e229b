#include "subagents/playbook/traces/bare_line.h"

#include <re2/re2.h>

#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLine = 1'000;  // bytes; of a longer one the beginning is read

}  // namespace

std::string_view BareLine(std::string_view line, std::string* buffer) {
  line = TruncateUtf8(line, kMaxLine);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  if (line.find('\x1b') != line.npos || line.find("\\u{1B}[") != line.npos) {
    static const RE2 colours(R"((?:\x1b|\\u\{1B\})\[[0-9;]*[A-Za-z])");
    *buffer = std::string(line);
    RE2::GlobalReplace(buffer, colours, "");
    line = *buffer;
  }
  static const RE2 lead(R"((?:\d{4}-\d\d-\d\dT[\d:.]+Z |\d+: (?:\x20)?))");
  re2::StringPiece rest(line.data(), line.size());
  re2::StringPiece before = rest;
  if (RE2::Consume(&rest, lead)) line.remove_prefix(before.size() - rest.size());
  return line;
}

std::string_view Unindented(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  return line;
}

int64_t StatusIn(std::string_view line) {
  static const RE2 status(R"(A command was run .*exit status (\d{1,9})\b.*)");
  int number = 0;
  return RE2::FullMatch(re2::StringPiece(line.data(), line.size()), status, &number) ? number : 1;
}

}  // namespace paddock::subagents
