#include "tests/subagents/triaged_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "agentcore/tools/tool.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "subagents/playbook.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

namespace fs = std::filesystem;

bool Holds(const std::string& root, const Citation& citation) {
  std::ifstream file(root + "/" + citation.path, std::ios::binary);
  std::string line, all;
  for (int64_t n = 1; std::getline(file, line); ++n)
    if (n >= citation.line_start && n <= citation.line_end) all += (all.empty() ? "" : "\n") + VisibleText(line, Newlines::kKeep);
  return !citation.quote.empty() && all.find(citation.quote) != std::string::npos;
}

}  // namespace

TriagedFolder::TriagedFolder(const std::map<std::string, std::string>& files) {
  std::string pattern = (fs::temp_directory_path() / "triaged-XXXXXX").string();
  root_ = ::mkdtemp(pattern.data());
  for (const auto& [path, text] : files) {
    fs::create_directories((fs::path(root_) / path).parent_path());
    std::ofstream(root_ + "/" + path, std::ios::binary) << text;
  }
}

TriagedFolder::~TriagedFolder() { fs::remove_all(root_); }

void TriagedFolder::Link(const std::string& path, const std::string& target) {
  fs::create_directories((fs::path(root_) / path).parent_path());
  fs::create_symlink(target, root_ + "/" + path);
}

Report TriagedFolder::Triage() const {
  const UniqueFd fd(::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  auto registry = agentcore::ReadOnlyTools();
  auto playbook = MakePlaybook("triage");
  ModelRequestFrame request;
  request.goal = "what would it do?";
  request.max_turns = 10;
  for (request.turn = 1; request.turn <= request.max_turns; ++request.turn) {
    auto turn = playbook->Next(request);
    request.latest.clear();
    if (turn.calls.size() == 1 && turn.calls[0].tool == "report") {
      auto report = FromJson<Report>(turn.calls[0].arguments);
      EXPECT_TRUE(report) << (report ? "" : report.error().message);
      if (!report) return {};
      for (const auto& finding : report->findings)
        for (const auto& citation : finding.evidence) EXPECT_TRUE(Holds(root_, citation)) << finding.title << ": " << citation.path << ":" << citation.line_start << " " << citation.quote;
      return *report;
    }
    for (auto& call : turn.calls) {
      const agentcore::ToolContext context{.root_fd = fd.get(), .deadline = Deadline::After(std::chrono::seconds(20))};
      auto result = agentcore::RunTool(registry, call.tool, call.arguments, context);
      for (auto& artifact : result.artifacts)
        for (auto& line : artifact.lines) line = VisibleText(BytesFromWire(line), Newlines::kKeep);
      request.latest.push_back({std::move(call), std::move(result)});
    }
  }
  ADD_FAILURE() << "no report by the last turn";
  return {};
}

Report TriageOf(const std::map<std::string, std::string>& files) { return TriagedFolder(files).Triage(); }

std::string VerdictOf(const Report& report) { return report.data.value("verdict", ""); }

Severity WorstOf(const Report& report, const std::string& label) {
  Severity worst = Severity::kInfo;
  for (const auto& finding : report.data["findings"])
    if (finding["label"] == label) worst = std::max(worst, FromJson<ClaimedFinding>(Json{{"title", "x"}, {"severity", finding["severity"]}})->severity);
  return worst;
}

void ExpectFound(std::initializer_list<Spelling> spellings) {
  for (const auto& one : spellings) {
    const Report report = TriageOf({{one.path, one.text}, {".git/HEAD", "ref: refs/heads/main\n"}});
    EXPECT_THAT(report.data.dump(), testing::HasSubstr(std::string("\"label\":\"") + one.label + "\"")) << one.path << "\n" << one.text << Titles(report);
    EXPECT_EQ(VerdictOf(report), one.verdict) << one.path << "\n" << one.text << Titles(report);
    EXPECT_TRUE(report.complete) << one.text << report.summary;
  }
}

}  // namespace paddock::subagents
