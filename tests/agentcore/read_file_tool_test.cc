#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "agentcore/tools/line_range.h"
#include "agentcore/tools/line_reader.h"
#include "tests/agentcore/workspace_fixture.h"

namespace paddock::agentcore {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using ReadFileTest = WorkspaceTest;

TEST_F(ReadFileTest, GivesNumberedLinesAndSaysWhereToGoOn) {
  Write("f", "one\ntwo\nthree\nfour\n");
  ToolResult result = Read("f", 2, 2);
  EXPECT_TRUE(result.success);
  EXPECT_EQ(result.status, ToolStatus::kOk);
  ASSERT_THAT(result.artifacts, SizeIs(1));
  EXPECT_EQ(result.artifacts[0].kind, "excerpt");
  EXPECT_EQ(result.artifacts[0].path, "f");
  EXPECT_EQ(result.artifacts[0].line_start, 2);
  EXPECT_THAT(Lines(result), ElementsAre("two", "three"));
  EXPECT_EQ(Fact(result, "size"), 19);
  EXPECT_EQ(Fact(result, "total_lines"), 4);
  EXPECT_EQ(Fact(result, "next_offset"), 4);
  EXPECT_EQ(Fact(result, "truncated"), true);
  EXPECT_THAT(result.next_actions.at(0), HasSubstr("\"offset\":4"));
  EXPECT_TRUE(Fact(Read("f", 3), "next_offset").is_null());
  EXPECT_EQ(result.output.find("two"), std::string::npos);  // contents travel in the excerpt only
}

TEST_F(ReadFileTest, EndingsAndTheLastNewlineAreNamed) {
  const struct {
    std::string content;
    const char* endings;
    bool trailing;
    std::vector<std::string> lines;
  } cases[] = {{"a\nb\n", "lf", true, {"a", "b"}},
               {"a\r\nb\r\n", "crlf", true, {"a\r", "b\r"}},
               {"a\r\nb\nc", "mixed", false, {"a\r", "b", "c"}},
               {"a", "none", false, {"a"}},
               {"\n", "lf", true, {""}},
               {"\r\n", "crlf", true, {"\r"}},
               {"a\rb\n", "lf", true, {"a\rb"}}};
  for (const auto& one : cases) {
    Write("f", one.content);
    ToolResult result = Read("f");
    EXPECT_EQ(Fact(result, "line_endings"), one.endings) << one.content;
    EXPECT_EQ(Fact(result, "trailing_newline"), one.trailing) << one.content;
    EXPECT_EQ(Lines(result), one.lines);
    EXPECT_EQ(Fact(result, "total_lines"), one.lines.size());
  }
}

TEST_F(ReadFileTest, AnEmptyFileIsASuccess) {
  Write("f", "");
  ToolResult result = Read("f");
  EXPECT_TRUE(result.success);
  EXPECT_EQ(Fact(result, "total_lines"), 0);
  EXPECT_TRUE(Lines(result).empty());
  EXPECT_TRUE(Fact(result, "next_offset").is_null());
  ExpectFailure(Read("f", 2), ToolStatus::kNotFound);
}

TEST_F(ReadFileTest, EncodingsAreToldByContent) {
  Write("utf8", "gr\xc3\xbc\xc3\x9f\n");
  Write("bom", "\xef\xbb\xbfhello\nx\n");
  Write("le", "\xff\xfeh\0i\0\n\0\n\x01\n\0"s);  // U+010A is no newline
  Write("be", "\xfe\xff\0h\0i\0\r\0\n\xd8\x3d\xde\0\0\n"s);
  Write("le-bare", "h\0e\0l\0l\0o\0\n\0"s);
  Write("latin", "caf\xe9\n");
  Write("cp1252", "\x93quoted\x94\n");
  Write("late", std::string(70'000, 'a') + "\n\xff\n");
  Write("split", std::string(65'535, 'a') + "\xc3\xbc\n");  // a character across two buffers
  EXPECT_EQ(Fact(Read("utf8"), "encoding"), "utf-8");
  EXPECT_EQ(Fact(Read("bom"), "encoding"), "utf-8-bom");
  EXPECT_THAT(Lines(Read("bom")), ElementsAre("hello", "x"));
  EXPECT_EQ(Fact(Read("le"), "encoding"), "utf-16le");
  EXPECT_EQ(Fact(Read("le"), "converted"), true);
  EXPECT_THAT(Lines(Read("le")), ElementsAre("hi", "\xc4\x8a"));
  EXPECT_EQ(Fact(Read("be"), "encoding"), "utf-16be");
  EXPECT_EQ(Fact(Read("be"), "line_endings"), "mixed");
  EXPECT_THAT(Lines(Read("be")), ElementsAre("hi\r", "\xf0\x9f\x98\x80"));
  EXPECT_THAT(Lines(Read("le-bare")), ElementsAre("hello"));
  EXPECT_EQ(Fact(Read("latin"), "encoding"), "latin-1?");
  EXPECT_EQ(Fact(Read("cp1252"), "encoding"), "unknown-8bit");
  EXPECT_EQ(Fact(Read("late"), "encoding"), "unknown-8bit");
  EXPECT_EQ(Fact(Read("split"), "encoding"), "utf-8");
  EXPECT_EQ(BytesFromWire(Lines(Read("latin"))[0]), "caf\xe9");
}

TEST_F(ReadFileTest, BinaryIsToldByContentAndNamed) {
  Write("a.txt", "\x7f" "ELF\x02\x01\x01\0\0\0"s);
  Write("b.txt", "\x89PNG\r\n\x1a\n\0\0"s);
  Write("c.txt", "text first\n\0"s);
  Write("d.txt", "\x1f\x8b\x08\x08zz");
  Write("e.txt", std::string("\x01\x02\x03\x04\x05\x06", 6));
  for (const char* path : {"a.txt", "b.txt", "c.txt", "d.txt", "e.txt"}) ExpectFailure(Read(path), ToolStatus::kUnsupported);
  EXPECT_THAT(Read("a.txt").error, HasSubstr("ELF"));
  EXPECT_THAT(Read("b.txt").recovery_hint, HasSubstr("PNG"));
  EXPECT_THAT(Read("d.txt").error, HasSubstr("gzip"));
  Write("text.png", "just text\n");
  EXPECT_TRUE(Read("text.png").success);
}

TEST_F(ReadFileTest, WhatIsNoRegularFileIsNeverOpened) {
  ASSERT_EQ(::mkfifo(At("pipe").c_str(), 0600), 0);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", At("socket").c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  Folder("folder");
  for (const char* path : {"pipe", "socket", "folder"}) {
    ExpectFailure(Read(path), ToolStatus::kUnsupported);
    EXPECT_FALSE(ReadLineRange(context_.root_fd, path, 1, 1, 1000, Deadline::Never()).has_value());
  }
  EXPECT_THAT(Read("pipe").error, HasSubstr("FIFO"));
  EXPECT_THAT(Read("folder").next_actions.at(0), HasSubstr("list_files"));
  // A device, by a descriptor of /dev as the workspace.
  UniqueFd dev(::open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC));
  context_.root_fd = dev.get();
  ExpectFailure(Read("zero"), ToolStatus::kUnsupported);
}

TEST_F(ReadFileTest, LinksStayInside) {
  Write("real", "inside\n");
  std::ofstream(outer_ + "/secret") << "outside\n";
  std::filesystem::create_symlink("real", At("in"));
  std::filesystem::create_symlink("../secret", At("out"));
  std::filesystem::create_symlink(outer_ + "/secret", At("absolute"));
  std::filesystem::create_symlink("..", At("up"));
  std::filesystem::create_symlink("loop", At("loop"));
  std::filesystem::create_symlink("gone", At("dangling"));
  EXPECT_THAT(Lines(Read("in")), ElementsAre("inside"));
  for (const char* path : {"out", "absolute", "up/secret"}) ExpectFailure(Read(path), ToolStatus::kDenied);
  ExpectFailure(Read("loop"), ToolStatus::kUnsupported);
  ExpectFailure(Read("dangling"), ToolStatus::kNotFound);
  // No magic link: /proc as the workspace.
  UniqueFd proc(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  context_.root_fd = proc.get();
  EXPECT_FALSE(Read("self/root/etc/passwd").success);
  EXPECT_FALSE(Read("self/exe").success);
}

TEST_F(ReadFileTest, ASparseTerabyteNeitherHangsNorFillsMemory) {
  Write("sparse", "line one\n");
  ASSERT_EQ(::truncate(At("sparse").c_str(), 1ll << 40), 0);
  ExpectFailure(Read("sparse"), ToolStatus::kUnsupported);
  EXPECT_FALSE(ReadLineRange(context_.root_fd, "sparse", 2, 2, 1u << 20, Deadline::Never()).has_value());
  // One that begins as text.
  std::string text;
  while (text.size() < 2 * kSampleBytes) text += "line\n";
  const int64_t lines = std::ssize(text) / 5;
  Write("texty", text);
  ASSERT_EQ(::truncate(At("texty").c_str(), 1ll << 40), 0);
  ToolResult result = Read("texty", 1, 10);
  EXPECT_TRUE(result.success);
  EXPECT_THAT(Lines(result), SizeIs(10));
  EXPECT_TRUE(Fact(result, "total_lines").is_null());
  EXPECT_EQ(Fact(result, "size"), 1ll << 40);
  EXPECT_EQ(Fact(result, "next_offset"), 11);
  ToolResult end = Read("texty", lines + 1, 10);  // a line of a terabyte: its beginning, and no way on
  EXPECT_TRUE(end.success);
  EXPECT_THAT(end.artifacts.at(0).cut, ElementsAre(lines + 1));
  EXPECT_TRUE(Fact(end, "next_offset").is_null());
  ExpectFailure(Read("texty", lines + 2, 10), ToolStatus::kUnsupported);
  auto range = ReadLineRange(context_.root_fd, "texty", lines + 1, lines + 1, 1u << 20, Deadline::Never());
  ASSERT_FALSE(range.has_value());
  EXPECT_EQ(range.error().kind, ErrorKind::kLimit);
}

TEST_F(ReadFileTest, LongLinesAreCutAtACharacter) {
  std::string line = "a";
  while (line.size() < 5000) line += "\xc3\xbc";
  Write("f", "short\n" + line + "\nafter\n");
  ToolResult result = Read("f");
  EXPECT_THAT(result.artifacts.at(0).cut, ElementsAre(2));
  EXPECT_EQ(Lines(result)[1], line.substr(0, 3999));
  EXPECT_EQ(Lines(result)[2], "after");
}

TEST_F(ReadFileTest, OneResultIsBounded) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "0123456789\n";
  Write("f", text);
  context_.max_output_bytes = 100;
  ToolResult result = Read("f");
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  EXPECT_THAT(Lines(result), SizeIs(9));
  EXPECT_EQ(Fact(result, "next_offset"), 10);
  EXPECT_EQ(Fact(result, "total_lines"), 100);
  EXPECT_FALSE(result.recovery_hint.empty());
}

TEST_F(ReadFileTest, PassedDeadlineKeepsWhatWasRead) {
  std::string text;
  while (text.size() < 200'000) text += "0123456789\n";
  Write("f", text);
  context_.deadline = Deadline::After(std::chrono::nanoseconds(0));
  ToolResult result = Read("f", 1, 3);
  EXPECT_EQ(result.status, ToolStatus::kPartial);
  EXPECT_THAT(Lines(result), SizeIs(3));
  EXPECT_TRUE(Fact(result, "total_lines").is_null());
  EXPECT_FALSE(result.next_actions.empty());
  ExpectFailure(Read("f", 15'000, 3), ToolStatus::kTimeout);
  auto range = ReadLineRange(context_.root_fd, "f", 15'000, 15'000, 1000, context_.deadline);
  ASSERT_FALSE(range.has_value());
  EXPECT_EQ(range.error().kind, ErrorKind::kTimeout);
}

TEST_F(ReadFileTest, FailuresExplainThemselves) {
  Write("src/main.cc", "x\ny\n");
  Write("README.md", "x");
  ExpectFailure(Read("src/mian.cc"), ToolStatus::kNotFound);
  EXPECT_THAT(Read("src/mian.cc").recovery_hint, HasSubstr("src/main.cc"));
  EXPECT_THAT(Read("Readme.md").recovery_hint, HasSubstr("README.md"));
  EXPECT_THAT(Read("scr/main.cc").recovery_hint, HasSubstr("\"src\""));
  ExpectFailure(Read("README.md/x"), ToolStatus::kNotFound);
  ExpectFailure(Read(std::string(300, 'x')), ToolStatus::kNotFound);
  ExpectFailure(Read("zzzzzzzzz/qqqqqq"), ToolStatus::kNotFound);
  ExpectFailure(Read("src/main.cc", 9), ToolStatus::kNotFound);
  EXPECT_THAT(Read("src/main.cc", 9).error, HasSubstr("2 lines"));
  ExpectFailure(Read("/etc/passwd"), ToolStatus::kDenied);
  ExpectFailure(Read("../../etc/passwd"), ToolStatus::kDenied);
  ExpectFailure(Read("a\\x00b"), ToolStatus::kInvalidArguments);
  ExpectFailure(Read(""), ToolStatus::kInvalidArguments);
  ExpectFailure(Read(std::string(9000, 'a')), ToolStatus::kInvalidArguments);
  ExpectFailure(Run("read_file", Json::object()), ToolStatus::kInvalidArguments);
  ExpectFailure(Run("read_file", {{"path", "src/main.cc"}, {"ofset", 2}}), ToolStatus::kInvalidArguments);
  EXPECT_THAT(Run("read_file", {{"path", "src/main.cc"}, {"ofset", 2}}).recovery_hint, HasSubstr("offset"));
  ExpectFailure(Run("read_file", {{"path", 3}}), ToolStatus::kInvalidArguments);
  context_.root_fd = 9999;
  ExpectFailure(Read("README.md"), ToolStatus::kFailed);
}

TEST_F(ReadFileTest, AFileWithoutPermissionIsDenied) {
  Write("secret", "x\n");
  ASSERT_EQ(::chmod(At("secret").c_str(), 0), 0);
  ToolResult result = Read("secret");
  if (::geteuid() == 0) {
    EXPECT_TRUE(result.success);  // permissions don't apply
  } else {
    ExpectFailure(result, ToolStatus::kDenied);
  }
}

TEST_F(ReadFileTest, LineRangesAreTheRawBytes) {
  Write("f", "one\r\ntwo\xff\n\nlast");
  auto range = ReadLineRange(context_.root_fd, "./f", 1, 2, 1000, Deadline::Never());
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->raw, "one\r\ntwo\xff\n");
  EXPECT_THAT(range->lines, ElementsAre("one\r", "two\xff"));
  EXPECT_EQ(range->size, 15u);
  struct stat st;
  ASSERT_EQ(::stat(At("f").c_str(), &st), 0);
  EXPECT_EQ(range->changed_ns, std::max(st.st_mtim.tv_sec * 1'000'000'000 + st.st_mtim.tv_nsec, st.st_ctim.tv_sec * 1'000'000'000 + st.st_ctim.tv_nsec));
  EXPECT_EQ(ReadLineRange(context_.root_fd, "f", 3, 4, 1000, Deadline::Never())->raw, "\nlast");
  EXPECT_EQ(ReadLineRange(context_.root_fd, "f", 1, 4, 15, Deadline::Never())->raw.size(), 15u);
  const auto kind = [&](const char* path, int64_t first, int64_t last, size_t max) {
    auto result = ReadLineRange(context_.root_fd, path, first, last, max, Deadline::Never());
    return result ? ErrorKind::kInternal : result.error().kind;
  };
  EXPECT_EQ(kind("f", 1, 4, 14), ErrorKind::kLimit);
  EXPECT_EQ(kind("f", 4, 5, 1000), ErrorKind::kNotFound);
  EXPECT_EQ(kind("f", 0, 1, 1000), ErrorKind::kInvalid);
  EXPECT_EQ(kind("f", 2, 1, 1000), ErrorKind::kInvalid);
  EXPECT_EQ(kind("g", 1, 1, 1000), ErrorKind::kNotFound);
  EXPECT_EQ(kind("../f", 1, 1, 1000), ErrorKind::kDenied);
  EXPECT_EQ(kind(".", 1, 1, 1000), ErrorKind::kInvalid);
}

TEST_F(ReadFileTest, LineRangesShowWhatReadFileShows) {
  Write("le", "\xff\xfeh\0i\0\n\0x\0\n\0"s);
  Write("bom", "\xef\xbb\xbfhi\nx\n");
  for (const char* path : {"le", "bom"}) {
    auto range = ReadLineRange(context_.root_fd, path, 1, 2, 1000, Deadline::Never());
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(range->lines, Lines(Read(path)));
    EXPECT_THAT(range->lines, ElementsAre("hi", "x"));
  }
  EXPECT_EQ(ReadLineRange(context_.root_fd, "le", 1, 1, 1000, Deadline::Never())->raw, "\xff\xfeh\0i\0\n\0"s);
}

}  // namespace
}  // namespace paddock::agentcore
