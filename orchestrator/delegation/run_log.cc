#include "orchestrator/delegation/run_log.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kLogBytes = 64u << 10;           // for a language model
constexpr size_t kPlaybookLogBytes = 1u << 20;  // nobody pays for what it reads
constexpr size_t kLeastLogBytes = 2u << 10;
constexpr size_t kMaxSequence = 256;              // bytes; what is longer is text

// Behind the escape sequence that begins at `at`: CSI and OSC by ECMA-48, two bytes otherwise.
size_t EndOfSequence(std::string_view bytes, size_t at) {
  const size_t limit = std::min(bytes.size(), at + kMaxSequence);
  if (at + 1 >= bytes.size()) return bytes.size();
  const char kind = bytes[at + 1];
  if (kind == '[') {
    for (size_t i = at + 2; i < limit; ++i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      if (c >= 0x40 && c <= 0x7e) return i + 1;
      if (c < 0x20) return i;
    }
    return at + 1;
  }
  if (kind == ']') {
    for (size_t i = at + 2; i < limit; ++i) {
      if (bytes[i] == '\a') return i + 1;
      if (bytes[i] == '\n') return i;
      if (bytes[i] == '\x1b') return i + 1 < bytes.size() && bytes[i + 1] == '\\' ? i + 2 : i;
    }
    return at + 1;
  }
  return at + (kind >= 0x20 && kind < 0x7f ? 2 : 1);
}

std::string_view WholeLines(std::string_view text, size_t most, bool from_end) {
  if (text.size() <= most) return text;
  if (from_end) {
    std::string_view end = text.substr(text.size() - most);
    const size_t newline = end.find('\n');
    return newline == end.npos ? std::string_view() : end.substr(newline + 1);
  }
  const size_t newline = text.substr(0, most).rfind('\n');
  return newline == text.npos ? TruncateUtf8(text, most) : text.substr(0, newline + 1);
}

}  // namespace

std::string WithoutTerminalCodes(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  size_t line = 0;  // where the current one begins in `out`
  for (size_t i = 0; i < bytes.size();) {
    const char c = bytes[i];
    if (c == '\x1b') {
      i = EndOfSequence(bytes, i);
    } else if (c == '\r') {
      size_t next = i + 1;
      while (next < bytes.size() && bytes[next] == '\r') ++next;
      if (next < bytes.size() && bytes[next] != '\n') out.resize(line);
      i = next;
    } else {
      out += c;
      if (c == '\n') line = out.size();
      ++i;
    }
  }
  return out;
}

std::string LogOf(const RunReport& report, const agentcore::Redactor& redactor, size_t max_bytes) {
  const std::string head = report.out ? BytesFromWire(report.out->text) : "";
  const auto clean = [&](std::string_view bytes) { return redactor.Redact(VisibleText(WithoutTerminalCodes(bytes), Newlines::kKeep)); };
  const uint64_t seen = head.size() + report.last_output.size(), written = report.out ? report.out->bytes : 0;
  std::string gap;
  // Where something is missing between what was kept, the two are no one text: half a line at either end means nothing.
  const bool torn = written > seen;
  const std::string first = clean(torn ? WholeLines(head, head.size() - !head.empty(), false) : std::string_view(head + report.last_output));
  const std::string last = torn ? clean(WholeLines(report.last_output, report.last_output.size() - !report.last_output.empty(), true)) : "";
  if (!torn && first.size() <= max_bytes) return first;
  const std::string_view begin = WholeLines(first, max_bytes / 3, false), end = WholeLines(torn ? last : first, max_bytes - max_bytes / 3, true);
  const uint64_t kept = begin.size() + end.size();
  std::string text(begin);
  text += "[... about " + std::to_string(std::max<uint64_t>(written, kept) - kept) + " bytes of output are left out here ...]\n";
  text += end;
  return text;
}

size_t LogRoom(const agentcore::Model* model) {
  if (!model || !model->is_language_model()) return kPlaybookLogBytes;
  // Logs are dense: two bytes a token.
  if (const int64_t window = model->context_window(); window > 0) return std::clamp(static_cast<size_t>(window) / 4 * 2, kLeastLogBytes, kLogBytes);
  return kLogBytes;
}

}  // namespace paddock::orchestrator
