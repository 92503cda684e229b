#include "agentcore/tools/line_range.h"

#include "agentcore/tools/line_reader.h"
#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {

Result<LineRange> ReadLineRange(int root_fd, std::string_view path_text, int64_t first, int64_t last, size_t max_bytes,
                                const Deadline& deadline) {
  if (first < 1 || last < first)
    return Fail(ErrorKind::kInvalid, "lines " + std::to_string(first) + " to " + std::to_string(last) + ": expected 1 <= first <= last");
  auto path = WorkspacePath(path_text);
  if (!path) return std::unexpected(ErrorOf(std::move(path).error()));
  auto text = OpenTextFile(root_fd, *path);
  if (!text) return std::unexpected(ErrorOf(std::move(text).error()));
  if (text->content.binary) return std::unexpected(ErrorOf(BinaryFileError(*path, *text)));

  LineRange range;
  range.changed_ns = text->file.changed_ns;
  range.size = text->file.size;
  range.encoding = text->content.encoding;
  LineReader reader(text->file.fd.get(), range.encoding, deadline);
  LineReader::Line line;
  for (int64_t number = 1; number <= last; ++number) {
    const bool wanted = number >= first;
    const size_t room = max_bytes - range.raw.size();
    // One byte more than there is room for shows that a line is too long, without holding it.
    if (!reader.Next(wanted ? room + 1 : 0, &line)) {
      switch (reader.stop()) {
        case LineReader::Stop::kEnd:
          return Fail(ErrorKind::kNotFound, QuotedPath(*path) + " has " + std::to_string(number - 1) + " lines, not " + std::to_string(last));
        case LineReader::Stop::kDeadline:
          return Fail(ErrorKind::kTimeout, QuotedPath(*path) + ": the deadline passed before line " + std::to_string(number));
        case LineReader::Stop::kScanLimit:
          return Fail(ErrorKind::kLimit, QuotedPath(*path) + ": line " + std::to_string(number) + " ends beyond the first " +
                                             std::to_string(kMaxScanBytes) + " bytes, which is as far as lines are counted");
        default:
          return Fail(ErrorKind::kSystem, QuotedPath(*path) + " could not be read to line " + std::to_string(number));
      }
    }
    if (!wanted) continue;
    if (line.size > room)
      return Fail(ErrorKind::kLimit, QuotedPath(*path) + ": lines " + std::to_string(first) + " to " + std::to_string(last) +
                                         " are more than " + std::to_string(max_bytes) + " bytes");
    range.raw += line.raw;
    range.lines.push_back(ShownLine(line.raw, range.encoding, number == 1));
  }
  return range;
}

}  // namespace paddock::agentcore
