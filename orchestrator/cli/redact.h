// `paddock redact`: standard input to standard output, with secrets of the common kinds taken out.
#pragma once

namespace paddock::orchestrator {

struct RedactOptions {
  bool json = false;  // how many of which kind, as one line on stderr
};
int RunRedact(const RedactOptions& options);

}  // namespace paddock::orchestrator
