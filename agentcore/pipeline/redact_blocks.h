// Private keys that go over several lines: PEM, PGP armour, PuTTY's format, in files, diffs, sources and strings.
//
// The lines that say where a key begins and ends stay, what is between goes, line for line, so that line numbers
// hold. A text may begin or end inside of a key: where its END is seen, the lines before it are the key's; where
// neither is seen, lines that can hardly be anything else are taken for one (BlockOptions).
#pragma once

#include <string_view>
#include <vector>

#include "agentcore/pipeline/redact_span.h"

namespace paddock::agentcore {

struct BlockOptions {
  bool may_begin_inside = false;  // the text is the middle of a file
};

// The words that the marks below begin with, lower case, for KeywordScan.
inline constexpr std::string_view kBlockWords[] = {"-----begin ", "---- begin ", "-----end ", "---- end ", "private-lines:"};

// `marks`: the offsets of kBlockWords in `text`, ascending. The spans come in order.
void FindBlocks(std::string_view text, const std::vector<size_t>& marks, const BlockOptions& options, std::vector<RedactSpan>* out);

}  // namespace paddock::agentcore
