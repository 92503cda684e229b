// A profile with several faults: all are said at once, each at its line, so that nobody mends and tries again for each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sandbox/profile_json.h"

namespace paddock::sandbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class ProfileFaults : public testing::Test {
 protected:
  ProfileFaults() {
    files_.read = [this](const std::string& path) -> Result<std::string> {
      if (auto found = disk_.find(path); found != disk_.end()) return found->second;
      return Fail(ErrorKind::kNotFound, path + ": not there");
    };
    files_.check_hide = [](const std::string& pattern) -> Status {
      if (pattern.starts_with('!')) return Fail(ErrorKind::kInvalid, "\"" + pattern + "\" begins with \"!\"", "take it out");
      return {};
    };
  }
  // /a.json, with `more` from line 3 on.
  std::vector<std::string> Of(const std::string& more, const std::string& extends = "build") {
    disk_["/a.json"] = "{\"schema\": \"paddock/profile/1\", \"name\": \"a\",\n\"extends\": \"" + extends + "\",\n" + more + "}";
    Faults further;
    auto loaded = LoadProfile("/a.json", files_, &further);
    std::vector<std::string> messages;
    if (!loaded) messages.push_back(loaded.error().message);
    for (const Error& one : further) messages.push_back(one.message);
    return messages;
  }
  std::map<std::string, std::string> disk_;
  ProfileFiles files_;
};

TEST_F(ProfileFaults, AreAllSaidEachAtItsLine) {
  EXPECT_THAT(Of("\"limits\": {\"wal\": \"1h\",\n\"memory\": \"512MB\", \"files\": 3,\n\"cpu\": 5},\n\"syscalls\": {\"allow\": [\"@bulid\",\n\"nosuchcall\"]},\n"
                 "\"filesystem\": {\"hide\": [\"ok\",\n\"!x\"]}, \"network\": {\"mode\": \"proxy\"},\n\"optional\": [\"seccomp\"], \"colour\": 1"),
              ElementsAre(StartsWith("/a.json:3: $.limits: unknown key \"wal\""), StartsWith("/a.json:4: $.limits.files: expected a number >= 16"),
                          StartsWith("/a.json:5: $.limits.cpu: expected a string"), StartsWith("/a.json:10: $: unknown key \"colour\""),
                          StartsWith("/a.json:4: $.limits.memory: \"512MB\": expected a size"), StartsWith("/a.json:9: $.filesystem.hide[1]: \"!x\" begins with"),
                          StartsWith("/a.json:6: $.syscalls.allow[0]: no group of system calls named \"@bulid\""), StartsWith("/a.json:7: $.syscalls.allow[1]"),
                          StartsWith("/a.json:10: $.optional[0]: only landlock"), StartsWith("/a.json:9: $.network.mode: \"proxy\" is not")));
}

TEST_F(ProfileFaults, OfAValueAreOne) {
  // What is no string at all is no wrong name as well; a section that does not exist is one, whatever is in it.
  EXPECT_THAT(Of("\"syscalls\": {\"allow\": [5, \"@build\"]}, \"limits\": {\"memory\": 5}, \"limit\": {\"wall\": 1, \"cpu\": 2}"),
              ElementsAre(HasSubstr("$.syscalls.allow[0]: expected a string"), HasSubstr("$.limits.memory: expected a string"), HasSubstr("$: unknown key \"limit\"")));
}

TEST_F(ProfileFaults, OfAFileWithoutItsHeadAreSaidToo) {
  disk_["/a.json"] = "{\n\"limits\": {\"wal\": 1},\n\"name\": 5}";
  Faults further;
  auto loaded = LoadProfile("/a.json", files_, &further);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, StartsWith("/a.json:1: $.schema: missing"));
  ASSERT_EQ(further.size(), 2u);
  EXPECT_THAT(further[0].message, StartsWith("/a.json:2: $.limits: unknown key"));
  EXPECT_THAT(further[1].message, StartsWith("/a.json:3: $.name: expected a string"));
}

TEST_F(ProfileFaults, MayBeInSeveralFiles) {
  disk_["/b.json"] = "{\"schema\": \"paddock/profile/1\", \"name\": \"b\",\n\"extends\": \"bulid\",\n\"limits\": {\"cpu\": \"soon\"}}";
  EXPECT_THAT(Of("\"limits\": {\"wall\": 1}", "./b.json"), ElementsAre(StartsWith("/a.json:3: $.limits.wall"), StartsWith("/b.json:2: $.extends: no profile named \"bulid\""),
                                                                      StartsWith("/b.json:3: $.limits.cpu: \"soon\"")));
  // What is no JSON ends it, and what was found before is not lost.
  disk_["/b.json"] = "{\n";
  EXPECT_THAT(Of("\"limits\": {\"wall\": 1}", "./b.json"), ElementsAre(StartsWith("/a.json:3: $.limits.wall"), StartsWith("/b.json:2: ")));
}

TEST_F(ProfileFaults, ThatContradictAreSaidOnceTheValuesAreGood) {
  const std::string contradictions = "\"filesystem\": {\"read\": [\"/\",\n\"/no/such/folder\"]},\n\"env\": {\"keep\": [\"LD_PRELOAD\"]}";
  EXPECT_THAT(Of(contradictions), ElementsAre(StartsWith("/a.json:3: $.filesystem.read[0]"), StartsWith("/a.json:4: $.filesystem.read[1]"), StartsWith("/a.json:5: $.env.keep[0]")));
  EXPECT_THAT(Of(contradictions + ", \"limits\": {\"memory\": \"512MB\"}"), ElementsAre(HasSubstr("$.limits.memory")));
}

TEST_F(ProfileFaults, AreTwentyAtMost) {
  std::string calls;
  for (int i = 0; i < 200; ++i) calls += std::string(i ? ", " : "") + "\"nosuch" + std::to_string(i) + "\"";
  EXPECT_EQ(Of("\"syscalls\": {\"allow\": [" + calls + "]}").size(), kMostFaults);
  std::string keys;
  for (int i = 0; i < 200; ++i) keys += std::string(i ? ", " : "") + "\"nosuch" + std::to_string(i) + "\": 1";
  EXPECT_EQ(Of(keys).size(), kMostFaults);
}

}  // namespace
}  // namespace paddock::sandbox
