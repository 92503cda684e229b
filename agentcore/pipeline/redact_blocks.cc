#include "agentcore/pipeline/redact_blocks.h"

#include <optional>

#include "agentcore/pipeline/secret_shape.h"

namespace paddock::agentcore {
namespace {

constexpr std::string_view kKind = "private-key";
constexpr size_t kMaxLines = 2000;   // of one key
constexpr size_t kWholeLine = 16;    // a shorter line is taken for key material only next to the END
constexpr size_t kMaxLine = 1024;    // key material has no longer lines

bool IsBase64(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '='; }

std::string_view LineAt(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  return rest.substr(0, rest.find('\n'));
}

bool IsSecretLabel(std::string_view text, size_t mark) {
  std::string_view label = LineAt(text.substr(0, std::min(text.size(), mark + 80)), mark);
  return label.find("PRIVATE KEY") != std::string_view::npos || label.find("OpenVPN Static key") != std::string_view::npos;
}

// The base64 of a line that holds nothing else but marks of a diff, a line number, quotes and the like; offsets in
// the line. Nothing when there is more in it.
std::optional<std::pair<size_t, size_t>> Material(std::string_view line) {
  if (line.size() > kMaxLine) return std::nullopt;
  size_t begin = 0, end = line.size();
  auto skip = [&](std::string_view set) {
    while (begin < end && set.find(line[begin]) != std::string_view::npos) ++begin;
  };
  skip(" \t");
  size_t digits = begin;
  while (digits < end && line[digits] >= '0' && line[digits] <= '9') ++digits;
  if (digits > begin && digits < end && digits - begin < 8 && std::string_view("\t:|-").find(line[digits]) != std::string_view::npos) begin = digits + 1;
  skip(" \t|>");
  // One sign of a diff or of a list of strings; more may be base64.
  if (begin < end && (line[begin] == '-' || line[begin] == '#' || line[begin] == '*')) ++begin;
  if (end - begin > 1 && line[begin] == '+' && (end - begin) % 4 == 1) ++begin;
  if (end - begin > 1 && line[begin] == '+' && (line[begin + 1] == ' ' || line[begin + 1] == '"' || line[begin + 1] == '\'')) ++begin;
  if (line.substr(begin).starts_with("//")) begin += 2;
  skip(" \t\"'`");
  for (bool more = true; more && end > begin;) {
    more = false;
    for (std::string_view tail : {"\\u{D}", "\\n", "\\r", "\\", "\"", "'", "`", ",", ";", " ", "\t", "\r", ")", " +", "\"+"})
      if (line.substr(begin, end - begin).ends_with(tail)) {
        end -= tail.size();
        more = true;
      }
    if (end - begin > 2 && line[end - 1] == '+' && (line[end - 2] == ' ' || line[end - 2] == '"')) --end, more = true;
  }
  if (begin == end) return std::nullopt;
  for (size_t i = begin; i < end; ++i)
    if (!IsBase64(line[i])) return std::nullopt;
  return std::pair(begin, end);
}

bool IsHeader(std::string_view line) {
  size_t first = line.find_first_not_of(" \t\"'+-|>0123456789:");
  if (first == std::string_view::npos) return true;  // nothing in it
  line.remove_prefix(first);
  for (std::string_view name : {"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "MessageID:", "X-", "[redacted "})
    if (line.starts_with(name)) return true;
  return false;
}

class Finder {
 public:
  Finder(std::string_view text, std::vector<RedactSpan>* out) : text_(text), out_(out) {}

  void Begin(size_t mark, std::optional<size_t> next_mark) {
    if (!IsSecretLabel(text_, mark)) return;
    const size_t next = next_mark.value_or(text_.size());
    std::string_view line = LineAt(text_.substr(0, next), mark);
    size_t dashes = line.find("----", 11);
    if (dashes == std::string_view::npos) return;
    size_t inside = line.find_first_not_of('-', dashes);
    const size_t line_end = mark + line.size();
    first_ = true;
    context_ = mark;
    if (inside != std::string_view::npos && InLine(mark + inside, line_end)) return;
    if (line_end < next) Walk(line_end);
  }

  // PuTTY: the lines after "Private-Lines: 14".
  void PrivateLines(size_t mark) {
    first_ = true;
    context_ = mark;
    Walk(mark + LineAt(text_, mark).size());
  }

  // A key whose BEGIN was not seen.
  void End(size_t mark, size_t not_before) {
    if (!IsSecretLabel(text_, mark)) return;
    size_t line = std::max(LineStart(mark, not_before), not_before);
    std::vector<RedactSpan> back;
    std::string_view before = text_.substr(line, mark - line);
    if (auto material = LongRunAtEnd(before); material && line + material->first >= not_before) back.push_back({line + material->first, line + material->second, kKind, 0, true});
    bool last = true;
    for (size_t n = 0; n < kMaxLines && line > 0; ++n) {
      if (line <= not_before) break;
      size_t start = LineStart(line - 1, line < kMaxLine ? 0 : line - kMaxLine);
      if (start < not_before) break;
      std::string_view body = text_.substr(start, line - 1 - start);
      if (auto material = Material(body); material && (last || material->second - material->first >= kWholeLine))
        back.push_back({start + material->first, start + material->second, kKind, 0, true});
      else if (!IsHeader(body)) break;
      last = false;
      line = start;
    }
    for (size_t i = back.size(); i-- > 0;) {
      back[i].context = back.back().begin;
      back[i].counts = i + 1 == back.size();
      out_->push_back(back[i]);
    }
  }

  // Neither BEGIN nor END: all lines but the last of one length, as keys are written, up to the text's end.
  void Middle() {
    std::vector<RedactSpan> lines;
    size_t width = 0, at = 0;
    while (at < text_.size()) {
      std::string_view line = LineAt(text_, at);
      auto material = Material(line);
      if (!material || lines.size() > kMaxLines) return;
      size_t size = material->second - material->first;
      bool last = at + line.size() + 1 >= text_.size();
      if (width == 0) width = size;
      if (width != 64 && width != 70 && width != 76) return;
      std::string_view body = line.substr(material->first, size);
      if (size != width && !(last && size < width && (body.ends_with('=') || LooksRandom(body, kWholeLine)))) return;
      if (size == width && (IsHex(body) || Roughness(body) * 6 < size || IsPlaceholder(body))) return;
      lines.push_back({at + material->first, at + material->second, kKind, 0, lines.empty()});
      at += line.size() + 1;
    }
    out_->insert(out_->end(), lines.begin(), lines.end());
  }

 private:
  // Of the line that `at` is in; not before `least`.
  size_t LineStart(size_t at, size_t least) const {
    size_t newline = text_.substr(least, at - least).rfind('\n');
    return newline == std::string_view::npos ? least : least + newline + 1;
  }

  void Add(size_t begin, size_t end) {
    out_->push_back({begin, end, kKind, context_, first_});
    first_ = false;
  }

  // Key material within the line of the BEGIN ("...-----\nMIIE...\n-----END" in a string).
  bool InLine(size_t from, size_t to) {
    while (from < to && !IsBase64(text_[from]) && text_[from] != '\\') ++from;
    while (text_.substr(from, to - from).starts_with("\\n") || text_.substr(from, to - from).starts_with("\\r")) from += 2;
    size_t letters = 0;
    for (size_t i = from; i < to && letters < kWholeLine; ++i) letters = IsBase64(text_[i]) ? letters + 1 : 0;
    if (letters < kWholeLine) return false;
    // To the END, or as far as it goes on like this.
    size_t end = to;
    if (!text_.substr(to).starts_with("-----") && !text_.substr(to).starts_with("----")) {
      end = from;
      while (end < to && (IsBase64(text_[end]) || text_[end] == '\\' || text_[end] == ' ' || (text_[end] == '-' && end + 1 < to && text_[end + 1] != '-') || text_[end] == '{' || text_[end] == '}'))
        ++end;
    }
    Add(from, end);
    return true;
  }

  // The end of a line like `...AbC=\n-----END`: what is base64 there.
  static std::optional<std::pair<size_t, size_t>> LongRunAtEnd(std::string_view line) {
    size_t end = line.size();
    size_t begin = end;
    while (begin > 0 && (IsBase64(line[begin - 1]) || line[begin - 1] == '\\')) --begin;
    if (end - begin < kWholeLine) return std::nullopt;
    return std::pair(begin, end);
  }

  // From the end of a line on: as long as lines are key material.
  void Walk(size_t at) {
    for (size_t n = 0; n < kMaxLines && at < text_.size(); ++n) {
      ++at;  // the newline
      if (at >= text_.size()) return;
      std::string_view line = LineAt(text_, at);
      if (line.find("-----END") != std::string_view::npos || line.find("---- END") != std::string_view::npos) {
        if (auto run = LongRunAtEnd(line.substr(0, line.find("----")))) Add(at + run->first, at + run->second);
        return;
      }
      auto material = Material(line);
      if (material) {
        std::string_view next = LineAt(text_, std::min(text_.size(), at + line.size() + 1));
        size_t size = material->second - material->first;
        bool short_tail = next.find("----") != std::string_view::npos || line.find('=') != std::string_view::npos;
        if (size < kWholeLine && !short_tail) return;
        Add(at + material->first, at + material->second);
      } else if (!IsHeader(line)) {
        return;
      }
      at += line.size();
    }
  }

  std::string_view text_;
  std::vector<RedactSpan>* out_;
  bool first_ = true;
  size_t context_ = 0;
};

}  // namespace

void FindBlocks(std::string_view text, const std::vector<size_t>& marks, const BlockOptions& options, std::vector<RedactSpan>* out) {
  Finder finder(text, out);
  if (marks.empty() && options.may_begin_inside) return finder.Middle();
  size_t after = 0;  // what is before it belongs to an earlier mark
  for (size_t i = 0; i < marks.size(); ++i) {
    std::string_view at = text.substr(marks[i]);
    std::optional<size_t> next;
    if (i + 1 < marks.size()) next = marks[i + 1];
    if (at[0] != '-') {
      finder.PrivateLines(marks[i]);
    } else if (at.starts_with("-----E") || at.starts_with("---- E") || at.starts_with("-----e") || at.starts_with("---- e")) {
      finder.End(marks[i], after);
    } else {
      finder.Begin(marks[i], next);
    }
    after = std::max(marks[i], out->empty() ? 0 : out->back().end);
  }
}

}  // namespace paddock::agentcore
