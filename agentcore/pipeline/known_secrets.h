// Secrets whose value is known, wherever they show up and however they are written.
//
// The text is read once as what its escapes mean (percent, also twice, \u, \x, HTML entities, UTF-16 seen as bytes) and
// without blanks, line breaks and what has no width, remembering where each character came from. In that form the
// secret is looked for plain, backwards, in base64 at each of its three alignments, and in hex.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agentcore/pipeline/redact_span.h"

namespace paddock::agentcore {

struct KnownSecret {
  std::string kind;   // what is put in its place: [redacted KIND]; [a-z0-9-]{1,24}
  std::string value;  // at least kLeastKnown bytes, else it is ignored
};
inline constexpr size_t kLeastKnown = 8;

class KnownSecrets {
 public:
  explicit KnownSecrets(std::vector<KnownSecret> secrets);

  bool empty() const { return kinds_.empty(); }
  // A secret that goes over several lines gives a span for each. The spans' kinds live as long as this.
  void Find(std::string_view text, std::vector<RedactSpan>* out) const;

 private:
  struct Needle {
    std::string text;
    size_t kind = 0;
    bool folded = false;  // in lower case: hex
    bool ragged = false;  // base64: a character at either side may hold some bits of it
  };

  std::vector<std::string> kinds_;
  std::vector<Needle> needles_;  // for the text as its escapes mean
  std::vector<Needle> plain_;    // for the text as it is
};

}  // namespace paddock::agentcore
