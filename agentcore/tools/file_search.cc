#include "agentcore/tools/file_search.h"

#include <unistd.h>

#include <algorithm>

#include "agentcore/tools/read_only_tools.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kPiece = kMaxSearchedLine;  // bytes given to the pattern at once

// At most kMaxSearchedBytes of the file.
bool ReadStart(const TextFile& text, std::string* content, bool* cut) {
  *cut = text.file.size > kMaxSearchedBytes;
  size_t want = static_cast<size_t>(std::min<uint64_t>(text.file.size, kMaxSearchedBytes));
  content->resize(want);
  size_t got = 0;
  while (got < want) {
    ssize_t n = ::pread(text.file.fd.get(), content->data() + got, want - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    got += static_cast<size_t>(n);
  }
  content->resize(got);
  return true;
}

// The same lines as LineReader gives, as UTF-8.
void Decode(TextEncoding encoding, std::string* content) {
  if (IsUtf16(encoding)) *content = Utf8FromUtf16(*content, encoding == TextEncoding::kUtf16Be);
  if ((IsUtf16(encoding) || encoding == TextEncoding::kUtf8Bom) && content->starts_with("\xEF\xBB\xBF")) content->erase(0, 3);
}

class Searcher {
 public:
  Searcher(std::string_view content, Artifact model, const LineRegex& regex, const SearchLimits& limits, SearchTally* tally, std::vector<Artifact>* out)
      : content_(content), model_(std::move(model)), regex_(regex), limits_(limits), tally_(tally), out_(out) {}

  void Run() {
    size_t at = 0;
    for (int pieces = 1; at < content_.size() && !tally_->done(); ++pieces) {
      size_t end = PieceEnd(at);
      SearchPiece(at, end);
      at = end;
      if (pieces % 16 == 0 && at < content_.size() && limits_.deadline.passed()) tally_->deadline_passed = true;
    }
    Flush();
  }

 private:
  // Whole lines of at most kPiece bytes, or one line that is longer.
  size_t PieceEnd(size_t at) const {
    if (content_.size() - at <= kPiece) return content_.size();
    size_t newline = content_.rfind('\n', at + kPiece - 1);
    if (newline == std::string_view::npos || newline < at) newline = content_.find('\n', at + kPiece);
    return newline == std::string_view::npos ? content_.size() : newline + 1;
  }

  void SearchPiece(size_t begin, size_t end) {
    std::string_view block = content_.substr(begin, std::min(end - begin, kPiece));
    if (end - begin > kPiece) ++tally_->long_lines;
    for (size_t from = 0; from < block.size() && !tally_->done();) {
      size_t line = regex_.NextCandidate(block, from);
      if (line == std::string_view::npos) break;
      line = std::max(line, from);
      size_t newline = std::min(block.find('\n', line), block.size());
      if (regex_.MatchesLine(block.substr(line, newline - line))) Found(begin + line);
      from = newline + 1;
    }
  }

  size_t LineEnd(size_t begin) const {  // behind its newline
    size_t newline = content_.find('\n', begin);
    return newline == std::string_view::npos ? content_.size() : newline + 1;
  }

  // The line that begins at `begin` matches.
  void Found(size_t begin) {
    if (tally_->matches == limits_.matches) {
      tally_->truncated = true;
      return;
    }
    ++tally_->matches;
    counted_ += std::count(content_.begin() + static_cast<ptrdiff_t>(counted_to_), content_.begin() + static_cast<ptrdiff_t>(begin), '\n');
    counted_to_ = begin;
    const int64_t number = counted_ + 1;
    size_t first = begin;
    int64_t first_number = number;
    for (int64_t i = 0; i < limits_.context && first > block_end_; ++i, --first_number) {
      size_t newline = first < 2 ? std::string_view::npos : content_.rfind('\n', first - 2);
      first = newline == std::string_view::npos ? 0 : newline + 1;
    }
    if (matches_.empty() || first > block_end_) {
      Flush();
      block_begin_ = first;
      block_number_ = first_number;
    }
    matches_.push_back(number);
    size_t end = LineEnd(begin);
    for (int64_t i = 0; i < limits_.context && end < content_.size(); ++i) end = LineEnd(end);
    block_end_ = std::max(block_end_, end);
  }

  // Hands the open block in, as far as there is room for its lines.
  void Flush() {
    if (matches_.empty()) return;
    Artifact excerpt = model_;
    excerpt.line_start = block_number_;
    int64_t number = block_number_;
    for (size_t at = block_begin_; at < block_end_; ++number) {
      size_t end = LineEnd(at);
      std::string_view line = content_.substr(at, end - at);
      if (line.ends_with('\n')) line.remove_suffix(1);
      const bool cut = line.size() > kMaxLineBytes;
      std::string wire = WireFromBytes(cut ? TruncateUtf8(line, kMaxLineBytes) : line);
      if (tally_->output_bytes + wire.size() > limits_.output_bytes && tally_->output_bytes > 0) {
        tally_->truncated = true;
        break;
      }
      tally_->output_bytes += wire.size() + 1;
      excerpt.lines.push_back(std::move(wire));
      if (cut) excerpt.cut.push_back(number);
      if (std::binary_search(matches_.begin(), matches_.end(), number)) excerpt.matches.push_back(number);
      at = end;
    }
    matches_.clear();
    if (!excerpt.lines.empty()) out_->push_back(std::move(excerpt));
  }

  const std::string_view content_;
  const Artifact model_;
  const LineRegex& regex_;
  const SearchLimits& limits_;
  SearchTally* const tally_;
  std::vector<Artifact>* const out_;
  int64_t counted_ = 0;     // newlines before counted_to_
  size_t counted_to_ = 0;
  size_t block_begin_ = 0, block_end_ = 0;  // offsets of the open block
  int64_t block_number_ = 1;
  std::vector<int64_t> matches_;  // of the open block; empty: none is open
};

}  // namespace

bool SearchFile(const TextFile& text, const std::string& path, const LineRegex& regex, const SearchLimits& limits, SearchTally* tally,
                std::vector<Artifact>* out) {
  std::string content;
  bool cut = false;
  if (!ReadStart(text, &content, &cut)) return false;
  tally->cut_files += cut;
  const TextEncoding encoding = text.content.encoding;
  Decode(encoding, &content);
  Artifact model;
  model.kind = "excerpt";
  model.path = PathToText(path);
  model.facts["encoding"] = EncodingName(encoding);
  model.facts["converted"] = IsUtf16(encoding);
  Searcher(content, std::move(model), regex, limits, tally, out).Run();
  return true;
}

}  // namespace paddock::agentcore
