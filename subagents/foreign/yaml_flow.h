// What YAML has in brackets and braces, in one line or over several; and what its reader and that of lines (yaml_lines.cc) share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "subagents/foreign/yaml_lines.h"

namespace paddock::subagents {

// The first fault, and how many values there were, of one text.
struct YamlBounds {
  size_t nodes = 0;
  std::optional<YamlFault> fault;

  void Broken(int line, std::string message) {
    if (!fault) fault = YamlFault{line, std::move(message)};
  }
  // One value more, at that depth. False: there was a fault, or this is one.
  bool Enough(int depth, int line) {
    if (depth > kMaxYamlDepth) Broken(line, "nested deeper than " + std::to_string(kMaxYamlDepth) + " levels");
    if (++nodes > kMaxYamlNodes) Broken(line, "more than " + std::to_string(kMaxYamlNodes) + " values");
    return !fault;
  }
};

// Whether the first bracket is closed again; those in quotes don't count.
struct YamlBrackets {
  int open = 0;
  char quote = 0;
  bool Close(std::string_view text) {
    for (char c : text) {
      if (quote) quote = c == quote ? 0 : quote;
      else if (c == '"' || c == '\'') quote = c;
      else if (c == '[' || c == '{') ++open;
      else if ((c == ']' || c == '}') && --open == 0) return true;
    }
    return false;
  }
};

// The value that `rest` begins with, which is taken off: in brackets, braces, quotes, or plain.
YamlNode ReadYamlFlow(std::string_view* rest, int line, int depth, YamlBounds* bounds);

inline YamlNode UnreadYaml(int line, std::string why) {
  YamlNode node;
  node.kind = YamlNode::Kind::kUnread;
  node.text = std::move(why);
  node.line = line;
  return node;
}

inline std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}
inline std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return TrimEnd(text);
}

inline bool IsComment(std::string_view text) { return text.starts_with('#'); }

// ` # ...` behind a value.
inline std::string_view WithoutComment(std::string_view text) {
  for (size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1))
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') return TrimEnd(text.substr(0, at));
  return text;
}

// An anchor, an alias or a tag.
inline bool IsAnchorLike(std::string_view text) {
  if (text.starts_with('&') || text.starts_with('!')) return true;
  return text.starts_with('*') && text.size() > 1 && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", 1) == text.npos;
}

}  // namespace paddock::subagents
