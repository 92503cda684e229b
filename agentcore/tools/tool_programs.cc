#include "agentcore/tools/tool_programs.h"

#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {

std::vector<ProgramNeed> ProgramsOf(std::string_view tool) {
  for (const char* one : {"git_log", "git_diff", "git_show", "git_blame"})
    if (tool == one) return {{"git", "git"}};
  for (const char* one : {"outline", "find_symbol"})
    if (tool == one) return {{"ctags", "universal-ctags"}};
  return {};
}

ToolError NoProgram(const ProgramNeed& program) {
  return {ToolStatus::kUnsupported, program.name + " is not installed on this machine, or not among the programs that the profile lists",
          "whoever runs this can install the Debian package " + program.package + "; go on with list_files, read_file and search_text",
          {CallText("search_text", Json{{"pattern", "TODO"}, {"path", "."}})}};
}

}  // namespace paddock::agentcore
