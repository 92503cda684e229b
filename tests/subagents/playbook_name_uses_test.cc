// The investigator says that a name is used only where that is established: words that equal it, declarations, things of other owners.
#include <gmock/gmock.h>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/name_uses.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Paths(const Report& report, const char* key) {
  std::vector<std::string> out;
  if (report.data["names"].empty()) return {"no name"};
  for (const auto& each : report.data["names"][0][key]) out.push_back(each.is_object() ? each["path"].get<std::string>() + ":" + each["lines"].dump() : each.get<std::string>());
  return out;
}

Report Ask(const Files& files, const std::string& goal) { return ReportOn("investigator", goal, files); }

const Files kShop = {
    {"lib/shop.js", "const { Basket } = require('./error.js');\n\nclass Shop {\n  error(message) {\n    return message;\n  }\n  run() {\n    this.error('x');\n    console.error('error');\n    const options = { error: true };\n    const error = options.error;\n    return error;\n  }\n}\n"},
    {"lib/lint.js", "module.exports = {\n  rules: { semi: 'error', quotes: \"error\" },\n  error: true,\n};\n"},
    {"test/run.test.js", "test('shows an error', () => {\n  expect(run()).toThrow(\"error: bad\"); // no error\n});\n"},
    {"README.md", "An error is shown. Use `console.error()`, or console.error('x').\n"}};

TEST(PlaybookNameUses, AWordThatEqualsTheNameIsNoUse) {
  const Report report = Ask(kShop, "`error`");
  EXPECT_THAT(Paths(report, "definitions"), ElementsAre("lib/shop.js:4"));
  EXPECT_THAT(Paths(report, "uses"), ElementsAre("lib/shop.js:1")) << Titles(report);
  EXPECT_THAT(Titles(report), HasSubstr("`error` is called in lib/shop.js (1 line)"));
  EXPECT_THAT(Paths(report, "tests"), IsEmpty());
  EXPECT_THAT(Paths(report, "docs"), IsEmpty());
  EXPECT_THAT(report.summary, HasSubstr("no test names `error` in code (the word stands in 1 of them otherwise)"));
}

TEST(PlaybookNameUses, ATestAndADocumentThatCallItAreTold) {
  auto files = kShop;
  files["test/shop.test.js"] = "const shop = new Shop();\nshop.error('x');\n";
  files["docs/shop.md"] = "    shop.error('no bread')\n";
  const Report report = Ask(files, "`error`");
  EXPECT_THAT(Titles(report), HasSubstr("Something of the name `error` is called in the test test/shop.test.js (1 line)"));
  EXPECT_THAT(Titles(report), HasSubstr("`error` stands in backquotes, or as a call, in the document docs/shop.md (1 line)"));
}

// Found on ruby-jwt.
TEST(PlaybookNameUses, RubysClassesAreNamedAndNotCalledAndMarksAreOfTheName) {
  const Files files = {{"lib/token.rb", "module Jwt\n  class Token\n    def check_it!\n      valid_one?\n    end\n\n    def valid_one?\n      true\n    end\n  end\nend\n"},
                       {"spec/token_spec.rb", "RSpec.describe Jwt::Token do\n  it 'x' do\n    expect { token.check_it! }.to raise_error(Jwt::Token)\n  end\nend\n"}};
  EXPECT_THAT(Titles(Ask(files, "`Token`")), testing::AllOf(HasSubstr("the test spec/token_spec.rb"), Not(HasSubstr("`Token` is called"))));
  const Report marked = Ask(files, "who calls Token#check_it! here");
  EXPECT_THAT(Paths(marked, "definitions"), ElementsAre("lib/token.rb:3")) << Titles(marked) << marked.summary;
  EXPECT_THAT(Paths(Ask(files, "what does `valid_one?` do"), "definitions"), ElementsAre("lib/token.rb:7"));
}

