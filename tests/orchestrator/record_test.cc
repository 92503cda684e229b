#include "orchestrator/session/record.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace paddock::orchestrator {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct RecordTest : testing::Test {
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "paddock-record-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home = name;
  }
  void TearDown() override { fs::remove_all(home); }
  std::unique_ptr<RunRecord> Make(const std::string& id = "run-1", size_t max_bytes = 64u << 20) {
    auto record = RunRecord::Create(home + "/state", id, Json{{"goal", "g"}}, max_bytes);
    EXPECT_TRUE(record) << record.error().message;
    return record ? *std::move(record) : nullptr;
  }
  static std::string Slurp(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static mode_t Mode(const std::string& path) {
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
  }
  std::string home;
};

TEST_F(RecordTest, KeepsTicketEventsAndResultPrivately) {
  mode_t old_mask = ::umask(0);
  auto record = Make();
  record->Record("turn", Json{{"text", "\x1b line\nbreak"}});
  record->Flush();
  EXPECT_TRUE(record->WriteResult(Json{{"status", "completed"}}));
  ::umask(old_mask);
  EXPECT_TRUE(record->notes().empty());
  for (const char* folder : {"/state/paddock", "/state/paddock/runs", "/state/paddock/runs/run-1"}) EXPECT_EQ(Mode(home + folder), 0700u) << folder;
  for (const char* file : {"/ticket.json", "/events.jsonl", "/result.json"}) EXPECT_EQ(Mode(record->folder() + file), 0600u) << file;
  EXPECT_EQ(std::distance(fs::directory_iterator(record->folder()), {}), 3);
  auto loaded = LoadRecord(record->folder());
  ASSERT_TRUE(loaded);
  EXPECT_THAT(loaded->problems, testing::IsEmpty());
  EXPECT_EQ((*loaded->ticket)["goal"], "g");
  EXPECT_EQ((*loaded->result)["status"], "completed");
  ASSERT_EQ(loaded->events.size(), 2u);
  EXPECT_EQ(loaded->events[1]["data"]["text"], "\x1b line\nbreak");
  EXPECT_EQ(loaded->events[1]["n"], 2);
}

TEST_F(RecordTest, ATornLineCostsItselfOnly) {
  auto record = Make();
  for (int i = 0; i < 5; ++i) record->Record("e", Json{{"i", i}});
  std::string path = record->folder() + "/events.jsonl";
  std::string text = Slurp(path);
  for (size_t cut = 1; cut < 40; ++cut) {
    fs::resize_file(path, text.size() - cut);
    auto loaded = LoadRecord(record->folder());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->events.size(), 5u);
    ASSERT_EQ(loaded->problems.size(), 1u);
    EXPECT_THAT(loaded->problems[0], HasSubstr("torn"));
  }
}

TEST_F(RecordTest, ChangedMissingAndMovedLinesShow) {
  auto record = Make();
  for (int i = 0; i < 5; ++i) record->Record("e", Json{{"i", i}});
  std::string path = record->folder() + "/events.jsonl";
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  auto load = [&](const std::vector<std::string>& with) {
    std::ofstream out(path, std::ios::trunc);
    for (auto& line : with) out << line << "\n";
    out.close();
    return *LoadRecord(record->folder());
  };
  EXPECT_TRUE(load(lines).problems.empty());
  auto changed = lines;
  changed[2].replace(changed[2].find("\"i\":1"), 5, "\"i\":7");
  auto loaded = load(changed);
  EXPECT_EQ(loaded.problems.size(), 1u);
  EXPECT_EQ(loaded.events.size(), 5u);
  auto missing = lines;
  missing.erase(missing.begin() + 2);
  EXPECT_THAT(load(missing).problems, testing::ElementsAre(HasSubstr("left out")));
  auto moved = lines;
  std::swap(moved[2], moved[3]);
  EXPECT_FALSE(load(moved).problems.empty());
  auto garbage = lines;
  garbage[1] = "\xff{{{[[[";
  EXPECT_EQ(load(garbage).events.size(), 5u);
}

TEST_F(RecordTest, IsBounded) {
  auto record = Make("run-1", 20'000);
  for (int i = 0; i < 100; ++i) record->Record("e", Json{{"text", std::string(1000, 'x')}});
  EXPECT_LE(fs::file_size(record->folder() + "/events.jsonl"), 20'000u);
  auto loaded = LoadRecord(record->folder());
  EXPECT_TRUE(loaded->problems.empty());
  EXPECT_EQ(loaded->events.back()["type"], "truncated");
  EXPECT_THAT(record->notes(), testing::Contains(HasSubstr("full")));
}

TEST_F(RecordTest, ManyThreadsKeepOneChain) {
  auto record = Make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) record->Record("e", Json{{"i", i}});
    });
  for (auto& thread : threads) thread.join();
  auto loaded = LoadRecord(record->folder());
  EXPECT_TRUE(loaded->problems.empty());
  EXPECT_EQ(loaded->events.size(), 401u);
}

