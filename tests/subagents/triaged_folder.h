// A real folder, and triage on it with the real tools: what a made-up repository in memory doesn't have, as links and closed files.
#pragma once

#include <initializer_list>
#include <map>
#include <string>

#include "subagents/report.h"

namespace paddock::subagents {

class TriagedFolder {
 public:
  explicit TriagedFolder(const std::map<std::string, std::string>& files);
  ~TriagedFolder();
  TriagedFolder(const TriagedFolder&) = delete;
  TriagedFolder& operator=(const TriagedFolder&) = delete;

  const std::string& root() const { return root_; }
  void Link(const std::string& path, const std::string& target);
  // Fails the test where a citation doesn't hold.
  Report Triage() const;

 private:
  std::string root_;
};

// The verdict of one with these files.
Report TriageOf(const std::map<std::string, std::string>& files);
std::string VerdictOf(const Report& report);
// A file that is told under this label, with this verdict on its folder.
struct Spelling {
  const char *path, *text, *label;
  const char* verdict = "hostile signs";
};
void ExpectFound(std::initializer_list<Spelling> spellings);
// Of the most severe finding of this label; kInfo where there is none.
Severity WorstOf(const Report& report, const std::string& label);

}  // namespace paddock::subagents
