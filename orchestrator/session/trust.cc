#include "orchestrator/session/trust.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/session/private_folder.h"

namespace paddock::orchestrator {
namespace {

constexpr char kFolder[] = "trust";
constexpr JsonLimits kLimits{.max_bytes = kMaxTrustBytes, .max_depth = 16, .max_values = 1'000'000, .max_keys = 64, .comments = false};
constexpr size_t kMostTrusts = 10'000;

std::string FileOf(const std::string& repository) { return Sha256Hex(repository) + ".json"; }

Result<Trust> Load(int folder, const std::string& name, const std::string& shown) {
  const std::string text = TRY(ReadPrivateFile(folder, name, shown, kMaxTrustBytes));
  const auto damaged = [&](const std::string& what) {
    return Fail(ErrorKind::kInvalid, shown + ": " + std::string(TruncateUtf8(VisibleText(what, Newlines::kEscape), 300)), "remove that file, and trust the repository again");
  };
  auto json = ParseJson(text, kLimits);
  if (!json) return damaged(json.error().message);
  auto trust = FromJson<Trust>(*json);
  if (!trust) return damaged(trust.error().message);
  if (trust->schema != kTrustSchema) return damaged("$.schema: expected \"" + std::string(kTrustSchema) + "\"");
  return trust;
}

}  // namespace

Result<std::optional<Trust>> LoadTrust(const std::string& state_folder, const std::string& repository) {
  const std::string shown = PathToText(state_folder) + "/paddock/" + kFolder + "/" + FileOf(repository);
  auto folder = FindPrivateFolder(state_folder, kFolder);
  if (!folder && folder.error().kind == ErrorKind::kNotFound) return std::optional<Trust>();
  if (!folder) return std::unexpected(folder.error());
  auto trust = Load(folder->get(), FileOf(repository), shown);
  if (!trust && trust.error().kind == ErrorKind::kNotFound) return std::optional<Trust>();
  if (!trust) return std::unexpected(trust.error());
  if (trust->repository != PathToText(repository)) return Fail(ErrorKind::kInvalid, shown + ": it is of another repository", "remove that file, and trust the repository again");
  return std::optional<Trust>(*std::move(trust));
}

Status SaveTrust(const std::string& state_folder, const std::string& repository, const Trust& trust) {
  const UniqueFd folder = TRY(OpenPrivateFolder(state_folder, kFolder));
  const std::string text = DumpJson(ToJson(trust)) + "\n";
  if (text.size() > kMaxTrustBytes) return Fail(ErrorKind::kLimit, "the definitions are too large to be kept", "fewer or shorter files");
  return WritePrivateFile(folder.get(), FileOf(repository), text, PathToText(state_folder) + "/paddock/" + kFolder + "/" + FileOf(repository));
}

Result<bool> RemoveTrust(const std::string& state_folder, const std::string& repository) {
  auto folder = FindPrivateFolder(state_folder, kFolder);
  if (!folder && folder.error().kind == ErrorKind::kNotFound) return false;
  if (!folder) return std::unexpected(folder.error());
  if (::unlinkat(folder->get(), FileOf(repository).c_str(), 0) == 0) return true;
  if (errno == ENOENT) return false;
  return CantKeep("remove " + PathToText(state_folder) + "/paddock/" + kFolder + "/" + FileOf(repository));
}

Result<TrustList> ListTrusts(const std::string& state_folder) {
  TrustList list;
  auto folder = FindPrivateFolder(state_folder, kFolder);
  if (!folder && folder.error().kind == ErrorKind::kNotFound) return list;
  if (!folder) return std::unexpected(folder.error());
  DIR* names = ::fdopendir(::fcntl(folder->get(), F_DUPFD_CLOEXEC, 0));
  if (names == nullptr) return CantKeep("list " + PathToText(state_folder) + "/paddock/" + kFolder);
  std::vector<std::string> files;
  while (const dirent* entry = ::readdir(names))
    if (std::string name = entry->d_name; name.ends_with(".json") && !name.starts_with('.') && files.size() < kMostTrusts) files.push_back(std::move(name));
  ::closedir(names);
  for (const std::string& file : files) {
    auto trust = Load(folder->get(), file, file);
    if (trust) list.trusts.push_back(*std::move(trust));
    else ++list.damaged;
  }
  std::sort(list.trusts.begin(), list.trusts.end(), [](const Trust& a, const Trust& b) { return a.repository < b.repository; });
  return list;
}

}  // namespace paddock::orchestrator
