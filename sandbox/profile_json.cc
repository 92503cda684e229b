#include "sandbox/profile_json.h"

#include <algorithm>

#include "base/embedded_file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/syscall_filter.h"

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

// A rule is a name or {"call", "arguments"}.
struct ArgumentEntry {
  int64_t argument = 0;
  std::optional<uint64_t> mask;
  std::vector<uint64_t> values;
};
auto Fields(FieldsOf<ArgumentEntry>) {
  return std::make_tuple(Required("argument", &ArgumentEntry::argument, "number of the argument, from 0").Min(0).Max(5),
                         Optional("mask", &ArgumentEntry::mask, "bits that count"),
                         Required("values", &ArgumentEntry::values, "allowed values of the masked argument").NonEmpty().MaxLength(32));
}
struct CallEntry {
  std::string call;
  std::vector<ArgumentEntry> arguments;
};
auto Fields(FieldsOf<CallEntry>) {
  return std::make_tuple(Required("call", &CallEntry::call, "name of the system call").NonEmpty(),
                         Required("arguments", &CallEntry::arguments, "conditions, all of them").NonEmpty().MaxLength(6));
}

Result<CallRules> ResolveEntry(const Json& groups, const Json& entry, int depth);

Result<CallRules> ResolveName(const Json& groups, const std::string& name, int depth) {
  if (!name.starts_with("@")) return CallRules{{TRY(SystemCallNumber(name)), name, {}}};
  auto group = groups.find(name);
  if (group == groups.end() || depth > 8) {
    std::vector<std::string> known;
    for (auto it = groups.begin(); it != groups.end(); ++it) known.push_back(it.key());
    return Fail(ErrorKind::kInvalid, "no group of system calls named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"",
                NearestHint(name, known));
  }
  CallRules all;
  for (const Json& entry : *group) all = TRY(Union(all, TRY(ResolveEntry(groups, entry, depth + 1))));
  return all;
}

Result<CallRules> ResolveEntry(const Json& groups, const Json& entry, int depth) {
  if (entry.is_string()) return ResolveName(groups, entry.get<std::string>(), depth);
  CallEntry call = TRY(FromJson<CallEntry>(entry));
  CallRule rule{TRY(SystemCallNumber(call.call)), call.call, {}};
  for (const ArgumentEntry& argument : call.arguments)
    rule.arguments.push_back({static_cast<int>(argument.argument), argument.mask.value_or(~uint64_t{0}), argument.values});
  return CallRules{std::move(rule)};
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
                            {"$.limits.output", &profile->limits.output}, {"$.filesystem.tmp", &profile->filesystem.tmp}})
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
  if (profile->filesystem.tmp != "0")
    return Fail(ErrorKind::kInvalid, file_name + ": $.filesystem.tmp: this version has no private /tmp; expected \"0\"");
  return *std::move(profile);
}

Result<CallRules> ResolveCalls(const std::vector<std::string>& names) {
  static const Result<Json> groups = ParseJson(FindShipped("syscall-groups")->text, {.comments = true});
  if (!groups) return InFile("syscall-groups.json", groups.error());
  CallRules all;
  for (const std::string& name : names) all = TRY(Union(all, TRY(ResolveName(*groups, name, 0))));
  return all;
}

}  // namespace paddock::sandbox
