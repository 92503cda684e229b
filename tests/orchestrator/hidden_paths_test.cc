// What the cell that looks for hidden files says, taken in by the parent: bytes come through, nothing else is believed.
#include "orchestrator/delegation/hidden_paths.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "subagents/frames.h"

namespace paddock::orchestrator {
namespace {

using subagents::HiddenFault;
using subagents::HiddenFrame;
using testing::ElementsAre;
using testing::HasSubstr;

Result<HiddenPaths> Take(const HiddenFrame& frame, const sandbox::Profile& profile = {}) { return ReadHiddenFrame(subagents::EncodeFrame("hidden", frame), profile); }

TEST(HiddenPaths, AreBytes) {
  auto read = Take({HiddenFault::kNone, "", {"a", WireFromBytes("b\xff\n")}, {}});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->paths, ElementsAre("a", "b\xff\n"));
  EXPECT_TRUE(read->notes.empty());
}

TEST(HiddenPaths, EachFaultSaysWhereAndWhatToDo) {
  for (const auto& fault : EnumNames(FieldsOf<HiddenFault>{})) {
    if (fault.value == HiddenFault::kNone) continue;
    auto read = Take({fault.value, "some/\x1bwhere", {"a"}, {}});
    ASSERT_FALSE(read) << fault.name;
    EXPECT_THAT(read.error().message, HasSubstr("some/\\x1bwhere"));
    EXPECT_FALSE(read.error().hint.empty()) << fault.name;
    EXPECT_NE(read.error().kind, ErrorKind::kProtocol);
  }
}

TEST(HiddenPaths, ALinkThatLeadsOutIsToldAndRefusedWhereMoreIsSeen) {
  const HiddenFrame frame{HiddenFault::kNone, "", {}, {"a.key", "b.key"}};
  auto told = Take(frame);
  ASSERT_TRUE(told);
  EXPECT_THAT(told->notes, ElementsAre(HasSubstr("\"a.key\" (and others)")));
  sandbox::Profile profile;
  profile.filesystem.root = sandbox::RootKind::kMinimal;
  auto refused = Take(frame, profile);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("\"a.key\" (and others)"));
  profile.filesystem = {};
  profile.filesystem.read = {"/srv"};
  EXPECT_FALSE(Take(frame, profile));
}

TEST(HiddenPaths, OtherAnswersAreNone) {
  for (const char* line : {"", "nonsense", R"({"type":"result","tool_calls":0,"failed_calls":0})", R"({"type":"hidden"})", R"({"type":"hidden","fault":"none"})",
                           R"({"type":"hidden","fault":"well","paths":[]})", R"({"type":"hidden","fault":"none","paths":[1]})", R"({"type":"hidden","fault":"none","paths":[],"x":1})",
                           R"({"type":"fault","message":"I give up"})"}) {
    auto read = ReadHiddenFrame(line, {});
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().kind == ErrorKind::kProtocol || read.error().kind == ErrorKind::kInvalid, true) << line;
  }
}

}  // namespace
}  // namespace paddock::orchestrator
