#include "subagents/foreign/wishes.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "subagents/foreign/tool_names.h"
#include "subagents/foreign/wish_text.h"

namespace paddock::subagents {
namespace {

struct OtherKey {
  const char* keys;  // lower case without - and _, between bars
  LossKind kind;
  const char* why;
};
constexpr OtherKey kOtherKeys[] = {
    {"|color|colour|emoji|icon|displayname|nicknamecandidates|hidden|vibe|", LossKind::kSetting, "how it is shown elsewhere"},
    {"|version|author|license|metadata|tags|category|created|updated|", LossKind::kSetting, "told to people only"},
    {"|temperature|topp|topk|thinkingconfig|generateconfig|modelconfig|", LossKind::kSetting, "the settings of the run's model are used"},
    {"|effort|reasoningeffort|modelreasoningeffort|modelreasoningsummary|modelverbosity|variant|textverbosity|modelprovider|modelcontextwindow|", LossKind::kSetting, "the settings of the run's model are used"},
    {"|mode|kind|background|isolation|", LossKind::kSetting, "here it is a subagent in a jail of its own"},
    {"|hooks|", LossKind::kWider, "hooks never run"},
    {"|mcpservers|mcp|", LossKind::kWider, "MCP servers are not started for subagents"},
    {"|skills|", LossKind::kMissing, "skills are not loaded"},
    {"|memory|", LossKind::kMissing, "a subagent remembers nothing"},
    {"|initialprompt|", LossKind::kMissing, "its goal is what it is sent with"},
    {"|websearch|", LossKind::kWider, "there is no network"},
    {"|approvalpolicy|", LossKind::kMissing, "nobody can be asked"},
};

std::string Folded(std::string_view key) {
  std::string out;
  for (char c : key)
    if (c != '-' && c != '_') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Empty: it is no name.
std::string OurName(std::string_view name) {
  std::string ours;
  for (char c : name) ours += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ours.size() <= 64 && ours.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == ours.npos ? ours : std::string();
}

// Below the folder of the agents, which may be where the path begins; without its ending.
std::string NameOfPath(std::string_view path) {
  std::string name(path);
  for (std::string_view folder : {"agents/", "agent/"})
    if (const size_t at = path.rfind(folder); at != path.npos && (at == 0 || path[at - 1] == '/')) {
      name = path.substr(at + folder.size());
      break;
    }
  if (const size_t dot = name.rfind('.'); dot != name.npos && name.find('/', dot) == name.npos) name.resize(dot);
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

// One line, blanks and written-out line ends as one blank each.
std::string OneLine(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == 'n') c = ' ', ++i;
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

bool HasHidden(std::string_view text) { return VisibleText(text, Newlines::kKeep) != text; }

void Wishes::Fault(int line, std::string message) {
  if (out_.faults.size() < kMaxForeignFaults) out_.faults.push_back({line, std::string(TruncateUtf8(message, 1024))});
}

void Wishes::Lose(LossKind kind, std::string_view what, std::string_view why, int line) {
  if (out_.losses.size() < kMaxLosses) out_.losses.push_back({kind, VisibleBeginning(what, 100), VisibleBeginning(why, 200), line});
}

std::string Wishes::TextOf(const std::string& key, const YamlNode& value) {
  if (value.kind == YamlNode::Kind::kText) return value.text;
  Fault(value.line, key + ": expected text" + (value.kind == YamlNode::Kind::kUnread ? "; " + value.text : std::string()));
  return {};
}

void Wishes::Name(const YamlNode& value) {
  const std::string name = Trimmed(TextOf("name", value));
  std::string ours = OurName(name);
  // What is no name is never used, in no form: the file has one too.
  if (ours.empty()) ours = OurName(NameOfPath(out_.path));
  if (ours.empty()) return Fault(value.line, "name: expected 1 to 64 letters, digits, - and _, got " + Shown(name));
  if (ours != name) Lose(LossKind::kSetting, "name " + name, "here it is called " + ours, value.line);
  out_.name = ours;
}

void Wishes::NameOfFile() {
  YamlNode value;
  value.text = NameOfPath(out_.path);
  Name(value);
}

void Wishes::Purpose(const YamlNode& value) {
  std::string purpose = OneLine(TextOf("description", value));
  if (HasHidden(purpose)) return Fault(value.line, "description: a control or invisible character, or invalid UTF-8");
  if (purpose.size() > kMaxForeignPurpose) {
    purpose = std::string(TruncateUtf8(purpose, kMaxForeignPurpose - 4)) + " …";
    Lose(LossKind::kSetting, "description", "only its first " + std::to_string(kMaxForeignPurpose) + " bytes", value.line);
  }
  out_.purpose = std::move(purpose);
}

void Wishes::Model(const YamlNode& value) {
  const std::string model = Trimmed(TextOf("model", value));
  if (model.empty() || model == "inherit") return;
  out_.model = VisibleBeginning(model, 60);
  Lose(LossKind::kSetting, "model " + model, "other tools' names of models mean nothing here: that of the run is used", value.line);
}

void Wishes::Turns(const std::string& key, const YamlNode& value) {
  const std::string text = TextOf(key, value);
  int64_t turns = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), turns);
  if (error != std::errc() || stop != text.data() + text.size() || turns < 1) return Fault(value.line, key + ": expected a whole number from 1 on, got " + Shown(text));
  out_.turns = std::min<int64_t>(turns, 1000);
}

void Wishes::Minutes(const std::string& key, const YamlNode& value) {
  const std::string text = TextOf(key, value);
  int64_t minutes = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  if (error != std::errc() || stop != text.data() + text.size() || minutes < 1) return Fault(value.line, key + ": expected a whole number of minutes, got " + Shown(text));
  out_.seconds = std::min<int64_t>(minutes, 1440) * 60;
}

void Wishes::Other(const std::string& key, const YamlNode& value) {
  const std::string folded = Folded(key);
  const std::string text = value.kind == YamlNode::Kind::kText ? value.text : "";
  const std::string what = text.empty() || text.size() > 40 || text.find('\n') != text.npos ? key : key + ": " + text;
  if (folded == "permissionmode" || folded == "sandboxmode") {
    const bool wide = text == "bypassPermissions" || text == "acceptEdits" || text == "danger-full-access" || text == "workspace-write" || text == "auto" || text == "dontAsk";
    return Lose(wide ? LossKind::kWider : LossKind::kSetting, what, "its jail is read-only, whatever the file says", value.line);
  }
  for (const OtherKey& row : kOtherKeys)
    if (!folded.empty() && std::string_view(row.keys).find("|" + folded + "|") != std::string_view::npos) return Lose(row.kind, what, row.why, value.line);
  Lose(LossKind::kUnknown, what, "nobody knows such a key", value.line);
}

void Wishes::Prompt(std::string_view text, int line) {
  std::string prompt;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view one = text.substr(begin, end - begin);
    if (one.ends_with('\r')) one.remove_suffix(1);
    begin = end + 1;
    // What a reviewer of the definition can't see must not reach a model.
    if (HasHidden(one)) return Fault(line, "prompt: a control or invisible character, or invalid UTF-8");
    if (prompt.empty() && Trimmed(one).empty()) continue;
    prompt.append(one);
    prompt += '\n';
  }
  while (!prompt.empty() && (prompt.back() == '\n' || prompt.back() == ' ')) prompt.pop_back();
  if (prompt.empty()) return Fault(line, "the prompt is empty");
  if (prompt.size() > kMaxForeignPrompt) return Fault(line, "prompt: expected at most " + std::to_string(kMaxForeignPrompt) + " bytes, got " + std::to_string(prompt.size()));
  out_.prompt = prompt + "\n";
}

void Wishes::Close() {
  if (!named_tools_) Add(AllTools());
  Remove(never_);
  if (out_.purpose.empty() && out_.faults.empty()) Fault(1, "no description: nobody would know when to send it");
  if (out_.tools.empty() && out_.faults.empty()) Fault(1, "none of the tools that it asks for is here");
}

}  // namespace paddock::subagents
