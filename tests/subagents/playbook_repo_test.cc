#include "tests/subagents/playbook_repo.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>

#include "agentcore/tools/path_filter.h"
#include "agentcore/tools/read_only_tools.h"
#include "base/text.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

using agentcore::ToolCall;
using agentcore::ToolResult;
using agentcore::ToolStatus;

// As the real tools choose files.
bool GlobMatches(const std::string& glob, const std::string& path) {
  const auto filter = agentcore::PathFilter::Parse(glob);
  EXPECT_TRUE(filter) << glob;
  agentcore::GlobCost cost;
  return filter && filter->Wants(path, &cost);
}

// As the real tools: of a long line only its beginning is given.
void CutLines(agentcore::Artifact* excerpt) {
  for (size_t i = 0; i < excerpt->lines.size(); ++i) {
    if (excerpt->lines[i].size() <= agentcore::kMaxLineBytes) continue;
    excerpt->lines[i] = TruncateUtf8(excerpt->lines[i], agentcore::kMaxLineBytes);
    excerpt->cut.push_back(excerpt->line_start + static_cast<int64_t>(i));
  }
}

template <class T>
T ArgumentOr(const Json& arguments, const char* key, T fallback) {
  return arguments.contains(key) ? arguments[key].get<T>() : fallback;
}

}  // namespace

std::vector<std::string> PlaybookRepo::Lines(const std::string& path) const {
  std::vector<std::string> out;
  std::string line;
  for (char c : files_.at(path)) {
    if (c == '\n') out.push_back(std::move(line)), line.clear();
    else line += c;
  }
  if (!line.empty()) out.push_back(line);
  return out;
}

