// The user's own settings: $XDG_CONFIG_HOME/paddock/ (default ~/.config/paddock/). Never the repository's.
//
//   config.json              {"schema": "paddock/config/1", "default_model": "local",
//                             "models": {"local": {"base_url": "http://127.0.0.1:11434/v1", "model": "qwen3-coder"}}}
//   subagents/NAME.md        definitions beside the shipped ones
//   profiles/NAME.json       profiles beside the shipped ones
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/fields.h"
#include "orchestrator/agent/subagent_limits.h"
#include "orchestrator/providers/endpoint.h"
#include "sandbox/plan_builder.h"
#include "sandbox/profile.h"
#include "sandbox/profile_json.h"
#include "subagents/definition.h"

namespace paddock::orchestrator {

struct Config {
  std::string schema = "paddock/config/1";
  int64_t jail_uid = sandbox::kRootJailUid;
  std::map<std::string, ModelSettings> models;  // by the name that --model takes
  std::string default_model;                    // empty: playbook
  bool allow_run = false;                       // as --allow-run
  SubagentLimits subagents;                     // of paddock exec
};
inline auto Fields(FieldsOf<Config>) {
  return std::make_tuple(
      Required("schema", &Config::schema, "paddock/config/1"),
      Optional("jail_uid", &Config::jail_uid, "user and group id on the host of root's jails where the repository belongs to root")
          .Min(1).Max(4294967293.0),
      Optional("models", &Config::models, "language models, by the name that --model takes"),
      Optional("default_model", &Config::default_model, "one of models; without it, playbook").MaxLength(64),
      Optional("allow_run", &Config::allow_run, "run what subagents ask for, in the profile build, as --allow-run does"),
      Optional("subagents", &Config::subagents, "how many subagents a run of paddock exec may have"));
}

// Empty when neither XDG_CONFIG_HOME nor HOME is set: then there are only the shipped things.
std::string ConfigFolder();
// The defaults when there is no file. kInvalid: file, JSON path, what was expected.
Result<Config> LoadConfig();

// Who is asked where `model` can't be, in order: its fallbacks, and after each of them that one's own. Each once, and without `model`.
std::vector<std::string> FallbackNames(const Config& config, const std::string& model);

// A shipped one, the user's own by that name, or a file: a path has a `/`. kNotFound lists the known and the nearest.
// Neither it nor what it extends may lie in `repository` or be reached through it (empty: there is none): kInvalid.
// `further`, which may be null, gets its faults beyond the first.
Result<sandbox::LoadedProfile> FindProfile(const std::string& wanted, const std::string& repository = {}, sandbox::Faults* further = nullptr);
// The same of a profile that was read before the repository was known.
Status OutsideRepository(const sandbox::ProfileChain& chain, const std::string& repository);
// The files of the user's own profiles, by name; whether they can be used is not looked at.
struct OwnProfile {
  std::string name, path;
};
std::vector<OwnProfile> OwnProfiles();
// Names of the user's own definitions; whether they can be used is not looked at.
std::vector<std::string> OwnDefinitionNames();
// kNotFound lists the known and the nearest; kInvalid: a fault in the file, or the name of a shipped one.
Result<subagents::Definition> FindDefinition(const std::string& name, const std::vector<std::string>& tools);

// A whole file, a regular one.
Result<std::string> ReadSmallFile(const std::string& path, size_t max_bytes = 1u << 20);

}  // namespace paddock::orchestrator
