#include "orchestrator/cli/print.h"

#include <unistd.h>

#include <string>

#include "base/text.h"

namespace paddock::orchestrator {

void PrintError(const Error& error) {
  std::string text = "paddock: " + VisibleText(error.message, Newlines::kEscape) + "\n";
  if (!error.hint.empty()) text += "  " + VisibleText(error.hint, Newlines::kEscape) + "\n";
  (void)!write(2, text.data(), text.size());
}

void PrintErrors(const Error& first, const std::vector<Error>& further) {
  PrintError(first);
  for (const Error& one : further) PrintError(one);
}

void PrintGap() {
  if (isatty(1) == 1 && isatty(2) == 1) (void)!write(2, "\n", 1);
}

bool PrintAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      PrintError(FailErrno("the result could not be written").error());
      return false;
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace paddock::orchestrator
