// Calls that a model wrote into its text in place of calling.
//
// Served by other programs than those that it was made for, a model's calls come through as text: in a code block, in tags, behind the
// tokens of its own dialogue format (text_call_forms.h reads them). Such a text is taken for calls only where it can hardly be anything
// else, since a model also repeats what files say to it:
//   - they end the answer: nothing but more calls, all of which can be read, and tokens that end a turn may follow;
//   - each names a tool on offer, or `report`, and has an object for arguments;
//   - they stand by themselves: not inside a line, a larger code block, a quoted mark of untrusted content, or a draft (<think>);
//   - the line before doesn't say that they are an example, or what some file contains;
//   - their words do not stand in what the model was shown, whatever the spaces and quotes around them.
// What looks like a call and is not taken is said, so that the model can be told.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::agentcore {

inline constexpr size_t kMaxTextCalls = 64;

struct TextCalls {
  std::vector<ToolCall> calls;  // ids are the caller's to make
  std::string text;             // what is left without them
  std::string not_understood;   // one line for the model, holding words of its own (visible, not redacted); empty: nothing
};

// `shown`: texts that the model was shown and that aren't to be trusted, as rendered (CallOutcome::text). Linear in the lengths; of a
// text of more than 1 MiB nothing is taken.
TextCalls FindTextCalls(std::string_view text, std::span<const ToolSpec> offered, std::span<const std::string_view> shown = {});

}  // namespace paddock::agentcore
