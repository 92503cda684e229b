#include "agentcore/tools/blame.h"

#include "agentcore/tools/commit_log.h"
#include "agentcore/tools/rows.h"

namespace paddock::agentcore {

// --porcelain: "ID OLD NEW [COUNT]", then once for each commit what is known of it, then the line itself after a tab.
Blame ParseBlame(std::string_view rest) {
  Blame blame;
  std::string id;
  int64_t number = 0;
  while (!rest.empty()) {
    std::string_view line = TakePart(&rest, '\n');
    if (line.starts_with('\t')) {
      if (id.empty() || number < 1) continue;  // of no commit, or no line
      if (!blame.runs.empty() && blame.runs.back().id == id && blame.runs.back().last == number - 1) blame.runs.back().last = number;
      else blame.runs.push_back({number, number, id});
      continue;
    }
    const std::string_view word = TakePart(&line, ' ');
    if (IsCommitId(word)) {
      id = word;
      TakePart(&line, ' ');
      number = Number(TakePart(&line, ' '));
      blame.origins.try_emplace(id);
    } else if (id.empty()) {
      continue;
    } else if (word == "author") {
      blame.origins[id].author = line;
    } else if (word == "author-time") {
      blame.origins[id].time = Number(line);
    } else if (word == "summary") {
      blame.origins[id].subject = line;
    }
  }
  return blame;
}

}  // namespace paddock::agentcore
