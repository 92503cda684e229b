// Every repository comes to an end, soon, shows nothing of outside, and what is odd in it is said.
#include "tests/flow/odd_workspace.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST_F(OddWorkspace, AnOrdinaryOneHasNoNotesOfThisKind) {
  EXPECT_THAT(Notes(Explore()), Not(HasSubstr("in the repository")));
}

TEST_F(OddWorkspace, ThingsThatAreNoFilesAreNeverOpened) {
  Fifo("repo/pipe");
  Fifo("repo/main.c");
  Fifo("repo/Makefile");
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", Path("repo/socket").c_str());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::string notes = Notes(Explore());
  EXPECT_THAT(notes, HasSubstr("3 FIFOs are never opened: Makefile, main.c, ..."));
  EXPECT_THAT(notes, HasSubstr("1 socket is never opened: socket"));
  EXPECT_THAT(notes, HasSubstr("by the cell's count"));
  ExpectEachTool("pipe", "unsupported", "unsupported", "unsupported");
  ExpectEachTool("socket", "unsupported", "unsupported", "unsupported");
}

TEST_F(OddWorkspace, Devices) {
  // Only root can make one.
  if (::geteuid() == 0) {
    ASSERT_EQ(::mknod(Path("repo/node.c").c_str(), S_IFCHR | 0666, makedev(1, 5)), 0);
    ASSERT_EQ(::mknod(Path("repo/Makefile").c_str(), S_IFBLK | 0666, makedev(7, 250)), 0);
    ExpectEachTool("node.c", "unsupported", "unsupported", "unsupported");
    EXPECT_THAT(Notes(Explore()), HasSubstr("2 devices are never opened: Makefile, node.c"));
  }
  // One that a mount has put there is of the host's /dev: no jail is built around that.
  Write("repo/zero.c", "");
  const Outcome outcome = Perform(WithMounts("mount --bind /dev/zero $ROOT/repo/zero.c", Investigate({})));
  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_NE(TicketOf(outcome).ending.hint, "") << outcome.out;
}

TEST_F(OddWorkspace, LinksThatLeadOut) {
  Link(Path("outside/secret.txt"), "repo/absolute.c");
  Link("../outside/secret.txt", "repo/README");
  Link("../outside", "repo/folder");
  Link("folder/secret.txt", "repo/through.md");
  Link("/proc/self/environ", "repo/environ.c");
  Link("/proc/self/root/etc/passwd", "repo/root.c");
  Link("loop", "repo/loop");
  Link("nowhere", "repo/Makefile");
  const std::string notes = Notes(Explore());
  EXPECT_THAT(notes, HasSubstr("6 links lead out of the repository and are not followed: README, absolute.c, ..."));
  EXPECT_THAT(notes, HasSubstr("1 link leads in a circle: loop"));
  EXPECT_THAT(notes, HasSubstr("1 link leads to nothing: Makefile"));
  for (const char* path : {"absolute.c", "README", "folder", "folder/secret.txt", "through.md", "environ.c", "root.c"})
    ExpectEachTool(path, "denied", "denied", "denied");
  ExpectEachTool("loop", "unsupported", "unsupported", "unsupported");
  ExpectEachTool("Makefile", "not_found", "not_found", "not_found");
}

TEST_F(OddWorkspace, AHardLinkToAFileOutsideIsAFileAndIsSaid) {
  Write("outside/other.c", "int other;\n");
  fs::create_hard_link(Path("outside/other.c"), Path("repo/other.c"));
  EXPECT_THAT(Notes(Explore()), HasSubstr("1 file has further names that were not listed (hard links), perhaps outside of the repository: other.c"));
}

