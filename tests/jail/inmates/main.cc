// An inmate: a program in the cell's place. Like the cell it first installs the second filter, by the cell's
// own code; then it does one thing wrong and says on descriptor 4 what came of it.
//
//   inmate MISDEED [ARGUMENT]
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "subagents/cell/second_stage.h"
#include "tests/jail/inmates/misdeeds.h"

namespace {

void Say(int error) {
  char text[32];
  int length = snprintf(text, sizeof text, "%d\n", error);
  (void)!write(4, text, static_cast<size_t>(length));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  // The misdeed of starting a program starts this one again, with this word.
  if (strcmp(argv[1], "started") == 0) {
    Say(0);
    return 0;
  }
  if (auto installed = paddock::subagents::InstallSecondFilter(5); !installed) return 65;
  for (const auto& misdeed : paddock::inmates::Misdeeds()) {
    if (strcmp(misdeed.name, argv[1]) != 0) continue;
    Say(misdeed.commit(argc > 2 ? argv[2] : ""));
    return 0;
  }
  return 66;
}
