// Text in quotes, as YAML and TOML write it on one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paddock::subagents {

struct QuotedText {
  std::string text;
  size_t length = 0;            // with its quotes; 0: they don't end
  const char* fault = nullptr;  // an escape that is none
};

// `text` begins with its quote. "..." has escapes; in '...' two quotes are one (`doubled`), or there are none.
QuotedText ReadQuoted(std::string_view text, bool doubled = true);

// One escape behind its backslash, which begins `rest`: how many bytes of it there are, or 0 where it is none.
size_t ReadEscape(std::string_view rest, std::string* out);

}  // namespace paddock::subagents
