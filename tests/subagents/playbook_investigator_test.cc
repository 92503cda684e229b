// The investigator on small made-up repositories.
#include <gmock/gmock.h>

#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Json NameOf(const Report& report, size_t index = 0) { return report.data["names"].size() > index ? report.data["names"][index] : Json::object(); }
std::vector<std::string> Texts(const Json& list) {
  std::vector<std::string> out;
  for (const auto& each : list) out.push_back(each.is_object() ? each["path"].get<std::string>() : each.get<std::string>());
  return out;
}

const std::map<std::string, std::string> kOven = {
    {"src/oven.c", "#include \"oven.h\"\n\nstatic int clamp(int t) {\n    return t;\n}\n\n/* Heats the oven, at most to what it bears. */\nint oven_heat(oven_t *oven, int t) {\n    oven->t = clamp(t);\n    return 0;\n}\n"},
    {"src/oven.h", "typedef struct oven oven_t;\nint oven_heat(oven_t *oven, int t);\n"},
    {"src/main.c", "#include \"oven.h\"\n\nint main(void) {\n    // oven_heat comes first\n    oven_heat(0, 3);\n    return oven_heat(0, 4);\n}\n"},
    {"src/table.c", "static struct { void *f; } table[] = {\n    { oven_heat },\n};\n"},
    {"tests/test_oven.c", "void test_heat(void) {\n    oven_heat(0, 1);\n}\n"},
    {"docs/oven.md", "Call `oven_heat` first.\n"},
    {"oven.ini", "start=oven_heat\n"},
    {"vendor/x/oven.c", "int oven_heat(int x) {\n}\n"},
    {"README.md", "An oven.\n"}};

TEST(PlaybookInvestigator, DefinitionUsesTestsAndDocuments) {
  for (const char* goal : {"How does `oven_heat` work?", "how does oven_heat() work", "investigate ovenHeat", "what is \"oven-heat\" for?"}) {
    PlaybookRepo repo(kOven);
    Report report = repo.Run("investigator", goal);
    SCOPED_TRACE(std::string(goal) + "\n" + Titles(report) + report.summary);
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    const Json name = NameOf(report);
    EXPECT_EQ(name["name"], "oven_heat");
    EXPECT_THAT(Texts(name["definitions"]), ElementsAre("src/oven.c:8"));
    EXPECT_THAT(Texts(name["declarations"]), ElementsAre("src/oven.h:2"));
    EXPECT_THAT(Texts(name["uses"]), ElementsAre("src/main.c", "src/table.c"));
    EXPECT_EQ(name["uses"][0]["lines"], 2) << "a comment is no use";
    EXPECT_THAT(Texts(name["tests"]), ElementsAre("tests/test_oven.c"));
    EXPECT_THAT(Texts(name["docs"]), ElementsAre("docs/oven.md"));
    EXPECT_THAT(Texts(name["settings"]), ElementsAre("oven.ini"));
    EXPECT_THAT(Titles(report), HasSubstr("by its own comment: Heats the oven"));
    EXPECT_THAT(Titles(report), HasSubstr("calls `clamp`"));
    EXPECT_THAT(report.summary, HasSubstr("No language model was used"));
    EXPECT_TRUE(report.complete);
    EXPECT_THAT(InvalidPatterns(), IsEmpty());
  }
}

TEST(PlaybookInvestigator, AMethodIsTheOneOfItsClass) {
  const std::map<std::string, std::string> files = {
      {"m/main.py", "def run():\n    return 1\n"},
      {"m/blocks.py", "class Block:\n    \"\"\" One. \"\"\"\n\n    def test(self):\n        return 1\n\n    def run(self):\n        return 2\n\n\nclass List(Block):\n    def run(self):\n        return 3\n\n\nclass Bare(Block):\n    x = 1\n\n\ndef use(b):\n    return b.run()\n"},
      {"m/util.py", "def run(x):\n    return x\n"}};
  auto ask = [&](const std::string& goal) {
    PlaybookRepo repo(files);
    Report report = repo.Run("investigator", goal);
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    return report;
  };
  const Report block = ask("Block.run");
  EXPECT_THAT(block.summary, HasSubstr("`Block.run` is defined in m/blocks.py:7; 3 other places define a `run` of something else."));
  EXPECT_THAT(block.summary, HasSubstr("The name `run`, of this or of something else, is used in 1 line"));
  EXPECT_THAT(Titles(block), Not(HasSubstr("m/main.py:1")));
  EXPECT_THAT(ask("what does `List.run` do?").summary, HasSubstr("`List.run` is defined in m/blocks.py:12;"));
  EXPECT_THAT(ask("`util.run`").summary, HasSubstr("`util.run` is defined in m/util.py:1;"));
  EXPECT_THAT(ask("`Bare.run`").summary, HasSubstr("No `run` of Bare itself was seen, which is defined in m/blocks.py:16. `run` is defined in"));
  // Of what is no class or module here nothing is said.
  EXPECT_THAT(ask("`thing.run()`").summary, testing::StartsWith("`run` is defined in"));
}

