#include "orchestrator/cli/profiles.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/surroundings.h"
#include "sandbox/syscall_groups.h"

namespace paddock::orchestrator {
namespace {

// One profile, as it is listed.
struct ListedProfile {
  std::string name, description, file;
  bool shipped = false, usable = true;
  std::string error, hint;
};
inline auto Fields(FieldsOf<ListedProfile>) {
  return std::make_tuple(Required("name", &ListedProfile::name, "what --profile takes"), Required("description", &ListedProfile::description, "for whom, what it stops, what it does not"),
                         Required("file", &ListedProfile::file, "of the user's own; empty: it comes with paddock"), Required("shipped", &ListedProfile::shipped, "it comes with paddock"),
                         Required("usable", &ListedProfile::usable, "it has no fault"), Required("error", &ListedProfile::error, "its first fault, or empty"),
                         Required("hint", &ListedProfile::hint, "what to do, or empty"));
}

struct ListedGroup {
  std::string name, description;
  std::vector<std::string> profiles, calls;
};
inline auto Fields(FieldsOf<ListedGroup>) {
  return std::make_tuple(Required("name", &ListedGroup::name, "as \"syscalls\": {\"allow\"} has it"), Required("description", &ListedGroup::description, "for what"),
                         Required("profiles", &ListedGroup::profiles, "shipped profiles that allow all of it"),
                         Required("calls", &ListedGroup::calls, "its system calls, some only with certain arguments"));
}

// For what each group is; the file of the groups has more (profiles/syscall-groups.json).
constexpr struct {
  std::string_view name, description;
} kUses[] = {
    {"@agent-read-only", "paddock's own cells that read a repository"},
    {"@ask", "who and where a program is"},
    {"@basic", "the least of paddock's own cells: memory that is no code, open files, signals, time"},
    {"@build", "@build-tools, with debuggers and sockets that have names"},
    {"@build-tools", "everything that a toolchain does, and what it builds"},
    {"@compute", "paddock's own cells that only compute"},
    {"@debug", "debuggers and tracers, on processes of the jail"},
    {"@file-system", "files by name, read, made, changed and removed"},
    {"@ids", "asking for user ids that the program has already"},
    {"@ipc", "System V and POSIX objects of the jail's own"},
    {"@landlock", "a sandbox of the program's own, which can only take away"},
    {"@look-at-files", "files by name, for reading"},
    {"@memory", "memory, also for code"},
    {"@own-settings", "settings of a process that bind nobody else"},
    {"@own-threads", "threads of paddock's own cells"},
    {"@pipe-io", "open descriptors, pipes, and waiting for them"},
    {"@process", "other processes: made, started, waited for"},
    {"@program", "an ordinary program that reads and computes; no files made, no sockets, no processes"},
    {"@read-files", "files by name, for paddock's own cells"},
    {"@signal", "signals, sent and received"},
    {"@sockets-local", "sockets, also those whose names are files"},
    {"@sockets-loopback", "sockets within the jail's own network"},
    {"@terminal", "terminals, and other ioctls of ordinary descriptors"},
    {"@threads", "threads"},
    {"@timer", "the time, and waiting for it"},
    {"@tools-read-only", "programs that read and start each other: git, grep, ctags"},
    {"@unnamed-programs", "files without a name, and starting a program from one"},
    {"@witness", "opening a file to be denied, for paddock's own cells"},
    {"@write-files", "files by name, made, changed and removed"},
    {"@xattr", "extended attributes, written and removed"},
};

std::string Visible(const std::string& text) { return VisibleText(text, Newlines::kEscape); }
std::string Padded(const std::string& text, size_t width) { return text + std::string(width > text.size() ? width - text.size() : 0, ' '); }

// The first sentence, or what comes before its colon.
std::string InShort(const std::string& description) {
  const size_t end = std::min(description.find(": "), description.find(". "));
  std::string text = description.substr(0, end);
  if (text.ends_with('.')) text.pop_back();
  return std::string(TruncateUtf8(Visible(text), 100));
}

std::vector<ListedProfile> Profiles() {
  std::vector<ListedProfile> list;
  for (const std::string& name : sandbox::ShippedProfileNames())
    if (auto profile = sandbox::ShippedProfile(name)) list.push_back({name, profile->description, "", true, true, "", ""});
  for (const OwnProfile& own : OwnProfiles()) {
    ListedProfile one{own.name, "", own.path, false, true, "", ""};
    if (auto profile = FindProfile(own.name)) {
      one.description = profile->profile.description;
    } else {
      one.usable = false;
      one.error = profile.error().message;
      one.hint = profile.error().hint;
    }
    list.push_back(std::move(one));
  }
  return list;
}

// Do `rules` allow whatever `group` does, as far as can be seen rule by rule?
bool AllowAll(const sandbox::CallRules& rules, const sandbox::CallRules& group) {
  return std::all_of(group.begin(), group.end(), [&](const sandbox::CallRule& wanted) {
    const sandbox::CallRule* rule = sandbox::FindRule(rules, wanted.number);
    if (!rule || (wanted.alternatives.empty() && !rule->alternatives.empty())) return false;
    return rule->alternatives.empty() || std::all_of(wanted.alternatives.begin(), wanted.alternatives.end(), [&](const sandbox::Conditions& narrow) {
             return std::any_of(rule->alternatives.begin(), rule->alternatives.end(), [&](const sandbox::Conditions& wide) { return sandbox::Within(narrow, wide); });
           });
  });
}

std::vector<ListedGroup> Groups() {
  std::vector<std::pair<std::string, sandbox::CallRules>> profiles;
  for (const std::string& name : sandbox::ShippedProfileNames())
    if (auto profile = sandbox::ShippedProfile(name))
      if (auto rules = sandbox::ResolveCalls(profile->syscalls.allow)) profiles.emplace_back(name, *std::move(rules));
  std::vector<ListedGroup> list;
  for (const std::string& name : sandbox::CallGroupNames()) {
    ListedGroup group{name, "", {}, {}};
    for (const auto& use : kUses)
      if (use.name == name) group.description = use.description;
    if (auto rules = sandbox::ResolveCalls({name})) {
      for (const sandbox::CallRule& rule : *rules) group.calls.push_back(rule.name);
      for (const auto& [profile, allowed] : profiles)
        if (AllowAll(allowed, *rules)) group.profiles.push_back(profile);
    }
    std::sort(group.calls.begin(), group.calls.end());
    list.push_back(std::move(group));
  }
  return list;
}

template <class T>
int PrintJson(const char* schema, const char* key, const std::vector<T>& list) {
  return PrintAll(1, DumpJson(Json{{"schema", schema}, {key, ToJson(list)}}) + "\n") ? kExitCompleted : kExitInternal;
}

}  // namespace

int RunProfileList(bool json) {
  const std::vector<ListedProfile> profiles = Profiles();
  if (json) return PrintJson("paddock/profiles/1", "profiles", profiles);
  size_t width = 0;
  for (const ListedProfile& one : profiles) width = std::max(width, one.name.size());
  std::string text;
  for (const ListedProfile& one : profiles) {
    const std::string what = one.usable ? InShort(one.description) : "not usable: " + Visible(one.error);
    // A fault names the file by itself.
    const std::string from = one.shipped || !one.usable ? "" : (what.empty() ? "" : "  ") + ("(" + Visible(one.file) + ")");
    AddParagraph(&text, what + from, Padded(one.name, width) + "  ", WidthOf(1));
    if (!one.hint.empty()) AddParagraph(&text, one.hint, "  ", WidthOf(1));
  }
  return PrintAll(1, text) ? kExitCompleted : kExitInternal;
}

int RunProfileGroups(bool json) {
  const std::vector<ListedGroup> groups = Groups();
  if (json) return PrintJson("paddock/syscall-groups/1", "groups", groups);
  std::string text;
  for (const ListedGroup& one : groups) {
    std::string in;
    for (const std::string& profile : one.profiles) in += (in.empty() ? "; in " : ", ") + profile;
    AddParagraph(&text, one.description + " (" + std::to_string(one.calls.size()) + (one.calls.size() == 1 ? " call" : " calls") + in + ")", Padded(one.name, 18) + " ", WidthOf(1));
  }
  return PrintAll(1, text) ? kExitCompleted : kExitInternal;
}

}  // namespace paddock::orchestrator