// Found on walkdir and cron: the line that sets the default was not counted.
TEST(PlaybookNameUses, WhereLinesWithTheWordAreCountedKeysOfLiteralsAreSomeOfThem) {
  const Report report = Ask({{"a.go", "package a\n\ntype Job interface {\n\tRun()\n}\n\ntype Entry struct {\n\tJob Job\n}\n\nfunc add(j Job) {\n\te := &Entry{\n\t\tJob: j,\n\t}\n\te.Job.Run()\n}\n"}}, "`Job`");
  EXPECT_THAT(Titles(report), HasSubstr("The word `Job` stands in the code of a.go (3 lines)"));
}

// Found on libconfuse: "In `next`" of a line that declares a member.
TEST(PlaybookNameUses, AFieldHoldsNothing) {
  Symbols symbols;
  symbols.Take({{}, ResultWith({RowsArtifact("symbols", "a.h", {"2\t2\tmember\tnext\tnode"})})});
  ASSERT_NE(symbols.At("a.h", 2, "next"), nullptr);
  EXPECT_EQ(symbols.FunctionAround("a.h", 2), nullptr);
}

TEST(PlaybookNameUses, AFieldOfTheIndexIsNoFunctionAndIsUsedByWhatReadsOrSetsIt) {
  const Report c = ReportOn("investigator", "`heat_level`", {{"oven.h", "struct oven {\n  int heat_level;\n};\n"}, {"use.c", "#include \"oven.h\"\nint use(struct oven *o)\n{\n  o->heat_level = 3;\n  return o->heat_level;\n}\n"}},
                            std::vector<std::string>{"oven.h", "2\t2\tmember\theat_level\toven\t"});
  EXPECT_THAT(Paths(c, "uses"), ElementsAre("use.c:2")) << Titles(c) << c.summary;
  const Report go = ReportOn("investigator", "`Timeout`", {{"oven/oven.go", "package oven\n\ntype Oven struct {\n\tTimeout int\n}\n"}, {"oven/use.go", "package oven\n\nfunc Use(o *Oven) int {\n\to.Timeout = 3\n\treturn o.Timeout\n}\n"}},
                             std::vector<std::string>{"oven/oven.go", "4\t4\tmember\tTimeout\toven.Oven\t"});
  EXPECT_THAT(Titles(go), HasSubstr("The word `Timeout` stands in the code of oven/use.go (2 lines)")) << go.summary;
  // Of Python it is a method.
  const Report python = ReportOn("investigator", "`heat_up`", {{"a.py", "class Oven:\n    def heat_up(self):\n        return 1\n"}, {"b.py", "def one(oven):\n    heat_up = 2\n    return heat_up\n"}}, std::vector<std::string>{"a.py", "2\t3\tmember\theat_up\tOven\t"});
  EXPECT_THAT(Paths(python, "uses"), IsEmpty()) << Titles(python);
}

TEST(PlaybookNameUses, AMemberOfSomethingElseIsNotClaimed) {
  const Report report = Ask({{"conf/main.py", "class Conf:\n    def get(self, key):\n        return self.all[key]\n\n    def two(self):\n        return self.get(2)\n"}, {"conf/cli.py", "def show(values):\n    return values.get('x')\n"}}, "`get`");
  EXPECT_THAT(Titles(report), HasSubstr("`get` is called in conf/main.py (1 line)"));
  EXPECT_THAT(Titles(report), HasSubstr("Something of the name `get` is called in conf/cli.py (1 line)"));
  EXPECT_THAT(report.summary, HasSubstr("The name `get`, of this or of something else, is used in 2 lines of 2 files"));
}

TEST(PlaybookNameUses, AVariableOfTheNameIsNoUse) {
  const Report report = Ask({{"src/main/java/Format.java", "public class Format {\n    public Printer printer() {\n        return new Printer(this);\n    }\n}\n"},
                             {"src/test/java/FormatTest.java", "public class FormatTest {\n    public void both() {\n        final Printer printer = format.printer();\n        printer.print(1);\n        Printer other = make(printer);\n    }\n}\n"},
                             {"src/test/java/OtherTest.java", "public class OtherTest {\n    void one(Printer printer) {\n        printer.print(1);\n    }\n}\n"}},
                            "`printer`");
  EXPECT_THAT(Paths(report, "tests"), ElementsAre("src/test/java/FormatTest.java")) << Titles(report);
  EXPECT_THAT(Titles(report), HasSubstr("FormatTest.java (1 line)"));
}

