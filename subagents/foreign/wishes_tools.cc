// What a definition says of tools: lists of names, and permissions.
#include <algorithm>

#include "subagents/foreign/tool_names.h"
#include "subagents/foreign/wish_text.h"
#include "subagents/foreign/wishes.h"

namespace paddock::subagents {
namespace {

// a, b(c, d) e: at commas that stand in no round brackets.
std::vector<std::string> SplitComma(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int round = 0;
  const auto take = [&] {
    if (std::string one = Trimmed(part); !one.empty()) parts.push_back(std::move(one));
    part.clear();
  };
  for (char c : text) {
    round += c == '(' ? 1 : c == ')' && round > 0 ? -1 : 0;
    if (c == ',' && round == 0) take();
    else part += c;
  }
  take();
  return parts;
}

}  // namespace

void Wishes::Add(const std::vector<std::string>& tools) {
  for (const std::string& tool : tools)
    if (std::find(out_.tools.begin(), out_.tools.end(), tool) == out_.tools.end()) out_.tools.push_back(tool);
}

void Wishes::Remove(const std::vector<std::string>& tools) {
  std::erase_if(out_.tools, [&](const std::string& tool) { return std::find(tools.begin(), tools.end(), tool) != tools.end(); });
}

void Wishes::Tools(const YamlNode& value) {
  if (value.kind == YamlNode::Kind::kMap) return Permissions(value);
  std::vector<std::string> names;
  if (value.kind == YamlNode::Kind::kText) names = SplitComma(value.text);
  for (const YamlNode& item : value.list) {
    if (item.kind == YamlNode::Kind::kText) names.push_back(Trimmed(item.text));
    else Fault(item.line, "tools: expected names");
  }
  if (value.kind == YamlNode::Kind::kUnread) Fault(value.line, "tools: " + value.text);
  named_tools_ = true;
  for (const std::string& name : names) {
    const ToolMeaning meaning = MeaningOfTool(name);
    Add(meaning.tools);
    if (!meaning.why.empty()) Lose(meaning.loss, name, meaning.why, value.line);
  }
}

void Wishes::NotTools(const YamlNode& value) {
  std::vector<std::string> names;
  if (value.kind == YamlNode::Kind::kText) names = SplitComma(value.text);
  for (const YamlNode& item : value.list) names.push_back(Trimmed(item.text));
  if (value.kind == YamlNode::Kind::kUnread || value.kind == YamlNode::Kind::kMap) Fault(value.line, "tools that it may not use: expected a list of names");
  for (const std::string& name : names) {
    // Without what only some of its calls are forbidden by: then all of them are.
    ToolMeaning meaning = MeaningOfTool(std::string_view(name).substr(0, name.find('(')));
    if (const size_t open = name.find('('); open != name.npos && name.back() == ')' && IsCommandTool(Trimmed(std::string_view(name).substr(0, open))))
      meaning = MeaningOfCommand(std::string_view(name).substr(open + 1, name.size() - open - 2));
    if (IsCommandTool(Trimmed(std::string_view(name).substr(0, name.find('('))))) std::erase_if(meaning.tools, [](const std::string& ours) { return !ours.starts_with("git_"); });
    never_.insert(never_.end(), meaning.tools.begin(), meaning.tools.end());
  }
}

void Wishes::Permit(const std::string& tool, const std::string& resource, const std::string& effect, int line) {
  const bool allowed = effect == "allow" || effect == "true";
  if (!allowed && effect != "deny" && effect != "false" && effect != "ask") return Fault(line, "permission of " + Shown(tool) + ": expected allow, ask or deny, got " + Shown(effect));
  const bool whole = resource.empty() || resource == "*" || resource == "**";
  ToolMeaning meaning = MeaningOfTool(tool);
  if (!whole && IsCommandTool(tool)) meaning = MeaningOfCommand(resource);
  const std::string what = whole ? tool : tool + " " + resource;
  if (!allowed) {
    // Who may not start `cat` may still read: of commands only what is there instead of them is taken away.
    if (IsCommandTool(tool)) std::erase_if(meaning.tools, [](const std::string& ours) { return !ours.starts_with("git_"); });
    // Where a part of its calls is forbidden, all are: the part can't be kept. Of commands, ours are few, and known one by one.
    if (!whole && !IsCommandTool(tool) && !meaning.tools.empty()) Lose(LossKind::kMissing, what + ": " + effect, "what it is limited to can't be kept, so the tool is not there", line);
    if (effect == "ask" && !meaning.tools.empty()) Lose(LossKind::kMissing, what + ": ask", "nobody can be asked, so it is denied", line);
    if (!whole && !IsCommandTool(tool)) never_.insert(never_.end(), meaning.tools.begin(), meaning.tools.end());
    return Remove(meaning.tools);
  }
  if (!whole && !IsCommandTool(tool)) {
    if (!meaning.tools.empty()) Lose(LossKind::kMissing, what + ": " + effect, "what it is limited to can't be kept", line);
    return;
  }
  Add(meaning.tools);
  if (!meaning.why.empty() && tool != "*") Lose(meaning.loss, what, meaning.why, line);
}

void Wishes::Permissions(const YamlNode& value) {
  if (value.kind == YamlNode::Kind::kList) return PermissionList(value);
  if (!named_tools_) Add(AllTools());
  named_tools_ = true;
  if (value.kind == YamlNode::Kind::kText) return Permit("*", "", value.text, value.line);
  if (value.kind == YamlNode::Kind::kUnread) return Fault(value.line, "permissions: " + value.text);
  for (const YamlEntry& entry : value.map) {
    if (entry.value.kind == YamlNode::Kind::kText) {
      Permit(entry.key, "", entry.value.text, entry.value.line);
    } else if (entry.value.kind == YamlNode::Kind::kMap) {
      for (const YamlEntry& one : entry.value.map) Permit(entry.key, one.key, one.value.text, one.value.line);
    } else {
      Fault(entry.value.line, "permission of " + Shown(entry.key) + ": expected allow, ask or deny, or patterns");
    }
  }
}

void Wishes::PermissionList(const YamlNode& value) {
  if (!named_tools_) Add(AllTools());
  named_tools_ = true;
  for (const YamlNode& item : value.list) {
    std::string action, resource, effect;
    for (const YamlEntry& entry : item.map) {
      if (entry.value.kind != YamlNode::Kind::kText) continue;
      if (entry.key == "action") action = entry.value.text;
      if (entry.key == "resource") resource = entry.value.text;
      if (entry.key == "effect") effect = entry.value.text;
    }
    if (action.empty()) Fault(item.line, "permissions: expected action, resource and effect");
    else Permit(action, resource, effect, item.line);
  }
}

}  // namespace paddock::subagents
