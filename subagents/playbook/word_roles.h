// As what a word stands in a line of code: called, referred to, the key of a value, a word in a string. By the bytes around it alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::subagents {

// From the most telling on.
enum class WordRole {
  kCall,
  kReference,  // read in code
  kImport,
  kDeclares,   // a function's or member's declaration: "Type name(", "name(x: T): U;" of a .d.ts
  kAssigned,   // "name = x"
  kVariable,   // a variable or a parameter of that name is declared
  kKey,        // "name: x" of an object, "name=x" of an argument
  kString,
  kComment,
  kOther,      // a part of a path, a member of a standard library's thing
};

struct WordUse {
  WordRole role = WordRole::kReference;
  std::string receiver = "";  // "env" of "env.get(x)", "System.out" of "System.out.print(x)"; "?" of "f().get(x)"; "" where nothing stands before it
  // The line declares a variable of that name, or sets one, or has it as a key.
  bool declares = false, assigns = false, is_key = false;
};

// Where `name` stands in `text` as a whole word, from `from` on; npos where it doesn't.
size_t NameAt(std::string_view text, std::string_view name, size_t from = 0);
// Of the word at `at`. `bytes`: MaskedLine::bytes.
WordUse UseAt(std::string_view path, std::string_view text, std::string_view bytes, std::string_view name, size_t at);
// The most telling of all of them in the line.
WordUse BestUse(std::string_view path, std::string_view text, std::string_view bytes, std::string_view name);
// "this", "self", "@" and the like: the thing itself.
bool IsSelf(std::string_view receiver);

}  // namespace paddock::subagents
