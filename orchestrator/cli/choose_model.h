// Which model drives a run: the flags, else the definition's, else the user's default, else the playbook.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/model/scripted.h"
#include "agentcore/pipeline/redact.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/providers/cassette.h"
#include "orchestrator/providers/endpoint.h"
#include "orchestrator/session/event_sink.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

// What the command line said, unchecked.
struct ModelFlags {
  std::string model;     // a name of config.json, playbook or scripted:FILE; with base_url: the model's name there
  std::string base_url;  // a server without an entry in config.json
  std::string key_env, key_file;
  std::string protocol;  // of that server: chat, responses or messages
  std::string record_cassette, replay_cassette;  // files; at most one of them
};

struct ModelSwitch;

// Exactly one of endpoint and script is set, or neither: the playbook.
struct ChosenModel {
  std::string name = "playbook";
  std::optional<Endpoint> endpoint;
  std::vector<Endpoint> fallbacks;  // asked in this order where that one can't be
  std::optional<agentcore::Script> script;

  // Of all of them, for a redactor.
  std::vector<agentcore::KnownSecret> keys() const;
};

// kNotFound lists the known, kInvalid names the flag or the setting. The key is read here, once.
Result<ChosenModel> ChooseModel(const ModelFlags& flags, const Config& config);

// Its name where a run was refused before one was chosen: what was asked for, else what the settings say. For people.
std::string WantedModel(const ModelFlags& flags);

// Of --max-cost: millionths of a US dollar.
Result<int64_t> ReadMaxCost(const std::string& text);
// A bound of money can be kept only where the price of each model is known.
Status HasPrices(const ChosenModel& chosen, const subagents::Budget& budget);

// The cassette that the flags name, null where they name none. From here on all untrusted content is marked as it says. Call it
// before any conversation begins. `repository`: a cassette does not lie in it.
Result<std::unique_ptr<Cassette>> OpenCassette(const ModelFlags& flags, const ChosenModel& chosen, const std::string& repository);

// What a model is made with. All borrowed, and outlive it.
struct ModelUse {
  std::string programs;                                // the folder of paddock-http
  int cancel_fd = -1;
  std::function<void(const std::string&)> say = {};    // told when a question is asked again, or another model is
  std::function<void(const ModelSwitch&)> on_switch = {};  // told of the latter instead, where it is set
  EventSink* events = nullptr;                         // "model_switched"; may be null
  const agentcore::Redactor* redactor = nullptr;       // of what is recorded; may be null
  Cassette* cassette = nullptr;                        // may be null
};

// Null for the playbook.
std::unique_ptr<agentcore::Model> MakeModel(ChosenModel chosen, const ModelUse& use);

}  // namespace paddock::orchestrator
