// `paddock wrap`: standard input to standard output, cleaned and marked as untrusted, as a model is shown it.
#pragma once

#include <string>

namespace paddock::orchestrator {

struct WrapOptions {
  std::string source = "input";
  std::string path;
};
int RunWrap(const WrapOptions& options);

}  // namespace paddock::orchestrator
