// Takes secrets out of a text before a model, a record, a terminal or a ticket gets it: each becomes
// `[redacted KIND]`, what stands around it stays, and so does the number of lines.
//
// Two sorts: secrets that are known (the caller's own keys), in whatever spelling they come; and the common kinds,
// by their shape (redact_rules.h). A text is best given whole: half a secret is not recognised. What is not meant to
// be secret (hashes, ids, public keys, placeholders) stays. It errs: what it doesn't know it doesn't hide.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agentcore/pipeline/known_secrets.h"
#include "agentcore/pipeline/redact_blocks.h"
#include "agentcore/pipeline/redact_span.h"
#include "base/json.h"

namespace paddock::agentcore {

// What was taken out, each value once. Keeps hashes, no values. Used by one thread at a time.
class RedactionTally {
 public:
  void Add(std::string_view kind, std::string_view value);
  int64_t total() const { return total_; }
  const std::map<std::string, int64_t>& by_kind() const { return by_kind_; }
  // "3 secrets were redacted (2 github-token, 1 private-key)"; empty when there was none.
  std::string Sentence() const;

 private:
  std::set<std::pair<std::string, size_t>> seen_;
  std::map<std::string, int64_t> by_kind_;
  int64_t total_ = 0;
};

// Const and safe to share between threads. The tables are compiled when the first text comes.
class Redactor {
 public:
  explicit Redactor(std::vector<KnownSecret> known = {}) : known_(std::move(known)) {}

  // Any bytes; valid UTF-8 stays valid. Redacting the result again changes nothing. Linear in the text's length.
  std::string Redact(std::string_view text, RedactionTally* tally = nullptr, const BlockOptions& options = {}) const;

  // The value of something called `name`, as a member of an object.
  std::string RedactNamed(std::string_view name, std::string_view value, RedactionTally* tally = nullptr) const;

  // Every string and key of `value`; strings with their key's name as context.
  Json RedactJson(const Json& value, RedactionTally* tally = nullptr) const;

  // The known secrets only, in every string and key: for what a model says that must go on meaning what it says.
  Json RedactKnown(const Json& value) const;

  // Consecutive lines of a file, without newlines; `first_line` from 1. Where `cut` is true the line goes on in the
  // file, so that its last word may be half a secret. `cut` is empty or as long as `lines`.
  std::vector<std::string> RedactLines(const std::vector<std::string>& lines, int64_t first_line, const std::vector<bool>& cut,
                                       RedactionTally* tally = nullptr) const;

  // The secrets of a text, ascending and apart. Their kinds live as long as this.
  std::vector<RedactSpan> Find(std::string_view text, const BlockOptions& options = {}) const;
  // With a mark in the place of each of `spans`, which may overlap and come in any order.
  static std::string Replace(std::string_view text, std::vector<RedactSpan> spans, RedactionTally* tally);

 private:
  Json RedactJsonAt(const Json& value, std::string_view name, int depth, RedactionTally* tally) const;

  KnownSecrets known_;
};

// What a setup's borrowed redactor stands for: none given is one for the common kinds, never none at all.
const Redactor& OrCommonKinds(const Redactor* redactor);

// A text of any length in bounded memory. What it gives is the redacted text so far; a secret is never cut in two
// by where the pieces end, but for one in a single line of more than a megabyte.
class RedactStream {
 public:
  // Both borrowed; `tally` may be null.
  RedactStream(const Redactor* redactor, RedactionTally* tally) : redactor_(redactor), tally_(tally) {}
  std::string Feed(std::string_view piece);
  std::string Finish();

 private:
  const Redactor* redactor_;
  RedactionTally* tally_;
  std::string held_;
};

}  // namespace paddock::agentcore
