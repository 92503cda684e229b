#include "subagents/foreign/yaml_flow.h"

#include "subagents/foreign/quoted_text.h"

namespace paddock::subagents {

YamlNode ReadYamlFlow(std::string_view* rest, int line, int depth, YamlBounds* bounds) {
  YamlNode node;
  node.line = line;
  if (!bounds->Enough(depth, line)) return node;
  *rest = Trim(*rest);
  if (rest->starts_with('[') || rest->starts_with('{')) {
    const char close = rest->front() == '[' ? ']' : '}';
    node.kind = close == ']' ? YamlNode::Kind::kList : YamlNode::Kind::kMap;
    rest->remove_prefix(1);
    for (;;) {
      *rest = Trim(*rest);
      if (rest->empty()) return bounds->Broken(line, "the bracket is not closed"), node;
      if (rest->front() == close) return rest->remove_prefix(1), node;
      if (rest->front() == ',') {
        rest->remove_prefix(1);
        continue;
      }
      YamlNode item = ReadYamlFlow(rest, line, depth + 1, bounds);
      if (bounds->fault) return node;
      if (close == ']') {
        node.list.push_back(std::move(item));
        continue;
      }
      *rest = Trim(*rest);
      if (item.kind != YamlNode::Kind::kText || !rest->starts_with(':')) return bounds->Broken(line, "expected `key: value` in braces"), node;
      rest->remove_prefix(1);
      for (const YamlEntry& earlier : node.map)
        if (earlier.key == item.text) return bounds->Broken(line, "duplicate key in braces"), node;
      YamlNode value = ReadYamlFlow(rest, line, depth + 1, bounds);
      node.map.push_back({std::move(item.text), std::move(value)});
    }
  }
  if (rest->starts_with('"') || rest->starts_with('\'')) {
    auto read = ReadQuoted(*rest);
    if (read.fault || read.length == 0) return bounds->Broken(line, read.fault ? read.fault : "the quotes do not end"), node;
    rest->remove_prefix(read.length);
    node.text = std::move(read.text);
    return node;
  }
  // Round brackets hold commas of their own: Bash(git log:*).
  size_t end = 0;
  for (int round = 0; end < rest->size(); ++end) {
    const char c = (*rest)[end];
    round += c == '(' ? 1 : c == ')' && round > 0 ? -1 : 0;
    if (round == 0 && (c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || (c == ':' && (end + 1 == rest->size() || (*rest)[end + 1] == ' ')))) break;
  }
  const std::string_view plain = TrimEnd(rest->substr(0, end));
  if (plain.empty()) return bounds->Broken(line, "expected a value in brackets"), node;
  rest->remove_prefix(end);
  if (IsAnchorLike(plain)) return UnreadYaml(line, "anchors, aliases and tags are not followed");
  node.text = plain;
  return node;
}

}  // namespace paddock::subagents
