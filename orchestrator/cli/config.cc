#include "orchestrator/cli/config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "agentcore/tools/hidden_names.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "sandbox/profile_paths.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxFileBytes = 1u << 20;

bool IsName(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// Names of the user's files with this ending in a folder of the config folder.
std::vector<std::string> OwnNames(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(ConfigFolder() + "/" + folder, ignored)) {
    std::string name = entry.path().filename();
    if (name.ends_with(ending) && IsName(name.substr(0, name.size() - ending.size())))
      names.push_back(name.substr(0, name.size() - ending.size()));
  }
  return names;
}

std::vector<std::string> Joined(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::unexpected<Error> Unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  return Fail(ErrorKind::kNotFound, "no " + what + " named \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"; known: " + list,
              NearestHint(name, known));
}

// A file of the user's with the name of a shipped thing would have to be ignored: so it is an error.
Status NotShadowed(const std::vector<std::string>& own, const std::string& name, const std::string& path) {
  if (std::find(own.begin(), own.end(), name) == own.end()) return {};
  return Fail(ErrorKind::kInvalid, VisibleText(path, Newlines::kEscape) + ": \"" + name + "\" comes with paddock and can't be replaced",
              "give it another name; a profile can extend the shipped one");
}

// Each fallback is there, and none leads back.
Status CheckFallbacks(const Config& config, const std::string& name, std::vector<std::string> way) {
  way.push_back(name);
  const std::vector<std::string>& fallbacks = config.models.at(name).fallback;
  for (size_t i = 0; i < fallbacks.size(); ++i) {
    const std::string& next = fallbacks[i];
    const std::string where = "$.models." + name + ".fallback[" + std::to_string(i) + "]: \"" + VisibleText(TruncateUtf8(next, 64), Newlines::kEscape) + "\" ";
    if (!config.models.contains(next)) {
      std::vector<std::string> known;
      for (const auto& [other, settings] : config.models) known.push_back(other);
      return Fail(ErrorKind::kInvalid, where + "is none of $.models", NearestHint(next, known));
    }
    if (auto seen = std::find(way.begin(), way.end(), next); seen != way.end()) {
      std::string circle;
      for (; seen != way.end(); ++seen) circle += *seen + " → ";
      return Fail(ErrorKind::kInvalid, where + "leads in a circle: " + circle + next, "a model must not be its own fallback");
    }
    TRY(CheckFallbacks(config, next, way));
  }
  return {};
}

void AddFallbacks(const Config& config, const std::string& model, std::vector<std::string>* names) {
  const auto found = config.models.find(model);
  if (found == config.models.end()) return;
  for (const std::string& name : found->second.fallback) {
    if (std::find(names->begin(), names->end(), name) != names->end()) continue;
    names->push_back(name);
    AddFallbacks(config, name, names);
  }
}

std::string ProfilesFolder() { return ConfigFolder() + "/profiles"; }

// Of a file of a profile.
Status OutsideRepository(const std::string& path, const std::string& repository) {
  if (!sandbox::LeadsThrough(path, repository)) return {};
  return Fail(ErrorKind::kInvalid, VisibleText(path, Newlines::kEscape) + ": lies in the repository or is reached through it, and a repository's own files don't say what a jail may do",
              "read it, and copy it to " + VisibleText(ProfilesFolder(), Newlines::kEscape));
}

// A file is known by its own name: what stands in it must be the same.
template <class T>
Result<T> Named(T thing, const std::string& name, const std::string& path) {
  if (thing.name == name) return thing;
  return Fail(ErrorKind::kInvalid, VisibleText(path, Newlines::kEscape) + ": name: expected \"" + name + "\" as the file is called, got \"" +
                                       VisibleText(TruncateUtf8(thing.name, 64), Newlines::kEscape) + "\"");
}

}  // namespace

std::string ConfigFolder() {
  const char* xdg = getenv("XDG_CONFIG_HOME");
  if (xdg && *xdg == '/') return std::string(xdg) + "/paddock";
  const char* home = getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.config/paddock" : std::string();
}

Result<std::string> ReadSmallFile(const std::string& path, size_t max_bytes) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const std::string shown = VisibleText(path, Newlines::kEscape);
  if (!fd) {
    auto failed = FailErrno(shown);
    if (failed.error().sys_errno == ENOENT || failed.error().sys_errno == ENOTDIR) failed.error().kind = ErrorKind::kNotFound;
    return failed;
  }
  struct stat info;
  if (fstat(fd.get(), &info) < 0) return FailErrno(shown);
  if (!S_ISREG(info.st_mode)) return Fail(ErrorKind::kInvalid, shown + ": not a regular file");
  std::string text;
  char chunk[16384];
  for (;;) {
    ssize_t n = read(fd.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno(shown);
    if (n == 0) return text;
    text.append(chunk, static_cast<size_t>(n));
    if (text.size() > max_bytes) return Fail(ErrorKind::kInvalid, shown + ": more than " + std::to_string(max_bytes >> 20) + " MiB");
  }
}

