#include "orchestrator/providers/sse.h"

namespace paddock::orchestrator {

void SseReader::EndEvent() {
  if (has_data_) events_.push_back(std::move(event_));
  event_ = {};
  has_data_ = false;
}

void SseReader::EndLine() {
  std::string line = std::exchange(line_, {});
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (line.empty()) return EndEvent();
  const size_t colon = line.find(':');
  if (colon == 0) return;  // a comment
  const std::string_view name = std::string_view(line).substr(0, colon);
  std::string_view value = colon == std::string::npos ? std::string_view() : std::string_view(line).substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") event_.event = value;
  if (name == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  }
}

Status SseReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + event_.data.size() + part.size() > max_event_bytes_)
      return Fail(ErrorKind::kLimit, "an event of more than " + std::to_string(max_event_bytes_) + " bytes in the stream");
    line_ += part;
    if (end == std::string_view::npos) return {};
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    EndLine();
  }
  return {};
}

void SseReader::Finish() {
  if (!line_.empty()) EndLine();
  EndEvent();
}

std::optional<SseEvent> SseReader::Pop() {
  if (events_.empty()) return std::nullopt;
  SseEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

}  // namespace paddock::orchestrator