ToolResult PlaybookRepo::Answer(const ToolCall& call) const {
  if (fail_all) return agentcore::ToolFailure(ToolStatus::kFailed, "no", "nothing helps");
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  std::string path = ArgumentOr<std::string>(call.arguments, "path", ".");
  if (call.tool.starts_with("git_") || call.tool == "outline" || call.tool == "find_symbol") {
    auto answer = more ? more(call) : std::nullopt;
    return answer ? *answer : agentcore::ToolFailure(ToolStatus::kUnsupported, call.tool + " needs a program that is not there", "go on without");
  }
  if (call.tool == "read_file") {
    if (!files_.contains(path)) return agentcore::ToolFailure(ToolStatus::kNotFound, path + " does not exist", "list_files");
    if (files_.at(path).find('\0') != std::string::npos) return agentcore::ToolFailure(ToolStatus::kUnsupported, path + " is not text: ELF program or library, 16 bytes", "list_files");
    agentcore::Artifact excerpt;
    excerpt.kind = "excerpt";
    excerpt.path = path;
    excerpt.line_start = ArgumentOr<int64_t>(call.arguments, "offset", 1);
    excerpt.lines = Lines(path);
    const size_t all = excerpt.lines.size(), before = std::min(all, static_cast<size_t>(excerpt.line_start) - 1);
    excerpt.lines.erase(excerpt.lines.begin(), excerpt.lines.begin() + static_cast<std::ptrdiff_t>(before));
    excerpt.lines.resize(std::min(excerpt.lines.size(), static_cast<size_t>(ArgumentOr<int64_t>(call.arguments, "limit", 400))));
    const size_t last = before + excerpt.lines.size();
    CutLines(&excerpt);
    excerpt.facts = {{"total_lines", all}, {"next_offset", last < all ? Json(last + 1) : Json(nullptr)}};
    result.artifacts.push_back(std::move(excerpt));
  } else if (call.tool == "search_text") {
    RE2::Options options;
    options.set_case_sensitive(!ArgumentOr(call.arguments, "ignore_case", false));
    options.set_literal(ArgumentOr(call.arguments, "literal", false));
    RE2 pattern(call.arguments["pattern"].get<std::string>(), options);
    EXPECT_TRUE(pattern.ok()) << pattern.error();
    EXPECT_LE(pattern.pattern().size(), 4096u) << "the tool takes none that is longer";
    size_t most = static_cast<size_t>(ArgumentOr<int64_t>(call.arguments, "limit", 100));
    int64_t long_lines = 0;
    bool truncated = false;
    for (const auto& [name, content] : files_) {
      if (path != "." && name != path && !name.starts_with(path + "/")) continue;
      if (!GlobMatches(ArgumentOr<std::string>(call.arguments, "glob", ""), name)) continue;
      auto lines = Lines(name);
      for (size_t i = 0; i < lines.size(); ++i) {
        long_lines += lines[i].size() > agentcore::kMaxSearchedLine;
        if (!RE2::PartialMatch(lines[i].substr(0, agentcore::kMaxSearchedLine), pattern)) continue;
        if (result.artifacts.size() >= most) {
          truncated = true;
          continue;
        }
        agentcore::Artifact excerpt;
        excerpt.kind = "excerpt";
        excerpt.path = name;
        const size_t around = static_cast<size_t>(ArgumentOr<int64_t>(call.arguments, "context", 0)), first = i - std::min(i, around);
        excerpt.line_start = static_cast<int64_t>(first) + 1;
        excerpt.lines.assign(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), i + around + 1)));
        excerpt.matches = {static_cast<int64_t>(i) + 1};
        CutLines(&excerpt);
        result.artifacts.push_back(std::move(excerpt));
      }
    }
    if ((truncated || long_lines > 0) && result.artifacts.empty()) result.artifacts.emplace_back().kind = "listing";
    if (truncated) result.artifacts.front().facts["truncated"] = true;
    if (long_lines > 0) result.artifacts.front().facts["long_lines"] = long_lines;
  } else if (call.tool == "list_files") {
    agentcore::Artifact listing;
    listing.kind = "listing";
    listing.path = path;
    std::map<std::string, int64_t> extensions;
    size_t limit = std::min(list_limit, static_cast<size_t>(ArgumentOr<int64_t>(call.arguments, "limit", 500)));
    int64_t depth = ArgumentOr<int64_t>(call.arguments, "depth", 0);
    std::string under = path == "." ? "" : path + "/";
    bool truncated = false;
    for (const auto& [name, content] : files_) {
      size_t dot = name.rfind('.'), slash = name.rfind('/');
      extensions[dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : name.substr(dot)] += 1;
      if (!name.starts_with(under) || !GlobMatches(ArgumentOr<std::string>(call.arguments, "pattern", ""), name)) continue;
      std::string entry = name;
      if (size_t cut = name.find('/', under.size()); depth == 1 && cut != std::string::npos) entry = name.substr(0, cut + 1);
      if (!listing.entries.empty() && listing.entries.back() == entry) continue;
      if (listing.entries.size() >= limit) truncated = true;
      else listing.entries.push_back(entry);
    }
    listing.facts["files"] = files_.size();
    listing.facts["truncated"] = truncated;
    listing.facts["by_extension"] = Json::array();
    for (const auto& [extension, count] : extensions) listing.facts["by_extension"].push_back(Json::array({extension, count}));
    if (tell_largest)
      for (const auto& [file, text] : files_) listing.facts["largest"].push_back(Json::array({file, text.size()}));
    result.artifacts.push_back(std::move(listing));
  } else {
    ADD_FAILURE() << "no such tool: " << call.tool;
  }
  return result;
}

ToolResult ResultWith(std::vector<agentcore::Artifact> artifacts) {
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  result.artifacts = std::move(artifacts);
  return result;
}

agentcore::Artifact RowsArtifact(const std::string& kind, const std::string& path, std::vector<std::string> rows) {
  agentcore::Artifact artifact;
  artifact.kind = kind;
  artifact.path = path;
  artifact.lines = std::move(rows);
  return artifact;
}

ToolResult DiffResult(const std::map<std::string, std::vector<std::string>>& files) {
  std::vector<agentcore::Artifact> artifacts(1);
  artifacts[0].kind = "listing";
  artifacts[0].path = ".";
  for (const auto& [name, lines] : files) {
    const size_t tab = name.find('\t');
    auto artifact = RowsArtifact("diff", name.substr(0, tab), lines);
    const auto count = [&](char sign) { return std::count_if(lines.begin(), lines.end(), [&](const auto& line) { return line.starts_with(sign); }); };
    artifact.facts = {{"status", tab == std::string::npos ? "changed" : name.substr(tab + 1)}, {"old_path", artifact.path}, {"added", count('+')}, {"removed", count('-')}, {"binary", false}};
    artifacts[0].entries.push_back(artifact.path);
    artifacts.push_back(std::move(artifact));
  }
  artifacts[0].facts = {{"files", files.size()}, {"truncated", false}};
  return ResultWith(std::move(artifacts));
}

