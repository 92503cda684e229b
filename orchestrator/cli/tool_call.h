// `paddock tool call NAME`: one tool in a jail of its own. `paddock tool list`: which there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct ToolCallOptions {
  std::string tool;
  std::optional<std::string> arguments;  // a JSON object
  std::vector<std::string> words;        // key=value, instead
  std::string repo = ".";
  std::string profile;  // empty: the narrowest shipped one that serves the tool
  std::string timeout = "30s";
  std::string insist;
  bool json = false;
};

// The exit status (exit_codes.h): 0 when the tool succeeded, 1 when it failed or gave a part only.
int RunToolCall(const ToolCallOptions& options);
int RunToolList(bool json);

}  // namespace paddock::orchestrator
