// A diff that somebody gave: whatever it holds, what is read of it is a diff, and every claim is about lines that it has.
#include <set>
#include <tuple>

#include "subagents/playbook/review_change_set.h"
#include "subagents/playbook/review_claims.h"
#include "subagents/playbook/review_range.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::subagents;

namespace {

using Spots = std::set<std::tuple<std::string, int64_t, std::string>>;  // path, line, text

// The lines that stand after the change.
Spots StandingIn(const std::vector<FileDiff>& files) {
  Spots out;
  for (const FileDiff& file : files) {
    REQUIRE(!file.path.empty() && file.path.size() <= 4096, file.path);
    REQUIRE(!file.hunks.empty() || file.binary || file.status != "changed", file.path);
    for (const Hunk& hunk : file.hunks)
      for (const DiffLine& line : hunk.lines) {
        REQUIRE(line.sign == ' ' || line.sign == '+' || line.sign == '-', line.text);
        REQUIRE((line.new_line == 0) == (line.sign == '-') || hunk.new_start == 0, line.text);
        REQUIRE((line.old_line == 0) == (line.sign == '+') || hunk.old_start == 0, line.text);
        REQUIRE(line.text.find('\n') == line.text.npos, line.text);
        if (line.sign != '-') out.insert({file.path, line.new_line, line.text});
      }
  }
  return out;
}

void RequireOfIt(const ReviewSpot& spot, const Spots& standing) {
  if (spot.line > 0) REQUIRE(standing.contains({spot.path, spot.line, spot.text}), spot.text);
  REQUIRE(spot.quote.empty() || spot.quote == "-" || spot.text.find(spot.quote) != std::string::npos, spot.text);
  for (const ReviewSpot& near : spot.instead) RequireOfIt(near, standing);
}

void Judge(const std::vector<FileDiff>& files) {
  const Spots standing = StandingIn(files);
  for (const auto& claims : {ClaimsOfLines(files), ClaimsOfChanges(files)})
    for (const ReviewClaim& claim : claims) {
      REQUIRE(!claim.title.empty() && !claim.detail.empty(), claim.title);
      for (const ReviewSpot& spot : claim.spots) RequireOfIt(spot, standing);
    }
  for (const std::string& path : ChangedWithoutTests(files)) REQUIRE(std::any_of(files.begin(), files.end(), [&](const FileDiff& file) { return file.path == path; }), path);
  for (const ChangedName& change : ChangedInterfaces(files)) {
    REQUIRE(!change.name.empty() && !change.before.empty(), change.path);
    if (!change.after.empty()) RequireOfIt(change.spot, standing);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ChangeSet changes;
  REQUIRE(changes.Give(text) == !changes.files.empty(), "a diff or none");
  REQUIRE(changes.files.size() <= 2000 && changes.CountFiles() >= static_cast<int64_t>(changes.files.size()), "files");
  Judge(changes.files);

  // The same lines as a git tool gives them.
  agentcore::Artifact artifact;
  artifact.kind = "diff";
  artifact.path = "src/a" + text.substr(0, text.find('\n')).substr(0, 8);
  std::erase(artifact.path, '\n');
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = rest.find('\n');
    artifact.lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  if (FileDiff file = ReadDiffArtifact(artifact); !file.hunks.empty()) Judge({std::move(file)});

  // What is handed to git as a revision is never one of its options.
  for (const ReviewRange& range : {ReadReviewRange(text), GuessReviewRange(text)})
    for (const std::string& revision : {range.from, range.to}) REQUIRE(!revision.starts_with('-') && revision.find_first_of(" \t\n") == revision.npos, revision);
  return 0;
}
