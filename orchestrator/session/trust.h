// What the user trusted of a repository: the definitions of agents in it, as they were shown, by the hash of all of them.
//
//   $XDG_STATE_HOME/paddock/trust/<SHA-256 of the repository's path>.json       folder 0700, file 0600
//
// The copy that is kept here is what runs, and what was read out of the files when the user looked at it; the files in the
// repository are only compared with it. Nothing is trusted by a variable or by a file of the repository.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "subagents/foreign_definition.h"

namespace paddock::orchestrator {

inline constexpr char kTrustSchema[] = "paddock/trust/1";
inline constexpr size_t kMaxTrustBytes = 48u << 20;

struct Trust {
  std::string schema = kTrustSchema;
  std::string repository;  // path text of the real path
  int64_t added_ms = 0;    // since 1970
  std::string digest;      // DigestOf all files
  std::vector<subagents::ForeignDefinition> files;
};
inline auto Fields(FieldsOf<Trust>) {
  return std::make_tuple(Required("schema", &Trust::schema, "paddock/trust/1"), Required("repository", &Trust::repository, "path text of its real path").NonEmpty(),
                         Required("added_ms", &Trust::added_ms, "when, milliseconds since 1970").Min(0), Required("digest", &Trust::digest, "of the paths and hashes of all files").MaxLength(64),
                         Required("files", &Trust::files, "as they were read then").MaxLength(subagents::kMaxForeignFiles));
}

// `repository` is a real path, bytes. Nothing: it isn't trusted. kInvalid: what is kept is damaged, or open to others.
Result<std::optional<Trust>> LoadTrust(const std::string& state_folder, const std::string& repository);
// In place of what was trusted before.
Status SaveTrust(const std::string& state_folder, const std::string& repository, const Trust& trust);
// False: there was nothing.
Result<bool> RemoveTrust(const std::string& state_folder, const std::string& repository);
// All, by their paths; damaged ones are left out and counted.
struct TrustList {
  std::vector<Trust> trusts;
  size_t damaged = 0;
};
Result<TrustList> ListTrusts(const std::string& state_folder);

}  // namespace paddock::orchestrator
