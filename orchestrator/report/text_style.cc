#include "orchestrator/report/text_style.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

bool Wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) ||
         (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

// Bytes at the start of `text` that take at most `most` columns, and how many they take.
size_t Fitting(std::string_view text, size_t most, size_t* columns) {
  size_t at = 0;
  *columns = 0;
  while (at < text.size()) {
    char32_t point = 0;
    const size_t length = DecodeUtf8(text.substr(at), &point);
    const size_t wide = length > 0 && Wide(point) ? 2 : 1;
    if (*columns + wide > most) break;
    *columns += wide;
    at += std::max<size_t>(length, 1);
  }
  return at;
}

// Of a line of Markdown: its indentation, and the mark of an item.
size_t LeadOf(std::string_view line) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  size_t end = indent;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
  if (end > indent ? end < line.size() && (line[end] == '.' || line[end] == ')') : end < line.size() && (line[end] == '-' || line[end] == '*' || line[end] == '+')) ++end;
  else return indent;
  return end < line.size() && line[end] == ' ' ? end + 1 : indent;
}

}  // namespace

size_t Columns(std::string_view text) {
  size_t columns = 0;
  Fitting(text, SIZE_MAX, &columns);
  return columns;
}

std::string_view TruncateColumns(std::string_view text, size_t columns) {
  size_t taken = 0;
  return text.substr(0, Fitting(text, columns, &taken));
}

void AddParagraph(std::string* out, std::string_view text, std::string_view lead, size_t width) {
  const std::string indent(lead.size(), ' ');
  std::string clean = VisibleText(text, Newlines::kKeep);
  std::string line(lead);
  size_t columns = lead.size();
  size_t used = 0;
  auto flush = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    *out += line + "\n";
    line = indent;
    columns = indent.size();
    used = 0;
  };
  for (size_t i = 0; i < clean.size();) {
    if (clean[i] == '\n') {
      flush();
      ++i;
      continue;
    }
    size_t end = clean.find_first_of(" \n", i);
    if (end == std::string::npos) end = clean.size();
    std::string word = clean.substr(i, end - i);
    // One that is wider than all there is goes on in the next line, before a terminal breaks it where it likes.
    if (const size_t room = width > lead.size() + 8 ? width - lead.size() : 8; Columns(word) > room) {
      if (used > 0) flush();
      while (Columns(word) > room) {
        const std::string part(TruncateColumns(word, room));
        if (part.empty()) break;
        line += part;
        flush();
        word.erase(0, part.size());
      }
    }
    const size_t wide = Columns(word);
    if (used > 0 && columns + 1 + wide > width) flush();
    line += (used > 0 ? " " : "") + word;
    columns += (used > 0) + wide;
    ++used;
    i = end < clean.size() && clean[end] == ' ' ? end + 1 : end;
  }
  if (used > 0) flush();
}

std::string WithMargin(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? ">" : std::string(kMargin) + std::string(text.substr(0, end));
    out += "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void AddWords(std::string* out, std::string_view text, std::string_view lead, size_t width) {
  std::string plain;
  AddParagraph(&plain, text, lead, width > 20 ? width - kMargin.size() : width);
  *out += WithMargin(plain);
}

void AddMarkdown(std::string* out, std::string_view text, size_t width) {
  bool code = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    const bool fence = line.substr(first).starts_with("```") || line.substr(first).starts_with("~~~");
    if (code || fence || first == line.size() || line[first] == '|') {
      *out += VisibleText(line, Newlines::kKeep) + "\n";
    } else {
      const size_t lead = LeadOf(line);
      AddParagraph(out, line.substr(lead), line.substr(0, lead), width);
    }
    if (fence) code = !code;
  }
}

std::string PathInLine(std::string_view path, size_t columns) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/+@~#%=";
  std::string visible = VisibleText(path, Newlines::kEscape);
  const bool plain = !visible.empty() && visible.find_first_not_of(kPlain) == visible.npos;
  std::string shown;
  for (size_t i = 0; i < visible.size(); ++i) {
    const bool again = visible[i] == ' ' && i > 0 && visible[i - 1] == ' ';
    shown += again ? "\\x20" : visible[i] == '"' ? "\\x22" : std::string(1, visible[i]);
  }
  constexpr std::string_view kGone = "...";
  columns = std::max<size_t>(columns, 16) - (plain ? 0 : 2);
  if (Columns(shown) > columns) {
    const std::string head(TruncateColumns(shown, columns / 3));
    // Of what is left its end, whole characters.
    size_t tail = head.size();
    const auto within_character = [&] { return tail < shown.size() && (static_cast<unsigned char>(shown[tail]) & 0xC0) == 0x80; };
    while (tail < shown.size() && (within_character() || Columns(std::string_view(shown).substr(tail)) > columns - Columns(head) - kGone.size())) ++tail;
    shown = head + std::string(kGone) + shown.substr(tail);
  }
  return plain ? shown : "\"" + shown + "\"";
}

std::string Seconds(int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

std::string Count(int64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace paddock::orchestrator
