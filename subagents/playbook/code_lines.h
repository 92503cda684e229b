// Which bytes of a line are code, and which a comment or a string: line by line, since both may go on for many.
//
// No parser: quotes, comment signs and, where a language has them, docstrings, raw strings and regular expressions. A line whose beginning
// was not seen may be taken for code.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

class CodeReader {
 public:
  explicit CodeReader(std::string_view path);
  // By its language (ReviewLanguage has more than LanguageOf).
  static CodeReader OfLanguage(std::string_view language);

  // The next line, byte by byte: 'c' code, 's' within a string, '/' a comment, a docstring or a blank between code.
  std::string Take(std::string_view line);
  // Within a comment, a docstring or a string behind the last line.
  bool within() const { return !until_.empty(); }
  // Within a comment or a docstring.
  bool in_comment() const { return within() && comment_; }
  // Is what begins `at` in the next line code? The opening quote of a string is.
  bool IsCodeAt(std::string_view line, size_t at) const;
  // "#" begins a comment.
  bool hashes() const { return hashes_; }
  // Blanks at the beginning of a line say what it belongs to.
  bool indent_counts() const { return indents_ && brackets_ == 0; }
  bool operator==(const CodeReader& other) const { return until_ == other.until_ && comment_ == other.comment_; }

 private:
  CodeReader() = default;
  void Begin(std::string_view language);
  size_t Opens(std::string_view line, size_t at, const std::string& mask);
  void Step(std::string_view line, std::string* mask);

  bool slashes_ = false, hashes_ = false, dashes_ = false, triples_ = false, backquotes_ = false, patterns_ = false, indents_ = false, ruby_ = false;
  std::string until_;        // what ends it; empty: in code
  bool comment_ = false;     // and it is no string
  bool one_line_ = false;    // it ends with its line whatever it says
  bool awaits_ = false;      // the code before goes on: a string here is a value
  int brackets_ = 0;
};

// The line without comments and blanks, so that two can be compared by what they do; a docstring is a comment.
std::string CodeOf(CodeReader* reader, std::string_view line);
// The line with blanks for what is no code and for what strings hold, each byte where it was.
std::string BareCode(CodeReader* reader, std::string_view line);

// Does the line, whose code is `code` (CodeOf), do nothing by itself? Blank, a comment, an import, or what only opens and closes.
bool IsImportLine(std::string_view path, std::string_view line);
bool IsIdleLine(std::string_view path, std::string_view line, const std::string& code);
// Of the lines that were seen, the other ones.
std::set<int64_t> WorkingLines(std::string_view path, const SeenLines& lines);

// The readers at lines of a file, of which some lines were seen; cheap where they are asked for from the top down.
class CodeReaders {
 public:
  CodeReaders(std::string_view path, const SeenLines* lines) : path_(path), lines_(lines), reader_(path) {}
  // One that has taken what was seen before this line, from the beginning of the file or of that piece; *whole says which.
  CodeReader At(int64_t number, bool* whole);

 private:
  const std::string path_;
  const SeenLines* lines_;
  CodeReader reader_;
  int64_t next_ = 0;  // that it takes; 0: none yet
  bool whole_ = false;
};

}  // namespace paddock::subagents