TEST(PlaybookInvestigator, APartIsToldBesideItsNumber) {
  std::map<std::string, std::string> files = {{"oven.c", "int heat(int t)\n{\n    return t;\n}\n"}};
  for (int f = 0; f < 30; ++f) {
    std::string& text = files["use" + std::to_string(f) + ".c"];
    for (int i = 0; i < 30; ++i) text += "    heat(" + std::to_string(i) + ");\n";
  }
  const Report report = PlaybookRepo(files).Run("investigator", "`heat`");
  EXPECT_THAT(report.summary, testing::ContainsRegex("It is used in at least [0-9]+ lines of at least [0-9]+ files \\(a search was cut off: there are more\\): "));
  EXPECT_THAT(Titles(report), HasSubstr("(at least 30 lines)"));
}

TEST(PlaybookInvestigator, SymbolsTellWhoCalls) {
  PlaybookRepo repo(kOven);
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "outline" && call.arguments["path"] == "src/main.c") return ResultWith({RowsArtifact("symbols", "src/main.c", {"3\t7\tfunction\tmain\t\t(void)"})});
    return ResultWith({});
  };
  Report report = repo.Run("investigator", "`oven_heat`");
  EXPECT_EQ(NameOf(report)["uses"][0]["in"], Json::array({"main"})) << Titles(report);
}

TEST(PlaybookInvestigator, AnImportThatTheIndexCallsAVariableIsNoDefinition) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"lib/oven.js", "exports.bake = function (t) {\n  return t\n}\n"}, {"lib/app.js", "var bake = require('./oven').bake;\n"}});
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "find_symbol") return ResultWith({RowsArtifact("symbols", "lib/app.js", {"1\t1\tvariable\tbake\t\t"}), RowsArtifact("symbols", "lib/oven.js", {"1\t3\tfunction\tbake\t\t"})});
    return std::nullopt;
  };
  EXPECT_THAT(Texts(NameOf(repo.Run("investigator", "`bake`"))["definitions"]), ElementsAre("lib/oven.js:1"));
}

TEST(PlaybookInvestigator, WhatASemicolonFollowsIsOnlyDeclared) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"include/oven.h", "OVEN_API(int)\noven_heat(oven_t *oven,\n        int t);\n"}, {"src/oven.c", "OVEN_API(int)\noven_heat(oven_t *oven, int t);\n\nOVEN_API(int)\noven_heat(oven_t *oven,\n        int t)\n{\n    return t;\n}\n"}});
  const Json name = NameOf(repo.Run("investigator", "`oven_heat`"));
  EXPECT_THAT(Texts(name["definitions"]), ElementsAre("src/oven.c:5"));
  EXPECT_THAT(Texts(name["declarations"]), ElementsAre("include/oven.h:2", "src/oven.c:2"));
  EXPECT_THAT(Texts(name["uses"]), IsEmpty());
}

TEST(PlaybookInvestigator, WhatALongCommentNamesIsNoUse) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"oven/heat.py", "class Oven:\n    pass\n"}, {"oven/door.py", "def open():\n    \"\"\" Opens the `Oven`. \"\"\"\n"}, {"oven/rack.py", "def pull():\n    \"\"\"\n    See [`heat`][oven.heat.Oven] for it.\n    \"\"\"\n"}, {"oven/bake.py", "def bake():\n    return Oven()\n"}});
  EXPECT_THAT(Texts(NameOf(repo.Run("investigator", "`Oven`"))["uses"]), ElementsAre("oven/bake.py"));
}

TEST(PlaybookInvestigator, TheLinesBeforeTellALongComment) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"oven.c", "int oven_heat(int t)\n{\n    return t;\n}\n"}, {"oven.h", "int oven_heat(int t);\n/*\n     The oven is cold until oven_heat\n   was called.\n\n     See also oven_heat().\n*/\nenum { COLD,  /* before oven_heat() */ };\n"}, {"main.c", "int main(void)\n{\n    return oven_heat(3);\n}\n"}});
  EXPECT_THAT(Texts(NameOf(repo.Run("investigator", "`oven_heat`"))["uses"]), ElementsAre("main.c"));
}

TEST(PlaybookInvestigator, PagesThatAProgramMadeAreNoDocuments) {
  auto files = kOven;
  files["docs/oven_8h_source.html"] = "<div>int oven_heat(int t);</div>\n";
  files["docs/search/all_4.js"] = "['oven_heat',['oven_heat',1]],\n";
  PlaybookRepo repo(files);
  const Json name = NameOf(repo.Run("investigator", "`oven_heat`"));
  EXPECT_THAT(Texts(name["docs"]), ElementsAre("docs/oven.md"));
  EXPECT_THAT(Texts(name["uses"]), ElementsAre("src/main.c", "src/table.c"));
}

