// `paddock models list` and `paddock models test`.
#pragma once

#include <optional>
#include <string>

#include "orchestrator/cli/choose_model.h"

namespace paddock::orchestrator {

struct ModelsOptions {
  std::string name;  // test: of config.json; empty for all
  ModelFlags model;  // test: one that does not stand there
  std::optional<std::string> timeout;
  bool json = false;
};

int RunModelsList(const ModelsOptions& options);
int RunModelsTest(const ModelsOptions& options);

}  // namespace paddock::orchestrator
