// Definitions that the investigator denied, and numbers of uses that were none of all: found on repositories that nobody had seen.
#include <gmock/gmock.h>

#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Files = std::map<std::string, std::string>;

Report Ask(const std::string& goal, Files files, std::vector<std::string> symbols = {}) {
  PlaybookRepo repo(std::move(files));
  if (!symbols.empty())
    repo.more = [symbols](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
      if (call.tool != "outline" && call.tool != "find_symbol") return std::nullopt;
      return ResultWith({RowsArtifact("symbols", symbols[0], {symbols.begin() + 1, symbols.end()})});
    };
  Report report = repo.Run("investigator", goal);
  EXPECT_TRUE(repo.EveryCitationHolds(report));
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
  return report;
}

TEST(PlaybookDenied, AFunctionIsGivenToAMemberOfAnObject) {
  for (const char* value : {"(tray, options = {}, heat = f(1)) => {\n", "async tray => {\n", "function (tray) {\n"}) {
    const Report report = Ask("What does oven.heatUp do?", {{"lib/oven.js", std::string("const oven = tray => {\n  return oven.heatUp(tray);\n};\n\noven.heatUp = ") + value + "  return tray;\n};\n\nmodule.exports = oven;\n"}});
    EXPECT_THAT(Titles(report), HasSubstr("is defined in lib/oven.js:5 (function)")) << value;
    EXPECT_THAT(report.summary, Not(HasSubstr("no definition"))) << value;
  }
  EXPECT_THAT(Ask("`heatUp`", {{"lib/oven.js", "oven.heatUp = (a + b) * c;\n"}}).summary, HasSubstr("no definition of `heatUp`"));
}

// Reading begins 45 lines above the definition: here with the first line of a long string.
TEST(PlaybookDenied, AReadingMayBeginWithALongString) {
  std::string text;
  for (int n = 1; n <= 10; ++n) text += "x" + std::to_string(n) + " = 1\n";
  text += "class Door:\n    def name(self):\n        \"\"\"\n        Of the door.\n        \"\"\"\n        return 1\n\n";
  for (int n = 0; n < 27; ++n) text += "    y" + std::to_string(n) + " = 1\n";
  text += "\nclass Oven(Door):\n    \"\"\"\n    Heats.\n    \"\"\"\n\n    def close(self):\n        self.flush()\n\n";
  for (int n = 0; n < 4; ++n) text += "    z" + std::to_string(n) + " = 1\n";
  text += "    def flush(self):\n        return 2\n";
  ASSERT_EQ(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("    def flush")), '\n') + 1, 13 + 45);
  const Report report = Ask("What does Oven.flush do?", {{"oven.py", text}});
  EXPECT_THAT(report.summary, AllOf(HasSubstr("`Oven.flush` is defined in oven.py:58"), HasSubstr("is used in 1 line of 1 file: oven.py"), Not(HasSubstr("no definition"))));
}

std::string MaskBehindAGap(const char* path, std::vector<std::string> texts) {
  SeenLines lines;
  for (auto& text : texts) lines[static_cast<int64_t>(lines.size()) + 7] = {std::move(text), false, false};
  std::string out;
  for (const auto& [number, line] : MaskOf(path, lines)) out += (out.empty() ? "" : "|") + line.bytes.substr(0, 6);
  return out;
}

TEST(PlaybookDenied, ThatALongStringBeginsIsToldByTheNextSignOfOne) {
  EXPECT_EQ(MaskBehindAGap("a.py", {"\"\"\"", "heat it", "\"\"\"", "heat()"}), "sss|ssssss|sss|cccccc");
  EXPECT_EQ(MaskBehindAGap("a.py", {"\"\"\"", "heat()", "def f():", "  \"\"\"Of it.\"\"\"", "  \"\"\"", "heat it", "\"\"\""}), "sss|cccccc|cccccc|ccssss|ccsss|ssssss|sss");
  EXPECT_EQ(MaskBehindAGap("a.py", {"\"\"\"", "heat()", "def f():", "  \"\"\"Of it.", "  and more\"\"\"", "heat()"}), "sss|cccccc|cccccc|ccssss|ssssss|cccccc");
}

TEST(PlaybookDenied, ASignOfACommentInAStringIsNone) {
  EXPECT_EQ(MaskBehindAGap("a.js", {"f('**/*').g(2);"}), "ccssss");
  EXPECT_EQ(MaskBehindAGap("a.js", {"of it */ f('a')"}), "######");
  const Report report = Ask("`heatUp`", {{"lib/a.js", "const o = require('./o');\n\nconsole.log(o.heatUp('**/*').test('foo/bar.js'));\n"}, {"lib/o.js", "exports.heatUp = function (t) {\n  return t;\n};\n"}});
  EXPECT_THAT(report.summary, HasSubstr("is used in 1 line of 1 file: lib/a.js"));
}

