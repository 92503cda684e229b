// Redaction: a known secret is gone in the spellings that it can have, doing it twice changes nothing, lines stay lines,
// and pieces give what the whole gives.
//
// One byte: how the text is cut; a line: a secret; then the text, in which $ stands for the secret.
#include "agentcore/pipeline/redact.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

namespace {

size_t LinesOf(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t step = 1 + input.Byte();
  const std::string secret = input.Line();
  std::string text;
  for (char c : input.Rest().substr(0, 20'000)) c == '$' ? text += secret : text += c;
  const Redactor redactor({{"known", secret}});
  RedactionTally tally;
  const std::string out = redactor.Redact(text, &tally);
  REQUIRE(LinesOf(out) == LinesOf(text), out);
  if (IsValidUtf8(text)) REQUIRE(IsValidUtf8(out), out);
  REQUIRE(redactor.Redact(out) == out, out + "\n---- again:\n" + redactor.Redact(out));
  if (secret.size() >= kLeastKnown && secret.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == secret.npos &&
      secret.find("redacted") == secret.npos && secret.find("known") == secret.npos)
    REQUIRE(out.find(secret) == out.npos, out);
  if (out != text) REQUIRE(tally.total() > 0 && !tally.Sentence().empty(), out);
  RedactStream stream(&redactor, nullptr);
  std::string pieces;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(std::min(step, rest.size()))) pieces += stream.Feed(rest.substr(0, step));
  pieces += stream.Finish();
  REQUIRE(pieces == out, "in pieces of " + std::to_string(step) + ":\n" + pieces + "\n---- whole:\n" + out);
  return 0;
}
