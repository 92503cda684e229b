// The tool that ends a subagent's work: its report.
#pragma once

#include "agentcore/tools/tool.h"

namespace paddock::subagents {

struct ReportWants {
  Json data = nullptr;     // JSON Schema of `data`, by the caller; null: there is none on offer
  bool needs_run = false;  // a command may be asked for
};

agentcore::ToolSpec ReportTool(const ReportWants& wants = {});

}  // namespace paddock::subagents
