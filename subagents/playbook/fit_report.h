// What a playbook says is put together from paths, names and commands of the repository, any of which may be long: here the
// report is brought within its own table's bounds, so that none is ever refused for its length. `data` has bounds of its own,
// the parent's, which drops what is beyond them without a word: lists are fitted into them, the most telling first where a playbook
// does that itself, else each its share.
#pragma once

#include <string>

#include "subagents/report.h"

namespace paddock::subagents {

// At most `bytes` of it (at least 16): the longest words, which are paths and names, lose their middle first: "No test names `x`
// (deep/dow…/oven.py:12)". UTF-8 stays whole.
std::string ShortenWords(std::string text, size_t bytes);

void FitReport(Report* report);

// What the parent keeps of `data` (agentcore::CleanJson): so many values, counting each list and object as one with those in it.
inline constexpr size_t kMaxDataValues = 2000;
size_t ValuesOf(const Json& json);

// How much of `data` is still free.
struct DataRoom {
  size_t values = kMaxDataValues, bytes = kMaxDataBytes;
};
// Takes room for `json`, which must have it.
void TakeRoom(const Json& json, DataRoom* room);
// Takes room for as many of `list` as it has, from the first; the others are cut off. How many these are.
size_t FitList(Json* list, DataRoom* room);
// Where an object is beyond the bounds its lists are cut, and `omitted` says by how many: {"files": 700}.
void FitData(Json* data);

}  // namespace paddock::subagents
