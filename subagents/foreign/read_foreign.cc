#include "subagents/foreign/read_foreign.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "subagents/definition.h"
#include "subagents/foreign/toml_text.h"
#include "subagents/foreign/wishes.h"

namespace paddock::subagents {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

std::string_view TrimEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

int LineOf(std::string_view text, size_t at) { return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(std::min(at, text.size())), '\n')) + 1; }

struct Parts {
  std::string_view front, body;
  int body_line = 0;
};

// Between two lines of dashes, and what follows them.
std::expected<Parts, DefinitionFault> Split(std::string_view text) {
  const size_t first = std::min(text.find('\n'), text.size());
  if (TrimEnd(text.substr(0, first)) != "---") return std::unexpected(DefinitionFault{1, "expected a line of three dashes: the start of the frontmatter"});
  const size_t begin = std::min(first + 1, text.size());
  for (size_t at = begin; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (at - begin > kMaxFrontmatterBytes) return std::unexpected(DefinitionFault{LineOf(text, at), "the frontmatter is longer than " + std::to_string(kMaxFrontmatterBytes) + " bytes"});
    if (TrimEnd(text.substr(at, end - at)) == "---") return Parts{text.substr(begin, at - begin), text.substr(std::min(end + 1, text.size())), LineOf(text, at) + 1};
    at = end + 1;
  }
  return std::unexpected(DefinitionFault{1, "the frontmatter does not end; expected a line of three dashes"});
}

bool IsYes(const YamlNode& value) { return value.text == "true" || value.text == "yes" || value.text == "True"; }

// The keys that all of these tools have, by whatever name. False: it is another.
bool CommonKey(const std::string& key, const YamlNode& value, Wishes* wishes) {
  if (key == "name") wishes->Name(value);
  else if (key == "description") wishes->Purpose(value);
  else if (key == "tools" || key == "allowed-tools" || key == "allowedTools") wishes->Tools(value);
  else if (key == "disallowedTools" || key == "disallowed-tools" || key == "excludeTools" || key == "exclude_tools") wishes->NotTools(value);
  else if (key == "permission") wishes->Permissions(value);
  else if (key == "permissions") wishes->Permissions(value);
  else if (key == "model") wishes->Model(value);
  else if (key == "maxTurns" || key == "max_turns" || key == "steps" || key == "maxSteps") wishes->Turns(key, value);
  else if (key == "timeout_mins") wishes->Minutes(key, value);
  else if (key == "disable" || key == "disabled") {
    if (IsYes(value)) wishes->Fault(value.line, "it is switched off by " + key);
  } else if (key == "kind" && value.text == "remote") {
    wishes->Fault(value.line, "a remote agent: there is nothing here to run");
  } else {
    return false;
  }
  return true;
}

void ReadKeys(const YamlNode& top, std::string_view prompt_key, ForeignDefinition* out, std::string_view body, int body_line) {
  Wishes wishes(out);
  bool named = false, told = false;
  // What is taken away stands behind what is given, in whatever order the file has them.
  for (const bool taking : {false, true})
    for (const YamlEntry& entry : top.map) {
      const bool takes = entry.key == "permission" || entry.key == "permissions";
      if (takes != taking) continue;
      named |= entry.key == "name";
      if (!prompt_key.empty() && entry.key == prompt_key) {
        told = true;
        if (entry.value.kind == YamlNode::Kind::kText) wishes.Prompt(entry.value.text, entry.value.line);
        else wishes.Fault(entry.value.line, entry.key + ": expected text");
      } else if (!CommonKey(entry.key, entry.value, &wishes)) {
        wishes.Other(entry.key, entry.value);
      }
    }
  if (!named) wishes.NameOfFile();
  if (prompt_key.empty()) wishes.Prompt(body, body_line);
  else if (!told) wishes.Fault(1, "missing key " + std::string(prompt_key) + ": the prompt");
  wishes.Close();
}

void ReadMarkdown(std::string_view text, ForeignDefinition* out) {
  auto parts = Split(text);
  if (!parts) return out->faults.push_back(parts.error());
  auto front = ReadYamlLines(parts->front, 2);
  if (!front) return out->faults.push_back({front.error().line, "frontmatter: " + front.error().message});
  ReadKeys(*front, "", out, parts->body, parts->body_line);
}

void ReadToml(std::string_view text, ForeignDefinition* out) {
  auto top = ReadTomlText(text);
  if (!top) return out->faults.push_back({top.error().line, top.error().message});
  ReadKeys(*top, "developer_instructions", out, "", 0);
}

void ReadOwn(std::string_view text, ForeignDefinition* out) {
  auto own = ParseDefinition(text, "x");
  if (!own) {
    // "x:LINE: what"
    std::string_view message = own.error().message;
    message.remove_prefix(2);
    int64_t line = 0;
    auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), line);
    const size_t digits = static_cast<size_t>(end - message.data());
    if (error == std::errc() && message.substr(digits).starts_with(": ")) message.remove_prefix(digits + 2);
    std::string what(message);
    if (!own.error().hint.empty()) what += "; " + own.error().hint;
    return out->faults.push_back({line, std::string(TruncateUtf8(what, 1024))});
  }
  out->name = own->name;
  out->purpose = own->purpose;
  out->prompt = own->prompt;
  out->tools = own->tools;
  out->profile = own->profile;
  out->model = std::string(TruncateUtf8(own->model, 60));
  out->turns = own->budget.turns;
  out->seconds = own->budget.seconds;
}

bool LooksLikeOwn(std::string_view text) {
  auto parts = Split(text);
  return parts && ("\n" + std::string(parts->front)).find("\npurpose:") != std::string::npos;
}

}  // namespace

ForeignDefinition ReadForeign(std::string_view bytes, std::string_view path, DefinitionFormat format) {
  ForeignDefinition out;
  out.path = path;
  out.format = format == DefinitionFormat::kAny ? FormatOfPath(path) : format;
  if (bytes.size() > kMaxForeignBytes) {
    out.faults.push_back({0, "expected at most " + std::to_string(kMaxForeignBytes) + " bytes"});
    return out;
  }
  out.text = WireFromBytes(bytes);
  std::string_view text = bytes;
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  if (out.format == DefinitionFormat::kAny) out.format = LooksLikeOwn(text) ? DefinitionFormat::kPaddock : DefinitionFormat::kClaude;
  if (const size_t nul = text.find('\0'); nul != text.npos) out.faults.push_back({LineOf(text, nul), "a NUL: this is no text"});
  else if (!IsValidUtf8(text)) out.faults.push_back({0, "this is not valid UTF-8"});
  else if (out.format == DefinitionFormat::kPaddock) ReadOwn(text, &out);
  else if (out.format == DefinitionFormat::kCodex) ReadToml(text, &out);
  else ReadMarkdown(text, &out);
  return out;
}

}  // namespace paddock::subagents
