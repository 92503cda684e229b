// What of a workspace is out of the ordinary, counted while it is looked at: things that are never opened, links
// that lead out, files that can't be read, changes under way.
//
// A tool puts them into `facts.odd` of its artifacts. They are the cell's word, like all facts; the parent turns
// them into notes with the same sentences as the tool's own output.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace paddock::agentcore {

enum class OddKind {
  kChanged, kUnreadableFile, kUnreadableFolder, kLinkOut, kLinkBroken, kLinkLoop, kFifo, kSocket, kDevice, kGit, kIgnoreFile,
  kIgnoreRules, kHardLink, kOddName, kLargeFile, kTooDeep, kHidden
};
inline auto EnumNames(FieldsOf<OddKind>) {
  return std::array{
      EnumName{OddKind::kChanged, "changed"},              // gone, replaced or written while it was looked at
      EnumName{OddKind::kUnreadableFile, "closed_file"},   // no permission
      EnumName{OddKind::kUnreadableFolder, "closed_folder"},
      EnumName{OddKind::kLinkOut, "link_out"},             // leads out of the workspace
      EnumName{OddKind::kLinkBroken, "link_broken"},
      EnumName{OddKind::kLinkLoop, "link_loop"},
      EnumName{OddKind::kFifo, "fifo"},
      EnumName{OddKind::kSocket, "socket"},
      EnumName{OddKind::kDevice, "device"},
      EnumName{OddKind::kGit, "git"},                      // a .git that is no folder
      EnumName{OddKind::kIgnoreFile, "ignore_file"},       // a .gitignore that is no regular file, or can't be read
      EnumName{OddKind::kIgnoreRules, "ignore_rules"},     // not all were applied
      EnumName{OddKind::kHardLink, "hard_link"},           // has names that were not listed
      EnumName{OddKind::kOddName, "odd_name"},             // invisible characters, or bytes that are no text
      EnumName{OddKind::kLargeFile, "large_file"},         // only its beginning is ever read
      EnumName{OddKind::kTooDeep, "too_deep"},
      EnumName{OddKind::kHidden, "hidden"},                // by the profile
  };
}

inline constexpr size_t kOddExamples = 2, kOddExampleBytes = 80;

struct Oddity {
  OddKind kind = OddKind::kChanged;
  int64_t count = 0;
  std::vector<std::string> examples;  // path text, shortened
};
inline auto Fields(FieldsOf<Oddity>) {
  return std::make_tuple(Required("kind", &Oddity::kind, "what is odd"), Required("count", &Oddity::count, "how many").Min(1),
                         Optional("examples", &Oddity::examples, "the first of them").MaxLength(kOddExamples));
}

// "2 links lead out of the repository and were not followed: a, b".
std::string SentenceOf(const Oddity& oddity);

class Oddities {
 public:
  void Add(OddKind kind, std::string_view path_bytes, int64_t count = 1);
  // Both together; of the same thing seen twice only the larger count.
  void AddAll(const Oddities& other);
  void TakeLarger(const Oddity& other);

  const std::vector<Oddity>& list() const { return list_; }  // by kind, none with a count of 0
  int64_t count(OddKind kind) const;
  Json ToFacts() const;         // [{kind, count, examples}, ...]
  std::string Sentences() const;  // one a line, each with a newline before it

 private:
  Oddity* Of(OddKind kind);
  std::vector<Oddity> list_;
};

// What `facts.odd` of an artifact holds; what is no oddity there is left out.
std::vector<Oddity> OdditiesOf(const Json& facts);

}  // namespace paddock::agentcore
