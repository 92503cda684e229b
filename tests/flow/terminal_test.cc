// A repository made to write to the terminal of whoever looks at it: what is shown is visible text.
#include "base/text.h"
#include "tests/flow/flow_fixture.h"

namespace paddock::flow {
namespace {

const char kEscape[] = "\x1b]0;owned\x07\x1b[2J\x1b[31m";
const char kBidi[] = "\u202e\u2066\u2069\u200b\ufeff";
const char kTags[] = "\U000E0041\U000E0042\U000E007F";

class TerminalSafety : public FlowTest {
 protected:
  void SetUp() override {
    const std::string nasty = std::string(kEscape) + kBidi + kTags;
    Write("repo/README.md", "# Thing " + nasty + "\n\nBuild it with `make " + nasty + "` and test it with `make check`.\r" + nasty + "\n");
    Write("repo/Makefile", "all: " + nasty + "\n\techo " + nasty + "\ncheck:\n\techo ok\n");
    Write("repo/" + std::string("\x1b[31mred.c"), "int main(void) { return 0; } // " + nasty + "\n");
    Write("repo/" + std::string(kBidi) + "src/main.c", "int main(void) { return 0; }\n");
    Write("repo/" + std::string(kTags) + ".py", "print('" + nasty + "')\n");
    Write("repo/broken\xff\x9b.sh", "#!/bin/sh\n\x9b[31m\n");
  }
  static void ExpectHarmless(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      char32_t point = 0;
      const size_t length = DecodeUtf8(std::string_view(text).substr(at), &point);
      ASSERT_GT(length, 0u) << "invalid UTF-8 at " << at << ": " << VisibleText(text, Newlines::kKeep);
      ASSERT_FALSE(point != '\n' && point != '\t' && IsInvisible(point)) << "at " << at << ": " << VisibleText(text, Newlines::kKeep);
      at += length;
    }
  }
  std::string ScriptOfNastyWords() {
    const std::string nasty = std::string(kEscape) + kBidi + kTags;
    return Script(R"([{"calls": [{"tool": "list_files", "arguments": {}}, {"tool": "read_file", "arguments": {"path": "README.md"}},
                       {"tool": "search_text", "arguments": {"pattern": )" + Quoted("thing|" + nasty) + R"(}},
                       {"tool": )" + Quoted(nasty) + R"(, "arguments": {"path": )" + Quoted(nasty) + R"(}}]},
                      {"report": {"summary": )" + Quoted(nasty) + R"(, "next_actions": [)" + Quoted(nasty) + R"(], "data": {)" + Quoted(nasty) + ": " + Quoted(nasty) + R"(},
                       "findings": [{"title": )" + Quoted(nasty) + R"(, "detail": )" + Quoted(nasty) + R"(,
                         "evidence": [{"path": )" + Quoted(nasty) + R"(, "line_start": 1, "line_end": 1, "quote": )" + Quoted(nasty) + R"(},
                                      {"path": "README.md", "line_start": 1, "line_end": 1, "quote": )" + Quoted("# Thing " + nasty) + "}]}]}}]");
  }
};

TEST_F(TerminalSafety, OfThePlaybook) {
  for (const bool json : {false, true}) {
    std::vector<std::string> arguments{"investigate", "explorer", "what?", "--repo", Path("repo")};
    if (json) arguments.push_back("--json");
    const Outcome outcome = Perform(Paddock(arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    ExpectHarmless(outcome.out);
    ExpectHarmless(outcome.err);
  }
}

TEST_F(TerminalSafety, OfAModelsWords) {
  for (const bool json : {false, true}) {
    std::vector<std::string> arguments{"investigate", "explorer", "what?", "--repo", Path("repo"), "--model", ScriptOfNastyWords()};
    if (json) arguments.push_back("--json");
    const Outcome outcome = Perform(Paddock(arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err << outcome.out;
    ExpectHarmless(outcome.out);
    ExpectHarmless(outcome.err);
    if (json) {
      // The values of the strings too, once they are taken out of their JSON.
      const auto ticket = TicketOf(outcome);
      ExpectHarmless(ticket.summary);
      ExpectHarmless(ticket.findings.at(0).title + ticket.findings.at(0).detail);
      for (const auto& evidence : ticket.findings.at(0).evidence) ExpectHarmless(evidence.path + evidence.quote);
      ExpectHarmless(ticket.data.begin().key());
      EXPECT_EQ(ticket.citations_verified, 1) << outcome.out;
    }
  }
}

TEST_F(TerminalSafety, OfWordsOfTheCaller) {
  const std::string nasty = std::string(kEscape) + kBidi + kTags;
  for (std::vector<std::string> more : {std::vector<std::string>{"--model", nasty}, {"--tools", nasty}, {"--timeout", nasty}, {"--max-turns", nasty},
                                        {"--" + nasty}, {"--ticket", nasty}, {"--model", "scripted:" + nasty}}) {
    const Outcome outcome = Perform(Investigate(more));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    ExpectHarmless(outcome.err);
  }
  const Outcome outcome = Perform(Paddock({"investigate", "explorer", "what?", "--repo", Path(nasty)}));
  EXPECT_EQ(outcome.status, 2);
  ExpectHarmless(outcome.err);
}

}  // namespace
}  // namespace paddock::flow
