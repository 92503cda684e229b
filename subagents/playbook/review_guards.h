// A guard: what a line, with those after it, checks. And the names that it is about.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "subagents/playbook/diff.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {

struct Guard {
  std::string condition;  // of an assert, what it asserts
  std::string key;        // the same for the same check however it is laid out
  size_t last = 0;        // of its lines
  bool only_ends = false; // all that it does is to fail
  bool ends = false;      // it fails, whatever it does before
  bool is_if = false, is_right = false;
};

class GuardReader {
 public:
  explicit GuardReader(const std::string& path);

  // What is checked by lines[index] and those after it of the same sign, or nothing.
  std::optional<Guard> At(const Hunk& hunk, size_t index) const;

 private:
  bool Split(std::string_view text, std::string* condition, std::string* rest) const;

  std::string path_, language_;
  bool indents_ = false;
};

using Words = std::set<std::string>;
// The names in a text, but for keywords and what stands in quotes.
Words WordsOf(std::string_view text);

// Blanks before the text; of an empty line its length.
size_t Indent(std::string_view text);
// Where the word stands by itself, from there on; npos where it doesn't.
size_t WordAt(std::string_view text, std::string_view word, size_t from = 0);

}  // namespace paddock::subagents
