#include "agentcore/pipeline/wrap.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>

#include "base/sha256.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxAttribute = 1024;
constexpr size_t kMaxNoise = 64;  // characters between the bracket and the word, all together
constexpr std::string_view kWord = "untrusted";

// A character as a careless reader sees it (a part of Unicode's compatibility folding): full width and small forms,
// mathematical letters. Lower case.
char32_t Folded(char32_t c) {
  if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
  else if (c == 0xFE64 || c == 0x2039 || c == 0x3008 || c == 0x27E8 || c == 0x2329 || c == 0x02C2 || c == 0x1438) c = '<';
  else if (c == 0x2044 || c == 0x2215 || c == 0x29F8) c = '/';
  else if (c >= 0x1D400 && c <= 0x1D6A3) c = U'a' + ((c - 0x1D400) % 52) % 26;
  else if (c >= 0x24B6 && c <= 0x24E9) c = U'a' + (c - 0x24B6) % 26;
  if (c >= 'A' && c <= 'Z') c |= 0x20;
  return c;
}

// An escape of VisibleText or of a source: \u{200B}, \x1b, \u200b. Its length, or 0.
size_t EscapeAt(std::string_view text) {
  if (text.size() < 4 || text[0] != '\\' || (text[1] != 'u' && text[1] != 'x')) return 0;
  size_t n = 2;
  const bool braced = text[n] == '{';
  if (braced) ++n;
  size_t digits = 0;
  while (n < text.size() && digits < 6 && std::string_view("0123456789abcdefABCDEF").find(text[n]) != std::string_view::npos) ++n, ++digits;
  if (digits < 2) return 0;
  if (!braced) return text[1] == 'x' ? 4 : 6 <= n ? 6 : 0;
  return n < text.size() && text[n] == '}' ? n + 1 : 0;
}

// Does `text`, which begins with a bracket, go on as our own mark would?
bool IsOwnMark(std::string_view text) {
  char32_t c;
  size_t at = DecodeUtf8(text, &c);
  size_t matched = 0;
  for (size_t noise = 0; noise <= kMaxNoise && at < text.size();) {
    if (size_t n = EscapeAt(text.substr(at))) {
      at += n;
      ++noise;
      continue;
    }
    size_t n = DecodeUtf8(text.substr(at), &c);
    if (n == 0) return false;
    char32_t folded = Folded(c);
    at += n;
    if (folded == static_cast<unsigned char>(kWord[matched])) {
      if (++matched == kWord.size()) return true;
      continue;
    }
    const bool blank = folded == '/' || folded == ' ' || folded == '\t' || folded == '\n' || folded == '_' || folded == '-' || folded == '\\' ||
                       IsInvisible(c) || (c >= 0x300 && c <= 0x36F) || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x3000;
    if (!blank) return false;
    ++noise;
  }
  return false;
}

// A mark by which some model's server tells one speaker from another.
bool IsDialogueMark(std::string_view text) {
  static constexpr std::string_view kMarks[] = {"<s>", "</s>", "<bos>", "<eos>", "<pad>", "<unk>", "<start_of_turn>", "<end_of_turn>", "<tool_call>", "</tool_call>",
                                                "<tool_response>", "</tool_response>", "<<SYS>>", "<</SYS>>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]",
                                                "[AVAILABLE_TOOLS]", "[SYSTEM_PROMPT]"};
  for (std::string_view mark : kMarks)
    if (text.starts_with(mark)) return true;
  for (auto [open, close] : {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<\xEF\xBD\x9C", "\xEF\xBD\x9C>"}}) {
    if (!text.starts_with(open)) continue;
    std::string_view rest = text.substr(open.size(), 64);
    size_t end = rest.find(close);
    return end != std::string_view::npos && end > 0 && rest.substr(0, end).find_first_of(" \n\t|<>&") == std::string_view::npos;  // & as < : what is broken stays so
  }
  return false;
}

std::string RandomId() {
  unsigned char bytes[8];
  while (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {}  // fails only when interrupted
  static constexpr char kHex[] = "0123456789abcdef";
  std::string id;
  for (unsigned char byte : bytes) {
    id += kHex[byte >> 4];
    id += kHex[byte & 15];
  }
  return id;
}

std::string& Seed() {
  static std::string seed;
  return seed;
}

// The `round`th for these.
std::string SeededId(std::string_view text, std::string_view source, std::string_view path, int round) {
  std::string all = Seed() + "\n" + std::to_string(round);
  for (std::string_view part : {source, path, text}) all += "\n" + std::to_string(part.size()) + ":" + std::string(part);
  return Sha256Hex(all).substr(0, 16);
}

std::string Attribute(std::string_view bytes) {
  const bool whole = bytes.size() <= kMaxAttribute;
  std::string out;
  for (char c : VisibleText(bytes.substr(0, kMaxAttribute), Newlines::kEscape)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '&': out += "&amp;"; break;
      default: out += c;
    }
  }
  return whole ? out : out + "...";
}

}  // namespace

void UseWrapSeed(std::string seed) { Seed() = std::move(seed); }

std::string BreakMarks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t kept = 0;
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c != '<' && c != '[' && c < 0xC2) {
      ++i;
      continue;
    }
    std::string_view rest = text.substr(i);
    char32_t code;
    const size_t n = DecodeUtf8(rest, &code);
    const bool bracket = n > 0 && Folded(code) == '<';
    if ((bracket && IsOwnMark(rest)) || ((bracket || c == '[') && IsDialogueMark(rest))) {
      out.append(text, kept, i - kept) += c == '[' ? "&#91;" : "&lt;";
      kept = i + n;
    }
    i += std::max<size_t>(n, 1);
  }
  out.append(text.substr(kept));
  return out;
}

std::string Wrap(std::string_view text, std::string_view source, std::string_view path) {
  std::string body = BreakMarks(text);
  std::string id;
  int round = 0;
  do id = Seed().empty() ? RandomId() : SeededId(text, source, path, round++);
  while (body.find(id) != std::string::npos);
  std::string out = std::string("<") + kWrapTag + " id=\"" + id + "\" source=\"" + Attribute(source) + "\"";
  if (!path.empty()) out += " path=\"" + Attribute(path) + "\"";
  out += ">\n" + body;
  if (!body.ends_with('\n')) out += '\n';
  out += std::string("</") + kWrapTag + " id=\"" + id + "\">";
  return out;
}

}  // namespace paddock::agentcore
