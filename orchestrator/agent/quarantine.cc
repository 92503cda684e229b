#include "orchestrator/agent/quarantine.h"

#include <algorithm>
#include <set>

namespace paddock::orchestrator {
namespace {

using subagents::Verification;

const char* InWords(Verification verification) {
  switch (verification) {
    case Verification::kVerified: return "verified";
    case Verification::kContradicted: return "contradicted";
    case Verification::kChanged: return "unverified, changed since";
    case Verification::kUnknown: return "unverified";
  }
  return "unverified";
}

// One of the words that whoever made the schema put into it.
bool IsOfSchema(const Json& value, const Json& schema) {
  if (!schema.is_object()) return false;
  if (auto same = schema.find("const"); same != schema.end()) return *same == value;
  const auto list = schema.find("enum");
  return list != schema.end() && list->is_array() && std::find(list->begin(), list->end(), value) != list->end();
}

const Json& Part(const Json& schema, const char* key) {
  static const Json kNone = nullptr;
  if (!schema.is_object()) return kNone;
  const auto part = schema.find(key);
  return part == schema.end() ? kNone : *part;
}

std::string Number(int64_t number) { return std::to_string(number); }

// Words as handles are made.
template <class Take>
void EachWord(std::string_view text, const Take& take) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  for (size_t begin = 0, end; begin < text.size(); begin = std::max(end, begin + 1)) {
    for (end = begin; end < text.size() && fits(text[end]);) ++end;
    if (end > begin) take(text.substr(begin, end - begin));
  }
}

}  // namespace

bool Names(std::string_view text, std::string_view handle) {
  bool named = false;
  EachWord(text, [&](std::string_view word) { named |= word == handle; });
  return named;
}

std::string Quarantine::HandleOf(const char* kind, const std::string& text, const std::string& from) {
  std::lock_guard lock(mutex_);
  const auto [known, is_new] = known_.try_emplace({kind, text});
  if (!is_new) return known->second;
  const std::string handle = std::string(kind) + "-" + std::to_string(++numbers_[kind]);
  known->second = handle;
  by_handle_[handle] = texts_.size();
  texts_.push_back({handle, text, from});
  return handle;
}

Json Quarantine::Shown(const Json& value, const Json& schema, const std::string& from, size_t* values) {
  if (*values == 0) return nullptr;
  --*values;
  if (value.is_object()) {
    Json out = Json::object();
    const Json& properties = Part(schema, "properties");
    for (auto it = value.begin(); it != value.end(); ++it)
      if (const Json& part = Part(properties, it.key().c_str()); !part.is_null()) out[it.key()] = Shown(it.value(), part, from, values);
    return out;
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& one : value)
      if (*values > 0) out.push_back(Shown(one, Part(schema, "items"), from, values));
    return out;
  }
  if (value.is_string() && !IsOfSchema(value, schema)) return HandleOf("text", value.get<std::string>(), from);
  return value;
}

agentcore::ToolResult Quarantine::ResultOf(const subagents::ResultTicket& ticket, const Json& schema) {
  agentcore::ToolResult result;
  result.success = !ticket.summary.empty() || !ticket.findings.empty();
  result.status = ticket.status == subagents::TicketStatus::kCompleted ? agentcore::ToolStatus::kOk
                  : result.success                                     ? agentcore::ToolStatus::kPartial
                                                                       : agentcore::ToolStatus::kFailed;
  const std::string status = NameOf(ticket.status);
  result.summary = "subagent " + ticket.subagent + ": " + status + ", " + Number(static_cast<int64_t>(ticket.findings.size())) + (ticket.findings.size() == 1 ? " finding, " : " findings, ") +
                   Number(ticket.citations_verified) + " of " + Number(ticket.citations) + " citations verified";
  result.output = "status: " + status + "\n";
  if (!ticket.summary.empty()) result.output += "summary: " + HandleOf("text", ticket.summary, ticket.id) + "\n";
  for (const auto& finding : ticket.findings) {
    const std::string whole = finding.title + (finding.detail.empty() ? "" : "\n" + finding.detail);
    result.output += "- " + HandleOf("finding", whole, ticket.id) + " [" + NameOf(finding.severity) + ", confidence " + NameOf(finding.confidence) + "]\n";
    if (finding.evidence.empty()) result.output += "  unverified: no evidence was given\n";
    for (const auto& evidence : finding.evidence)
      result.output += "  " + HandleOf("path", evidence.path, ticket.id) + ":" + Number(evidence.line_start) + "-" + Number(evidence.line_end) + "  " + InWords(evidence.verification) + "\n";
  }
  if (!ticket.next_actions.empty()) {
    result.output += "it proposes:";
    for (const std::string& action : ticket.next_actions) result.output += " " + HandleOf("text", action, ticket.id);
    result.output += "\n";
  }
  if (!schema.is_null() && !ticket.data.is_null()) {
    size_t values = kMaxQuarantinedValues;
    const Json shown = Shown(ticket.data, schema, ticket.id, &values);
    result.output += "data: " + DumpJson(shown) + (values == 0 ? " (the rest is left out)" : "") + "\n";
  }
  if (result.success) return result;
  result.error = "the subagent gave no report: " + status;
  result.recovery_hint = "ask for less, or ask another";
  return result;
}

std::string Quarantine::TextOf(std::string_view handle) const {
  std::lock_guard lock(mutex_);
  const auto found = by_handle_.find(handle);
  return found == by_handle_.end() ? "" : texts_[found->second].text;
}

std::vector<QuarantinedText> Quarantine::NamedIn(std::string_view text) const {
  std::vector<QuarantinedText> named;
  std::set<std::string_view> seen;
  std::lock_guard lock(mutex_);
  EachWord(text, [&](std::string_view word) {
    const auto found = by_handle_.find(word);
    if (found != by_handle_.end() && seen.insert(found->first).second) named.push_back(texts_[found->second]);
  });
  return named;
}

std::vector<QuarantinedText> Quarantine::texts() const {
  std::lock_guard lock(mutex_);
  return texts_;
}

}  // namespace paddock::orchestrator
