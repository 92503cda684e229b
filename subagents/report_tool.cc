#include "subagents/report_tool.h"

#include "subagents/data_schema.h"
#include "subagents/report.h"

namespace paddock::subagents {

agentcore::ToolSpec ReportTool(const ReportWants& wants) {
  agentcore::ToolSpec spec;
  spec.name = "report";
  spec.description =
      "Use: hand in your report, once, when the goal is answered or can't be answered further. It ends your work.\n"
      "Every finding needs evidence: a path, line numbers, and a quote copied exactly from those lines as you were shown them, without "
      "the line numbers. The quotes are opened and compared; what does not match is marked as contradicted.\n"
      "Parameters: summary (the answer in a few sentences), findings (claims, each with a title, severity, confidence and evidence), next_actions "
      "(what could be done next), complete (false when a part of the goal is open)" +
      std::string(wants.data.is_null() ? "" : ", data (what the caller wants of you in a form of its own: an object that fits the schema of data exactly)") + ".\n"
      "Not for: progress notes, or anything that you did not see.\n"
      "Example: {\"summary\": \"A C library, built with make.\", \"findings\": [{\"title\": \"Built with make\", \"evidence\": "
      "[{\"path\": \"README.md\", \"line_start\": 12, \"line_end\": 12, \"quote\": \"run make\"}]}], \"complete\": true}";
  spec.parameters = SchemaOf<Report>();
  Json& properties = spec.parameters["properties"];
  if (!wants.needs_run) properties.erase("needs_run");
  if (wants.data.is_null()) properties.erase("data");
  else AddDataSchema(wants.data, &spec.parameters);
  return spec;
}

}  // namespace paddock::subagents
