// How text for a person is laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::orchestrator {

struct TextStyle {
  bool unicode = true;    // marks as signs; else as words
  bool color = false;     // ANSI colours for the marks
  size_t width = 100;     // columns
  bool terminal = false;  // a person reads it there: an answer that stands alone is wrapped too, which goes to a file or a program as it is
};

// Columns that visible text takes: two for a wide character (East Asian, emoji), one for any other.
size_t Columns(std::string_view text);
// The beginning of it, in at most `columns`.
std::string_view TruncateColumns(std::string_view text, size_t columns);

// Adds `text`, made visible, with words broken at the width. Its first line begins with `lead`, the others with as
// many spaces.
void AddParagraph(std::string* out, std::string_view text, std::string_view lead, size_t width);
// Words of an agent, which may hold whatever a repository talked it into. No line of paddock's own begins with the margin, so none of theirs passes
// for one: not for a mark, not for a count of citations.
inline constexpr std::string_view kMargin = "> ";
// Text that is laid out, with the margin before each line.
std::string WithMargin(std::string_view text);
// AddParagraph, with the margin.
void AddWords(std::string* out, std::string_view text, std::string_view lead, size_t width);
// AddParagraph of Markdown: items of lists hang, blocks of code and tables stay as they are.
void AddMarkdown(std::string* out, std::string_view text, size_t width);

// A path, which a stranger chose, on a line of paddock's own: in quotes where it holds more than letters, digits and what paths are made of, so
// that it never reads as what paddock says behind it. Inside them a quote is \x22, as in path text (base/text.h), and so is a second blank in
// a row \x20. In at most `columns`, without its middle where it has more: a terminal would go on with it at the beginning of a row.
std::string PathInLine(std::string_view path, size_t columns);

// "1.2 s".
std::string Seconds(int64_t ms);
// "1 turn", "2 turns".
std::string Count(int64_t n, const std::string& what);

}  // namespace paddock::orchestrator
