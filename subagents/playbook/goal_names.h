// What a goal is about: names of the code in it, and words that may be parts of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct GoalName {
  std::string name;                    // as it was written
  std::vector<std::string> spellings;  // `name` first, then snake_case, camelCase, PascalCase, kebab-case, UPPER_CASE
  bool is_file = false;                // a path, or a file's name
  std::string owner;                   // "Cart." of "Cart.total", "Cart::" of "shop::Cart::total": what it is said to be of, and how that is written
  std::string kind = "";               // "struct" of "`struct cart`": the thing of that name that is meant
  bool is_text = false;                // in quotes, with blanks: a text that stands somewhere; the other spellings are names of its words
};

struct GoalWords {
  std::vector<GoalName> names;     // quoted, or of a form that only names have; in the order of the goal
  std::vector<std::string> left_out;  // names beyond those
  std::vector<GoalName> asked;     // plain words that the goal asks about as of a name: "how does Get work?", "what is Route?". Names if the code defines them
  std::vector<std::string> words;  // as they were written: plain ones that may be names, and the "Cart" of "Cart.total"
  std::vector<std::string> stems;  // of the other words that say something: "parsing" → "pars"
  std::vector<std::string> symptoms;  // those stems that are only words of what is wrong: "returns", "fails", "tests"
};

GoalWords ReadGoal(std::string_view goal);
// Is a line with that stem worth a look? Not where it is short, or a word of what is wrong, which stands everywhere.
bool IsTelling(const GoalWords& goal, const std::string& stem);

// The project's sources whose names hold the most of the goal's words; none where many do, for then the words say too little.
std::vector<std::string> FilesOfGoal(const RepoView& view, const GoalWords& goal);

// "rateLimit_x" → {"rate", "limit", "x"}.
std::vector<std::string> WordsOfName(std::string_view name);
// A pattern for any of these, as whole words.
std::string AnyOf(const std::vector<std::string>& names);

}  // namespace paddock::subagents
