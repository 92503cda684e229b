// What `git blame --porcelain` writes, taken apart: which commit each line of a file comes from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::agentcore {

struct Origin {  // bytes
  std::string author, subject;
  int64_t time = -1;  // of its author, seconds since the epoch; -1: none that can be read
};
struct BlamedRun {  // lines of one commit, one after the other
  int64_t first = 0, last = 0;
  std::string id;
};
struct Blame {
  std::vector<BlamedRun> runs;
  std::map<std::string, Origin> origins;  // by id; of each that a run names
};

Blame ParseBlame(std::string_view output);

}  // namespace paddock::agentcore