TEST_F(RecordTest, OfARunThatIsNotToBeNothingIsLeft) {
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  for (rlim_t bytes : {0, 40}) {  // no room for the ticket, and none for the first event
    rlimit small = old;
    small.rlim_cur = bytes;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    auto record = RunRecord::Create(home + "/state", "run-1", Json{{"goal", "g"}});
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    EXPECT_FALSE(record);
    EXPECT_TRUE(fs::is_empty(home + "/state/paddock/runs")) << bytes;
  }
}

// A full disk, played by the limit on the size of a file.
TEST_F(RecordTest, ADiskThatFillsUpIsSaidAndCostsOneLine) {
  auto record = Make();
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = fs::file_size(record->folder() + "/events.jsonl") + 50;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  record->Record("lost", Json{{"text", std::string(500, 'x')}});
  record->Record("lost", Json::object());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  record->Record("kept", Json::object());
  auto loaded = LoadRecord(record->folder());
  EXPECT_EQ(loaded->events.back()["type"], "kept");
  EXPECT_EQ(loaded->problems.size(), 1u);
  EXPECT_THAT(record->notes(), testing::Contains(HasSubstr("incomplete")));
}

TEST_F(RecordTest, RefusesFoldersThatAreNotItsOwn) {
  auto error = [&](const std::string& state) {
    auto record = RunRecord::Create(state, "run-1", Json::object());
    return record ? Error{ErrorKind::kInternal, "accepted", "", 0} : record.error();
  };
  fs::create_directory(home + "/real");
  fs::create_directory_symlink(home + "/real", home + "/link");
  EXPECT_EQ(error(home + "/link").kind, ErrorKind::kDenied);
  fs::create_directory(home + "/s1");
  fs::create_directory_symlink(home + "/real", home + "/s1/paddock");
  EXPECT_EQ(error(home + "/s1").kind, ErrorKind::kDenied);
  fs::create_directories(home + "/s2/paddock");
  ::chmod((home + "/s2/paddock").c_str(), 0755);
  EXPECT_THAT(error(home + "/s2").hint, HasSubstr("chmod 700"));
  fs::create_directory(home + "/s3");
  ::chmod((home + "/s3").c_str(), 0777);
  EXPECT_EQ(error(home + "/s3").kind, ErrorKind::kDenied);
  std::ofstream(home + "/file") << "x";
  EXPECT_NE(error(home + "/file").message, "accepted");
  EXPECT_FALSE(error(home + "/file").hint.empty());
  EXPECT_NE(error("/proc/nowhere").message, "accepted");
  if (::geteuid() != 0) {
    EXPECT_EQ(error("/").kind, ErrorKind::kDenied);
  }
  EXPECT_TRUE(fs::is_empty(home + "/real"));
}

TEST_F(RecordTest, IdsAreMadeByTheParentAndNew) {
  auto record = Make();
  EXPECT_FALSE(RunRecord::Create(home + "/state", "run-1", Json::object()));
  for (const char* id : {"", "../x", "a/b", "A", "a b"}) EXPECT_FALSE(RunRecord::Create(home + "/state", id, Json::object())) << id;
  std::string id = NewRunId();
  EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
  EXPECT_NE(id, NewRunId());
}

TEST_F(RecordTest, TheStateFolderFollowsTheEnvironment) {
  std::string old_home = ::getenv("HOME") ? ::getenv("HOME") : "";
  ::setenv("XDG_STATE_HOME", "/x/state/", 1);
  EXPECT_EQ(*StateFolder(), "/x/state");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/h", 1);
  EXPECT_EQ(*StateFolder(), "/h/.local/state");
  ::unsetenv("HOME");
  EXPECT_EQ(StateFolder().error().kind, ErrorKind::kInvalid);
  ::unsetenv("XDG_STATE_HOME");
  if (!old_home.empty()) ::setenv("HOME", old_home.c_str(), 1);
}

// What can't be made for want of rights is named, and not that its last part is not there.
TEST_F(RecordTest, AFolderThatMayNotBeMadeIsNamedWithTheReason) {
  ASSERT_EQ(::chmod(home.c_str(), 0555), 0);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (::syscall(SYS_capset, &header, none) < 0) ::_exit(1);  // root's rights over files are capabilities
    auto record = RunRecord::Create(home + "/.local/state", "run-1", Json{{"goal", "g"}});
    const std::string said = record ? "made" : record.error().message;
    ::_exit(::write(ends[1], said.data(), said.size()) < 0);
  }
  ::close(ends[1]);
  std::string said(1000, 0);
  const ssize_t n = ::read(ends[0], said.data(), said.size());
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(said.substr(0, static_cast<size_t>(std::max<ssize_t>(n, 0))), testing::AllOf(HasSubstr("/.local"), HasSubstr("EACCES")));
}

}  // namespace
}  // namespace paddock::orchestrator
