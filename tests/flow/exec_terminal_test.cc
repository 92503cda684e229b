// What a person sees of a run of the main agent, on a terminal and in a log.
#include <algorithm>

#include "base/text.h"
#include "orchestrator/report/text_style.h"
#include "tests/flow/exec_fixture.h"
#include "tests/flow/screen.h"

namespace paddock::flow {
namespace {

using testing::HasSubstr;

// Found by a person at a terminal: words, warnings and retries were written over, and cut where they were long.
constexpr char kTurns[] = R"([
    {"text": "First I look at the top of it, since that says what there is,\nand then at the file which tells what it is for, whatever else there may be.",
     "calls": [{"tool": "list_files"}, {"tool": "read_file", "arguments": {"path": "README.md"}}]},
    {"calls": [{"tool": "subagent_explorer", "arguments": {"goal": "what is it?"}}]},
    {"report": {"summary": "It is a thing, and this answer is one of those that are longer than a line of a terminal with sixty columns.\n\n- an item that is longer than such a line as well, so that it has to hang\n\n```\na line of code that stays as it is, since one may want to take it away from here\n```",
      "findings": [{"title": "It is a thing", "evidence": [{"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Thing"},
                                                           {"path": "README.md", "line_start": 1, "line_end": 1, "quote": "# Another"}]}]}}])";

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) lines.push_back(text.substr(begin, end - begin));
  return lines;
}

// What is left on the screen: of each line what stands behind its last return to the margin.
std::string Left(const std::string& seen) {
  std::string left;
  for (std::string line : Lines(seen)) {
    if (line.ends_with("\r")) line.pop_back();
    if (const size_t last = line.rfind("\r\x1b[K"); last != std::string::npos) line.erase(0, last + 4);
    left += line + "\n";
  }
  return left;
}

class ExecTerminal : public ExecTest {
 protected:
  void SetUp() override { Write("repo/README.md", "# Thing\n\nIt is for things.\n"); }
};

TEST_F(ExecTerminal, KeepsWhatWasSaidAndWrapsIt) {
  Command command = Exec({"--model", Script(kTurns)});
  command.environment["TERM"] = "xterm";
  command.environment["LANG"] = "C.UTF-8";
  command.environment["NO_COLOR"] = "1";
  Screen screen(command, 60);
  ASSERT_TRUE(screen.See(" s\r\n")) << screen.seen();
  EXPECT_EQ(screen.Finish(), 0);
  const std::string left = Left(screen.seen());
  EXPECT_THAT(left, HasSubstr("paddock: turn 1/50  First I look at the top of it, since\n         that says what there is,\n         and then at the file which"));
  EXPECT_THAT(left, HasSubstr("paddock: turn 2/50  explorer#1  completed, "));
  EXPECT_THAT(left, HasSubstr("\n\n> It is a thing, and this answer"));
  EXPECT_THAT(left, HasSubstr("\n> - an item that is longer than such a line as well, so that\n>   it has to hang\n"));
  EXPECT_THAT(left, HasSubstr("\n> a line of code that stays as it is, since one may want to take it away from here\n"));
  EXPECT_THAT(left, HasSubstr("\n> It is a thing\n  ✓ README.md:1\n      | # Thing\n  ✗ README.md:1  contradicted"));
  EXPECT_THAT(left, HasSubstr("\n1 of 2 citations verified (50 %), each opened again in a\nfresh jail.\n1 is contradicted, what it quotes is not there: README.md:1\n"));
  EXPECT_EQ(left.find("list_files"), std::string::npos) << "that is over: " << left;
  for (const std::string& line : Lines(left))
    EXPECT_TRUE(orchestrator::Columns(line) <= 60 || line.starts_with("> a line of code") || line.starts_with("paddock: record: ") || line.find("contradicted: ") != line.npos) << line;
}

TEST_F(ExecTerminal, ALogHasNoEmptyTurnsAndShortNames) {
  outcome_ = Perform(Exec({"--model", Script(kTurns)}));
  EXPECT_EQ(outcome_.status, 0) << outcome_.err;
  const auto lines = Lines(outcome_.err);
  for (const std::string& line : lines) EXPECT_EQ(line.find_first_of('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "paddock: turn 1/50"), 0) << outcome_.err;
  EXPECT_THAT(outcome_.err, HasSubstr("paddock: turn 1/50  First I look at the top of it, since that says what there is,\n         and then"));
  EXPECT_THAT(outcome_.err, HasSubstr("paddock: turn 1/50  list_files  .\n"));
  EXPECT_THAT(outcome_.err, HasSubstr("paddock: turn 2/50  explorer#1  what is it?\n"));
  EXPECT_THAT(outcome_.err, HasSubstr("paddock: turn 2/50  explorer#1  list_files  .\n"));
  EXPECT_THAT(outcome_.out, HasSubstr("- an item that is longer than such a line as well, so that it has to hang\n")) << "a file gets the answer as it is";
}

TEST_F(ExecTerminal, WordsAreBrokenByColumnsNotBytes) {
  std::string text;
  orchestrator::AddParagraph(&text, "äöü äöü äöü", "", 7);
  EXPECT_EQ(text, "äöü äöü\näöü\n");
  text.clear();
  orchestrator::AddParagraph(&text, "日本 日本", "", 8);
  EXPECT_EQ(text, "日本\n日本\n");
  EXPECT_EQ(orchestrator::TruncateColumns("日本語", 5), "日本");
}

}  // namespace
}  // namespace paddock::flow
