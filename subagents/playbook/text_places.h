// Where a text of the goal stands, word for word: a message, a line of code.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

struct TextPlaces {
  std::string text;
  std::map<std::string, std::vector<int64_t>> lines;  // of a file
  std::vector<std::string> files;                     // sources first, then tests, documents and the rest

  bool empty() const { return files.empty(); }
};

// In all lines that were seen. Foreign and made files are left out.
TextPlaces PlacesOfText(const RepoView& view, const std::string& text);

// For the investigator's report. `least`: "at least " where a search was cut off, or nothing.
std::vector<ClaimedFinding> FindingsOfText(const RepoView& view, const TextPlaces& places, const std::string& least);
std::string AnswerOfText(const TextPlaces& places, const std::string& least);
// As an entry of data.names, with the keys that those of names have.
Json DataOfText(const TextPlaces& places);

}  // namespace paddock::subagents
