// What the checks ask of a hunk again and again, found in one walk over its lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_guards.h"

namespace paddock::subagents {

// Which bytes of its lines are code, as the file is after the change: for each line of the hunk, and nothing for a removed one.
std::vector<MaskedLine> MaskOfHunk(const std::string& language, const Hunk& hunk);

// The lines that stand after the change and say something.
class StandingLines {
 public:
  StandingLines(const FileDiff& file, const Hunk& hunk);

  // The one that stands now where lines[index] of the hunk was removed, and behind it in `instead` those near it.
  ReviewSpot At(size_t index) const;
  // Its number alone; 0 where the hunk has none.
  int64_t LineAt(size_t index) const;

 private:
  std::vector<size_t> Near(size_t index) const;

  const FileDiff& file_;
  const Hunk& hunk_;
  std::vector<size_t> lines_;
};

// What a hunk removes: names that it defines, values that it makes, and what stands of them.
class RemovedCode {
 public:
  RemovedCode(const FileDiff& file, const Hunk& hunk);

  // By the line, if it does not only stand in the new file.
  const std::optional<DefinedName>& Defined(size_t index) const { return defined_[index]; }
  // By lines[index], or by the first removed line after it in its run that defines something.
  const DefinedName* NextDefined(size_t index) const { return next_defined_[index] < defined_.size() ? &*defined_[next_defined_[index]] : nullptr; }
  // Is a value given to the word, or is it defined, in a removed line before lines[index]?
  bool IsMadeBefore(size_t index, const std::string& word) const;
  // Does a line that is no comment, and was not removed, hold the word?
  bool Stands(const std::string& word) const;
  // Does a line that was not removed give it a value?
  bool IsMadeAnew(const std::string& word) const;

 private:
  struct Use {
    size_t seen = 0;         // the last line that holds it, counted from 1
    size_t made = SIZE_MAX;  // the first line that makes it
    bool stands = false;
  };
  void TakeLine(const DiffLine& line, size_t index);

  const Hunk& hunk_;
  mutable std::map<std::string, bool> made_anew_;  // of the words that were asked for
  std::vector<std::optional<DefinedName>> defined_;
  std::vector<size_t> next_defined_;
  std::unordered_map<std::string_view, Use> uses_;
};

}  // namespace paddock::subagents
