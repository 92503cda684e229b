#include "sandbox/syscall_groups.h"

#include <optional>

#include "base/embedded_file.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {

extern const EmbeddedFile kProfileFiles[];
extern const unsigned long kProfileFilesCount;

namespace {

constexpr std::string_view kFile = "syscall-groups.json";

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

Result<Json> ReadGroups() {
  for (unsigned long i = 0; i < kProfileFilesCount; ++i) {
    if (kProfileFiles[i].name != kFile) continue;
    auto groups = ParseJson(kProfileFiles[i].text, {.comments = true});
    if (!groups) groups.error().message = std::string(kFile) + ": " + groups.error().message;
    return groups;
  }
  return Fail(ErrorKind::kNotFound, "this build has no " + std::string(kFile));
}

}  // namespace

Result<CallRules> ResolveCalls(const std::vector<std::string>& names) {
  static const Result<Json> groups = ReadGroups();
  if (!groups) return std::unexpected(groups.error());
  CallRules all;
  for (const std::string& name : names) all = TRY(Union(all, TRY(ResolveName(*groups, name, 0))));
  return all;
}

}  // namespace paddock::sandbox
