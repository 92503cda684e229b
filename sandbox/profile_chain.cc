#include "sandbox/profile_chain.h"

#include <algorithm>
#include <filesystem>

#include "base/embedded_file.h"
#include "base/json_line.h"
#include "base/nearest.h"
#include "base/text.h"
#include "sandbox/profile.h"

namespace paddock::sandbox {

extern const EmbeddedFile kProfileFiles[];
extern const unsigned long kProfileFilesCount;

namespace {

constexpr std::string_view kSuffix = ".json", kGroups = "syscall-groups.json";
constexpr size_t kMostLevels = 8;
constexpr size_t kShownBytes = 1000;

// Names of a file's own stand in paths and messages.
std::string Shown(std::string_view text, size_t most = kShownBytes) { return std::string(TruncateUtf8(VisibleText(text, Newlines::kEscape), most)); }

const EmbeddedFile* FindShipped(std::string_view name) {
  for (unsigned long i = 0; i < kProfileFilesCount; ++i)
    if (kProfileFiles[i].name == std::string(name) + std::string(kSuffix) && kProfileFiles[i].name != kGroups) return &kProfileFiles[i];
  return nullptr;
}

bool Holds(const std::vector<std::string>& list, const std::string& one) { return std::find(list.begin(), list.end(), one) != list.end(); }

std::unexpected<Error> Unknown(const std::string& name, const std::vector<std::string>& own) {
  std::vector<std::string> known = ShippedProfileNames();
  known.insert(known.end(), own.begin(), own.end());
  std::sort(known.begin(), known.end());
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  std::string hint = NearestHint(name, known);
  if (hint.empty() && name.ends_with(kSuffix)) hint = "a path has a slash: ./" + Shown(name, 64);
  return Fail(ErrorKind::kNotFound, "no profile named \"" + Shown(name, 64) + "\"; known: " + Shown(list, 400), hint);
}

// The fields of times and sizes, for those who leave out the quotes and the unit.
std::string HintOf(const std::string& path, const Error& error) {
  if (!error.hint.empty() || error.message.find(": expected a string, got ") == error.message.npos) return error.hint;
  for (const char* time : {"$.limits.wall", "$.limits.cpu"})
    if (path == time) return "write a time with its unit, such as \"300s\"";
  for (const char* size : {"$.limits.memory", "$.limits.file_size", "$.limits.output", "$.filesystem.tmp", "$.filesystem.workspace_size"})
    if (path == size) return "write a size with its unit, such as \"512M\"";
  return {};
}

// Errors of the JSON reader ("line 3, column 7: ...", "duplicate key: $.a") and of the field tables ("$.a: ...",
// "$.a: unknown key "b"; ...") at the line that they mean.
std::unexpected<Error> InSource(const ProfileSource& source, const Error& error) {
  std::string_view message = error.message;
  size_t line = 1;
  std::string path;
  if (message.starts_with("line ")) {
    line = static_cast<size_t>(std::max(1L, strtol(message.data() + 5, nullptr, 10)));
    if (const size_t comma = message.find(", "); comma != message.npos) message.remove_prefix(comma + 2);
  } else {
    constexpr std::string_view kTwice = "duplicate key: ", kUnknown = "unknown key \"";
    const std::string_view rest = message.starts_with(kTwice) ? message.substr(kTwice.size()) : message;
    if (rest.starts_with("$")) path = rest.substr(0, rest.find(": "));
    std::string exact = path;
    if (const size_t key = message.find(kUnknown); key == path.size() + 2)
      exact += "." + std::string(message.substr(key + kUnknown.size(), message.find("\";", key) - key - kUnknown.size()));
    line = PlaceInJson(source.text, exact).line;
  }
  return Fail(ErrorKind::kInvalid, Shown(source.path) + ":" + std::to_string(line) + ": " + Shown(message), HintOf(path, error));
}

void MergeOver(Json* base, const Json& over) {
  for (auto it = over.begin(); it != over.end(); ++it) {
    auto below = base->find(it.key());
    // "set" of the environment is replaced as a whole, like every list: what is written there is all there is.
    if (below != base->end() && below->is_object() && it->is_object() && it.key() != "set") MergeOver(&*below, it.value());
    else (*base)[it.key()] = it.value();
  }
}

// What is good of an object in which something is not. Each member is read by itself, so that no fault hides another.
Json GoodMembers(const ProfileSource& source, const Json& json, Faults* faults) {
  const Json least = {{"schema", kProfileSchema}, {"name", "a"}};
  for (auto needed = least.begin(); needed != least.end(); ++needed) {
    Json without = least;
    without.erase(needed.key());
    if (!json.contains(needed.key())) AddFault(InSource(source, FromJson<Profile>(without).error()), faults);
  }
  Json good = least;
  const auto take = [&](const Json& part) {
    Json whole = least;
    MergeOver(&whole, part);
    if (auto read = FromJson<Profile>(whole)) MergeOver(&good, part);
    else AddFault(InSource(source, read.error()), faults);
  };
  for (auto it = json.begin(); it != json.end(); ++it) {
    Json part = Json::object();
    if (!it->is_object() || it->empty()) {
      part[it.key()] = it.value();
      take(part);
      continue;
    }
    for (auto inner = it->begin(); inner != it->end(); ++inner) {
      part[it.key()] = Json::object();
      part[it.key()][inner.key()] = inner.value();
      take(part);
    }
  }
  return good;
}

// The text as JSON. What may not stand where it does goes to `faults`. Gives what it extends; empty: nothing, or nothing that can be told.
std::string CheckSource(ProfileSource* source, bool by_name, Faults* faults) {
  source->json = Json::object();
  auto parsed = ParseJson(source->text, {.max_bytes = 1u << 20, .comments = true});
  if (!parsed) return AddFault(InSource(*source, parsed.error()), faults), "";
  const bool object = parsed->is_object();
  if (auto read = FromJson<Profile>(*parsed)) source->json = *parsed;
  else if (object) source->json = GoodMembers(*source, *parsed, faults);
  else return AddFault(InSource(*source, read.error()), faults), "";
  const auto text = [&](const char* key) { return source->json.contains(key) ? source->json[key].get<std::string>() : ""; };
  const auto fail = [&](const char* path, const std::string& message) { AddFault(FailAt({*source}, path, message, ""), faults); };
  if (text("schema") != kProfileSchema) fail("$.schema", "expected \"" + std::string(kProfileSchema) + "\", got \"" + Shown(text("schema"), 64) + "\"");
  const bool named = parsed->contains("name") && source->json["name"] == (*parsed)["name"];  // else that was said
  if (by_name && named && text("name") != source->called)
    fail("$.name", "expected \"" + Shown(source->called, 64) + "\" as the file is called, got \"" + text("name") + "\"");
  return text("extends");
}

std::string ChainText(const ProfileChain& chain, const std::string& last) {
  std::string text;
  for (const ProfileSource& source : chain) text += Shown(source.called, 200) + " → ";
  return text + Shown(last, 200);
}

// The file that the last of the chain extends.
Result<ProfileSource> NextOf(const ProfileChain& chain, const std::string& extends, const ProfileFiles& files) {
  const ProfileSource& last = chain.back();
  const auto fail = [&](const std::string& message, const std::string& hint) { return FailAt({last}, "$.extends", message, hint); };
  auto next = LocateProfile(extends, last.shipped ? "" : last.path, files);
  if (!next) return fail(next.error().message, next.error().hint);
  for (const ProfileSource& source : chain)
    if (source.path == next->path && source.shipped == next->shipped)
      return fail("a cycle: " + ChainText(chain, extends), "take \"extends\" out of one of them");
  if (chain.size() > kMostLevels)
    return fail("more than " + std::to_string(kMostLevels) + " levels: " + ChainText(chain, extends), "extend fewer profiles");
  if (next->shipped) return next;
  auto text = files.read(next->path);
  if (!text) return fail(text.error().message, text.error().hint);
  next->text = *std::move(text);
  return next;
}

}  // namespace

void AddFault(std::unexpected<Error> fault, Faults* faults) {
  const bool said = std::any_of(faults->begin(), faults->end(), [&](const Error& one) { return one.message == fault.error().message; });
  if (!said && faults->size() < kMostFaults) faults->push_back(std::move(fault.error()));
}

std::vector<std::string> ShippedProfileNames() {
  std::vector<std::string> names;
  for (unsigned long i = 0; i < kProfileFilesCount; ++i) {
    std::string_view name = kProfileFiles[i].name;
    if (name != kGroups) names.emplace_back(name.substr(0, name.size() - kSuffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<ProfileSource> LocateProfile(const std::string& called, const std::string& beside, const ProfileFiles& files) {
  ProfileSource source;
  source.called = called;
  if (called.find('/') != called.npos) {
    if (!files.read) return Unknown(called, {});
    if (called.find('\0') != called.npos) return Fail(ErrorKind::kInvalid, "\"" + Shown(called, 200) + "\": a path can't hold a NUL byte");
    const std::filesystem::path path(called);
    source.path = (path.is_absolute() || beside.empty() ? path : std::filesystem::path(beside).parent_path() / path).lexically_normal();
    return source;
  }
  const bool own = files.read && Holds(files.own, called);
  if (own) source.path = files.own_folder + "/" + called + std::string(kSuffix);
  if (const EmbeddedFile* shipped = FindShipped(called)) {
    if (own)
      return Fail(ErrorKind::kInvalid, Shown(source.path) + ": \"" + called + "\" comes with paddock and can't be replaced",
                  "give it another name; a profile can extend the shipped one");
    source.path = shipped->name;
    source.text = shipped->text;
    source.shipped = true;
    return source;
  }
  if (!own) return Unknown(called, files.own);
  return source;
}

ProfileChain LoadChain(ProfileSource first, const ProfileFiles& files, Faults* faults) {
  ProfileChain chain;
  chain.push_back(std::move(first));
  for (;;) {
    ProfileSource& last = chain.back();
    // What was not asked for by a name may be called as it likes.
    const bool by_name = last.called.find('/') == last.called.npos && last.path.ends_with("/" + last.called + std::string(kSuffix));
    const std::string extends = CheckSource(&last, by_name, faults);
    if (extends.empty()) return chain;
    auto next = NextOf(chain, extends, files);
    if (!next) return AddFault(std::unexpected(std::move(next).error()), faults), chain;
    chain.push_back(*std::move(next));
  }
}

Json MergeChain(const ProfileChain& chain) {
  Json merged = chain.back().json;
  for (auto source = chain.rbegin() + 1; source != chain.rend(); ++source) MergeOver(&merged, source->json);
  return merged;
}

ProfilePlace PlaceInChain(const ProfileChain& chain, const std::string& json_path) {
  for (const ProfileSource& source : chain)
    if (const JsonPlace place = PlaceInJson(source.text, json_path); place.found) return {Shown(source.path), place.line, source.shipped};
  return {Shown(chain[0].path), PlaceInJson(chain[0].text, json_path).line, chain[0].shipped};
}

ProfilePlace PlaceInChain(const ProfileChain& chain, const std::string& json_path, const std::vector<std::string>& others) {
  const ProfilePlace place = PlaceInChain(chain, json_path);
  if (!place.shipped) return place;
  for (const std::string& other : others)
    if (ProfilePlace own = PlaceInChain(chain, other); !own.shipped) return own;
  return place;
}

std::unexpected<Error> FailAt(const ProfileChain& chain, const std::string& json_path, const std::string& message, const std::string& hint,
                              const std::vector<std::string>& others) {
  const ProfilePlace place = PlaceInChain(chain, json_path, others);
  return Fail(ErrorKind::kInvalid, place.file + ":" + std::to_string(place.line) + ": " + Shown(json_path, 200) + ": " + Shown(message), hint);
}

}  // namespace paddock::sandbox
