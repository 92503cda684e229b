// What is worth a reviewer's word on a single added line, by tables of languages. A rule is there when it is rarely wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "subagents/report.h"

namespace paddock::subagents {

constexpr size_t kMostJudged = 4000;  // bytes of a line that the rules look at

struct ReviewRule {
  const char* languages;          // RE2 of the whole language (ReviewLanguage)
  const char* line;               // RE2; the match begins in code, neither in a comment nor in a string (but where in_text)
  Severity severity;
  const char* title;              // "{1}" is the first capture
  const char* why;
  const char* unless = nullptr;   // RE2, in the line
  bool in_text = false;           // counts in comments and strings too
  bool in_tests = false;          // counts in tests too
  const char* unless_within = nullptr;  // RE2, in the line that holds it: a condition
  bool in_side = false;           // counts in examples and the like too, though not in tests
};

// Calls and settings that are risky.
std::span<const ReviewRule> RiskRules();
// What was left over from work: debug output, marks, tests that are switched off.
std::span<const ReviewRule> LeftoverRules();
// Secrets: what a redactor has taken out, and what it may not know. The first capture holds nothing of the secret: no more than it may be quoted.
std::span<const ReviewRule> SecretRules();

// Tests, examples and the like: what is risky elsewhere is what they are for, and only rules with in_tests or in_side hold.
bool HoldsTrials(std::string_view path);
// LanguageOf, and "Make", "Docker", "CI", "JSON", "YAML", "SQL", "Text" for what is no programming language.
std::string ReviewLanguage(std::string_view path, std::string_view first_line = {});
// Does the match of a pattern that begins `at` lie in a comment or a string, as far as the line shows?
bool InTextOrComment(std::string_view language, std::string_view line, size_t at);

}  // namespace paddock::subagents
