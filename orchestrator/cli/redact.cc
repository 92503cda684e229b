#include "orchestrator/cli/redact.h"

#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>

#include "agentcore/pipeline/redact.h"
#include "base/fields.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"

namespace paddock::orchestrator {
namespace {

struct Redacted {
  int64_t secrets = 0;
  std::map<std::string, int64_t> kinds;
};
auto Fields(FieldsOf<Redacted>) {
  return std::make_tuple(Required("secrets", &Redacted::secrets, "different secrets that were taken out"),
                         Required("kinds", &Redacted::kinds, "how many of each kind"));
}

}  // namespace

int RunRedact(const RedactOptions& options) {
  const agentcore::Redactor redactor;
  agentcore::RedactionTally tally;
  agentcore::RedactStream stream(&redactor, &tally);
  std::string chunk(64u << 10, '\0');
  for (;;) {
    ssize_t n = read(0, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return PrintError(FailErrno("standard input").error()), kExitInternal;
    std::string out = n == 0 ? stream.Finish() : stream.Feed(std::string_view(chunk).substr(0, static_cast<size_t>(n)));
    if (!PrintAll(1, out)) return kExitInternal;
    if (n == 0) break;
  }
  if (options.json && !PrintAll(2, DumpJson(ToJson(Redacted{tally.total(), tally.by_kind()})) + "\n")) return kExitInternal;
  return kExitCompleted;
}

}  // namespace paddock::orchestrator
