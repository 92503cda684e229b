#include "agentcore/model/written_tag.h"

#include <algorithm>

#include "agentcore/model/written_json.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxTag = 300;
constexpr std::string_view kPrefixes[] = {"", "antml:", "minimax:", "\xEF\xBD\x9C" "DSML" "\xEF\xBD\x9C"};

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string Attribute(std::string_view rest, std::string_view name) {
  const std::string begin = std::string(name) + "=\"";
  const size_t at = rest.find(begin);
  if (at == std::string_view::npos || (at > 0 && !IsSpace(rest[at - 1]))) return "";
  rest.remove_prefix(at + begin.size());
  const size_t end = rest.find('"');
  return end == std::string_view::npos ? "" : std::string(rest.substr(0, end));
}

}  // namespace

std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<Tag> ReadTag(std::string_view text, size_t at) {
  if (at >= text.size() || text[at] != '<') return std::nullopt;
  const std::string_view head = text.substr(at + 1, kMaxTag);
  const size_t close = head.find('>');
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view inner = head.substr(0, close);
  Tag tag;
  for (std::string_view prefix : kPrefixes)
    if (!prefix.empty() && inner.starts_with(prefix)) tag.prefix = prefix;
  inner.remove_prefix(tag.prefix.size());
  const size_t letters = std::min(inner.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), inner.size());
  tag.name = inner.substr(0, letters);
  inner.remove_prefix(letters);
  if (tag.name.empty() || inner.find('\n') != std::string_view::npos) return std::nullopt;
  tag.end = at + 1 + close + 1;
  if (inner.ends_with('/')) {
    tag.empty = true;
    inner.remove_suffix(1);
  }
  if (inner.starts_with('=')) {
    tag.value = TrimSpace(inner.substr(1));
    if (tag.value.size() >= 2 && tag.value.front() == '"' && tag.value.back() == '"') tag.value = tag.value.substr(1, tag.value.size() - 2);
    return tag;
  }
  if (!inner.empty() && !IsSpace(inner.front())) return std::nullopt;
  tag.value = Attribute(inner, "name");
  const std::string string = Attribute(inner, "string");
  tag.as_string = string == "true";
  tag.not_string = string == "false";
  return tag;
}

Json PlainValue(std::string_view text, const Json* schema, const Tag& tag) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) text.remove_suffix(1);
  const bool wants_other = schema && schema->is_object() && schema->contains("type") && (*schema)["type"] != "string";
  if (!tag.as_string && (tag.not_string || wants_other))
    if (auto json = ParseWritten(TrimSpace(text)); json && !json->is_string()) return *std::move(json);
  return std::string(text);
}

const Json* ArgumentSchema(std::span<const ToolSpec> offered, const std::string& tool, const std::string& key) {
  for (const ToolSpec& spec : offered) {
    if (spec.name != tool || !spec.parameters.is_object()) continue;
    const auto properties = spec.parameters.find("properties");
    if (properties == spec.parameters.end() || !properties->is_object()) return nullptr;
    const auto found = properties->find(key);
    return found == properties->end() ? nullptr : &*found;
  }
  return nullptr;
}

}  // namespace paddock::agentcore
