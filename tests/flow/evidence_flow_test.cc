// Evidence through the whole act: what is right is verified, what is not never is, and nothing hangs.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

namespace fs = std::filesystem;
using subagents::Verification;

struct Claim {
  std::string path;
  int64_t first, last;
  std::string quote;
};

class EvidenceFlow : public FlowTest {
 protected:
  static std::string Line(const std::string& file, int n) { return file + " line " + std::to_string(n) + " holds " + std::to_string(n * 7919 % 1000003); }
  static std::string Numbered(const std::string& file, int lines) {
    std::string text;
    for (int n = 1; n <= lines; ++n) text += Line(file, n) + "\n";
    return text;
  }
  void SetUp() override {
    Write("repo/one.txt", Numbered("one", 200));
    Write("repo/two.txt", Numbered("two", 200));
    Write("repo/unread.txt", Numbered("unread", 50));
    Write("repo/crlf.txt", "first\r\nsecond\r\nthird\r\n");
    Write("repo/.gitignore", "secret.txt\n");
    Write("repo/secret.txt", "the ignored secret\n");
    Write("repo/.git/config", "[core]\n\tbare = false\n");
    Write("repo/.env", "TOKEN=made-up\n");
    Write("outside.txt", "outside of the tree\n");
  }

  // Reads all of one.txt and crlf.txt, lines 11 to 40 of two.txt, and the top folder.
  static std::string Reads(const std::string& more = "") {
    return R"({"calls": [{"tool": "read_file", "arguments": {"path": "one.txt"}}, {"tool": "read_file", "arguments": {"path": "crlf.txt"}},
        {"tool": "read_file", "arguments": {"path": "two.txt", "offset": 11, "limit": 30}},
        {"tool": "list_files", "arguments": {}})" + more + "]}";
  }
  static std::string Report(const std::vector<Claim>& claims, int delay_ms = 0) {
    Json findings = Json::array();
    for (const Claim& claim : claims)
      findings.push_back(Json{{"title", "claim " + std::to_string(findings.size())},
                              {"evidence", Json::array({Json{{"path", claim.path}, {"line_start", claim.first}, {"line_end", claim.last}, {"quote", claim.quote}}})}});
    return DumpJson(Json{{"delay_ms", delay_ms}, {"report", Json{{"summary", "claims"}, {"findings", findings}}}});
  }
  // One evidence a claim, in order.
  static std::vector<subagents::Evidence> Evidences(const subagents::ResultTicket& ticket) {
    std::vector<subagents::Evidence> all;
    for (const auto& finding : ticket.findings)
      for (const auto& evidence : finding.evidence) all.push_back(evidence);
    return all;
  }
  static std::string Described(const subagents::Evidence& evidence) { return DumpJson(ToJson(evidence)); }
};

