// The playbook's reading of files: sections, citations, commands in documents.
#include <gmock/gmock.h>

#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RepoView ViewOf(const std::string& path, std::vector<std::string> lines, std::vector<int64_t> cut = {}, int64_t start = 1) {
  agentcore::CallOutcome outcome;
  outcome.call.tool = "read_file";
  outcome.result.success = true;
  agentcore::Artifact excerpt;
  excerpt.kind = "excerpt";
  excerpt.path = path;
  excerpt.line_start = start;
  excerpt.lines = std::move(lines);
  excerpt.cut = std::move(cut);
  outcome.result.artifacts.push_back(std::move(excerpt));
  RepoView view;
  view.Take(outcome);
  return view;
}

std::vector<std::string> Found(const RepoView& view, const char* section) {
  std::vector<std::string> out;
  for (const auto& hit : FindLines(view, {".*", R"((\w+))", section}, 100)) out.push_back(std::to_string(hit.line) + ":" + hit.groups[0]);
  return out;
}

TEST(PlaybookSections, OfEachFormat) {
  EXPECT_THAT(Found(ViewOf("a.toml", {"[one]", "a = 1", "list = [", "  \"x\",", "]", "b = 2", "[two.three] # c", "c = 3"}), "one"), ElementsAre("1:one", "2:a", "3:list", "6:b"));
  EXPECT_THAT(Found(ViewOf("a.toml", {"[one]", "list = [", "  \"x\",", "]"}), "one/list"), ElementsAre("3:x"));
  EXPECT_THAT(Found(ViewOf("package.json", {"{", "  \"scripts\": {", "    \"test\": \"x\"", "  },", "  \"test\": \"y\"", "}"}), "scripts"), ElementsAre("3:test"));
  EXPECT_THAT(Found(ViewOf("pom.xml", {"<project xmlns=\"a\"", "   b=\"c\">", "  <name>x</name>", "  <parent>", "    <name>y</name>", "  </parent>", "</project>"}), "project"), ElementsAre("3:name", "4:parent", "6:parent"));
  EXPECT_THAT(Found(ViewOf("go.mod", {"require (", "\tx v1", ")", "y"}), "require"), ElementsAre("2:x"));
}

TEST(PlaybookSections, UnknownAfterAGap) {
  RepoView view = ViewOf("a.toml", {"a = 1"}, {}, 40);
  EXPECT_THAT(Found(view, "one"), IsEmpty());
  EXPECT_THAT(Found(view, ""), IsEmpty());
}

TEST(PlaybookCitations, OnlyOfWholeLinesThatWereSeen) {
  RepoView view = ViewOf("a", {"one", "two", "", std::string(5000, 'x') + "needle" + std::string(5000, 'y')}, {11}, 10);
  EXPECT_EQ(view.Cite("a", 10, 10)->quote, "one");
  EXPECT_FALSE(view.Cite("a", 11, 11)) << "cut";
  EXPECT_TRUE(ViewOf("a", {"one"}).Cite("a", 1, 1));
  EXPECT_FALSE(view.Cite("a", 12, 12)) << "empty";
  EXPECT_FALSE(view.Cite("a", 9, 10)) << "not seen";
  EXPECT_FALSE(view.Cite("b", 10, 10));
  auto part = view.Cite("a", 13, 13, "needle");
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->quote.starts_with("needle"));
  EXPECT_LE(part->quote.size(), 300u);
  EXPECT_FALSE(ViewOf("a", {"one", "two"}, {2}).Cite("a", 1, 2));
  EXPECT_EQ(ViewOf("a", {"one\\u{D}", "two\\u{D}"}).Cite("a", 1, 2)->quote, "one\\u{D}\ntwo");
}

TEST(PlaybookPaths, ForeignAndSide) {
  EXPECT_TRUE(IsForeignPath("vendor/x/go.mod"));
  EXPECT_TRUE(IsForeignPath("a/node_modules/x/package.json"));
  EXPECT_FALSE(IsForeignPath("src/vendor.c"));
  EXPECT_TRUE(IsSidePath("tests/main.c"));
  EXPECT_TRUE(IsSidePath("src/foo_test.go"));
  EXPECT_FALSE(IsSidePath("src/main.c"));
}

std::vector<std::string> Commands(const std::string& path, std::vector<std::string> lines) {
  RepoView view = ViewOf(path, std::move(lines));
  CommandWorld world;
  world.has_file = world.has_folder = [](std::string_view) { return false; };
  std::vector<std::string> out;
  for (const auto& doc : FindDocCommands(view, world)) {
    const char* source = doc.source == DocSource::kBlock ? "block" : doc.source == DocSource::kInline ? "inline" : "ci";
    out.push_back(std::to_string(doc.line) + " " + source + " " + doc.command.text);
  }
  return out;
}

TEST(PlaybookDocuments, CodeIsTakenAndProseIsNot) {
  EXPECT_THAT(Commands("README.md", {"make test", "Run `go test ./...` or ```mvn clean test```.", "```sh", "$ make", "```", "make", "", "    cargo build"}),
              ElementsAre("2 inline go test ./...", "2 inline mvn clean test", "4 block make", "8 block cargo build"));
  EXPECT_THAT(Commands("README", {"The short version is:", "", "make", "make test", "", "make all of it work"}), ElementsAre("3 block make", "4 block make test"));
  EXPECT_THAT(Commands("src/a.c", {"```", "make", "```"}), IsEmpty());
  EXPECT_THAT(Commands("requirements.txt", {"    make"}), IsEmpty());
}

TEST(PlaybookDocuments, CiFiles) {
  EXPECT_THAT(Commands(".github/workflows/ci.yml", {"name: make", "steps:", "  - run: make && make check", "  - name: x", "    run: |", "      go build ./...", "      go test ./... ${{ matrix.x }}", "  - uses: make", "    make: test"}),
              ElementsAre("3 ci make", "3 ci make check", "6 ci go build ./..."));
  EXPECT_THAT(Commands(".travis.yml", {"script:", "  - cargo test", "after:", "  - cargo build"}), ElementsAre("2 ci cargo test"));
}

TEST(PlaybookTemplates, Fill) {
  LineHit hit{"a/b.tar", 1, "", {"x", "y"}};
  EXPECT_EQ(FillTemplate("{1} {2} {3} {file} {base} {dir} {stem} {x}", hit), "x y {3} a/b.tar b.tar a b {x}");
}

}  // namespace
}  // namespace paddock::subagents