const char kCacheOfGo[] =
    "package lru\n\n// Cache is one.\ntype Cache[K comparable, V any] struct {\n\tsize        int\n\tonEvictedCB func(k K, v V)\n}\n\nfunc New[K comparable, V any](cb func(k K, v V)) *Cache[K, V] {\n\treturn &Cache[K, V]{onEvictedCB: cb}\n}\n\n"
    "func (c *Cache[K, V]) Purge() {\n\tif c.onEvictedCB != nil {\n\t\tc.onEvictedCB(k, v)\n\t}\n\tc.ensureSpace(true)\n}\n\nfunc (c *Cache[K, V]) ensureSpace(b bool) {\n\tc.size = 1\n}\n";

TEST(PlaybookDenied, AFieldOfAStructIsDefinedThere) {
  const Report report = Ask("Where is onEvictedCB used?", {{"lru.go", kCacheOfGo}});
  EXPECT_THAT(Titles(report), HasSubstr("`onEvictedCB` is defined in lru.go:6 (field)"));
  EXPECT_THAT(DetailOf(report, "is defined in lru.go:6"), HasSubstr("In Cache."));
  EXPECT_THAT(report.summary, HasSubstr("used in 3 lines of 1 file")) << "the one that sets it, too";
  const struct {
    const char *path, *text, *at;
  } cases[] = {{"a.rs", "pub struct Oven<'a> {\n    pub(crate) heat_now: u32,\n    b: &'a str,\n}\n\nfn f(o: &Oven) -> u32 {\n    o.heat_now\n}\n", "a.rs:2"},
               {"a.c", "typedef struct {\n  int b;\n  unsigned long heat_now;\n} oven_t;\n\nint f(oven_t *o) {\n  return o->heat_now;\n}\n", "a.c:3"},
               {"a.c", "struct oven {\n  int (*heat_now)(int t, void *x);\n};\n\nint f(struct oven *o) {\n  return o->heat_now(3, 0);\n}\n", "a.c:2"}};
  for (const auto& one : cases) EXPECT_THAT(Titles(Ask("`heat_now`", {{one.path, one.text}})), HasSubstr(std::string("`heat_now` is defined in ") + one.at + " (field)")) << one.text;
  // A variable of a function, and a key, are none.
  for (const char* text : {"package x\n\nfunc f() {\n\theatNow int\n}\n", "package x\n\nvar o = Oven{\n\theatNow: 3,\n}\n"}) EXPECT_THAT(Titles(Ask("`heatNow`", {{"a.go", text}})), Not(HasSubstr("is defined in"))) << text;
}

TEST(PlaybookDenied, AMethodOfAGenericTypeIsOfThatType) {
  const Report report = Ask("What does Cache.ensureSpace do?", {{"lru.go", kCacheOfGo}}, {"lru.go", "13\t18\tfunc\tPurge\tlru.V\t", "20\t22\tfunc\tensureSpace\tlru.V\t"});
  EXPECT_THAT(report.summary, AllOf(HasSubstr("`Cache.ensureSpace` is defined in lru.go:20"), Not(HasSubstr("itself was seen"))));
  EXPECT_THAT(DetailOf(report, "is defined in"), HasSubstr("In lru.Cache."));
}

TEST(PlaybookDenied, WhereNoDefinitionIsKnownEveryUseCounts) {
  const Report report = Ask("`heat_now`", {{"a.py", "def f(o):\n    if o.heat_now is None:\n        return o.heat_now(3)\n    return o.heat_now\n"}});
  EXPECT_THAT(report.summary, AllOf(HasSubstr("is used in 3 lines of 1 file"), HasSubstr("no definition of `heat_now` was recognised")));
}

TEST(PlaybookDenied, WhatIsFoundByWordsIsSaidToBeThat) {
  const Report report = Ask("how is the heat of an oven clamped?", {{"a.py", "class Oven:\n    clamp_oven_heat = 3\n\n    def heat_oven(self):\n        pass\n"}});
  EXPECT_THAT(report.summary, AllOf(HasSubstr("these are names of the code that hold words of it, and others may be of it too."), Not(HasSubstr("most of its words"))));
}

// Found on a class of 700 lines.
TEST(PlaybookDenied, AMethodFarBelowItsClassIsOfIt) {
  std::string text = "import {x} from './x';\n\nexport default class Oven<\n\tT,\n> extends Base {\n";
  for (int n = 0; n < 640; ++n) text += "\treadonly z" + std::to_string(n) + ": number;\n";
  const Report report = Ask("What does Oven.heatUp do?", {{"source/oven.ts", text + "\n\tasync heatUp(t: number): Promise<void> {\n\t\treturn t;\n\t}\n}\n"}});
  EXPECT_THAT(report.summary, AllOf(HasSubstr("`Oven.heatUp` is defined in source/oven.ts:647"), Not(HasSubstr("itself was seen"))));
}