TEST(PlaybookInvestigator, WhatIsHandedOnIsNotDefinedThere) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"lib/oven.js", "const bake = (t) => {\n  return t\n}\nmodule.exports = {\n  bake,\n}\n"}});
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool == "find_symbol") return ResultWith({RowsArtifact("symbols", "lib/oven.js", {"1\t3\tconstant\tbake\t\t", "5\t5\tfield\tbake\tmodule.exports\t"})});
    return std::nullopt;
  };
  EXPECT_THAT(Texts(NameOf(repo.Run("investigator", "`bake`"))["definitions"]), ElementsAre("lib/oven.js:1"));
}

TEST(PlaybookInvestigator, WordsLeadToNames) {
  PlaybookRepo repo(kOven);
  Report report = repo.Run("investigator", "how is the oven heated?");
  EXPECT_EQ(NameOf(report)["name"], "oven_heat") << Titles(report);
  EXPECT_THAT(report.summary, HasSubstr("names no identifier"));
}

TEST(PlaybookInvestigator, SaysWhatIsNotThere) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "def bake(x):\n    return x\n"}});
  Report report = repo.Run("investigator", "how does `bake` work, and `fry_all`?");
  EXPECT_THAT(report.summary, HasSubstr("no test names `bake`"));
  EXPECT_THAT(report.summary, HasSubstr("no document names `bake`"));
  EXPECT_THAT(report.summary, HasSubstr("no use of `bake`"));
  EXPECT_THAT(report.summary, HasSubstr("`fry_all` stands in no file that was searched (also tried: fryAll"));
  report = repo.Run("investigator", "and what about that?");
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_FALSE(report.complete);
}

TEST(PlaybookInvestigator, SearchesAreNamedByTheirWords) {
  PlaybookRepo repo(std::map<std::string, std::string>{{"a.py", "def bake(x):\n    return x\n"}});
  Report report = repo.Run("investigator", "how do `bake` and `" + std::string(90, 'q') + "_and_very_much_more` work?");
  EXPECT_THAT(report.summary, testing::AllOf(HasSubstr("Searched for `bake`, `Bake`"), HasSubstr(", `qqq")));
  EXPECT_THAT(report.summary, testing::Not(HasSubstr("\\b")));
  EXPECT_THAT(report.summary, testing::Not(HasSubstr("(?:")));
}

TEST(PlaybookInvestigator, Files) {
  PlaybookRepo repo(kOven);
  Report report = repo.Run("investigator", "what does src/oven.c do?");
  EXPECT_THAT(Titles(report), HasSubstr("src/oven.c defines clamp, oven_heat")) << report.summary;
  EXPECT_TRUE(repo.EveryCitationHolds(report));
}

TEST(PlaybookInvestigator, ReportsInTheLastTurnAndWhenAsked) {
  for (int turns : {1, 2, 3}) {
    PlaybookRepo repo(kOven);
    Report report = repo.Run("investigator", "`oven_heat`", "", turns);
    EXPECT_EQ(repo.turns(), turns);
    EXPECT_FALSE(report.complete);
  }
  PlaybookRepo repo(kOven);
  repo.fail_all = true;
  EXPECT_THAT(repo.Run("investigator", "`oven_heat`").findings, IsEmpty());
}

TEST(PlaybookGoalNames, FormsOfNames) {
  auto names = [](const char* goal) {
    std::vector<std::string> out;
    for (const auto& name : ReadGoal(goal).names) out.push_back(name.name);
    return out;
  };
  EXPECT_THAT(names("How does RateLimiter::take_one work in src/limit.cc?"), ElementsAre("src/limit.cc", "take_one"));
  EXPECT_THAT(names("don't parse `x y`, it's --dry-run and MAX_SIZE"), ElementsAre("x y", "dry-run", "MAX_SIZE"));
  EXPECT_THAT(names("What does the parser do?"), IsEmpty());
  EXPECT_THAT(ReadGoal("What does the parser do when logging?").stems, ElementsAre("pars", "log"));
  EXPECT_THAT(ReadGoal("`rateLimit`").names[0].spellings, ElementsAre("rateLimit", "rate_limit", "RateLimit", "RATE_LIMIT", "rate-limit"));
  EXPECT_THAT(WordsOfName("parseHTTPHeader2_x"), ElementsAre("parse", "http", "header2", "x"));
  EXPECT_THAT(names("$(rm -rf /) `a\x01b`"), IsEmpty());
}

}  // namespace
}  // namespace paddock::subagents