TEST_F(OddWorkspace, WhatCantBeReadIsCountedAndSaid) {
  for (const char* name : {"repo/closed1.c", "repo/closed2.c", "repo/closed3.c"}) Write(name, "int x;\n"), Mode(name, 0);
  Write("repo/folder/inside.c", std::string(kOutside) + "\n");
  Mode("repo/folder", 0);
  Write("repo/dark/inside.c", "int y;\n");
  Mode("repo/dark", 0111);  // may be entered, not listed
  const std::string notes = Notes(Explore());
  EXPECT_THAT(notes, HasSubstr("3 files can't be read by the jail (no permission): closed1.c, closed2.c, ..."));
  EXPECT_THAT(notes, HasSubstr("2 folders can't be read by the jail, and nothing in them was seen: dark, folder"));
  ExpectEachTool("closed1.c", "denied", "unsupported", "denied");
  ExpectEachTool("folder", "unsupported", "denied", "denied");
  ExpectEachTool("folder/inside.c", "denied", "denied", "denied");
  EXPECT_THAT(Call("search_text", {{"pattern", "int"}}).output, HasSubstr("3 files can't be read"));
  for (const char* name : {"repo/folder", "repo/dark"}) Mode(name, 0755);
}

TEST_F(OddWorkspace, Names) {
  const std::vector<std::string> names = {"new\nline.c", "\x1b]0;title\x07.c", "\x1b[2J.md", "\xff\xfe.c", "\xe2\x80\xae" "c.exe", "-rf", " ", "..foo", "--", "*",
                                          std::string(253, 'n') + ".c", "con", "a\\b.c"};
  for (const std::string& name : names) Write("repo/" + name, "int main(void) { return 0; }\n");
  const Outcome shown = Perform(Paddock({"investigate", "explorer", "what?", "--repo", Path("repo")}));
  EXPECT_EQ(shown.out.find_first_of("\x1b\x07\r"), std::string::npos) << shown.out;
  EXPECT_THAT(shown.out, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(Notes(Explore()), HasSubstr("5 names hold characters that can't be seen, or bytes that are no text"));
  const auto listing = Call("list_files", {{"depth", 1}});
  size_t read = 0;
  for (const std::string& entry : listing.artifacts.at(0).entries)
    if (entry != "src/" && entry != "README.md") read += Call("read_file", {{"path", entry}}).success;
  EXPECT_EQ(read, names.size());
}

TEST_F(OddWorkspace, LargeAndStrangeFiles) {
  Sparse("repo/sparse.c", int64_t{1} << 40);
  Write("repo/oneline.txt", std::string(80 << 20, 'x'));
  std::string tiny;
  for (int i = 0; i < 2'000'000; ++i) tiny += "a\n";
  Write("repo/tiny.txt", tiny);
  Write("repo/README", std::string("\xff\xfe", 2) + std::string("T\0h\0i\0n\0g\0\n\0", 12));
  Write("repo/nuls.c", std::string("int main(void) {}\n\0\0\0\0", 22));
  EXPECT_THAT(Notes(Explore()), HasSubstr("2 files are larger than 64 MiB, and only their beginning can be read: oneline.txt, sparse.c"));
  EXPECT_EQ(Call("read_file", {{"path", "README"}}).artifacts.at(0).lines.at(0), "Thing");
  ExpectEachTool("sparse.c", "unsupported", "unsupported", "unsupported");
  ExpectEachTool("nuls.c", "unsupported", "unsupported", "unsupported");
  const auto one = Call("read_file", {{"path", "oneline.txt"}});
  EXPECT_EQ(one.artifacts.at(0).lines.at(0).size(), 4000u);
  EXPECT_THAT(one.output, HasSubstr("64") ) << one.output;
  EXPECT_EQ(Call("read_file", {{"path", "tiny.txt"}, {"offset", 1'999'999}}).artifacts.at(0).lines.size(), 2u);
  const auto beyond = Call("read_file", {{"path", "oneline.txt"}, {"offset", 2}});
  EXPECT_STREQ(NameOf(beyond.status), "unsupported");
}

TEST_F(OddWorkspace, AHundredThousandFilesInOneFolder) {
  fs::create_directory(Path("repo/many"));
  UniqueFd folder(::open(Path("repo/many").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < 100'000; ++i) UniqueFd made(::openat(folder.get(), ("f" + std::to_string(i) + ".c").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  const auto ticket = Explore();
  EXPECT_EQ(StatusOf(ticket), "completed");
  EXPECT_THAT(ticket.summary, HasSubstr("of 100002 files"));
  EXPECT_EQ(Call("list_files", {{"pattern", "f99999.c"}}).artifacts.at(0).entries.size(), 1u);
}

TEST_F(OddWorkspace, AThousandLevelsOfFolders) {
  Deep("repo/deep", 999);
  const auto ticket = Explore();
  EXPECT_EQ(StatusOf(ticket), "completed");
  EXPECT_EQ(Call("search_text", {{"pattern", "int main"}}).artifacts.at(0).facts["files_matched"], 2);
}

TEST_F(OddWorkspace, DeeperThanThatIsSaid) {
  Deep("repo/deep", 1500);
  const auto ticket = Explore();
  EXPECT_EQ(StatusOf(ticket), "partial");
  EXPECT_THAT(Notes(ticket), HasSubstr("1 thing lies too deep"));
}

struct GitCase {
  const char* name;
  void (*make)(const OddWorkspace&, const std::string& repo);
  const char* note;  // "": none of this kind
};
std::ostream& operator<<(std::ostream& out, const GitCase& one) { return out << one.name; }

class OddGit : public OddWorkspace, public testing::WithParamInterface<GitCase> {};

void Put(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST_P(OddGit, ComesToAnEnd) {
  GetParam().make(*this, Path("repo"));
  const auto ticket = Explore();
  EXPECT_EQ(StatusOf(ticket), "completed");
  if (*GetParam().note) EXPECT_THAT(Notes(ticket), HasSubstr(GetParam().note));
  else EXPECT_THAT(Notes(ticket), Not(HasSubstr("in the repository")));
  EXPECT_STREQ(NameOf(Call("list_files", Json::object()).status), "ok");
}

INSTANTIATE_TEST_SUITE_P(
    Cases, OddGit,
    testing::Values(
        GitCase{"file", [](const OddWorkspace&, const std::string& repo) { Put(repo + "/.git", "gitdir: /elsewhere\n"); }, "1 .git is no folder"},
        GitCase{"link", [](const OddWorkspace&, const std::string& repo) { fs::create_symlink("/etc", repo + "/.git"); }, "1 .git is no folder"},
        GitCase{"fifo", [](const OddWorkspace&, const std::string& repo) { ::mkfifo((repo + "/.git").c_str(), 0666); }, "1 .git is no folder"},
        GitCase{"empty", [](const OddWorkspace&, const std::string& repo) { fs::create_directory(repo + "/.git"); }, ""},
        GitCase{"headless", [](const OddWorkspace&, const std::string& repo) { Put(repo + "/.git/config", "[core]\n"); }, ""},
        GitCase{"exclude_fifo", [](const OddWorkspace&, const std::string& repo) {
                  fs::create_directories(repo + "/.git/info");
                  ::mkfifo((repo + "/.git/info/exclude").c_str(), 0666);
                }, ""},
        GitCase{"ignore_folder", [](const OddWorkspace&, const std::string& repo) { fs::create_directory(repo + "/.gitignore"); }, "1 .gitignore is no regular file"},
        GitCase{"ignore_fifo", [](const OddWorkspace&, const std::string& repo) { ::mkfifo((repo + "/.gitignore").c_str(), 0666); }, "1 .gitignore is no regular file"},
        GitCase{"ignore_link", [](const OddWorkspace&, const std::string& repo) { fs::create_symlink("../outside/secret.txt", repo + "/.gitignore"); },
                "1 .gitignore is no regular file"},
        GitCase{"ignore_includes", [](const OddWorkspace&, const std::string& repo) {  // git has no includes: they are plain names
                  Put(repo + "/.gitignore", "include .gitignore\n!include .gitignore\n[include]\npath = .gitignore\n");
                }, ""},
        GitCase{"ignore_stars", [](const OddWorkspace&, const std::string& repo) {
                  std::string rule;
                  while (rule.size() < 119'000) rule += "**/";
                  Put(repo + "/.gitignore", rule + "x\n" + rule + "\n");
                }, ""},
        GitCase{"ignore_many", [](const OddWorkspace&, const std::string& repo) {
                  std::string rules;
                  for (int i = 0; rules.size() < 1'000'000; ++i) rules += "*x" + std::to_string(i) + "*y\n";
                  Put(repo + "/.gitignore", rules);
                  for (int i = 0; i < 1000; ++i) Put(repo + "/src/file_number_" + std::to_string(i) + ".c", "int x;\n");
                }, "1 set of ignore rules is too large or too costly"}),
    [](const auto& one) { return one.param.name; });

// Searches that can't be paid are cut off before the kernel ends the cell, and the report is there.
TEST_F(OddWorkspace, MoreThanItsProcessorTimeEndsAsPartial) {
  std::string text;
  while (text.size() < 8u << 20) text += "static const char *name_of_it = \"some text in a line\";\n";
  Write("repo/src/f0.c", text);
  for (int i = 1; i < 20'000; ++i) fs::create_hard_link(Path("repo/src/f0.c"), Path("repo/src/f" + std::to_string(i) + ".c"));
  Write("config/paddock/profiles/brief.json", R"({"schema": "paddock/profile/1", "name": "brief", "extends": "read-only", "limits": {"cpu": "4s"}})");
  Write("config/paddock/subagents/mine.md", "---\nname: mine\npurpose: A test.\ntools: [search_text]\nprofile: brief\nturns: 12\nseconds: 60\n---\nLook.\n");
  std::string turns;
  // Each another one: how far they get differs little on a busy machine, and the same call with the same result is no progress.
  for (int i = 0; i < 6; ++i) turns += R"({"calls": [{"tool": "search_text", "arguments": {"pattern": "[a-f]+zz)" + std::to_string(i) + R"("}}]},)";
  const Outcome outcome = Perform(Paddock({"investigate", "mine", "what?", "--json", "--repo", Path("repo"), "--model",
                                           Script("[" + turns + R"({"report": {"summary": "what was found"}}])")}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out;
  EXPECT_EQ(ticket.summary, "what was found");
  EXPECT_EQ(ticket.usage.tool_calls, 6);
}

// A repository that changes under the reader: a thread that swaps files for FIFOs, folders and links out, and folders
// for links out, as fast as it can.
TEST_F(OddWorkspace, ARepositoryThatChangesWhileItIsRead) {
  for (int i = 0; i < 40; ++i) Write("repo/d" + std::to_string(i % 4) + "/f" + std::to_string(i) + ".c", "int main(void) { return 0; }\n");
  std::jthread mutator([this](std::stop_token stop) {
    std::error_code ignored;
    for (unsigned n = 0; !stop.stop_requested(); ++n) {
      const std::string folder = Path("repo/d" + std::to_string(n % 4)), file = folder + "/f" + std::to_string(n % 40) + ".c";
      switch (n / 40 % 7) {
        case 0: fs::remove_all(file, ignored), ::mkfifo(file.c_str(), 0666); break;
        case 1: fs::remove_all(file, ignored), fs::create_symlink(Path("outside/secret.txt"), file, ignored); break;
        case 2: fs::remove_all(file, ignored), fs::create_directory(file, ignored); break;
        case 3: fs::remove_all(file, ignored), Put(file, "int main(void) { return 0; }\n"); break;
        case 4: ::truncate(file.c_str(), n % 1000); break;
        case 5:
          fs::rename(folder, folder + ".away", ignored), fs::create_directory_symlink(Path("outside"), folder, ignored);
          fs::remove(folder, ignored), fs::rename(folder + ".away", folder, ignored);
          break;
        case 6: fs::remove_all(folder, ignored), fs::create_directory(folder, ignored); break;
      }
    }
  });
  for (int round = 0; round < 8; ++round) Explore();  // no hang, nothing of outside
  for (const char* tool : {"list_files", "search_text"}) Call(tool, std::string(tool) == "list_files" ? Json::object() : Json{{"pattern", "main|OUTSIDE"}});
}

TEST_F(OddWorkspace, MountsInsideAreSaid) {
  fs::create_directories(Path("repo/cache"));
  fs::create_directories(Path("repo/new\nline"));
  const std::string mounts =
      "mount -t tmpfs none $ROOT/repo/cache; echo 'int in_cache;' > $ROOT/repo/cache/c.c\n"
      "mount --bind $ROOT/repo/src \"$ROOT/repo/new\nline\"";
  const auto ticket = ExploreBy(WithMounts(mounts, Investigate({})));
  EXPECT_THAT(Notes(ticket), HasSubstr("2 other mounts lie inside the repository and were seen as part of it, read-only: "));
  EXPECT_THAT(Notes(ticket), HasSubstr("cache (tmpfs)"));
  EXPECT_THAT(Notes(ticket), HasSubstr("new\\u{A}line ("));
}

TEST_F(OddWorkspace, ARepositoryThatIsAMountPoint) {
  for (const char* type : {"tmpfs", "bind"}) {
    const std::string mounts = std::string(type) == "tmpfs" ? "mount -t tmpfs none $ROOT/repo; echo '# Thing' > $ROOT/repo/README.md; chmod 755 $ROOT/repo"
                                                            : "mount --bind $ROOT/repo/src $ROOT/repo";
    const auto ticket = ExploreBy(WithMounts(mounts, Investigate({})));
    EXPECT_THAT(Notes(ticket), Not(HasSubstr("other mount"))) << type;
  }
}

TEST_F(OddWorkspace, ARepositoryOnAnOverlay) {
  for (const char* name : {"lower", "upper", "work", "merged"}) fs::create_directory(Path(name));
  Write("lower/README.md", Read("repo/README.md"));
  Write("lower/main.c", Read("repo/src/main.c"));
  const std::string mounts = "mount -t overlay none -o lowerdir=$ROOT/lower,upperdir=$ROOT/upper,workdir=$ROOT/work" +
                             std::string(::geteuid() == 0 ? "" : ",userxattr") + " $ROOT/merged";
  const Command command = Paddock({"investigate", "explorer", "what?", "--json", "--repo", Path("merged")});
  const Outcome outcome = Perform(WithMounts(mounts, command));
  const auto ticket = TicketOf(outcome);
  if (::geteuid() != 0) {
    EXPECT_EQ(StatusOf(ticket), "completed") << outcome.out;
  } else {  // root's own files need an id-mapped mount, which not every overlay has: said, not run otherwise
    EXPECT_TRUE(StatusOf(ticket) == "completed" || (outcome.status == 3 && ticket.ending.detail.find("id-mapped") != std::string::npos && !ticket.ending.hint.empty()))
        << outcome.out;
  }
}

TEST_F(OddWorkspace, PathsOfTheRepository) {
  fs::rename(Path("repo"), Path("a b\n\xc3\xa4\x1b[31m"));
  fs::create_directory_symlink(Path("a b\n\xc3\xa4\x1b[31m"), Path("link"));
  EXPECT_EQ(StatusOf(Explore("a b\n\xc3\xa4\x1b[31m")), "completed");
  EXPECT_EQ(StatusOf(Explore("link")), "completed");
  EXPECT_EQ(StatusOf(Explore("link/../link/.")), "completed");
  Command relative = Paddock({"investigate", "explorer", "what?", "--json", "--repo", "link"});
  relative.folder = root_;
  EXPECT_EQ(StatusOf(ExploreBy(relative)), "completed");
  Command here = Paddock({"investigate", "explorer", "what?", "--json"});
  here.folder = Path("link");
  EXPECT_EQ(StatusOf(ExploreBy(here)), "completed");
}

TEST_F(OddWorkspace, ACurrentFolderThatIsGone) {
  for (std::vector<std::string> words : {std::vector<std::string>{"investigate", "explorer", "what?"}, {"tool", "call", "list_files"}}) {
    Command command = Paddock(words);
    command.argv.insert(command.argv.begin(), {"/bin/sh", "-ec", "mkdir gone; cd gone; rmdir ../gone; exec \"$@\"", "sh"});
    command.folder = root_;
    const Outcome outcome = Perform(command);
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("--repo"));
  }
}

}  // namespace
}  // namespace paddock::flow