TEST(PlaybookNameUses, ADeclarationIsNoUse) {
  const Report cpp = Ask({{"cpp/Reader.cpp", "std::string Reader::GetText(const std::string& section,\n                           const std::string& name) const\n{\n    return name;\n}\n"},
                          {"cpp/Reader.h", "class Reader\n{\npublic:\n    // Get a text.\n    std::string GetText(const std::string& section,\n                        const std::string& name) const;\n};\n"}},
                         "`GetText`");
  EXPECT_THAT(Paths(cpp, "declarations"), ElementsAre("cpp/Reader.h:5")) << Titles(cpp);
  EXPECT_THAT(Paths(cpp, "uses"), IsEmpty());
  const Report typed = Ask({{"lib/oven.js", "class Oven {\n  heatUp(to) {\n    return to;\n  }\n}\n"}, {"types/index.d.ts", "export class Oven {\n  heatUp(to: number): this;\n  options: { heatUp?: boolean };\n}\n"}}, "`heatUp`");
  EXPECT_THAT(Paths(typed, "declarations"), ElementsAre("types/index.d.ts:2")) << Titles(typed);
  EXPECT_THAT(Paths(typed, "definitions"), ElementsAre("lib/oven.js:2"));
  EXPECT_THAT(Paths(typed, "uses"), IsEmpty());
}

TEST(PlaybookNameUses, SourceIsNoDocumentWhateverItsName) {
  for (const char* path : {"todos.go", "src/Usage.java", "lib/security.js", "history.py", "builder.rb", "notice.c", "todo.json"}) EXPECT_FALSE(IsProsePath(path)) << path;
  for (const char* path : {"TODO", "TODO.md", "SECURITY.md", "NOTICE", "LICENSE-MIT", "COPYING.LESSER", "CHANGES", "docs/usage.rst", "oven.1"}) EXPECT_TRUE(IsProsePath(path)) << path;
}

TEST(PlaybookNameUses, TheNameThatIsAskedAboutComesFirst) {
  const Files files = {{"cpp/Reader.cpp", "std::string Reader::Get(int key) const\n{\n    return Find(key);\n}\n"}, {"mux.go", "type Router struct{}\n\nfunc Route(p string) {\n}\n\nfunc NewRoute(p string) {\n}\n"}};
  EXPECT_THAT(Ask(files, "how does Get work?").summary, testing::StartsWith("`Get` is defined in cpp/Reader.cpp:1"));
  const Report route = Ask(files, "How does Route work?");
  EXPECT_THAT(route.summary, testing::StartsWith("`Route` is defined in mux.go:3."));
  EXPECT_EQ(route.data["names"].size(), 1u);
  EXPECT_THAT(Ask(files, "what is the Router for?").summary, testing::StartsWith("`Router` is defined in mux.go:1."));
  // What is no name of the code is a word as before.
  EXPECT_THAT(Ask(files, "how does routing work?").summary, HasSubstr("names no identifier"));
}

TEST(PlaybookNameUses, CommentsAreSaidWithoutTheirSigns) {
  EXPECT_EQ(SaidBy("/* Heats the oven. */"), "Heats the oven.");
  EXPECT_EQ(SaidBy("    \"\"\" Heats the oven. \"\"\""), "Heats the oven.");
  EXPECT_EQ(SaidBy("    r'''Heats the oven.'''"), "Heats the oven.");
  for (const char* nothing : {"/* See documentation in header file. */", "// eslint-disable-next-line no-x y", "/* oven */", "// heat(oven, 3);", "/** {@inheritDoc} of that */", "# type: ignore of it", "// TODO: say what it does"}) EXPECT_EQ(SaidBy(nothing), "") << nothing;
  const Report report = Ask({{"oven.c", "/* See documentation in header file. */\nint oven_heat(int t)\n{\n    return t;\n}\n"}, {"oven.h", "#pragma once\n\n/* Heats the oven to t. */\nint oven_heat(int t);\n"}, {"main.c", "int main(void)\n{\n    return oven_heat(3);\n}\n"}}, "`oven_heat`");
  EXPECT_THAT(Titles(report), HasSubstr("by its own comment: Heats the oven to t.\n"));
}

