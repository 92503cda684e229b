#include "orchestrator/cli/choose_model.h"

#include <cstring>

#include "base/nearest.h"
#include "base/text.h"
#include "orchestrator/providers/server_model.h"
#include "orchestrator/providers/http_process.h"

namespace paddock::orchestrator {
namespace {

constexpr char kScripted[] = "scripted:";

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
  chosen.endpoint = TRY(ResolveEndpoint(flags.model, settings, ModelEnvironment(settings.key_env)));
  return chosen;
}

}  // namespace

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
    chosen.endpoint = TRY(ResolveEndpoint(flags.model, found->second, ModelEnvironment(found->second.key_env)));
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

std::unique_ptr<agentcore::Model> MakeModel(ChosenModel chosen, const std::string& programs, int cancel_fd, std::function<void(const std::string&)> say) {
  if (chosen.script) return std::make_unique<agentcore::ScriptedModel>(*std::move(chosen.script), "scripted", cancel_fd);
  if (!chosen.endpoint) return nullptr;
  ServerModelSetup setup;
  setup.transport = std::make_unique<HttpProcess>(programs + "/paddock-http", HttpEnvironment(ModelEnvironment("")));
  setup.endpoint = *std::move(chosen.endpoint);
  setup.gate = SharedGate(setup.endpoint.url, setup.endpoint.key, GateOf(setup.endpoint.settings));
  setup.cancel_fd = cancel_fd;
  setup.on_retry = std::move(say);
  return std::make_unique<ServerModel>(std::move(setup));
}

}  // namespace paddock::orchestrator
