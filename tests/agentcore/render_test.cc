// A result as a language model is shown it.
#include <gtest/gtest.h>

#include "agentcore/pipeline/render.h"

namespace paddock::agentcore {
namespace {

Artifact Excerpt(const std::string& path, int64_t first, std::vector<std::string> lines) {
  Artifact artifact;
  artifact.kind = "excerpt";
  artifact.path = path;
  artifact.line_start = first;
  artifact.lines = std::move(lines);
  return artifact;
}

TEST(RenderResult, OfASearch) {
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kPartial;
  result.summary = "2 lines match in 1 file";
  result.output = "2 lines match in 1 file.\nThere may be more.";
  result.next_actions = {"search_text {\"offset\":2}"};
  Artifact listing;
  listing.kind = "listing";
  listing.path = ".";
  listing.entries = {"src/main.c"};
  listing.facts = Json{{"matches", 2}, {"ignored", 0}, {"complete", true}, {"truncated", true}};
  result.artifacts = {listing, Excerpt("src/main.c", 11, {"// starts here", "int main() {"}), Excerpt("src/main.c", 40, {"long line"})};
  result.artifacts[1].matches = {12};
  result.artifacts[1].facts = Json{{"encoding", "utf-8"}, {"converted", false}};
  result.artifacts[2].cut = {40};
  EXPECT_EQ(RenderResult(result),
            "partial: 2 lines match in 1 file\n"
            "next: search_text {\"offset\":2}\n"
            "2 lines match in 1 file.\nThere may be more.\n"
            "\nfacts: {\"matches\":2,\"truncated\":true}\n"
            "\nsrc/main.c:11-12\n11| // starts here\n12> int main() {\n"
            "\nsrc/main.c:40\n40| long line [the line goes on]\n");
}

TEST(RenderResult, OfAFailureSaysWhatAndWhatNext) {
  ToolResult result = ToolFailure(ToolStatus::kNotFound, "\"x\" does not exist", "list the folder", {"list_files {}"});
  EXPECT_EQ(RenderResult(result), "not_found\nerror: \"x\" does not exist\nhint: list the folder\nnext: list_files {}\n");
  result.retryable = true;
  EXPECT_NE(RenderResult(result).find("may work a moment later"), std::string::npos);
}

TEST(RenderResult, OfAListing) {
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  result.summary = "2 files";
  result.output = "2 files.";
  Artifact listing;
  listing.kind = "listing";
  listing.path = "src";
  listing.entries = {"src/a.c", "src/b/"};
  result.artifacts = {listing};
  EXPECT_EQ(RenderResult(result), "ok: 2 files\n\nsrc:\nsrc/a.c\nsrc/b/\n");
}

TEST(RenderResult, OfRowsAndHunksHasNoLineNumbers) {
  ToolResult result;
  result.success = true;
  result.status = ToolStatus::kOk;
  result.summary = "1 file changed";
  result.output = "1 file changed.";
  Artifact commits, diff;
  commits.kind = "commits";
  commits.path = ".";
  commits.lines = {"abc\t2026\tAnn"};
  diff.kind = "diff";
  diff.path = "a.c";
  diff.lines = {"@@ -1 +1 @@", "-x", "+y"};
  result.artifacts = {commits, diff};
  EXPECT_EQ(RenderResult(result), "ok: 1 file changed\n\ncommits:\nabc\t2026\tAnn\n\ndiff a.c:\n@@ -1 +1 @@\n-x\n+y\n");
}

TEST(RenderUntrusted, NamesTheOneFileThatItIsAbout) {
  ToolResult result;
  result.artifacts = {Excerpt("a.c", 1, {"x"}), Excerpt("a.c", 9, {"y"})};
  EXPECT_NE(RenderUntrusted(result, "read_file").find("source=\"read_file\" path=\"a.c\">"), std::string::npos);
  result.artifacts.push_back(Excerpt("b.c", 1, {"z"}));
  EXPECT_NE(RenderUntrusted(result, "search_text").find("source=\"search_text\">"), std::string::npos);
}

}  // namespace
}  // namespace paddock::agentcore