// A comment was cut where its first line ended.
TEST(PlaybookNameUses, ACommentIsCutAtTheEndOfASentenceOrWithDots) {
  EXPECT_EQ(SaidBy("/* Heats the oven until the thermometer says\n * that it is hot. Then it waits. */"), "Heats the oven until the thermometer says that it is hot.");
  EXPECT_EQ(SaidBy("/* Heats the oven. Then it waits for the\n * cake. */"), "Heats the oven.");
  EXPECT_EQ(SaidBy("// Heats e.g. an oven to v1.5 or\n// more"), "Heats e.g. an oven to v1.5 or more");
  EXPECT_EQ(SaidBy("// one of the ovens that\n// has a door and\n// has no light and\n// stands"), "one of the ovens that has a door and has no light and stands …");
  EXPECT_EQ(SaidBy("/** Heats the oven\n * This takes long."), "Heats the oven");
  EXPECT_EQ(SaidBy("// Heats all of these ovens, which are there to be heated:\n// - one"), "Heats all of these ovens, which are there to be heated:");
  const std::string said = SaidBy("# It " + std::string(300, 'x') + " y");
  EXPECT_LT(said.size(), 200u);
  EXPECT_TRUE(said.ends_with("…")) << said;
  const Report report = Ask({{"oven.py", "def oven_heat(t):\n    \"\"\"Heats the oven until the thermometer says\n    that it is hot.\n\n    More.\n    \"\"\"\n    return t\n"}}, "`oven_heat`");
  EXPECT_THAT(Titles(report), HasSubstr("by its own comment: Heats the oven until the thermometer says that it is hot.\n"));
}

TEST(PlaybookNameUses, ACommentThatStandsApartIsOfSomethingElse) {
  const Report report = Ask({{"oven.c", "/* Helpers of the oven */\n\nint oven_heat(int t)\n{\n    return t;\n}\n"}}, "`oven_heat`");
  EXPECT_THAT(Titles(report), Not(HasSubstr("by its own comment")));
  const Report block = Ask({{"oven.js", "let a;\n\n/**\n * Heats the oven.\n */\n\nfunction heatUp(t) {\n  return t;\n}\n"}}, "`heatUp`");
  EXPECT_THAT(Titles(block), HasSubstr("by its own comment: Heats the oven.\n"));
}

TEST(PlaybookNameUses, KindsAreSaidInPlainWords) {
  EXPECT_EQ(PlainKind("methodSpec", "Go"), "method of an interface");
  EXPECT_EQ(PlainKind("member", "Python"), "method");
  EXPECT_EQ(PlainKind("member", "C++"), "field");
  EXPECT_EQ(PlainKind("function", "C"), "function");
}

TEST(PlaybookNameUses, EachOwnerIsShownBeforeItsOverloads) {
  std::string format = "public class Format {\n";
  for (int i = 0; i < 5; ++i) format += "    public void print(int a" + std::to_string(i) + ") {\n    }\n";
  PlaybookRepo repo(Files{{"a/Format.java", format + "}\n"}, {"b/Printer.java", "public class Printer {\n    public void print(int a) {\n    }\n}\n"}});
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool != "find_symbol") return std::nullopt;
    return ResultWith({RowsArtifact("symbols", "a/Format.java", {"2\t3\tmethod\tprint\tFormat\t", "4\t5\tmethod\tprint\tFormat\t", "6\t7\tmethod\tprint\tFormat\t", "8\t9\tmethod\tprint\tFormat\t", "10\t11\tmethod\tprint\tFormat\t"}), RowsArtifact("symbols", "b/Printer.java", {"2\t3\tmethod\tprint\tPrinter\t"})});
  };
  EXPECT_THAT(Titles(repo.Run("investigator", "`print`")), HasSubstr("also defined in b/Printer.java:2"));
}

