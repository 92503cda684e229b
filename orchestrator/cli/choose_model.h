// Which model drives a run: the flags, else the definition's, else the user's default, else the playbook.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agentcore/model/scripted.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/providers/endpoint.h"

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct ModelFlags {
  std::string model;     // a name of config.json, playbook or scripted:FILE; with base_url: the model's name there
  std::string base_url;  // a server without an entry in config.json
  std::string key_env, key_file;
  std::string protocol;  // of that server: chat, responses or messages
};

// Exactly one of endpoint and script is set, or neither: the playbook.
struct ChosenModel {
  std::string name = "playbook";
  std::optional<Endpoint> endpoint;
  std::optional<agentcore::Script> script;
};

// kNotFound lists the known, kInvalid names the flag or the setting. The key is read here, once.
Result<ChosenModel> ChooseModel(const ModelFlags& flags, const Config& config);

// Null for the playbook. `programs` is the folder of paddock-http, `cancel_fd` is borrowed, `say` is told when a
// question is asked again.
std::unique_ptr<agentcore::Model> MakeModel(ChosenModel chosen, const std::string& programs, int cancel_fd, std::function<void(const std::string&)> say);

}  // namespace paddock::orchestrator
