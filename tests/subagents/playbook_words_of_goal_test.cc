// The investigator on goals in plain words, and on calls: what earlier reports left out or told too narrowly.
#include <gmock/gmock.h>

#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/line_rules.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Asked(const char* goal) {
  std::vector<std::string> out;
  for (const auto& name : ReadGoal(goal).asked) out.push_back(name.name);
  return out;
}

// Found on a tree's walk that calls eight functions: its two step functions were behind the first six.
TEST(PlaybookWordsOfGoal, AListOfCallsSaysHowManyMoreThereAre) {
  std::string code, body;
  for (char c = 'a'; c <= 'i'; ++c) {
    code += std::string("static int step_") + c + "(int t) {\n    return t;\n}\n";
    body += std::string("    t = step_") + c + "(t);\n";
  }
  const Report report = ReportOn("investigator", "how does `walk_all` work?", {{"src/walk.c", code + "int walk_all(int t) {\n" + body + "    return t;\n}\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("calls `step_a`, `step_b`, `step_c`, `step_d`, `step_e`, `step_f` and 3 more"));
  EXPECT_EQ(report.data["names"][0]["calls"].size(), 9u);
  EXPECT_EQ(report.data["names"][0]["calls"][8]["name"], "step_i");
}

// Found on a router with a field of the very name: "Not found: nothing is defined".
TEST(PlaybookWordsOfGoal, AFieldMayHoldTheWordsOfTheGoal) {
  const Report go = ReportOn("investigator", "how does the redirect of a trailing slash work?", {{"router.go", "package router\n\ntype Router struct {\n\t// It tells of a redirect.\n\tRedirectTrailingSlash bool\n\n\tother int\n}\n\nfunc (r *Router) Serve() {\n\tif r.RedirectTrailingSlash {\n\t\treturn\n\t}\n}\n"}});
  EXPECT_THAT(Titles(go), HasSubstr("`RedirectTrailingSlash` is defined in router.go:5 (field)")) << go.summary;
  // A variable within a function is no field.
  const Report c = ReportOn("investigator", "how does the redirect of a trailing slash work?", {{"a.c", "int serve(int t) {\n    int redirect_trailing_slash;\n    return t;\n}\n"}});
  EXPECT_THAT(Titles(c), Not(HasSubstr("redirect_trailing_slash"))) << c.summary;
}

// Found on a parser of options: seven tests use the macro, and "no test names it in code".
TEST(PlaybookWordsOfGoal, AMacroWithEmptyParenthesesIsCode) {
  const Report report = ReportOn("investigator", "who uses `OPT_HELP`?",
                                 {{"args.h", "#define OPT_HELP() { 1, 2 }\n"}, {"tests/a_test.c", "#include \"args.h\"\n\nint main(void) {\n    struct option options[] = {\n        OPT_HELP(),\n        OPT_END(),\n    };\n    return 0;\n}\n"}});
  EXPECT_THAT(report.summary, Not(HasSubstr("no test names `OPT_HELP`")));
  EXPECT_THAT(Titles(report), HasSubstr("`OPT_HELP` is called in the test tests/a_test.c (1 line)")) << report.summary;
}

TEST(PlaybookWordsOfGoal, APlainNameBesideAnotherIsLookedAt) {
  EXPECT_THAT(Asked("Where are configDotenv and populate defined?"), ElementsAre("populate"));
  EXPECT_THAT(Asked("Parser and Lexer: how do they work?"), ElementsAre("Parser", "Lexer"));
  EXPECT_THAT(Asked("where is PreparedMessage made, and what is Upgrader?"), ElementsAre("Upgrader"));
  EXPECT_THAT(Asked("where is `bake` used?"), IsEmpty());
  EXPECT_THAT(Asked("what does src/oven.c define?"), IsEmpty());
  EXPECT_THAT(Asked("where is bake defined, and what does _heat_up do for it?"), ElementsAre("bake"));
  const Files files = {{"lib/main.js", "function configDotenv (options) {\n  return populate(options)\n}\n\nfunction populate (options) {\n  return options\n}\n\nmodule.exports.configDotenv = configDotenv\nmodule.exports.populate = populate\n"}};
  const Report report = ReportOn("investigator", "Where are configDotenv and populate defined?", files);
  EXPECT_THAT(Titles(report), HasSubstr("`populate` is defined in lib/main.js:5")) << report.summary;
  EXPECT_THAT(report.summary, Not(HasSubstr("Not looked at")));
  // A word of the code that no name stands beside is told, with how to ask for it.
  const Report other = ReportOn("investigator", "does configDotenv change how we populate things?", files);
  EXPECT_THAT(other.summary, HasSubstr("Not looked at: `populate`"));
  EXPECT_THAT(other.next_actions, testing::Contains(HasSubstr("name `populate` in backquotes")));
}

// Found by review: the goal's words were never tried where its name stands nowhere.
TEST(PlaybookWordsOfGoal, WhereTheNameStandsNowhereTheWordsAreTried) {
  const Report report = ReportOn("investigator", "how does `frobnicate` parse the configuration?", {{"src/conf.c", "int parse_config(const char *text) {\n    return text != 0;\n}\n"}});
  EXPECT_THAT(Titles(report), HasSubstr("`parse_config` is defined in src/conf.c:1")) << report.summary;
  EXPECT_THAT(report.summary, HasSubstr("`frobnicate` stands in no file"));
}

TEST(PlaybookWordsOfGoal, AFilesListOfDefinitionsHasEachNameOnceAndTheNumberOfOthers) {
  std::string code = "#ifdef A\nint heat_0(int t) {\n    return t;\n}\n#else\nint heat_0(int t) {\n    return 0;\n}\n#endif\n";
  for (int i = 1; i < 15; ++i) code += "int heat_" + std::to_string(i) + "(int t) {\n    return t;\n}\n";
  const Report report = ReportOn("investigator", "what does src/oven.c define?", {{"src/oven.c", code}});
  EXPECT_THAT(Titles(report), HasSubstr("src/oven.c defines heat_0, heat_1, ")) << report.summary;
  EXPECT_THAT(Titles(report), HasSubstr("heat_11 and 3 more"));
}

}  // namespace
}  // namespace paddock::subagents
