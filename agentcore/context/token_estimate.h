// How many tokens a text has for a language model, without its tokenizer.
//
// The text is cut where byte-pair encoders of today cut it (words with the sign before them, up to three digits, runs of signs, of white
// space, of ideographs), and each piece counts what such pieces have on average in OpenAI's o200k: within 10 % of it for code
// and prose, English and Chinese. Other tokenizers differ by a factor that is much the same from text to text: TokenRate learns it.
#pragma once

#include <cstdint>
#include <string_view>

namespace paddock::agentcore {

// Invalid UTF-8 counts byte by byte. Linear in the length.
int64_t EstimateTokens(std::string_view text);

// What a server's counts are beside our estimates. One for each model.
class TokenRate {
 public:
  // Beside an estimate, what the server said of the same text. Counts that can't be right (a twentieth or twenty times) are passed over.
  void Learn(int64_t estimated, int64_t said);
  int64_t Corrected(int64_t estimated) const;
  double rate() const { return rate_; }

 private:
  double rate_ = 1.0;
  bool known_ = false;
};

}  // namespace paddock::agentcore
