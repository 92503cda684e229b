// A hide cell over pipes: which paths of a folder a profile's patterns hide.
#include <linux/capability.h>
#include <sys/syscall.h>
#include <gmock/gmock.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "cell_under_test.h"

namespace paddock::subagents {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class HideCell : public testing::Test {
 protected:
  HideCell() {
    std::string name = fs::temp_directory_path() / "paddock-hide-XXXXXX";
    outer_ = ::mkdtemp(name.data());
    folder_ = outer_ + "/repo";
    fs::create_directory(folder_);
  }
  ~HideCell() override {
    std::error_code ignored;
    fs::remove_all(outer_, ignored);
  }

  std::string At(const std::string& name) const { return folder_ + "/" + name; }
  void Write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories(fs::path(At(name)).parent_path());
    std::ofstream(At(name)) << text;
  }
  HiddenFrame Ask(const std::vector<std::string>& patterns) const {
    CellOptions options;
    options.workspace = folder_.c_str();
    CellUnderTest cell(options);
    TaskFrame task;
    task.kind = CellKind::kHide;
    task.hide = patterns;
    cell.Start(task);
    auto frame = cell.Hear<HiddenFrame>("hidden");
    EXPECT_EQ(cell.Wait(), 0);
    return frame;
  }
  std::vector<std::string> Paths(const std::vector<std::string>& patterns) const {
    HiddenFrame frame = Ask(patterns);
    EXPECT_EQ(frame.fault, HiddenFault::kNone) << frame.at;
    return frame.paths;
  }

  std::string outer_, folder_;
};

TEST_F(HideCell, FindsEveryMatchAlsoWhereNobodyElseLooks) {
  for (const char* name : {".env", "a/.env", ".git/config", ".git/.env", "ignored/.env", "a/b.txt", "secrets/one", "deep/secrets/two", "secrets/.env"}) Write(name);
  Write(".gitignore", "ignored/\n.env\n");
  EXPECT_THAT(Paths({".env", "secrets/"}), ElementsAre(".env", ".git/.env", "a/.env", "deep/secrets", "ignored/.env", "secrets"));
  EXPECT_THAT(Paths({"nothing"}), IsEmpty());
  EXPECT_THAT(Paths({"/a/*"}), ElementsAre("a/.env", "a/b.txt"));
}

TEST_F(HideCell, FindsTheOtherNamesOfWhatMatches) {
  Write("z/.env");
  Write("secrets/key");
  fs::create_hard_link(At("z/.env"), At("a-copy"));
  fs::create_hard_link(At("z/.env"), At("z/b-copy"));
  fs::create_hard_link(At("secrets/key"), At("key-copy"));  // in a folder that matches
  Write("other");
  fs::create_hard_link(At("other"), At("other-copy"));
  EXPECT_THAT(Paths({".env", "secrets/"}), ElementsAre("a-copy", "key-copy", "secrets", "z/.env", "z/b-copy"));
}

TEST_F(HideCell, FollowsALinkThatMatchesToWhatItLeadsTo) {
  Write("config/real");
  fs::create_hard_link(At("config/real"), At("real-copy"));
  fs::create_symlink("config/link", At(".env"));
  fs::create_symlink("real", At("config/link"));
  Write("vault/key");
  fs::create_hard_link(At("vault/key"), At("a-key"));  // walked before it is known that the folder is hidden
  fs::create_symlink("vault", At("secrets"));
  const HiddenFrame frame = Ask({".env", "secrets/"});
  EXPECT_EQ(frame.fault, HiddenFault::kNone);
  EXPECT_THAT(frame.paths, ElementsAre("a-key", "config/real", "real-copy", "vault"));
  EXPECT_THAT(frame.links_out, IsEmpty());
}

TEST_F(HideCell, TellsOfLinksThatLeadOutOrNowhere) {
  std::ofstream(outer_ + "/outside") << "x";
  fs::create_symlink("../outside", At("a.key"));
  fs::create_symlink("/no/such/place", At("b.key"));
  fs::create_symlink("c.key", At("c.key"));  // a circle leads to nothing that could be read
  fs::create_symlink("/no/such/place", At("other"));
  const HiddenFrame frame = Ask({"*.key"});
  EXPECT_THAT(frame.paths, IsEmpty());
  EXPECT_THAT(frame.links_out, ElementsAre("a.key", "b.key"));
}

