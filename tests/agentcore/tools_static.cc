// Each tool once, in a static program: tools_static FOLDER. Exit status 0 when all three succeed.
#include <fcntl.h>

#include <cstdio>

#include "agentcore/tools/tool.h"

using namespace paddock;
using namespace paddock::agentcore;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  ToolContext context;
  context.root_fd = ::open(argv[1], O_PATH | O_DIRECTORY | O_CLOEXEC);
  const ToolRegistry tools = ReadOnlyTools();
  const struct {
    const char* tool;
    Json arguments;
  } calls[] = {{"list_files", Json::object()},
               {"read_file", Json{{"path", "tools_static.cc"}}},
               {"search_text", Json{{"pattern", "tools_[s]tatic"}, {"context", 1}}}};
  for (const auto& call : calls) {
    ToolResult result = RunTool(tools, call.tool, call.arguments, context);
    std::printf("%s: %s\n", call.tool, DumpJson(ToJson(result)).c_str());
    if (!result.success || result.artifacts.empty()) return 1;
  }
  return 0;
}
