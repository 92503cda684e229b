#include "sandbox/profile_json.h"

#include <algorithm>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {

extern const EmbeddedFile kProfileFiles[];
extern const unsigned long kProfileFilesCount;

namespace {

constexpr std::string_view kSuffix = ".json";
constexpr int kDeepestExtends = 8;

const EmbeddedFile* FindShipped(std::string_view name) {
  for (unsigned long i = 0; i < kProfileFilesCount; ++i)
    if (kProfileFiles[i].name == std::string(name) + std::string(kSuffix)) return &kProfileFiles[i];
  return nullptr;
}

// A JSON path holds names of the file's own.
std::unexpected<Error> InFile(const std::string& file, Error error) {
  error.message = file + ": " + std::string(TruncateUtf8(VisibleText(error.message, Newlines::kEscape), 1000));
  return std::unexpected(std::move(error));
}

std::unexpected<Error> Unknown(std::string_view name) {
  std::vector<std::string> known = ShippedProfileNames();
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  std::string hint = NearestHint(name, known);
  return Fail(ErrorKind::kNotFound,
              "no profile named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"; known: " + list, hint);
}

void MergeOver(Json* base, const Json& over) {
  for (auto it = over.begin(); it != over.end(); ++it) {
    auto below = base->find(it.key());
    // "set" of the environment is replaced as a whole, like every list: what is written there is all there is.
    if (below != base->end() && below->is_object() && it->is_object() && it.key() != "set") MergeOver(&*below, it.value());
    else (*base)[it.key()] = it.value();
  }
}

Result<Json> Load(std::string_view text, const std::string& file, int depth) {
  auto parsed = ParseJson(text, {.max_bytes = 1u << 20, .comments = true});
  if (!parsed) return InFile(file, parsed.error());
  auto checked = FromJson<Profile>(*parsed);  // each file by itself, so that an error names its place
  if (!checked) return InFile(file, checked.error());
  if (checked->schema != kProfileSchema)
    return Fail(ErrorKind::kInvalid, file + ": $.schema: expected \"" + std::string(kProfileSchema) + "\", got \"" +
                                         VisibleText(TruncateUtf8(checked->schema, 64), Newlines::kEscape) + "\"");
  if (checked->extends.empty()) return *std::move(parsed);
  if (depth >= kDeepestExtends)
    return Fail(ErrorKind::kInvalid, file + ": $.extends: a cycle, or more than " + std::to_string(kDeepestExtends) + " levels");
  const EmbeddedFile* below = FindShipped(checked->extends);
  if (!below) {
    auto unknown = Unknown(checked->extends);
    return InFile(file + ": $.extends", unknown.error());
  }
  Json merged = TRY(Load(below->text, std::string(below->name), depth + 1));
  MergeOver(&merged, *parsed);
  return merged;
}

}  // namespace

std::vector<std::string> ShippedProfileNames() {
  std::vector<std::string> names;
  for (unsigned long i = 0; i < kProfileFilesCount; ++i) {
    std::string_view name = kProfileFiles[i].name;
    if (name != "syscall-groups.json") names.emplace_back(name.substr(0, name.size() - kSuffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<Profile> ShippedProfile(std::string_view name) {
  const EmbeddedFile* file = name == "syscall-groups" ? nullptr : FindShipped(name);
  if (!file) return Unknown(name);
  return ParseProfile(file->text, std::string(file->name));
}

Result<Profile> ParseProfile(std::string_view text, const std::string& file_name) {
  Json merged = TRY(Load(text, file_name, 0));
  auto profile = FromJson<Profile>(merged);
  if (!profile) return InFile(file_name, profile.error());
  for (auto [key, duration] : {std::pair{"wall", &profile->limits.wall}, {"cpu", &profile->limits.cpu}}) {
    const std::string place = file_name + ": $.limits." + key;
    auto ms = ParseDuration(*duration);
    if (!ms) return InFile(place, ms.error());
    // A timer or RLIMIT_CPU of 0 would be none at all.
    if (*ms == 0) return Fail(ErrorKind::kInvalid, place + ": expected more than no time");
  }
  for (auto [path, size] : {std::pair{"$.limits.memory", &profile->limits.memory}, {"$.limits.file_size", &profile->limits.file_size},
                            {"$.limits.output", &profile->limits.output}, {"$.filesystem.tmp", &profile->filesystem.tmp},
                            {"$.filesystem.workspace_size", &profile->filesystem.workspace_size}})
    if (auto ok = ParseSize(*size); !ok) return InFile(file_name + ": " + path, ok.error());
  if (auto calls = ResolveCalls(profile->syscalls.allow); !calls) return InFile(file_name + ": $.syscalls.allow", calls.error());
  if (!merged.contains("require"))
    std::erase_if(profile->require, [&](Layer layer) {
      return std::find(profile->optional.begin(), profile->optional.end(), layer) != profile->optional.end();
    });
  for (Layer layer : profile->optional) {
    if (layer != Layer::kLandlock)
      return Fail(ErrorKind::kInvalid, file_name + ": $.optional: only landlock can be optional, got " + NameOf(layer));
    if (std::find(profile->require.begin(), profile->require.end(), layer) != profile->require.end())
      return Fail(ErrorKind::kInvalid, file_name + ": $.optional: " + NameOf(layer) + " is required as well");
  }
  if (!profile->filesystem.hide.empty())
    return Fail(ErrorKind::kInvalid, file_name + ": $.filesystem.hide: this version can't hide files; expected an empty list");
  if (profile->filesystem.workspace == WorkspaceAccess::kWrite)
    return Fail(ErrorKind::kInvalid, file_name + ": $.filesystem.workspace: \"write\" is not in this version", "write \"overlay\": writes land in a private layer");
  if (profile->network.mode == NetworkMode::kProxy)
    return Fail(ErrorKind::kInvalid, file_name + ": $.network.mode: \"proxy\" is not in this version", "write \"none\"");
  return *std::move(profile);
}

}  // namespace paddock::sandbox
