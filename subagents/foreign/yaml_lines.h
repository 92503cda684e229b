// The frontmatter of Markdown files as people write it: the part of YAML that is keys, plain and quoted text, block text, and lists
// and maps by indentation or in brackets.
//
// No YAML beyond that. Anchors, aliases and tags are not followed but are `unread`, so nothing expands; duplicate keys, tabs as
// indentation and what is deeper than kMaxYamlDepth are errors with their line. Plain text may hold `: `, which strict YAML forbids
// and many files have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock::subagents {

inline constexpr int kMaxYamlDepth = 8;
inline constexpr size_t kMaxYamlNodes = 2000;

struct YamlEntry;
struct YamlNode {
  enum class Kind { kText, kList, kMap, kUnread };
  Kind kind = Kind::kText;
  std::string text;  // kText; kUnread: why
  std::vector<YamlNode> list;
  std::vector<YamlEntry> map;  // in order, keys once each
  int line = 0;
};
struct YamlEntry {
  std::string key;
  YamlNode value;
};

struct YamlFault {
  int line = 0;
  std::string message;
};

// `text`: the lines between the dashes, the first of which is line `first`. The top is a map.
std::expected<YamlNode, YamlFault> ReadYamlLines(std::string_view text, int first);

}  // namespace paddock::subagents