TEST_F(HideCell, LinksInAFolderThatMatchesHideNothingElse) {
  Write("packages/one/index.js");
  fs::create_directory(At("node_modules"));
  fs::create_symlink("../packages/one", At("node_modules/one"));
  EXPECT_THAT(Paths({"node_modules/"}), ElementsAre("node_modules"));
}

TEST_F(HideCell, NamesOfAnyBytesComeThrough) {
  const std::string odd = "k\xff\x01\n\"\\.key";
  Write(odd);
  const auto paths = Paths({"*.key"});
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(BytesFromWire(paths[0]), odd);
}

TEST_F(HideCell, GivesUpWithItsReason) {
  fs::create_symlink(".", At(".env"));
  HiddenFrame frame = Ask({".env"});
  EXPECT_EQ(frame.fault, HiddenFault::kWhole);
  EXPECT_EQ(frame.at, ".env");
  for (size_t i = 0; i < kMaxHiddenPaths; ++i) Write("keys/" + std::to_string(i) + ".key");
  EXPECT_EQ(Paths({"*.key"}).size(), kMaxHiddenPaths);
  Write("keys/more.key");
  frame = Ask({"*.key"});
  EXPECT_EQ(frame.fault, HiddenFault::kTooMany);
  EXPECT_THAT(frame.paths, IsEmpty());
  EXPECT_THAT(Paths({"keys/"}), ElementsAre("keys"));
}

TEST_F(HideCell, NamesThatAreTooLongTogetherAreRefused) {
  const std::string folder(200, 'd');
  for (int i = 0; i < 600; ++i) Write(folder + "/" + folder + "/" + std::to_string(1000 + i) + std::string(100, 'n') + ".key");
  EXPECT_EQ(Ask({"*.key"}).fault, HiddenFault::kTooLong);
}

TEST_F(HideCell, AFolderTooDeepToBeCoveredInsideIsHiddenFromAbove) {
  std::string path = folder_;
  const std::string name(250, 'd');
  int fd = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(::mkdirat(fd, name.c_str(), 0755), 0);
    int next = ::openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY);
    ::close(fd);
    fd = next;
  }
  ::close(::openat(fd, "x.key", O_CREAT | O_WRONLY, 0644));
  ::close(fd);
  const auto paths = Paths({"*.key"});
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_LE(paths[0].size(), kMaxHiddenPathBytes);
  EXPECT_GT(paths[0].size(), kMaxHiddenPathBytes - 300);
}

// Root may list everything, but not without these two rights (capabilities(7)); of this thread and those that it starts.
class WithoutOverride {
 public:
  WithoutOverride() {
    ::syscall(SYS_capget, &header_, before_);
    __user_cap_data_struct less[2] = {before_[0], before_[1]};
    less[0].effective &= ~((1u << CAP_DAC_OVERRIDE) | (1u << CAP_DAC_READ_SEARCH));
    ::syscall(SYS_capset, &header_, less);
  }
  ~WithoutOverride() { ::syscall(SYS_capset, &header_, before_); }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2]{};
};

TEST_F(HideCell, AFolderThatIsClosedToListsButNotToGuessesIsHiddenWhole) {
  const WithoutOverride as_an_ordinary_user;
  Write("guess/.env");
  Write("shut/.env");
  fs::permissions(At("guess"), fs::perms(0311));
  fs::permissions(At("shut"), fs::perms(0200));
  EXPECT_THAT(Paths({".env"}), ElementsAre("guess"));
  fs::permissions(At("guess"), fs::perms(0755));
  fs::permissions(At("shut"), fs::perms(0755));
}

TEST_F(HideCell, PatternsThatAreNoneEndIt) {
  CellOptions options;
  options.workspace = folder_.c_str();
  CellUnderTest cell(options);
  TaskFrame task;
  task.kind = CellKind::kHide;
  task.hide = {"[a"};
  cell.Start(task);
  cell.Hear<FaultFrame>("fault");
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

}  // namespace
}  // namespace paddock::subagents
