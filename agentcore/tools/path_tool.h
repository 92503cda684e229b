// A tool with a path, which all tools of this build are: its arguments are read, the path is taken as workspace_path.h takes
// it, what the profile hides is refused by name. What is a tool's own comes after that.
#pragma once

#include <string>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_spec.h"
#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {

// What was asked for and where. A tool that makes more of its arguments adds to it.
template <class ArgumentsOf>
struct PathRequest {
  using Arguments = ArgumentsOf;  // has a field `path`, path text

  Arguments asked;
  std::string path;  // bytes, as WorkspacePath gives it
};

template <class Request>
class PathTool : public Tool {
 public:
  const ToolSpec& spec() const final { return spec_; }

  ToolOutcome<void> Check(const Json& arguments) const final {
    TRY(Understand(arguments));
    return {};
  }

  ToolResult Run(const Json& arguments, const ToolContext& context) const final {
    auto request = Understand(arguments);
    if (!request) return ResultOf(std::move(request).error());
    if (auto refused = RefuseHidden(context.hidden, context.root_fd, request->path)) return ResultOf(*std::move(refused));
    auto result = Look(*request, context);
    return result ? *std::move(result) : ResultOf(std::move(result).error());
  }

 protected:
  explicit PathTool(ToolSpec spec) : spec_(std::move(spec)) {}

  // What is wrong with the arguments besides, without a workspace; and the rest of the request.
  virtual ToolOutcome<void> Complete(Request*) const { return {}; }
  virtual ToolOutcome<ToolResult> Look(const Request& request, const ToolContext& context) const = 0;

  // For Complete: `message` names the field.
  std::unexpected<ToolError> Bad(std::string message, std::string hint = "") const {
    return std::unexpected(BadArguments(spec_, Error{ErrorKind::kInvalid, std::move(message), std::move(hint), 0}));
  }

 private:
  ToolOutcome<Request> Understand(const Json& arguments) const {
    Request request;
    request.asked = TRY(ReadArguments<typename Request::Arguments>(spec_, arguments));
    request.path = TRY(WorkspacePath(request.asked.path));
    TRY(Complete(&request));
    return request;
  }

  const ToolSpec spec_;
};

}  // namespace paddock::agentcore
