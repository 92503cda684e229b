// A made-up repository that counts words, for the debugger's tests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {

inline std::map<std::string, std::string> Words() {
  return {{"Makefile", "check:\n\t./run\n"},
          {"README.md", "# Words\n\nRun `make check`.\n"},
          {"src/words.c", "#include \"words.h\"\n\nint count_words(const char *text) {\n  int n = 0;\n  while (*text) n += is_gap(*text++);\n  return n;\n}\n"},
          {"src/gap.c", "#include \"words.h\"\n\nint is_gap(int c) {\n  return c == ' ';\n}\n"},
          {"src/other.c", "int other(void) {\n  return 1;\n}\n"},
          {"src/words.h", "int count_words(const char *text);\nint is_gap(int c);\n"},
          {"tests/check_all.c", "#include \"words.h\"\n\nvoid test_empty(void) {\n  assert(other() == 1);\n}\n\nvoid test_two(void) {\n  int n = count_words(\"a b\");\n  assert(n == 2);\n}\n"}};
}

struct Commit {
  std::string subject;
  std::map<std::string, std::vector<std::string>> files;  // as DiffResult takes them
  bool merges = false;  // shows what it brings, and git_log counts none of it
};

// git_log and git_show of these, the newest first.
inline void SetHistory(PlaybookRepo* repo, std::vector<Commit> commits, std::map<std::string, std::vector<std::string>> working = {}) {
  repo->more = [commits = std::move(commits), working = std::move(working)](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    const auto row = [&](size_t i) { return "c" + std::to_string(i) + "\t2026-01-0" + std::to_string(9 - i) + (commits[i].merges ? "\tx\t0\t0\t0\t" : "\tx\t1\t1\t1\t") + commits[i].subject; };
    if (call.tool == "git_diff" && !working.empty()) return DiffResult(working);
    if (call.tool == "git_log") {
      std::vector<std::string> rows;
      for (size_t i = 0; i < commits.size(); ++i) rows.push_back(row(i));
      std::map<std::string, std::string> last;  // path → its row of changes
      for (size_t i = commits.size(); i-- > 0;)
        for (const auto& [path, hunks] : commits[i].files)
          if (!commits[i].merges) last[path] = path + "\t1\t1\t1\tc" + std::to_string(i);
      std::vector<std::string> changes;
      for (const auto& [path, change] : last) changes.push_back(change);
      return ResultWith({RowsArtifact("commits", ".", rows), RowsArtifact("changes", ".", changes)});
    }
    for (size_t i = 0; i < commits.size(); ++i)
      if (call.tool == "git_show" && call.arguments["commit"] == "c" + std::to_string(i)) {
        auto result = DiffResult(commits[i].files);
        result.artifacts.insert(result.artifacts.begin(), RowsArtifact("commits", ".", {row(i)}));
        return result;
      }
    return std::nullopt;
  };
}

inline std::string All(const Report& report) {
  std::string text = report.summary + "\n";
  for (const auto& finding : report.findings) text += finding.title + "\n" + finding.detail + "\n";
  return text + report.data["suspects"].dump();
}

// Of the n-th suspect; "" where there are fewer.
inline std::string Path(const Report& report, size_t n) { return report.data["suspects"].size() > n ? report.data["suspects"][n]["path"].get<std::string>() : ""; }

}  // namespace paddock::subagents
