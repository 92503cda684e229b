#include "orchestrator/run/copy_report.h"

#include <charconv>

namespace paddock::orchestrator {
namespace {

// "WHAT NUMBER PATH" of a line that begins with `what` and a blank.
template <class T>
bool ReadLine(std::string_view line, std::string_view what, T* number, std::string* path) {
  if (!line.starts_with(what)) return false;
  line.remove_prefix(what.size());
  T value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  if (error != std::errc() || !line.starts_with(' ')) return false;
  *number = value;
  path->assign(line.substr(1));
  return true;
}

}  // namespace

CopyReport ReadCopyReport(std::string_view text) {
  CopyReport report;
  for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    const std::string_view line = text.substr(0, end);
    if (!ReadLine(line, "left_out ", &report.left_out, &report.first_left_out)) ReadLine(line, "copy ", &report.error, &report.error_path);
  }
  return report;
}

}  // namespace paddock::orchestrator