TEST_F(EvidenceFlow, RightCitationsAreVerified) {
  const std::vector<Claim> claims{{"one.txt", 1, 1, Line("one", 1)},
                                  {"one.txt", 200, 200, "one line 200"},
                                  {"./one.txt", 7, 9, Line("one", 7) + "\n" + Line("one", 8) + "\n" + Line("one", 9)},
                                  {"one.txt", 7, 9, Line("one", 8) + "\n"},
                                  {"two.txt", 11, 40, Line("two", 40)},
                                  {"crlf.txt", 1, 3, "first\nsecond"},
                                  {"unread.txt", 5, 5, "unread line 5 "}};  // read through the search
  const std::string search = R"(, {"tool": "search_text", "arguments": {"pattern": "unread line 5 "}})";
  const Outcome outcome = Perform(Investigate({"--model", Script("[" + Reads(search) + "," + Report(claims) + "]")}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "completed");
  ASSERT_EQ(Evidences(ticket).size(), claims.size());
  for (const auto& evidence : Evidences(ticket)) {
    EXPECT_EQ(evidence.verification, Verification::kVerified) << Described(evidence);
    EXPECT_TRUE(evidence.read);
    EXPECT_TRUE(evidence.sha256.has_value());
  }
  EXPECT_EQ(ticket.citations_verified, static_cast<int64_t>(claims.size()));
}

TEST_F(EvidenceFlow, OfTwoHundredFalseOnesNoneIsVerifiedAndNoneHangs) {
  ASSERT_EQ(mkfifo(Path("repo/fifo").c_str(), 0644), 0);
  std::ofstream(Path("repo/sparse.bin"), std::ios::binary).put('x').put('\n');
  fs::resize_file(Path("repo/sparse.bin"), uint64_t{1} << 40);
  fs::create_symlink(Path("outside.txt"), Path("repo/link"));
  fs::create_symlink("/etc/passwd", Path("repo/passwd"));
  fs::create_symlink("..", Path("repo/src/up"));

  std::vector<Claim> claims;
  for (int n = 1; n <= 30; ++n) {
    claims.push_back({"one.txt", n, n, "x" + Line("one", n + 1)});      // the wrong line, and wrong (a right one would be pointed to its place)
    claims.push_back({"two.txt", 10 + n, 10 + n, Line("one", 10 + n)});  // a quote from elsewhere
    claims.push_back({"one.txt", n, n, Line("one", n) + "!"});           // a quote that was never there
    claims.push_back({"unread.txt", n, n, Line("unread", n)});           // right, and not read
  }
  for (int n = 1; n <= 10; ++n) claims.push_back({"two.txt", n, n, Line("two", n)});                 // before what was read
  for (int n = 41; n <= 50; ++n) claims.push_back({"two.txt", n, n + 1, Line("two", n)});            // after it
  for (int n = 36; n <= 40; ++n) claims.push_back({"two.txt", n, 41, Line("two", n)});               // partly read
  for (int n = 1; n <= 10; ++n) claims.push_back({"one.txt", n, n + 2, Line("one", n) + "\n" + Line("one", n + 2)});  // a line left out
  for (const char* path : {"fifo", "sparse.bin", "link", "passwd", "secret.txt", ".git/config", ".env", "src", ".", "nowhere.txt"}) {
    claims.push_back({path, 1, 1, "x"});
    claims.push_back({path, 2, 2, "bare = false"});
  }
  for (const char* path : {"../outside.txt", "/etc/passwd", "/proc/self/environ", "src/up/../../outside.txt", "src/up/one.txt", "one.txt/",
                           "/workspace/one.txt", "./../repo/one.txt", "/witness", "/cell", "one.txt\\x00", "one.txt/../one.txt"})
    claims.push_back({path, 1, 1, "outside of the tree"});
  claims.push_back({"secret.txt", 1, 1, "the ignored secret"});
  claims.push_back({".git/config", 1, 1, "[core]"});
  claims.push_back({".env", 1, 1, "TOKEN=made-up"});
  claims.push_back({"sparse.bin", 1, 1, "x"});
  claims.push_back({"one.txt", 5, 4, Line("one", 5)});
  claims.push_back({"one.txt", 201, 201, ""});
  claims.push_back({"one.txt", 1, 1, ""});
  claims.push_back({"one.txt", 1, 1, "  \n "});
  claims.push_back({"one.txt", 1, 1'000'000'000'000, Line("one", 1)});
  claims.push_back({"one.txt", 9'000'000'000'000'000'000, 9'000'000'000'000'000'000, Line("one", 1)});
  claims.push_back({"ONE.TXT", 1, 1, Line("one", 1)});
  claims.push_back({"one.txt ", 1, 1, Line("one", 1)});
  claims.push_back({"one.txt\n", 1, 1, Line("one", 1)});
  ASSERT_GE(claims.size(), 200u);
  ASSERT_LE(claims.size(), 256u);

  // The tools are asked for what can't be read as well: nothing of it may count as read.
  std::string more;
  for (const char* path : {"fifo", "link", "passwd", "sparse.bin", "/etc/passwd", "/proc/self/environ", "../outside.txt"})
    more += R"(, {"tool": "read_file", "arguments": {"path": )" + Quoted(path) + R"(, "offset": 2}})";
  const Outcome outcome = Perform(Investigate({"--timeout", "40s", "--model", Script("[" + Reads(more) + "," + Report(claims) + "]")}));
  const auto ticket = TicketOf(outcome);
  EXPECT_EQ(StatusOf(ticket), "completed") << outcome.err << outcome.out;
  const auto evidences = Evidences(ticket);
  ASSERT_EQ(evidences.size(), claims.size());
  for (size_t i = 0; i < claims.size(); ++i) {
    EXPECT_NE(evidences[i].verification, Verification::kVerified) << Described(evidences[i]);
    EXPECT_FALSE(evidences[i].sha256.has_value()) << Described(evidences[i]);
    if (!claims[i].path.ends_with("one.txt") && !claims[i].path.ends_with("two.txt")) {
      EXPECT_FALSE(evidences[i].read) << Described(evidences[i]);
    }
  }
  EXPECT_EQ(ticket.citations_verified, 0);
  // Nothing of what is outside or hidden has come in.
  EXPECT_EQ(outcome.out.find("root:x:0"), std::string::npos);
  EXPECT_LT(outcome.took, std::chrono::seconds(40));
}

TEST_F(EvidenceFlow, AQuoteOfAnotherLineIsPointedThere) {
  const std::vector<Claim> claims{{"one.txt", 3, 5, Line("one", 77)}, {"one.txt", 3, 3, "one line "}, {"two.txt", 11, 11, Line("two", 50)}};
  const Outcome outcome = Perform(Investigate({"--model", Script("[" + Reads() + "," + Report(claims) + "]")}));
  const auto evidences = Evidences(TicketOf(outcome));
  ASSERT_EQ(evidences.size(), claims.size());
  EXPECT_EQ(evidences[0].verification, Verification::kVerified) << Described(evidences[0]);
  EXPECT_EQ(evidences[0].line_start, 77);
  EXPECT_EQ(evidences[0].note, "cited as lines 3-5");
  EXPECT_EQ(evidences[1].line_start, 3) << "it stands where it was cited";
  EXPECT_EQ(evidences[2].verification, Verification::kContradicted) << "line 50 was not read";
}

TEST_F(EvidenceFlow, ASymlinkInsideOfTheTreeIsNoWayOut) {
  fs::create_symlink("../outside.txt", Path("repo/link"));
  const std::string reads = R"({"calls": [{"tool": "read_file", "arguments": {"path": "link"}}, {"tool": "search_text", "arguments": {"pattern": "outside of"}}]})";
  const Outcome outcome = Perform(Investigate({"--model", Script("[" + reads + "," + Report({{"link", 1, 1, "outside of the tree"}}) + "]")}));
  const auto ticket = TicketOf(outcome);
  ASSERT_EQ(Evidences(ticket).size(), 1u);
  EXPECT_EQ(Evidences(ticket)[0].verification, Verification::kUnknown);
  EXPECT_FALSE(Evidences(ticket)[0].read);
}

TEST_F(EvidenceFlow, WhatIsWrittenDuringTheRunIsChanged) {
  const std::vector<Claim> claims{{"one.txt", 1, 1, Line("one", 1)},    // its line is replaced
                                  {"two.txt", 11, 11, Line("two", 11)},  // the file goes
                                  {"crlf.txt", 1, 1, "first"},           // becomes a FIFO
                                  {"README.md", 1, 1, "# Thing"}};       // nothing happens to it
  const std::string more = R"(, {"tool": "read_file", "arguments": {"path": "README.md"}})";
  const std::string pause = R"({"calls": [{"tool": "list_files", "arguments": {"path": "src"}}]})";
  PaddockRun run(Investigate({"--model", Script("[" + Reads(more) + "," + pause + "," + Report(claims, 2000) + "]")}));
  ASSERT_TRUE(run.WaitForLine("turn 2/")) << run.err();  // the answers of the first are in
  Write("repo/one.txt", "another line\n" + Numbered("one", 200));
  fs::remove(Path("repo/two.txt"));
  fs::remove(Path("repo/crlf.txt"));
  ASSERT_EQ(mkfifo(Path("repo/crlf.txt").c_str(), 0644), 0);
  const auto ticket = TicketOf(run.Finish());
  const auto evidences = Evidences(ticket);
  ASSERT_EQ(evidences.size(), claims.size());
  for (int i : {0, 1, 2}) {
    EXPECT_EQ(evidences[i].verification, Verification::kChanged) << Described(evidences[i]);
    EXPECT_TRUE(evidences[i].read);
    EXPECT_FALSE(evidences[i].sha256.has_value());
  }
  EXPECT_EQ(evidences[3].verification, Verification::kVerified) << Described(evidences[3]);
}

TEST_F(EvidenceFlow, AClaimThatWasNeverTrueOfAFileThatIsWrittenLaterIsNotContradicted) {
  // Written during the run, the read lines as they were: nobody can say what the quote was once.
  const std::vector<Claim> claims{{"one.txt", 1, 1, "never there"}};
  PaddockRun run(Investigate({"--model", Script("[" + Reads() + "," + Report(claims, 2000) + "]")}));
  ASSERT_TRUE(run.WaitForLine("list_files")) << run.err();
  std::ofstream(Path("repo/one.txt"), std::ios::app) << "one more\n";
  const auto evidences = Evidences(TicketOf(run.Finish()));
  ASSERT_EQ(evidences.size(), 1u);
  EXPECT_EQ(evidences[0].verification, Verification::kChanged) << Described(evidences[0]);
}

}  // namespace
}  // namespace paddock::flow
