// The debugger that needs no model: what it says of the last commits, in a small program in C without tests, whose history has merges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/subagents/debugged_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::map<std::string, std::string> Chat() {
  return {{"Makefile", "all: chat\n\nchat: server.c net.c net.h\n\t$(CC) server.c net.c -o chat\n"},
          {"README.md", "# Chat\n\nA small server to chat with.\n"},
          {"net.h", "#ifndef NET_H\n#define NET_H\nint listen_on(int port);\nint accept_client(int fd);\n#endif\n"},
          {"net.c", "#define _POSIX_C_SOURCE 200112L\n#include <sys/socket.h>\n#include \"net.h\"\n\n/* Listens, so that a client\n * can connect to the port. */\nint listen_on(int port) {\n    int fd = open_port(port);\n    return fd;\n}\n\n"
                    "int accept_client(int fd) {\n    if (fd < 0) return -1;\n    return take(fd);\n}\n"},
          {"server.c", "#include <stdio.h>\n#include \"net.h\"\n\n/* A client that is connected. */\nstruct client {\n    int fd;\n};\n\nvoid free_client(struct client *c) {\n    // The last one goes.\n    chat.max = c->fd;\n    free(c);\n}\n\n"
                       "int main(void) {\n    int fd = listen_on(7711);\n    free_client(0);\n    return fd;\n}\n"}};
}

// server.c:11 crashes. The newest commit is a merge of the one below it.
std::vector<Commit> ChatsHistory() {
  const std::map<std::string, std::vector<std::string>> define = {{"net.c", {"@@ -0,0 +1 @@", "+#define _POSIX_C_SOURCE 200112L"}}};
  return {{"Merge the define", define, true},
          {"for older systems", define},
          {"say which goes", {{"server.c", {"@@ -10 +10 @@", "-    // One goes.", "+    // The last one goes."}}}},
          {"keep the last", {{"server.c", {"@@ -11 +11 @@", "-    chat.max = c->fd - 1;", "+    chat.max = c->fd;"}}}}};
}

const std::string kCrash = "==7==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in free_client /build/chat/server.c:11\n    #1 0x2 in main /build/chat/server.c:17\n";

// The merge counted once more, moved the line that it brought and made two ages of one.
TEST(DebuggerHistory, MergesChangeNoLinesAndAgesAreCountedOneWay) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, ChatsHistory());
  const Report report = repo.Run("debugger", "why does it crash?", kCrash, 14);
  EXPECT_EQ(Path(report, 0), "server.c") << All(report);
  EXPECT_THAT(All(report), AllOf(HasSubstr("commit c1, the last one (in git log, merges left out), changed code of this file in line 1 (for older systems)"), Not(HasSubstr("Merge the define")), Not(HasSubstr("in line 2"))));
  EXPECT_THAT(All(report), AllOf(HasSubstr("commit c3, 2 before the last (in git log, merges left out), changed code of this file in line 11"), HasSubstr("its last change of any kind: commit c2, 1 before the last"), Not(HasSubstr("commits ago"))));
  EXPECT_TRUE(repo.EveryCitationHolds(report));
}

TEST(DebuggerHistory, ClaimsNothingOfATestWhereNoneIsKnown) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, ChatsHistory());
  const Report report = repo.Run("debugger", "why does it crash?", kCrash, 14);
  EXPECT_THAT(All(report), AllOf(HasSubstr("which a file that the log names reaches by its imports"), Not(HasSubstr("failing test")), Not(HasSubstr("failing check"))));
  for (const std::string& action : report.next_actions) EXPECT_THAT(action, Not(HasSubstr("failing check")));
}

