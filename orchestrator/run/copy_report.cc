#include "orchestrator/run/copy_report.h"

#include <charconv>

namespace paddock::orchestrator {
namespace {

// Takes a number and the blank behind it off the line.
template <class T>
bool TakeNumber(std::string_view* line, T* number) {
  T value = 0;
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), value);
  line->remove_prefix(static_cast<size_t>(end - line->data()));
  if (error != std::errc() || !line->starts_with(' ')) return false;
  line->remove_prefix(1);
  *number = value;
  return true;
}

void ReadLine(std::string_view line, CopyReport* report) {
  constexpr std::string_view kLeftOut = "left_out ", kCopy = "copy ", kShowsHost = "shows_host ";
  uint64_t count = 0;
  int why = 0;
  if (line.starts_with(kLeftOut)) {
    line.remove_prefix(kLeftOut.size());
    if (!TakeNumber(&line, &count) || !TakeNumber(&line, &why)) return;
    report->left_out = count;
    report->first_why = why;
    report->first_left_out = line;
  } else if (line.starts_with(kShowsHost)) {
    report->shows_host = true;
    report->error_path = line.substr(kShowsHost.size());
  } else if (line.starts_with(kCopy)) {
    line.remove_prefix(kCopy.size());
    if (!TakeNumber(&line, &why)) return;
    report->error = why;
    report->error_path = line;
  }
}

}  // namespace

CopyReport ReadCopyReport(std::string_view text) {
  CopyReport report;
  for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) ReadLine(text.substr(0, end), &report);
  return report;
}

}  // namespace paddock::orchestrator
