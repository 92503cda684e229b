// What a program in a jail gets as its descriptors 0, 1 and 2.
//
// Never a terminal, a socket, a folder or a device of the caller's: through them a program could act on what is
// outside (ioctl(2), /proc/self/fd). What it gets are pipes, the jail's own terminal, and the null device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "orchestrator/run/pipe_input.h"
#include "orchestrator/run/relay.h"

namespace paddock::orchestrator {

enum class InputKind {
  kEmpty,     // nothing to read
  kPipe,      // a pipe of its own that is filled piece by piece from an anonymous pipe: what it does not read stays there
  kRelay,     // a pipe that is filled from it
  kTerminal,  // the jail's own terminal
};
enum class OutputKind {
  kRelay,     // a pipe that is emptied into it
  kClosed,    // it was closed, or open for reading alone: the program's writes fail (EBADF), as they would have
  kTerminal,  // the jail's own terminal
  kKeep,      // a pipe that is emptied into memory
};

struct StdioKinds {
  InputKind in = InputKind::kEmpty;
  OutputKind out = OutputKind::kRelay, err = OutputKind::kRelay;
  bool one_output = false;  // out and err are one open file: one pipe, so that what is written keeps its order
  bool terminal() const { return in == InputKind::kTerminal; }
};
// Of descriptors 0 to 2 of this process, all of which are open (cli/start_up.h). `keep`: output goes to memory.
//
// The jail has a terminal when standard input and output are terminals. Where output goes elsewhere, a terminal gives
// no input: a pager at the other end of the pipe may be reading it.
StdioKinds LookAtStdio(bool keep);

struct Stdio {
  std::vector<UniqueFd> passed;  // for the jail: of 0, 1, 2 those that are not its terminal
  std::optional<InputRelay> in;
  std::optional<PipeInput> pipe_in;     // one of the two at most
  std::optional<OutputRelay> out, err;  // with one_output: out alone
};
// `keep`: most bytes of each that are kept in memory. `budget` is borrowed by the relays.
Result<Stdio> MakeStdio(const StdioKinds& kinds, OutputBudget* budget, uint64_t keep);

}  // namespace paddock::orchestrator
