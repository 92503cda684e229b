// Checks that a change takes away, moves the bound of or lacks: in code and in tests.
#pragma once

#include <vector>

#include "subagents/playbook/review_claims.h"

namespace paddock::subagents {

// Guards, asserts and what lets only some users in: one claim a file, with all that are gone. Not those that stand elsewhere in the change,
// went with their whole function or with the value they are about, or have another check in their place.
std::vector<ReviewClaim> ClaimsOfRemovedChecks(const std::vector<FileDiff>& files);
// Lines that are the same but for an operator of comparison.
std::vector<ReviewClaim> ClaimsOfBounds(const std::vector<FileDiff>& files);

// Tests that are gone, and assertions of tests that stay.
std::vector<ReviewClaim> ClaimsOfTests(const std::vector<FileDiff>& files);
// Code, checks of tests too, before which a return was put.
std::vector<ReviewClaim> ClaimsOfUnreached(const std::vector<FileDiff>& files);
// Memory in C that is used before anybody asked whether there is any.
std::vector<ReviewClaim> ClaimsOfAllocations(const std::vector<FileDiff>& files);

// A comparison in constant time that became another, a secret made of random numbers that can be foretold, a verifier that says yes.
std::vector<ReviewClaim> ClaimsOfWeakened(const std::vector<FileDiff>& files);

}  // namespace paddock::subagents
