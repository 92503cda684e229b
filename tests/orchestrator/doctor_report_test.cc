// What people and programs see of the doctor: the table, and the JSON that is its fields and nothing else.
#include "orchestrator/report/doctor_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace paddock::orchestrator {
namespace {

using sandbox::Layer;
using sandbox::machine::Finding;
using sandbox::machine::Outcome;
using sandbox::machine::StepId;
using testing::ElementsAre;
using testing::HasSubstr;

DoctorReport Report() {
  DoctorReport report;
  report.kernel = "6.1.0-18-amd64";
  report.uid = 1000;
  report.repository = "/home/somebody/src/" + std::string(70, 'x');
  report.steps = {Finding{StepId::kKernel, Outcome::kOk, "uname", "", "6.1.0-18-amd64", ""},
                  Finding{StepId::kUser, Outcome::kMissing, "clone3(CLONE_NEWUSER)", "ENOSPC", "", "as root: sysctl -w user.max_user_namespaces=15000"},
                  Finding{StepId::kMount, Outcome::kUntried, "unshare(CLONE_NEWUSER)", "", "needs a user namespace", ""},
                  Finding{StepId::kCgroups, Outcome::kPartial, "mkdir of a child group", "EACCES", "v2, not delegated: cpu memory pids and others, one after the other", "ask for a group"}};
  report.profiles = {{"base", Verdict::kAbstract, 16, 0, {}, {}, "", ""},
                     {"read-only", Verdict::kRefused, 17, 0, {Layer::kUser}, {StepId::kUser},
                      "jail set-up failed at stage launcher, user namespace: No space left on device (ENOSPC)", "as root: sysctl -w user.max_user_namespaces=15000"},
                     {"sealed", Verdict::kWorks, 17, 17, {}, {}, "", ""}};
  report.record = {true, "/home/somebody/.local/state/paddock/runs", "", ""};
  Conclude(&report);
  return report;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(DoctorReportTest, OneMendForOneCause) {
  const DoctorReport report = Report();
  EXPECT_FALSE(report.works);
  EXPECT_THAT(report.mends, ElementsAre("as root: sysctl -w user.max_user_namespaces=15000"));
}

TEST(DoctorReportTest, WhatNoProfileNeedsIsNoFault) {
  DoctorReport report = Report();
  report.profiles.erase(report.profiles.begin() + 1);
  Conclude(&report);
  EXPECT_TRUE(report.works);
  EXPECT_THAT(report.mends, ElementsAre());
}

TEST(DoctorReportTest, WithoutARecordNothingWorks) {
  DoctorReport report = Report();
  report.profiles.erase(report.profiles.begin() + 1);
  report.record = {false, "/x", "it is full", "make room"};
  Conclude(&report);
  EXPECT_FALSE(report.works);
  EXPECT_THAT(report.mends, ElementsAre("make room"));
}

TEST(DoctorTextTest, FitsInto80ColumnsAndIsAligned) {
  TextStyle style;
  style.width = 80;
  const std::string text = DoctorText(Report(), style);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (const std::string& line : Lines(text)) {
    EXPECT_LE(line.size(), 80u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    // A row: mark, name, words; a further line of it has only words.
    if (line.starts_with("  ") && !line.starts_with("  1. ") && !line.starts_with("     ")) {
      ASSERT_GT(line.size(), 38u) << line;
      EXPECT_TRUE(line[37] == ' ' && line[38] != ' ') << line;
      EXPECT_NE(line[11], ' ') << line;
    }
  }
  EXPECT_THAT(Lines(text), testing::IsSupersetOf({"  ok       kernel                     6.1.0-18-amd64",
                                                  "  missing  user                       ENOSPC from clone3(CLONE_NEWUSER)",
                                                  "  -        mount                      needs a user namespace",
                                                  "  -        base                       only for other profiles to extend",
                                                  "  works    sealed                     17 of 17 required layers in force",
                                                  "  1. as root: sysctl -w user.max_user_namespaces=15000"}));
  EXPECT_THAT(text, HasSubstr("  refused  read-only                  by user: jail set-up failed at stage"));
}

TEST(DoctorTextTest, WhatIsThereInPartSaysHowToHaveAllOfIt) {
  TextStyle style;
  style.width = 200;
  EXPECT_THAT(DoctorText(Report(), style), HasSubstr("one after the other. ask for a group"));
}

TEST(DoctorTextTest, ColourChangesNoWord) {
  TextStyle style;
  style.width = 80;
  const std::string plain = DoctorText(Report(), style);
  style.color = true;
  std::string coloured = DoctorText(Report(), style);
  EXPECT_NE(coloured, plain);
  for (const char* code : {"\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[0m"})
    for (size_t at; (at = coloured.find(code)) != std::string::npos;) coloured.erase(at, std::string_view(code).size());
  EXPECT_EQ(coloured, plain);
}

TEST(DoctorTextTest, NamesOfFilesAreMadeVisible) {
  DoctorReport report = Report();
  report.record.folder = "/x\x1b[31m";
  EXPECT_EQ(DoctorText(report, {}).find('\x1b'), std::string::npos);
}

TEST(DoctorJsonTest, IsReadBackAndHasNoOtherFields) {
  const DoctorReport report = Report();
  const Json json = ToJson(report);
  auto back = FromJson<DoctorReport>(json);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(ToJson(*back), json);
  EXPECT_EQ(json["schema"], "paddock/doctor/1");
  EXPECT_EQ(json["steps"][1]["outcome"], "missing");
  EXPECT_EQ(json["profiles"][1]["refused_by"], Json::array({"user"}));
  std::vector<std::string> keys;
  for (auto it = json.begin(); it != json.end(); ++it) keys.push_back(it.key());
  EXPECT_THAT(keys, testing::UnorderedElementsAre("schema", "works", "kernel", "uid", "repository", "steps", "profiles", "record", "mends"));
  Json more = json;
  more["extra"] = 1;
  EXPECT_FALSE(FromJson<DoctorReport>(more));
}

}  // namespace
}  // namespace paddock::orchestrator