// An #include was suspect where it stood among what a commit added, and a comment where it had a word of the goal.
TEST(DebuggerHistory, IncludesCommentsAndBracketsAreNoSuspects) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, {{"a whole file", {{"net.c", {"@@ -0,0 +1,15 @@", "+#define _POSIX_C_SOURCE 200112L", "+#include <sys/socket.h>", "+#include \"net.h\"", "+", "+/* Listens, so that a client", "+ * can connect to the port. */", "+int listen_on(int port) {", "+    int fd = open_port(port);", "+    return fd;", "+}", "+", "+int accept_client(int fd) {",
                                                  "+    if (fd < 0) return -1;", "+    return take(fd);", "+}"}}}},
                     {"one more include", {{"server.c", {"@@ -1,0 +2 @@", "+#include \"net.h\""}}}}});
  const auto working = [](const Report& report) {
    for (const auto& finding : report.findings)
      for (const auto& citation : finding.evidence) EXPECT_FALSE(finding.title.starts_with("Suspect") && (citation.quote.starts_with("#include") || citation.quote.starts_with("/*") || citation.quote.starts_with(" *") || citation.quote.starts_with("}") || citation.quote.starts_with("\n"))) << finding.title << "\n" << citation.quote;
  };
  const Report crash = repo.Run("debugger", "why does it crash?", kCrash, 14);
  EXPECT_THAT(All(crash), AllOf(HasSubstr("(a whole file)"), Not(HasSubstr("(one more include)"))));
  working(crash);
  PlaybookRepo goal(Chat());
  const Report words = goal.Run("debugger", "a client can not connect", "", 14);
  EXPECT_THAT(All(words), HasSubstr("\"client\" stands there"));
  working(words);
}

// Below a merge what is listed above a commit was not made upon it: only a line that still reads so is the one that it changed.
TEST(DebuggerHistory, ALineOfAnotherBranchIsToldByItsWords) {
  const auto said = [](const std::string& now) {
    auto files = Chat();
    files["server.c"].replace(files["server.c"].find("    chat.max = c->fd;"), 21, now);
    PlaybookRepo repo(files);
    // The define of the branch was made beside the comment, whose line numbers are its own.
    SetHistory(&repo, {{"merge", {}, true},
                       {"three lines more", {{"server.c", {"@@ -0,0 +1,3 @@", "+#include <stdio.h>", "+#include \"net.h\"", "+"}}}},
                       {"keep the last", {{"server.c", {"@@ -11 +11 @@", "-    chat.max = c->fd - 1;", "+    chat.max = c->fd;"}}}}});
    return All(repo.Run("debugger", "why does it crash?", kCrash, 14));
  };
  EXPECT_THAT(said("    chat.max = c->fd;"), AllOf(HasSubstr("changed code of this file in line 11 (keep the last)"), Not(HasSubstr("line 14"))));
  EXPECT_THAT(said("    chat.max = most(c);"), Not(HasSubstr("(keep the last)")));
}

TEST(DebuggerHistory, OfBracketsTheLineBesideIsSaidToBeBesideThem) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, {{"close it", {{"server.c", {"@@ -12,0 +13 @@", "+}"}}}}});
  EXPECT_THAT(All(repo.Run("debugger", "why does it crash?", kCrash, 14)), AllOf(HasSubstr("changed lines behind line 12 of this file (close it)"), Not(HasSubstr("in line 13"))));
}

// With a line of context the place of what was replaced was that line's.
TEST(DebuggerHistory, ContextMovesNoLine) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, {{"newer", {{"server.c", {"@@ -10,3 +10,3 @@", "     // The last one goes.", "-    chat.max = 1;", "+    chat.max = c->fd;", "     free(c);"}}}}, {"older", {{"server.c", {"@@ -10,3 +10,3 @@", "     // The last one goes.", "-    chat.max = 2;", "+    chat.max = 1;", "     free(c);"}}}}});
  EXPECT_THAT(All(repo.Run("debugger", "why does it crash?", kCrash, 14)), AllOf(HasSubstr("in line 11 (newer)"), HasSubstr("where line 11 is now, which was changed again since (older)")));
}

TEST(DebuggerHistory, WhatWasChangedAgainSinceIsNotSaidToBeThisCommits) {
  PlaybookRepo repo(Chat());
  SetHistory(&repo, {{"newer", {{"server.c", {"@@ -11 +11 @@", "-    chat.max = 1;", "+    chat.max = c->fd;"}}}}, {"older", {{"server.c", {"@@ -11 +11 @@", "-    chat.max = 2;", "+    chat.max = 1;"}}}}});
  EXPECT_THAT(All(repo.Run("debugger", "why does it crash?", kCrash, 14)), AllOf(HasSubstr("in line 11 (newer)"), HasSubstr("where line 11 is now, which was changed again since (older)"), Not(HasSubstr("in line 11 (older)"))));
}

}  // namespace
}  // namespace paddock::subagents