TEST(PlaybookNameUses, AKeyAndAnExportDefineNothing) {
  PlaybookRepo repo(Files{{"lib/oven.js", "function bake(t) {\n  return { bake: other.bake };\n}\nmodule.exports.bake = bake;\n"}, {"index.js", "const oven = require('./lib/oven');\nmodule.exports.bake = oven.bake;\n"}});
  repo.more = [](const agentcore::ToolCall& call) -> std::optional<agentcore::ToolResult> {
    if (call.tool != "find_symbol") return std::nullopt;
    return ResultWith({RowsArtifact("symbols", "lib/oven.js", {"1\t3\tfunction\tbake\t\t", "2\t2\tproperty\tbake\tbake\t"})});
  };
  EXPECT_THAT(Paths(repo.Run("investigator", "`bake`"), "definitions"), ElementsAre("lib/oven.js:1"));
}

TEST(PlaybookNameUses, WhatIsCalledIsNoWordOfAText) {
  const Report report = Ask({{"oven.py", "def heat_up():\n    log('call cool_down() first')\n    open_door()\n\n\ndef cool_down():\n    pass\n\n\ndef open_door():\n    pass\n"}}, "`heat_up`");
  EXPECT_THAT(Titles(report), HasSubstr("calls `open_door`\n"));
}

TEST(PlaybookNameUses, AFileIsNamedByItsWholeName) {
  EXPECT_THAT(Titles(Ask({{"oven.c", "int heat(void)\n{\n    return 1;\n}\n"}, {"build.txt", "myoven.c\n"}}, "what does oven.c do?")), Not(HasSubstr("is named in")));
}

std::string Masked(const char* path, const std::string& text) {
  SeenLines lines;
  std::string out;
  size_t from = 0;
  for (int64_t n = 1; from <= text.size(); ++n) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines[n].text = text.substr(from, end - from);
    from = end + 1;
  }
  for (const auto& [number, line] : MaskOf(path, lines)) out += (number > 1 ? "|" : "") + line.bytes;
  return out;
}

TEST(PlaybookCodeMask, StringsAndCommentsOfLanguages) {
  EXPECT_EQ(Masked("a.js", "f('a')//b"), "ccsssc###");
  EXPECT_EQ(Masked("a.js", "`a\n${f(x)}`;g"), "ss|sscccccscc");
  EXPECT_EQ(Masked("a.js", "x=/'/;y"), "ccssscc");
  EXPECT_EQ(Masked("a.c", "a/*b\nc*/d"), "c###|###c");
  EXPECT_EQ(Masked("a.c", "x='\"';y"), "ccssscc");
  EXPECT_EQ(Masked("a.rs", "fn f<'a>(x)"), "ccccccccccc");
  EXPECT_EQ(Masked("a.py", "\"\"\"a\nb\"\"\"\nc#d"), "ssss|ssss|ccc");
  EXPECT_EQ(Masked("a.py", "f'{g()}'"), "cssccccs");
  EXPECT_EQ(Masked("a.sh", "x=$#; y # z"), "cccccccc###");
  EXPECT_EQ(Masked("a.go", "`a\nb`+c"), "ss|sscc");
}

TEST(PlaybookCodeMask, BehindAGapTheEndOfACommentTells) {
  const auto mask = MaskOf("a.c", SeenLines{{7, {"heat it", false, false}}, {8, {"*/ heat();", false, false}}});
  EXPECT_EQ(mask.at(7).bytes, "#######");
  EXPECT_FALSE(mask.at(7).known);
  EXPECT_EQ(mask.at(8).bytes, "##cccccccc");
  EXPECT_EQ(MaskOf("a.py", SeenLines{{7, {"heat it", false, false}}, {8, {"now.\"\"\"", false, false}}, {9, {"heat()", false, false}}}).at(7).bytes, "sssssss");
}

}  // namespace
}  // namespace paddock::subagents
