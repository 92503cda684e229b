#include "agentcore/tools/line_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kBufferBytes = 64u << 10;  // even, so that UTF-16 units are never cut

ssize_t ReadAt(int fd, char* data, size_t size, uint64_t offset) {
  for (;;) {
    ssize_t got = ::pread(fd, data, size, static_cast<off_t>(offset));
    if (got >= 0 || errno != EINTR) return got;
  }
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

ToolOutcome<TextFile> OpenTextFile(int root_fd, const std::string& path, Links links) {
  auto file = OpenRegularFile(root_fd, path, links);
  if (!file) return std::unexpected(std::move(file).error());
  std::string sample(kSampleBytes, '\0');
  ssize_t got = ReadAt(file->fd.get(), sample.data(), sample.size(), 0);
  if (got < 0)
    return std::unexpected(ToolError{ToolStatus::kFailed, QuotedPath(path) + " could not be read (" + ErrnoName(errno) + ")",
                                     "go on without this file and say that it could not be read",
                                     {CallText("list_files", Json{{"path", PathToText(ParentOf(path).substr(0, 1024))}, {"depth", 1}})}});
  sample.resize(static_cast<size_t>(got));
  return TextFile{*std::move(file), DetectContent(sample)};
}

ToolError BinaryFileError(const std::string& path, const TextFile& text) {
  std::string size = std::to_string(text.file.size) + " bytes";
  return {ToolStatus::kUnsupported, QuotedPath(path) + " is not text: " + text.content.kind + ", " + size,
          "only text can be read by line; " + size + " of " + text.content.kind + " are best named, not quoted. Look for the source it was made from",
          {CallText("list_files", Json{{"path", PathToText(ParentOf(path).substr(0, 1024))}, {"depth", 1}})}};
}

LineReader::LineReader(int fd, TextEncoding encoding, Deadline deadline, uint64_t max_scan)
    : fd_(fd), encoding_(encoding), deadline_(deadline), max_scan_(max_scan) {}

bool LineReader::Fill() {
  if (stop_ != Stop::kNone) return false;
  if (offset_ >= max_scan_) {
    stop_ = Stop::kScanLimit;
  } else if (offset_ > 0 && deadline_.passed()) {
    stop_ = Stop::kDeadline;
  } else {
    if (buffer_.empty()) buffer_.resize(kBufferBytes);
    filled_ = at_ = 0;
    // Short reads are put together: the buffer stays even.
    while (filled_ < buffer_.size()) {
      ssize_t got = ReadAt(fd_, buffer_.data() + filled_, buffer_.size() - filled_, offset_);
      if (got < 0) stop_ = Stop::kReadError;
      if (got <= 0) break;
      filled_ += static_cast<size_t>(got);
      offset_ += static_cast<uint64_t>(got);
    }
    if (stop_ == Stop::kNone && filled_ == 0) stop_ = Stop::kEnd;
    if (!IsUtf16(encoding_)) CheckUtf8({buffer_.data(), filled_});
  }
  return stop_ == Stop::kNone;
}

void LineReader::CheckUtf8(std::string_view chunk) {
  if (!utf8_ || (pending_.empty() && IsAscii(chunk))) return;
  std::string joined = pending_;
  joined += chunk;
  pending_.clear();
  std::string_view rest = joined;
  char32_t c;
  while (!rest.empty()) {
    size_t n = DecodeUtf8(rest, &c);
    if (n == 0) {
      if (CutsCharacter(rest)) pending_ = rest;  // the rest is to come
      else utf8_ = false;
      return;
    }
    rest.remove_prefix(n);
  }
}

size_t LineReader::FindNewline(std::string_view chunk) const {
  size_t from = 0;
  const bool utf16 = IsUtf16(encoding_), big_endian = encoding_ == TextEncoding::kUtf16Be;
  for (;;) {
    const void* hit = std::memchr(chunk.data() + from, '\n', chunk.size() - from);
    if (hit == nullptr) return 0;
    size_t at = static_cast<size_t>(static_cast<const char*>(hit) - chunk.data());
    if (!utf16) return at + 1;
    if (!big_endian && at % 2 == 0 && at + 1 < chunk.size() && chunk[at + 1] == '\0') return at + 2;
    if (big_endian && at % 2 == 1 && chunk[at - 1] == '\0') return at + 1;
    from = at + 1;
  }
}

bool LineReader::Next(size_t keep, Line* line) {
  line->raw.clear();
  line->size = 0;
  line->newline = line->crlf = false;
  const size_t unit = IsUtf16(encoding_) ? 2 : 1;
  std::string tail;  // the last two units
  for (;;) {
    if (at_ == filled_ && !Fill()) return stop_ == Stop::kEnd && line->size > 0;
    std::string_view chunk(buffer_.data() + at_, filled_ - at_);
    size_t end = FindNewline(chunk);
    std::string_view part = chunk.substr(0, end == 0 ? chunk.size() : end);
    at_ += part.size();
    line->size += part.size();
    if (line->raw.size() < keep) line->raw += part.substr(0, keep - line->raw.size());
    tail += part.substr(part.size() - std::min(part.size(), 2 * unit));
    if (end == 0) continue;
    line->newline = true;
    if (tail.size() >= 2 * unit) {
      const char* before = tail.data() + tail.size() - 2 * unit;
      line->crlf = unit == 1 ? before[0] == '\r'
                             : (encoding_ == TextEncoding::kUtf16Le ? before[0] == '\r' && before[1] == '\0' : before[0] == '\0' && before[1] == '\r');
    }
    return true;
  }
}

}  // namespace paddock::agentcore
