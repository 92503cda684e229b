// The rules of one .gitignore (or .git/info/exclude), read and applied as `git check-ignore --no-index` does.
//
// What this file leaves to walk.h: which files apply to a path, and that nothing below an ignored folder is
// looked at. Tested against git itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/glob.h"

namespace paddock::agentcore {

enum class IgnoreVerdict { kNoRule, kIgnored, kKept };

class IgnoreRules {
 public:
  // `text` is the file's content. Rules beyond `max_rules` are left out (then truncated() says so).
  IgnoreRules(std::string_view text, size_t max_rules);

  // The last rule that matches decides. `path` is relative to the folder that holds the rules.
  IgnoreVerdict Check(std::string_view path, bool is_folder, GlobCost* cost) const;
  size_t size() const { return rules_.size(); }
  bool truncated() const { return truncated_; }

 private:
  struct Rule {
    std::string literal;       // the part before the first wildcard; for kSuffix what follows the star
    std::vector<Glob> glob;    // the rest, none or one
    enum class Shape : uint8_t { kWhole, kSuffix, kGlob } shape = Shape::kWhole;
    bool negated = false;
    bool folders_only = false;
    bool on_name = false;      // no slash: matched against the last component
  };
  void AddLine(std::string_view line);
  static bool Matches(const Rule& rule, std::string_view path, std::string_view name, GlobCost* cost);

  std::vector<Rule> rules_;
  bool truncated_ = false;
};

}  // namespace paddock::agentcore
