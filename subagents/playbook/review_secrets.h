// Secrets that a change adds: by the rules of the redactor, so that what is hidden from a model is told to a reviewer, and by those of
// SecretRules.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "subagents/playbook/diff.h"
#include "subagents/playbook/review_rules.h"

namespace paddock::subagents {

struct AddedSecret {
  const ReviewRule* rule = nullptr;
  std::string shown;  // the beginning of the line, as far as it may be quoted
};

// In the line, or in the text that its strings and those of the lines behind it make together. `quiet`: only rules that hold in tests.
std::optional<AddedSecret> SecretIn(const Hunk& hunk, size_t index, std::span<const ReviewRule* const> rules, bool quiet);

}  // namespace paddock::subagents
