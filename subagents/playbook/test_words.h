// Whether a word in a line of a test is the name of a function that the test uses, or only the same word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/public_functions.h"

namespace paddock::subagents {

struct TestWord {
  std::string word;
  bool in_code = false;   // neither in a text nor in a comment, as far as the line shows
  bool dotted = false;    // "x.word", "x->word", "x::word"
  std::string receiver;   // the names before it: "os.path" of "os.path.join"
  bool is_used = false;   // called, handed over or imported: not a key, a variable, a definition or a word of prose
};

// The words of a line that may name a function.
std::vector<TestWord> WordsOfTest(std::string_view path, std::string_view line);

// Can it be this function that the word in a test of `path` names? No where what stands before it is evidently something else: a
// module of the language, a method's name without anything before it.
bool CanName(const TestWord& word, const PublicFunction& function, std::string_view path);

}  // namespace paddock::subagents
