// The confined side's only way to speak: status messages, and dying with one.
//
// Inside the launcher there is no error handling to speak of: a stage works or the process reports stage,
// errno and the thing concerned, and is gone.
#pragma once

#include <string_view>

#include "sandbox/messages.h"

namespace paddock::sandbox::child {

// The socket that messages of this process go to (borrowed); set once a request was taken.
void SetStatusSocket(int fd);
int StatusSocket();

// Notes that `stage` is done, with the time.
void StageDone(Stage stage);

// Sends a message with the times noted so far; `pidfd` goes along when it is not -1. False when it did not go: there is no room, or no parent.
bool Send(StatusMessage message, int pidfd = -1);

// Reports a setup error and ends this process. `err` is errno at the failed call.
[[noreturn]] void Die(Stage stage, int err, std::string_view detail);

}  // namespace paddock::sandbox::child