TEST(PlaybookDenied, ATextCallsNothing) {
  const Files files = {{"oven.go", "package x\n\nfunc heatUp(t int) int {\n\tpanic(\"oven.heatUp: too hot\")\n}\n\nfunc one() {\n\theatUp(1)\n}\n"}};
  EXPECT_THAT(DetailOf(Ask("`heatUp`", files, {"oven.go", "3\t5\tfunc\theatUp\tx\t", "7\t9\tfunc\tone\tx\t"}), "is called in"), AllOf(HasSubstr("In `one`."), Not(HasSubstr("heatUp"))));
}

TEST(PlaybookDenied, AMemberOfTheNameOfAClassIsSomethingElse) {
  const Report report = Ask("`wait_fixed`", {{"wait.py", "class wait_fixed(Base):\n    def __init__(self, t):\n        self.wait_fixed = t\n\n    def __call__(self):\n        return self.wait_fixed\n\n\nclass wait_none(wait_fixed):\n    pass\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("`wait_fixed` is referred to in wait.py (1 line)"));
  EXPECT_THAT(report.summary, HasSubstr("The name `wait_fixed`, of this or of something else, is used in 3 lines"));
}

TEST(PlaybookDenied, WhatStandsBehindCodeIsItsComment) {
  for (const char* before : {"static int a; /* Of the door alone. */\n", "static int a; /* Of the\n   door alone. */\n", "static int a; /* Of the\n                * door alone. */\n"})
    EXPECT_THAT(Titles(Ask("`heat_len`", {{"a.c", std::string("#include \"a.h\"\n\n") + before + "static int heat_len = 3;\n"}})), Not(HasSubstr("own comment"))) << before;
  for (const char* before : {"/* Of the oven alone. */\n", "/* Of the oven\n   alone, a/b. */\n", "/*\n * Of the oven alone.\n */\n", "// Of the oven alone.\n"})
    EXPECT_THAT(Titles(Ask("`heat_len`", {{"a.c", std::string("static int a; /* of a */\n") + before + "static int heat_len = 3;\n"}})), HasSubstr("own comment: Of the oven")) << before;
}

TEST(PlaybookDenied, AFileOfTheGoalsWordsIsToldOf) {
  const Files files = {{"go.mod", "module x\n"}, {"oven/expirable_oven.go", "package oven\n\nfunc NewOven() {\n\tstart()\n}\n\nfunc start() {\n}\n"}, {"oven/door.go", "package oven\n\nfunc Open() {\n}\n"}};
  EXPECT_THAT(Titles(Ask("How does expiration of trays work?", files)), HasSubstr("oven/expirable_oven.go defines NewOven, start"));
  EXPECT_THAT(Titles(Ask("How does oven_heat work?", files)), Not(HasSubstr("expirable_oven.go defines")));
}

TEST(PlaybookDenied, ANameMayEndInALine) {
  EXPECT_THAT(Titles(Ask("Where is heated_ used?", {{"a.cc", "struct Oven {\n  bool heated_;\n};\n\nint f(Oven* o) {\n  return o->heated_;\n}\n"}})), HasSubstr("`heated_` is defined in a.cc:2 (field)"));
}

TEST(PlaybookDenied, CallersAreOfWhatIsEstablished) {
  const Files files = {{"a.py", "class heat_up(Base):\n    def __init__(self, t):\n        self.heat_up = t\n\n\nclass Grill(heat_up):\n    pass\n"}};
  EXPECT_THAT(DetailOf(Ask("`heat_up`", files, {"a.py", "1\t3\tclass\theat_up\t\t", "2\t3\tmember\t__init__\theat_up\t", "6\t7\tclass\tGrill\t\t"}), "is referred to in a.py (1 line)"), Not(HasSubstr("In `__init__`")));
}

// The playbook fell over it.
TEST(PlaybookDenied, AFileThatOthersNameIsTold) {
  std::string text = "int oven_heat(int t) {\n  return t;\n}\n";
  EXPECT_THAT(Titles(Ask("what does oven.c do?", {{"oven.c", text}, {"build.txt", "oven.c door.c\n"}, {"other.txt", "See oven.c.\n"}})), AllOf(HasSubstr("oven.c defines oven_heat\n"), HasSubstr("oven.c is named in build.txt and other files")));
  for (int n = 0; n < 300; ++n) text += "\n";
  EXPECT_THAT(Titles(Ask("what does oven.c do?", {{"oven.c", text + "int oven_cool(int t) {\n  return t;\n}\n"}})), HasSubstr("oven.c defines oven_heat, in the lines that were read\n"));
}

}  // namespace
}  // namespace paddock::subagents
