#include "orchestrator/cli/print.h"

#include <unistd.h>

#include <string>

#include "base/text.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {

void PrintError(const Error& error) {
  const size_t width = WidthOf(2);
  std::string text;
  AddParagraph(&text, VisibleText(error.message, Newlines::kEscape), "paddock: ", width);
  if (!error.hint.empty()) AddParagraph(&text, VisibleText(error.hint, Newlines::kEscape), "  ", width);
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
