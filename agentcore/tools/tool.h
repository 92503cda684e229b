// A tool: a name, what a model is told of it, and a function of (arguments, context) to a result.
//
// Tools run inside the jail and nowhere else. They never throw and never wait longer than the context's
// deadline. They hold no state between calls.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool_error.h"
#include "agentcore/tools/tool_result.h"
#include "base/deadline.h"
#include "base/json.h"

namespace paddock::agentcore {

class HiddenNames;

// What running a tool does to anything.
enum class ToolEffect {
  kReads,    // nothing: such calls may run side by side
  kChanges,  // files
  kRuns,     // a program: a build, a test
};

// What a model sees. The description has purpose, parameters with units and bounds, when not to use the
// tool, and an example.
struct ToolSpec {
  std::string name;
  std::string description;
  Json parameters;  // JSON Schema of the arguments object, made from the tool's field table
  ToolEffect effect = ToolEffect::kReads;  // not shown to it
};

struct ToolContext {
  int root_fd = -1;  // O_PATH descriptor of the workspace; borrowed. Nothing is opened but beneath it
  const HiddenNames* hidden = nullptr;  // names that are not shown; borrowed
  Deadline deadline = Deadline::Never();
  size_t max_output_bytes = 256u << 10;  // bytes of lines, entries and output in one result
};

class Tool {
 public:
  virtual ~Tool() = default;
  virtual const ToolSpec& spec() const = 0;
  // What Run would refuse of the arguments by themselves (kInvalidArguments, or a path that leads out), without a
  // workspace: for whoever wants to know before a jail is started.
  virtual ToolOutcome<void> Check(const Json& arguments) const = 0;
  // `arguments` come from a model: anything. A bad one is a kInvalidArguments result that names the field.
  virtual ToolResult Run(const Json& arguments, const ToolContext& context) const = 0;
};

// The tools of this build, by name. Owns them.
class ToolRegistry {
 public:
  void Add(std::unique_ptr<Tool> tool);
  const Tool* Find(std::string_view name) const;  // nullptr when there is none
  std::vector<std::string> Names() const;

 private:
  std::vector<std::unique_ptr<Tool>> tools_;
};

// Those of read_only_tools.h, history_tools.h, symbol_tools.h.
ToolRegistry ReadOnlyTools();

// The check of one call, unknown tools and arguments that are no object included. No workspace is touched.
ToolOutcome<void> CheckCall(const ToolRegistry& registry, std::string_view name, const Json& arguments);

// One call: unknown tools and arguments that are no object become results too.
ToolResult RunTool(const ToolRegistry& registry, std::string_view name, const Json& arguments, const ToolContext& context);

}  // namespace paddock::agentcore
