#include "orchestrator/cli/choose_model.h"

#include <cstring>

#include "agentcore/pipeline/wrap.h"
#include "base/nearest.h"
#include "base/sha256.h"
#include "base/text.h"
#include "orchestrator/providers/fallback_model.h"
#include "orchestrator/providers/http_process.h"
#include "orchestrator/providers/server_model.h"
#include "sandbox/profile_paths.h"

namespace paddock::orchestrator {
namespace {

constexpr char kScripted[] = "scripted:";

// With its key; a replayed one needs none, but knows it where it is there.
Result<Endpoint> Resolve(const std::string& name, ModelSettings settings, bool replayed) {
  auto endpoint = ResolveEndpoint(name, settings, ModelEnvironment(settings.key_env));
  if (endpoint || !replayed) return endpoint;
  settings.key_env.clear();
  settings.key_file.clear();
  return ResolveEndpoint(name, settings, ModelEnvironment(""));
}

Result<ChosenModel> OfFlags(const ModelFlags& flags) {
  if (flags.model.empty()) return Fail(ErrorKind::kInvalid, "--base-url without --model", "name the model as that server does: --model NAME");
  ModelSettings settings;
  settings.base_url = flags.base_url;
  settings.model = flags.model;
  settings.key_env = flags.key_env;
  settings.key_file = flags.key_file;
  // The same bounds as for config.json.
  Json json = ToJson(settings);
  if (!flags.protocol.empty()) json["protocol"] = flags.protocol;
  settings = TRY(FromJson<ModelSettings>(json));
  ChosenModel chosen;
  chosen.name = flags.model;
  chosen.endpoint = TRY(Resolve(flags.model, settings, !flags.replay_cassette.empty()));
  return chosen;
}

std::unique_ptr<ServerModel> MakeServerModel(Endpoint endpoint, const ModelUse& use) {
  ServerModelSetup setup;
  setup.transport = std::make_unique<HttpProcess>(SharedHttpPool(endpoint.url, endpoint.key, use.programs + "/paddock-http", HttpEnvironment(ModelEnvironment(""))));
  const bool replays = use.cassette && use.cassette->replays();
  if (use.cassette) setup.transport = use.cassette->Transport(std::move(setup.transport), endpoint.key);
  // What is replayed waits for nobody.
  if (replays) setup.waits = false;
  else setup.gate = SharedGate(endpoint.url, endpoint.key, GateOf(endpoint.settings));
  setup.endpoint = std::move(endpoint);
  setup.cancel_fd = use.cancel_fd;
  setup.on_retry = use.say;
  return std::make_unique<ServerModel>(std::move(setup));
}

}  // namespace

std::vector<agentcore::KnownSecret> ChosenModel::keys() const {
  std::vector<agentcore::KnownSecret> keys;
  if (endpoint && !endpoint->key.empty()) keys.push_back({"api-key", endpoint->key});
  for (const Endpoint& one : fallbacks)
    if (!one.key.empty()) keys.push_back({"api-key", one.key});
  return keys;
}

Result<int64_t> ReadMaxCost(const std::string& text) {
  auto micros = ReadDollars(text);
  if (!micros) return Fail(ErrorKind::kInvalid, "--max-cost " + micros.error().message);
  return micros;
}

Status HasPrices(const ChosenModel& chosen, const subagents::Budget& budget) {
  if (!budget.cost_micros || !chosen.endpoint) return {};
  std::vector<const Endpoint*> all{&*chosen.endpoint};
  for (const Endpoint& one : chosen.fallbacks) all.push_back(&one);
  for (const Endpoint* one : all)
    if (!one->settings.price)
      return Fail(ErrorKind::kInvalid, "a bound of money, but no price is known for the model \"" + VisibleText(one->name, Newlines::kEscape) + "\"",
                  "set its price in config.json: \"price\": {\"input\": 3, \"output\": 15}, in US dollars for a million tokens");
  return {};
}

Result<ChosenModel> ChooseModel(const ModelFlags& flags, const Config& config) {
  if (!flags.base_url.empty()) return OfFlags(flags);
  if (!flags.key_env.empty() || !flags.key_file.empty() || !flags.protocol.empty())
    return Fail(ErrorKind::kInvalid, "--key-env, --key-file and --protocol belong to --base-url", "for a model of config.json, key_env, key_file and protocol stand there");
  ChosenModel chosen;
  if (flags.model.empty() || flags.model == "playbook") return chosen;
  chosen.name = flags.model;
  if (flags.model.starts_with(kScripted)) {
    const std::string path = flags.model.substr(std::strlen(kScripted));
    if (path.empty()) return Fail(ErrorKind::kInvalid, "--model scripted: names no file", "expected scripted:FILE");
    auto script = agentcore::LoadScript(path);
    if (!script) return Fail(ErrorKind::kInvalid, script.error().message, script.error().hint);
    chosen.name = "scripted";
    chosen.script = *std::move(script);
    return chosen;
  }
  if (auto found = config.models.find(flags.model); found != config.models.end()) {
    const bool replayed = !flags.replay_cassette.empty();
    chosen.endpoint = TRY(Resolve(flags.model, found->second, replayed));
    for (const std::string& name : FallbackNames(config, flags.model)) chosen.fallbacks.push_back(TRY(Resolve(name, config.models.at(name), replayed)));
    return chosen;
  }
  std::vector<std::string> known{"playbook", "scripted:FILE"};
  for (const auto& [name, settings] : config.models) known.push_back(name);
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  std::string hint = NearestHint(flags.model, known);
  if (hint.empty()) hint = "add it to models in " + (ConfigFolder().empty() ? "config.json" : ConfigFolder() + "/config.json") + ", or give --base-url";
  return Fail(ErrorKind::kNotFound, "no model named \"" + VisibleText(TruncateUtf8(flags.model, 64), Newlines::kEscape) + "\"; known: " + list, hint);
}

std::string WantedModel(const ModelFlags& flags) {
  std::string name = flags.model;
  if (name.empty() && flags.base_url.empty())
    if (const auto config = LoadConfig()) name = config->default_model;
  return name.empty() ? ChosenModel().name : VisibleText(TruncateUtf8(name, 64), Newlines::kEscape);
}

Result<std::unique_ptr<Cassette>> OpenCassette(const ModelFlags& flags, const ChosenModel& chosen, const std::string& repository) {
  const bool records = !flags.record_cassette.empty(), replays = !flags.replay_cassette.empty();
  if (!records && !replays) return nullptr;
  if (records && replays) return Fail(ErrorKind::kInvalid, "--record-cassette and --replay-cassette: expected one of them");
  const std::string& path = records ? flags.record_cassette : flags.replay_cassette;
  if (!chosen.endpoint)
    return Fail(ErrorKind::kInvalid, std::string(records ? "--record-cassette" : "--replay-cassette") + ": no language model drives this run, so there is nothing to " + (records ? "record" : "replay"), "name one with --model");
  if (!repository.empty() && sandbox::LeadsThrough(path, repository))
    return Fail(ErrorKind::kInvalid, VisibleText(path, Newlines::kEscape) + ": lies in the repository or is reached through it", "a cassette would be a part of what it records: choose another folder");
  auto cassette = TRY(records ? RecordCassette(path) : ReplayCassette(path));
  agentcore::UseWrapSeed(cassette->wrap_seed());
  return cassette;
}

std::unique_ptr<agentcore::Model> MakeModel(ChosenModel chosen, const ModelUse& use) {
  if (chosen.script) return std::make_unique<agentcore::ScriptedModel>(*std::move(chosen.script), "scripted", use.cancel_fd);
  if (!chosen.endpoint) return nullptr;
  if (chosen.fallbacks.empty()) return MakeServerModel(*std::move(chosen.endpoint), use);
  FallbackSetup setup;
  const auto add = [&](Endpoint endpoint) {
    const std::string name = endpoint.name;
    const bool replays = use.cassette && use.cassette->replays();
    setup.replays = replays;
    auto breaker = replays ? std::make_shared<Breaker>() : SharedBreaker(endpoint.url + " " + endpoint.settings.model + "\n" + Sha256Hex(endpoint.key));
    setup.chain.push_back({name, MakeServerModel(std::move(endpoint), use), std::move(breaker)});
  };
  add(*std::move(chosen.endpoint));
  for (Endpoint& endpoint : chosen.fallbacks) add(std::move(endpoint));
  setup.on_switch = [say = use.say, tell = use.on_switch, events = use.events, redactor = use.redactor](const ModelSwitch& what) {
    const std::string why = agentcore::OrCommonKinds(redactor).Redact(what.why);
    if (events) events->Record("model_switched", Json{{"from", what.from}, {"to", what.to}, {"why", why}});
    if (tell) tell({what.from, what.to, why});
    else if (say) say("now " + what.to + " instead of " + what.from + ": " + why);
  };
  return std::make_unique<FallbackModel>(std::move(setup));
}

}  // namespace paddock::orchestrator
