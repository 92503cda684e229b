#include "orchestrator/providers/cassette_exchange.h"

#include <algorithm>
#include <map>

#include "agentcore/pipeline/redact.h"
#include "agentcore/pipeline/wrap.h"
#include "base/sha256.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kShownBytes = 40;

std::string Shown(const std::string& text, size_t at) {
  const size_t begin = at - std::min<size_t>(at, 10);
  return "\"" + VisibleText(TruncateUtf8(text.substr(begin), kShownBytes), Newlines::kEscape) + "\"";
}

size_t FirstByte(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

std::string InText(const std::string& where, const std::string& then, const std::string& now) {
  const size_t at = FirstByte(then, now);
  return where + " differs at byte " + std::to_string(at) + ": recorded " + Shown(then, at) + ", now " + Shown(now, at);
}

// Empty when both say the same.
std::string InJson(const std::string& path, const Json& then, const Json& now) {
  if (then.is_object() && now.is_object()) {
    for (auto member = then.begin(); member != then.end(); ++member) {
      if (!now.contains(member.key())) return path + "." + member.key() + " is not asked any more";
      if (std::string found = InJson(path + "." + member.key(), member.value(), now[member.key()]); !found.empty()) return found;
    }
    for (auto member = now.begin(); member != now.end(); ++member)
      if (!then.contains(member.key())) return path + "." + member.key() + " was not in the recorded request";
    return "";
  }
  if (then.is_array() && now.is_array()) {
    for (size_t i = 0; i < std::min(then.size(), now.size()); ++i)
      if (std::string found = InJson(path + "[" + std::to_string(i) + "]", then[i], now[i]); !found.empty()) return found;
    if (then.size() == now.size()) return "";
    return path + " has " + std::to_string(now.size()) + " items, " + std::to_string(then.size()) + " were recorded";
  }
  if (then == now) return "";
  if (then.is_string() && now.is_string()) return InText(path, then.get_ref<const std::string&>(), now.get_ref<const std::string&>());
  return path + ": recorded " + Shown(DumpJson(then), 0) + ", now " + Shown(DumpJson(now), 0);
}

// The ids of marks around untrusted content follow from what they enclose: where that differs, they do too, and come before it.
std::string WithoutIds(std::string text) {
  const std::string mark = std::string(agentcore::kWrapTag) + " id=";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at = std::min(text.find_first_not_of("\\\"", at + mark.size()), text.size());
    for (; at < text.size() && isxdigit(static_cast<unsigned char>(text[at])); ++at) text[at] = '0';
  }
  return text;
}

// Every text of a stream's events, those of the same place put together: a key may come in pieces.
void Gather(const std::string& place, const Json& value, std::map<std::string, std::string>* texts) {
  if (value.is_string()) (*texts)[place] += value.get_ref<const std::string&>();
  if (value.is_array())
    for (const Json& item : value) Gather(place + "[]", item, texts);
  if (value.is_object())
    for (auto member = value.begin(); member != value.end(); ++member) Gather(place + "." + member.key(), member.value(), texts);
}

bool SaysInPieces(const agentcore::Redactor& redactor, const std::string& body) {
  std::map<std::string, std::string> texts;
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find_first_of("\r\n", begin), body.size());
    std::string_view line = std::string_view(body).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("data:")) continue;
    line.remove_prefix(5);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (auto json = ParseJson(line)) Gather("", *json, &texts);
  }
  return std::any_of(texts.begin(), texts.end(), [&](const auto& one) { return redactor.RedactKnown(Json(one.second)) != Json(one.second); });
}

}  // namespace

std::string RequestKey(const std::string& method, const std::string& url, const std::string& body) { return Sha256Hex(method + "\n" + url + "\n" + body); }

std::string FirstDifference(const CassetteExchange& recorded, const HttpRequest& now) {
  if (recorded.method != now.method) return "the method: recorded " + recorded.method + ", now " + now.method;
  if (recorded.url != now.url) return InText("the address", recorded.url, now.url);
  for (const bool ids : {false, true}) {
    const std::string before = ids ? recorded.body : WithoutIds(recorded.body), after = ids ? now.body : WithoutIds(now.body);
    auto then = ParseJson(before, {.max_bytes = before.size() + 1}), asked = ParseJson(after, {.max_bytes = after.size() + 1});
    if (then && asked)
      if (std::string found = InJson("$", *then, *asked); !found.empty()) return found;
  }
  return InText("the body", recorded.body, now.body);
}

void TakeKeyOut(const std::string& key, CassetteExchange* exchange) {
  if (key.empty()) return;
  const agentcore::Redactor redactor({{"api-key", key}});
  const auto clean = [&](std::string* text) {
    const Json redacted = redactor.RedactKnown(Json(*text));
    if (redacted == Json(*text)) return;
    *text = redacted.get<std::string>();
    exchange->redacted = true;
  };
  for (auto header = exchange->headers.begin(); header != exchange->headers.end();) {
    const bool says = header->second.find(key) != std::string::npos;
    header = says ? exchange->headers.erase(header) : std::next(header);
  }
  clean(&exchange->url);
  clean(&exchange->body);
  for (auto& pair : exchange->answer_headers)
    for (std::string& text : pair) clean(&text);
  if (exchange->error) clean(&exchange->error->message);
  std::string body;
  for (const std::string& piece : exchange->pieces) body += BytesFromWire(piece);
  if (SaysInPieces(redactor, body)) {
    exchange->pieces.clear();
    exchange->redacted = true;
    return;
  }
  // Whole: a piece may end within it.
  std::string wire = WireFromBytes(body);
  const std::string before = wire;
  clean(&wire);
  if (wire != before) exchange->pieces = {wire};
}

}  // namespace paddock::orchestrator
