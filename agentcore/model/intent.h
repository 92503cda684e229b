// Is a text without a call the announcement of one ("Let me read the file.", "Next, I'll check:")? Then the model meant to go on and
// has to be told to call; an answer is to be taken as it is. In doubt it is an answer.
//
// English, German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese. What counts is the end of the text: one of its last two
// sentences says that the speaker is about to look, or the text ends with a colon.
#pragma once

#include <string_view>

namespace paddock::agentcore {

bool AnnouncesCall(std::string_view text);

}  // namespace paddock::agentcore
