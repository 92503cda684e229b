#include "orchestrator/cli/wrap.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "agentcore/pipeline/clean.h"
#include "agentcore/pipeline/wrap.h"
#include "base/text.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxBytes = 256u << 10;  // of what is wrapped; head and tail of more

// The first kMaxBytes of standard input, and at least the last kMaxBytes of what comes after.
struct Input {
  std::string head, tail;
};

Result<Input> ReadInput() {
  Input in;
  std::string chunk(64u << 10, '\0');
  for (;;) {
    ssize_t n = read(0, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("standard input");
    if (n == 0) return in;
    std::string_view piece = std::string_view(chunk).substr(0, static_cast<size_t>(n));
    size_t first = std::min(piece.size(), kMaxBytes - in.head.size());
    in.head.append(piece.substr(0, first));
    in.tail.append(piece.substr(first));
    if (in.tail.size() > 4 * kMaxBytes) in.tail.erase(0, in.tail.size() - kMaxBytes);
  }
}

std::string Visible(const std::string& bytes) {
  std::string unix_lines;
  unix_lines.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != '\r' || i + 1 >= bytes.size() || bytes[i + 1] != '\n') unix_lines += bytes[i];
  return VisibleText(unix_lines, Newlines::kKeep);
}

}  // namespace

int RunWrap(const WrapOptions& options) {
  auto in = ReadInput();
  if (!in) return PrintError(in.error()), kExitInternal;
  // What was dropped between the two is in the middle of what is left out here.
  const std::string text = agentcore::HeadAndTail(Visible(in->head + in->tail), kMaxBytes);
  return PrintAll(1, agentcore::Wrap(text, options.source, options.path) + "\n") ? kExitCompleted : kExitInternal;
}

}  // namespace paddock::orchestrator
