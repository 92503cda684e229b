// What an evidence check is tested with: files in memory, a checker that answers from them, lines that count as read.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "orchestrator/delegation/evidence.h"

namespace paddock::orchestrator {

using subagents::Citation;
using subagents::CiteFrame;
using subagents::Evidence;
using subagents::RangeFrame;
using subagents::Verification;
using testing::HasSubstr;

using Files = std::map<std::string, std::string>;  // path text → bytes

inline std::vector<std::string> LinesOf(const std::string& bytes) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < bytes.size();) {
    size_t newline = bytes.find('\n', at);
    lines.push_back(bytes.substr(at, newline - at));
    at = newline == std::string::npos ? bytes.size() : newline + 1;
  }
  return lines;
}

// What an honest checker answers.
inline RangeFrame RangeOf(const Files& files, const CiteFrame& cite) {
  RangeFrame out;
  out.n = cite.n;
  out.changed_ns = 1000;
  auto file = files.find(cite.path);
  if (file == files.end()) {
    out.status = "no_file";
    return out;
  }
  size_t at = 0, line = 1;
  std::string bytes;
  for (; at < file->second.size(); ++line) {
    size_t newline = file->second.find('\n', at);
    size_t end = newline == std::string::npos ? file->second.size() : newline + 1;
    if (line >= static_cast<size_t>(cite.line_start) && line <= static_cast<size_t>(cite.line_end)) bytes += file->second.substr(at, end - at);
    at = end;
  }
  out.status = static_cast<int64_t>(line) <= cite.line_end ? "no_lines" : "ok";
  if (out.status == "ok") out.bytes = WireFromBytes(bytes);
  return out;
}

class FakeChecker : public CitationChecker {
 public:
  FakeChecker(const Files* files, std::vector<CiteFrame>* asked, std::string dies_at) : files_(files), asked_(asked), dies_at_(std::move(dies_at)) {}
  Result<RangeFrame> Ask(const CiteFrame& cite) override {
    asked_->push_back(cite);
    if (cite.path == dies_at_) return Fail(ErrorKind::kClosed, "it died");
    return RangeOf(*files_, cite);
  }

 private:
  const Files* files_;
  std::vector<CiteFrame>* asked_;
  std::string dies_at_;
};

struct EvidenceTest : testing::Test {
  void Read(const std::string& path, int64_t first, int64_t last, size_t cut_to = 0) {
    agentcore::SeenExcerpt seen{path, first, {}, {}};
    auto lines = LinesOf(files[path]);
    for (int64_t n = first; n <= last; ++n) {
      std::string line = lines.at(static_cast<size_t>(n - 1));
      bool cut = cut_to > 0 && line.size() > cut_to;
      seen.lines.push_back(cut ? line.substr(0, cut_to) : line);
      seen.cut.push_back(cut);
    }
    read.Add(seen);
  }
  Evidence Check(Citation citation) {
    subagents::Report report;
    report.summary = "s";
    report.findings.push_back({"t", subagents::Severity::kInfo, "", subagents::Confidence::kLow, {std::move(citation)}});
    auto checked = Run(report);
    return checked.findings.at(0).evidence.at(0);
  }
  CheckedEvidence Run(const subagents::Report& report) {
    return CheckEvidence(report, read, times, [&]() -> Result<std::unique_ptr<CitationChecker>> {
      ++started;
      return std::make_unique<FakeChecker>(&files, &asked, dies_at);
    }, redactor);
  }
  Files files{{"a.c", "int main() {\n\treturn 1;\n}\n"}, {"crlf.txt", "one\r\ntwo\r\n"}, {"bin", "\xff\x1b[0m\nlast without newline"},
              {"secret", "password\n"}};
  agentcore::Redactor redactor;
  ReadLines read;
  CheckTimes times{5000, 9000};
  std::vector<CiteFrame> asked;
  std::string dies_at;
  int started = 0;
};

}  // namespace paddock::orchestrator
