// Trees that are deeper than descriptors and paths go: all of them is listed, or it is said what is not.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using ::testing::HasSubstr;

class DeepTree : public WorkspaceTest {
 protected:
  // `levels` folders called `name`, one in the other, and a file in the last one.
  void Dig(const std::string& name, int levels) {
    UniqueFd at(::openat(root_fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (int i = 0; i < levels; ++i) {
      ASSERT_EQ(::mkdirat(at.get(), name.c_str(), 0755), 0);
      at.reset(::openat(at.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      ASSERT_TRUE(at);
    }
    UniqueFd file(::openat(at.get(), "bottom.c", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    ASSERT_EQ(::write(file.get(), "int bottom;\n", 12), 12);
  }
  // With `more` descriptors besides those that are open.
  ToolResult RunWith(int more, const char* tool, const Json& arguments) {
    rlimit before;
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::dup(0);
    ::close(next);
    rlimit few = before;
    few.rlim_cur = static_cast<rlim_t>(next + more);
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    ToolResult result = Run(tool, arguments);
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    return result;
  }
};

TEST_F(DeepTree, SevenHundredLevelsAreListedWithFewDescriptors) {
  Dig("d", 700);
  for (int more : {7, 12, 40}) {
    const ToolResult list = RunWith(more, "list_files", Json{{"pattern", "bottom.c"}});
    EXPECT_STREQ(NameOf(list.status), "ok") << more << list.error << list.output;
    EXPECT_EQ(Entries(list).size(), 1u) << more;
    EXPECT_EQ(Fact(list, "complete"), true);
    const ToolResult search = RunWith(more, "search_text", Json{{"pattern", "bottom"}});
    EXPECT_EQ(Fact(search, "matches"), 1) << more << search.output;
    EXPECT_EQ(Fact(search, "complete"), true) << more << search.output;
  }
}

TEST_F(DeepTree, WhatCouldNotBeOpenedForLackOfDescriptorsIsSaid) {
  Dig("d", 30);
  for (int more : {1, 2, 3, 4}) {
    const ToolResult list = RunWith(more, "list_files", Json::object());
    if (Fact(list, "complete") == true && Fact(list, "folders") == 30) continue;
    EXPECT_THAT(list.error + list.output, HasSubstr("descriptor")) << more;
  }
}

TEST_F(DeepTree, APathThatIsTooLongIsSaidWithWhereItBegins) {
  const std::string name(200, 'n');
  Dig(name, 45);
  const ToolResult list = List();
  EXPECT_STREQ(NameOf(list.status), "partial");
  EXPECT_EQ(Fact(list, "folders"), 40);
  EXPECT_EQ(Fact(list, "too_deep"), 1);
  EXPECT_THAT(list.output, HasSubstr("the first of them below \"" + name));
}

}  // namespace
}  // namespace paddock::agentcore
