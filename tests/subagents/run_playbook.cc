// A program for people who work on the playbook: runs it on a folder without a jail, with the real tools, and
// checks each citation against the file.
//
//   run_playbook DIR [--playbook NAME] [--goal TEXT] [--context FILE] [--turns N] [--json] [--calls] [--may-ask] [--labels FILE NAME]
//
// Exit: 0, 1 when a citation is wrong or a label is missed, 2 for bad usage.
#include <fcntl.h>
#include <re2/re2.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "subagents/playbook.h"
#include "subagents/report.h"

namespace paddock {
namespace {

using subagents::Report;
using Clock = std::chrono::steady_clock;
double MsSince(Clock::time_point start) { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }

// What the parent does to a result before a model sees it, without redaction.
void Clean(agentcore::ToolResult* result) {
  for (auto& artifact : result->artifacts)
    for (auto& line : artifact.lines) line = VisibleText(BytesFromWire(line), Newlines::kKeep);
}

std::string FileText(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool Verify(const std::string& root, const subagents::Citation& citation) {
  auto path = PathFromText(citation.path);
  if (!path) return false;
  std::ifstream file(root + "/" + *path, std::ios::binary);
  std::string line, all;
  for (int64_t n = 1; std::getline(file, line); ++n) {
    if (n < citation.line_start || n > citation.line_end) continue;
    all += (all.empty() ? "" : "\n") + VisibleText(line, Newlines::kKeep);
  }
  return !citation.quote.empty() && all.find(citation.quote) != std::string::npos;
}

std::string FirstMatch(const Json& patterns, const Json& values, bool any) {
  for (size_t i = 0; i < values.size() && (i == 0 || any); ++i)
    for (const auto& pattern : patterns)
      if (RE2::FullMatch(values[i].get<std::string>(), pattern.get<std::string>())) return "ok";
  return values.empty() ? "none" : "WRONG";
}

int CheckLabels(const char* file, const std::string& name, const Json& data) {
  auto labels = ParseJson(FileText(file));
  if (!labels) return std::fprintf(stderr, "%s: %s\n", file, labels.error().message.c_str()), 2;
  for (const auto& label : (*labels)["repositories"]) {
    if (label["name"] != name) continue;
    bool language = !data["languages"].empty() && data["languages"][0] == label["language"];
    std::string build = FirstMatch(label["build"], data["build"], false), test = FirstMatch(label["test"], data["test"], false),
                entry = FirstMatch(label["entry_points"], data["entry_points"], true);
    std::printf("LABELS %s: language %s, build %s, test %s, entry %s\n", name.c_str(), language ? "ok" : "WRONG", build.c_str(), test.c_str(), entry.c_str());
    return language && build == "ok" && test == "ok" && entry == "ok" ? 0 : 1;
  }
  return std::fprintf(stderr, "no label for %s\n", name.c_str()), 2;
}

int Main(int argc, char** argv) {
  std::string root;
  bool json = false, show_calls = false;
  std::string name = "explorer";
  subagents::ModelRequestFrame request;
  request.goal = "map this repository";
  request.max_turns = 12;
  const char *labels = nullptr, *label_name = nullptr;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--json") json = true;
    else if (argument == "--calls") show_calls = true;
    else if (argument == "--may-ask") request.may_ask_to_run = true;
    else if (argument == "--playbook" && i + 1 < argc) name = argv[++i];
    else if (argument == "--goal" && i + 1 < argc) request.goal = argv[++i];
    else if (argument == "--turns" && i + 1 < argc) request.max_turns = std::atoi(argv[++i]);
    else if (argument == "--context" && i + 1 < argc) request.context = FileText(argv[++i]);
    else if (argument == "--labels" && i + 2 < argc) labels = argv[i + 1], label_name = argv[i + 2], i += 2;
    else root = argument;
  }
  UniqueFd fd(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (root.empty() || fd.get() < 0) return std::fprintf(stderr, "usage: run_playbook DIR [--playbook NAME] [--goal TEXT] [--context FILE] [--turns N] [--json] [--calls] [--may-ask] [--labels FILE NAME]\n"), 2;

  auto start = Clock::now();
  auto registry = agentcore::ReadOnlyTools();
  auto playbook = subagents::MakePlaybook(name);
  if (!playbook) return std::fprintf(stderr, "no playbook \"%s\"\n", name.c_str()), 2;
  double tool_ms = 0;
  int calls = 0;
  Report report;
  for (;; ++request.turn) {
    auto turn = playbook->Next(request);
    request.latest.clear();
    if (turn.calls.size() == 1 && turn.calls[0].tool == "report") {
      auto read = FromJson<Report>(turn.calls[0].arguments);
      if (!read) return std::fprintf(stderr, "bad report: %s\n", read.error().message.c_str()), 1;
      report = *std::move(read);
      break;
    }
    if (request.turn >= request.max_turns) return std::fprintf(stderr, "no report in the last turn\n"), 1;
    for (auto& call : turn.calls) {
      auto before = Clock::now();
      agentcore::ToolContext context{.root_fd = fd.get(), .deadline = Deadline::After(std::chrono::seconds(20)), .max_output_bytes = 256u << 10};
      auto result = agentcore::RunTool(registry, call.tool, call.arguments, context);
      tool_ms += MsSince(before);
      ++calls;
      if (show_calls) std::printf("turn %d %7.1f ms %s %s %s\n", static_cast<int>(request.turn), MsSince(before), call.tool.c_str(), DumpJson(call.arguments).c_str(), result.success ? "" : result.error.c_str());
      Clean(&result);
      request.latest.push_back({std::move(call), std::move(result)});
    }
  }
  double total_ms = MsSince(start);

  int citations = 0, wrong = 0;
  for (const auto& finding : report.findings) {
    if (!json) std::printf("- %s  [%s]\n", finding.title.c_str(), finding.detail.c_str());
    for (const auto& citation : finding.evidence) {
      ++citations;
      bool right = Verify(root, citation);
      wrong += right ? 0 : 1;
      if (!json || !right) std::printf("    %s %s:%d %s\n", right ? "ok   " : "WRONG", citation.path.c_str(), static_cast<int>(citation.line_start), VisibleText(citation.quote, Newlines::kEscape).c_str());
    }
  }
  if (json) std::printf("%s\n", PrettyJson(ToJson(report)).c_str());
  std::printf("%s\n%s\n", VisibleText(report.summary, Newlines::kEscape).c_str(), DumpJson(report.data).c_str());
  std::printf("RUN turns %d, calls %d, %.0f ms (tools %.0f ms), findings %zu, citations %d, wrong %d\n", static_cast<int>(request.turn), calls, total_ms, tool_ms, report.findings.size(), citations, wrong);
  int labelled = labels != nullptr ? CheckLabels(labels, label_name, report.data) : 0;
  return wrong > 0 ? 1 : labelled;
}

}  // namespace
}  // namespace paddock

int main(int argc, char** argv) { return paddock::Main(argc, argv); }
