// One text, looked through from its beginning to its end: what was looked for in vain is not looked for again, so that a text full
// of openings without an end costs no more than its length.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace paddock::agentcore {

class TextScan {
 public:
  explicit TextScan(std::string_view text) : text(text) {}
  const std::string_view text;
  // Where `mark` stands at or after `from`; npos. Asked in ascending order of `from`.
  size_t Find(const std::string& mark, size_t from);
  // Behind the object or list that begins at `at`; npos when it has no end. `stop`: where it has to end, if it can't be told by itself.
  size_t JsonEnd(size_t at, size_t stop);

 private:
  std::map<std::string, size_t> next_;  // mark: where it was found last
  bool open_ended_ = false;             // a value went on to the end of the text
};

}  // namespace paddock::agentcore
