// Quarantine: no sentence of a stranger reaches the main agent. It has no tool that gives text of the repository, and of a
// subagent's ticket it sees numbers, words of lists that paddock or the main agent itself made (statuses, severities, the
// `enum`s of its schema), and handles: "finding-2", "path-1", "text-7". A handle says nothing; the text behind it is kept
// here, is shown to people, and goes to a subagent that the main agent names it to.
//
// What this doesn't hold: numbers and choices are information, so a stranger can still lie in them, and how many there are
// says something too. That is why data is bounded to kMaxQuarantinedValues.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_result.h"
#include "base/fields.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxQuarantinedValues = 200;  // of one ticket's data

struct QuarantinedText {
  std::string handle;  // finding-N, path-N or text-N
  std::string text;    // a stranger's words, cleaned and redacted
  std::string from;    // record of the subagent that said it first
};
inline auto Fields(FieldsOf<QuarantinedText>) {
  return std::make_tuple(Required("handle", &QuarantinedText::handle, "what the main agent calls it"), Required("text", &QuarantinedText::text, "a stranger's words"),
                         Required("from", &QuarantinedText::from, "record of the subagent that said it first"));
}

// Does `text` name the handle, as a word of its own?
bool Names(std::string_view text, std::string_view handle);

// Thread-safe.
class Quarantine {
 public:
  // What the main agent is shown of a ticket. `schema`: the one that it asked with, or null: then it gets no data.
  agentcore::ToolResult ResultOf(const subagents::ResultTicket& ticket, const Json& schema);
  // The text of a handle; empty where there is none of that name.
  std::string TextOf(std::string_view handle) const;
  // The handles that `text` names, in its order, each once.
  std::vector<QuarantinedText> NamedIn(std::string_view text) const;
  std::vector<QuarantinedText> texts() const;

 private:
  std::string HandleOf(const char* kind, const std::string& text, const std::string& from);
  Json Shown(const Json& value, const Json& schema, const std::string& from, size_t* values);

  mutable std::mutex mutex_;
  std::vector<QuarantinedText> texts_;
  std::map<std::string, size_t, std::less<>> by_handle_;              // → place in texts_
  std::map<std::pair<std::string, std::string>, std::string> known_;  // kind and text → handle
  std::map<std::string, int> numbers_;                                // kind → last number
};

}  // namespace paddock::orchestrator
