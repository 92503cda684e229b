#include "agentcore/model/shown_calls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kAround = 4'096;     // letters before and after a name
constexpr size_t kMost = 1u << 20;    // of all places
constexpr size_t kShort = 16, kPiece = 12, kStep = 4, kLeast = 3;
constexpr char kReportLetters[] = "report";

std::optional<char32_t> Hex(std::string_view digits, int base = 16) {
  uint32_t value = 0;
  auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (fault != std::errc() || end != digits.data() + digits.size() || digits.empty() || value > 0x10FFFF) return std::nullopt;
  return value;
}

void Put(std::string* out, char32_t c) {
  if (c != 0 && (c < 0xD800 || c > 0xDFFF) && !IsInvisible(c)) AppendUtf8(out, c);
}

// An escape at the start of `text`, as in a source, in JSON, or as invisible characters are shown: its length, and what it stands for is put.
size_t TakeEscape(std::string_view text, std::string* out) {
  if (text.size() < 2) return 1;
  if (text[1] == 'u' && text.size() > 2 && text[2] == '{') {
    const size_t end = text.find('}');
    if (end == std::string_view::npos || end > 10) return 2;
    if (auto c = Hex(text.substr(3, end - 3))) Put(out, *c);
    return end + 1;
  }
  if ((text[1] == 'u' && text.size() >= 6) || (text[1] == 'x' && text.size() >= 4)) {
    const size_t digits = text[1] == 'u' ? 4 : 2;
    if (auto c = Hex(text.substr(2, digits))) return Put(out, *c), digits + 2;
  }
  if (text[1] == 'n' || text[1] == 't' || text[1] == 'r') return *out += ' ', 2;
  *out += text[1];
  return 2;
}

size_t TakeEntity(std::string_view text, std::string* out) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> kNamed = {{{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  for (const auto& [name, c] : kNamed)
    if (text.starts_with(name)) return *out += c, name.size();
  const size_t end = text.substr(0, 12).find(';');
  if (text.starts_with("&#") && end != std::string_view::npos) {
    const bool hex = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
    if (auto c = Hex(text.substr(hex ? 3 : 2, end - (hex ? 3 : 2)), hex ? 16 : 10)) return Put(out, *c), end + 1;
  }
  return *out += '&', 1;
}

std::string Decoded(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (size_t at = 0; at < text.size();) {
    if (line_start) {  // numbers of lines, as results show them
      const size_t digits = text.substr(at, 12).find_first_not_of("0123456789");
      if (digits != std::string_view::npos && digits > 0 && (text.substr(at + digits).starts_with("| ") || text.substr(at + digits).starts_with("> "))) at += digits + 2;
      line_start = false;
      if (at >= text.size()) break;
    }
    line_start = text[at] == '\n';
    if (text[at] == '\\') at += TakeEscape(text.substr(at), &out);
    else if (text[at] == '&') at += TakeEntity(text.substr(at), &out);
    else out += text[at++];
  }
  return out;
}

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string Letters(std::string_view text) {
  std::string out;
  for (char c : text)
    if (IsLetter(c)) out += Lower(c);
  return out;
}

// Do the words of `value` stand in `letters`? Of a long one half of its pieces are enough.
bool Stands(const std::string& value, const std::string& letters) {
  if (value.size() <= kShort) return letters.find(value) != std::string::npos;
  size_t pieces = 0, found = 0;
  for (size_t at = 0; at + kPiece <= value.size(); at += kStep) ++pieces, found += letters.find(value.substr(at, kPiece)) != std::string::npos;
  return 2 * found >= pieces;
}

void AddValues(const Json& value, int depth, std::vector<std::string>* out) {
  if (depth > 8 || out->size() > 256) return;
  if (value.is_string()) {
    std::string letters = Letters(Decoded(std::string_view(value.get_ref<const std::string&>()).substr(0, 4'096)));
    if (letters.size() >= kLeast) out->push_back(std::move(letters));
  } else if (value.is_structured()) {
    for (const Json& one : value) AddValues(one, depth + 1, out);
  }
}

// What of a report speaks for itself.
std::vector<std::string> ReportValues(const Json& arguments) {
  std::vector<std::string> values;
  if (!arguments.is_object()) return values;
  for (const char* key : {"summary", "next_actions"})
    if (auto found = arguments.find(key); found != arguments.end()) AddValues(*found, 0, &values);
  if (auto findings = arguments.find("findings"); findings != arguments.end() && findings->is_array())
    for (const Json& finding : *findings)
      if (finding.is_object() && finding.contains("title")) AddValues(finding["title"], 0, &values);
  return values;
}

}  // namespace

ShownCalls::ShownCalls(const std::vector<ToolSpec>& tools) : names_{kReportLetters} {
  for (const ToolSpec& tool : tools) names_.push_back(Letters(tool.name));
}

void ShownCalls::Add(std::string_view text) {
  if (overflowed_ || text.empty()) return;
  const std::string decoded = Decoded(Decoded(text));  // a text within a text
  std::string letters;
  std::vector<uint32_t> from;  // where in `decoded` each letter stood
  for (size_t i = 0; i < decoded.size(); ++i)
    if (IsLetter(decoded[i])) letters += Lower(decoded[i]), from.push_back(static_cast<uint32_t>(i));
  // As a report is called, and not as the word is used: behind a quote, a bracket or the like.
  const auto as_called = [&](size_t at) {
    size_t before = from[at];
    while (before > 0 && std::isspace(static_cast<unsigned char>(decoded[before - 1]))) --before;
    return before == 0 || std::string_view("\"'`=<>:([{,|*/]").find(decoded[before - 1]) != std::string_view::npos;
  };
  struct Range {
    size_t begin, end;
    bool report;
  };
  std::vector<Range> ranges;
  for (const std::string& name : names_) {
    if (name.empty()) continue;
    const bool is_report = name == kReportLetters;
    for (size_t at = letters.find(name); at != std::string::npos; at = letters.find(name, at + 1))
      if (!is_report || as_called(at)) ranges.push_back({at - std::min(at, kAround), std::min(letters.size(), at + name.size() + kAround), is_report});
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  for (size_t i = 0; i < ranges.size() && !overflowed_;) {
    Range whole = ranges[i];
    for (++i; i < ranges.size() && ranges[i].begin <= whole.end; ++i) whole.end = std::max(whole.end, ranges[i].end), whole.report |= ranges[i].report;
    bytes_ += whole.end - whole.begin;
    overflowed_ = bytes_ > kMost;
    if (!overflowed_) places_.push_back({whole.report, letters.substr(whole.begin, whole.end - whole.begin)});
  }
  if (overflowed_) places_.clear();
}

bool ShownCalls::Holds(const ToolCall& call) const {
  if (overflowed_) return true;
  const std::string name = Letters(call.tool);
  const bool is_report = name == kReportLetters;
  std::vector<std::string> values;
  if (is_report) values = ReportValues(call.arguments);
  else AddValues(call.arguments, 0, &values);
  if (values.empty()) return false;
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    if (is_report ? !place.report : place.letters.find(name) == std::string::npos) return false;
    const auto stands = [&](const std::string& value) { return Stands(value, place.letters); };
    return is_report ? std::any_of(values.begin(), values.end(), stands) : std::all_of(values.begin(), values.end(), stands);
  });
}

}  // namespace paddock::agentcore