Report PlaybookRepo::Run(const std::string& name, const std::string& goal, const std::string& context, int max_turns, int wrap_up_at) {
  auto playbook = MakePlaybook(name);
  EXPECT_NE(playbook, nullptr) << name;
  if (!playbook) return {};
  ModelRequestFrame request;
  request.goal = goal;
  request.context = context;
  request.max_turns = max_turns;
  request.may_ask_to_run = may_ask;
  for (request.turn = 1; request.turn <= max_turns; ++request.turn) {
    request.wrap_up = request.turn == wrap_up_at;
    auto turn = playbook->Next(request);
    ++turns_;
    request.latest.clear();
    EXPECT_LE(turn.calls.size(), 16u);
    EXPECT_FALSE(turn.calls.empty());
    if (turn.calls.size() == 1 && turn.calls[0].tool == "report") {
      auto report = FromJson<Report>(turn.calls[0].arguments);
      EXPECT_TRUE(report) << (report ? "" : report.error().message);
      return report ? *report : Report{};
    }
    EXPECT_FALSE(request.wrap_up) << "asked for the report, it answered with calls";
    for (auto& call : turn.calls) {
      ++calls_;
      auto result = Answer(call);
      request.latest.push_back({std::move(call), std::move(result)});
    }
  }
  ADD_FAILURE() << "no report by the last turn";
  return {};
}

bool PlaybookRepo::EveryCitationHolds(const Report& report) const {
  bool all = true;
  for (const auto& finding : report.findings) {
    // No line of a file says how large it is, or how often it was changed.
    const bool counted = finding.title.starts_with("Largest file: ") || finding.title.starts_with("Most changed file: ");
    EXPECT_EQ(finding.evidence.empty(), counted) << finding.title;
    for (const auto& citation : finding.evidence) {
      std::string text;
      auto lines = files_.contains(citation.path) ? Lines(citation.path) : std::vector<std::string>();
      for (int64_t n = citation.line_start; n <= citation.line_end && n <= static_cast<int64_t>(lines.size()); ++n)
        text += (n > citation.line_start ? "\n" : "") + lines[static_cast<size_t>(n) - 1];
      bool holds = !citation.quote.empty() && text.find(citation.quote) != std::string::npos;
      EXPECT_TRUE(holds) << finding.title << ": " << citation.path << ":" << citation.line_start << " " << citation.quote;
      all = all && holds;
    }
  }
  return all;
}

namespace {

Report Checked(PlaybookRepo* repo, const std::string& playbook, const std::string& goal, int max_turns) {
  Report report = repo->Run(playbook, goal, "", max_turns);
  EXPECT_TRUE(repo->EveryCitationHolds(report));
  EXPECT_TRUE(InvalidPatterns().empty());
  return report;
}

}  // namespace

Report ReportOn(const std::string& playbook, const std::string& goal, Files files, int max_turns) {
  PlaybookRepo repo(std::move(files));
  return Checked(&repo, playbook, goal, max_turns);
}

Report ReportOn(const std::string& playbook, const std::string& goal, Files files, std::vector<std::string> symbols) {
  PlaybookRepo repo(std::move(files));
  repo.more = [&symbols](const ToolCall& call) -> std::optional<ToolResult> {
    if (symbols.empty() || (call.tool != "outline" && call.tool != "find_symbol")) return std::nullopt;
    return ResultWith({RowsArtifact("symbols", symbols[0], {symbols.begin() + 1, symbols.end()})});
  };
  return Checked(&repo, playbook, goal, 20);
}

std::string Titles(const Report& report) {
  std::string out;
  for (const auto& finding : report.findings) out += finding.title + "\n";
  return out;
}

std::string DetailOf(const Report& report, std::string_view title) {
  for (const auto& finding : report.findings)
    if (finding.title.find(title) != std::string::npos) return finding.detail;
  ADD_FAILURE() << "no finding's title holds \"" << title << "\":\n" << Titles(report);
  return "";
}

std::vector<std::string> Listed(const Report& report, const char* key) {
  std::vector<std::string> out;
  for (const auto& value : report.data[key]) out.push_back(value.get<std::string>());
  return out;
}

}  // namespace paddock::subagents