Result<Config> LoadConfig() {
  Config config;
  if (ConfigFolder().empty()) return config;
  const std::string path = ConfigFolder() + "/config.json";
  auto text = ReadSmallFile(path);
  if (!text && text.error().kind == ErrorKind::kNotFound) return config;
  if (!text) return Fail(ErrorKind::kInvalid, text.error().message);
  auto json = ParseJson(*text, {.max_bytes = kMaxFileBytes, .comments = true});
  if (!json) return Fail(ErrorKind::kInvalid, path + ": " + json.error().message);
  if (auto models = json->is_object() ? json->find("models") : json->end(); json->is_object() && models != json->end() && models->is_object())
    for (const Json& one : *models)
      for (const char* key : {"api_key", "apiKey", "key", "token"})
        if (one.is_object() && one.contains(key))
          return Fail(ErrorKind::kInvalid, path + ": $.models: \"" + key + "\": keys don't stand in this file", "name the variable that holds it in key_env, or the file in key_file");
  auto read = FromJson<Config>(*json);
  // Names of models are in the JSON path of a message, whatever they are.
  if (!read) return Fail(ErrorKind::kInvalid, path + ": " + std::string(TruncateUtf8(VisibleText(read.error().message, Newlines::kEscape), 1000)), read.error().hint);
  if (read->schema != config.schema) return Fail(ErrorKind::kInvalid, path + ": $.schema: expected \"" + config.schema + "\"");
  for (const auto& [name, settings] : read->models)
    if (!IsName(name) || name == "playbook") return Fail(ErrorKind::kInvalid, path + ": $.models: \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\": expected a name of a-z, 0-9 and -, at most 64, other than playbook");
  for (const auto& [name, settings] : read->models)
    if (auto sound = CheckFallbacks(*read, name, {}); !sound) return Fail(ErrorKind::kInvalid, path + ": " + sound.error().message, sound.error().hint);
  if (!read->default_model.empty() && read->default_model != "playbook" && !read->models.contains(read->default_model))
    return Fail(ErrorKind::kInvalid, path + ": $.default_model: \"" + VisibleText(TruncateUtf8(read->default_model, 64), Newlines::kEscape) + "\" is none of $.models");
  return read;
}

std::vector<std::string> FallbackNames(const Config& config, const std::string& model) {
  std::vector<std::string> names;
  AddFallbacks(config, model, &names);
  std::erase(names, model);
  return names;
}

Result<sandbox::LoadedProfile> FindProfile(const std::string& wanted, const std::string& repository, sandbox::Faults* further) {
  sandbox::ProfileFiles files;
  files.own_folder = ProfilesFolder();
  files.own = OwnNames("profiles", ".json");
  files.read = [&](const std::string& path) -> Result<std::string> {
    if (!repository.empty()) TRY(OutsideRepository(path, repository));
    return ReadSmallFile(path);
  };
  files.check_hide = [](const std::string& pattern) -> Status {
    TRY(agentcore::HiddenNames::Parse({pattern}));
    return {};
  };
  return sandbox::LoadProfile(wanted, files, further);
}

Status OutsideRepository(const sandbox::ProfileChain& chain, const std::string& repository) {
  for (size_t i = 0; i < chain.size(); ++i) {
    if (chain[i].shipped) continue;
    auto outside = OutsideRepository(chain[i].path, repository);
    if (!outside) return i == 0 ? outside : sandbox::FailAt({chain[i - 1]}, "$.extends", outside.error().message, outside.error().hint);
  }
  return {};
}

std::vector<OwnProfile> OwnProfiles() {
  std::vector<OwnProfile> profiles;
  for (const std::string& name : Joined(OwnNames("profiles", ".json"), {})) profiles.push_back({name, ProfilesFolder() + "/" + name + ".json"});
  return profiles;
}

std::vector<std::string> OwnDefinitionNames() {
  std::vector<std::string> names = OwnNames("subagents", ".md");
  std::sort(names.begin(), names.end());
  return names;
}

Result<subagents::Definition> FindDefinition(const std::string& name, const std::vector<std::string>& tools) {
  subagents::DefinitionNames known{tools, Joined(sandbox::ShippedProfileNames(), OwnNames("profiles", ".json"))};
  const std::vector<std::string> shipped = subagents::BuiltinDefinitionNames();
  const std::vector<std::string> own = OwnNames("subagents", ".md");
  const std::string path = ConfigFolder() + "/subagents/" + name + ".md";
  if (std::find(shipped.begin(), shipped.end(), name) != shipped.end()) {
    TRY(NotShadowed(own, name, path));
    return subagents::BuiltinDefinition(name, known);
  }
  if (std::find(own.begin(), own.end(), name) == own.end()) return Unknown("subagent", name, Joined(shipped, own));
  return Named(TRY(subagents::ParseDefinition(TRY(ReadSmallFile(path)), path, known)), name, path);
}

}  // namespace paddock::orchestrator
