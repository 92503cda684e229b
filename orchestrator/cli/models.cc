#include "orchestrator/cli/models.h"

#include <algorithm>

#include "base/text.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/providers/http_process.h"
#include "orchestrator/providers/model_test.h"

namespace paddock::orchestrator {
namespace {

constexpr int64_t kTestMs = 60'000;

// One model of config.json, as it is listed.
struct ListedModel {
  std::string name, model, base_url, key_from;
  bool is_default = false;
  bool usable = false;
  std::optional<int64_t> context_window;
  std::vector<std::string> fallback;
  std::string error, hint;
  ModelProtocol protocol = ModelProtocol::kChat;
  ModelEffort effort = ModelEffort::kDefault;
  std::optional<ModelPrice> price;
  int64_t at_once = 0;
  std::optional<int64_t> per_minute;
};
inline auto Fields(FieldsOf<ListedModel>) {
  return std::make_tuple(Required("name", &ListedModel::name, "what --model takes"), Required("model", &ListedModel::model, "its name at the server"),
                         Required("base_url", &ListedModel::base_url, "of the server"), Required("key_from", &ListedModel::key_from, "$VARIABLE, a file, or none"),
                         Required("default", &ListedModel::is_default, "used where nothing else is said"),
                         Required("usable", &ListedModel::usable, "its settings are sound and its key is there"),
                         Required("context_window", &ListedModel::context_window, "by config.json or known of the model; null: its server is asked"),
                         Required("fallback", &ListedModel::fallback, "who is asked where it can't be"),
                         Required("error", &ListedModel::error, "why not, or empty"), Required("hint", &ListedModel::hint, "what to do, or empty"),
                         Required("protocol", &ListedModel::protocol, "how its server is spoken to"), Required("effort", &ListedModel::effort, "how much it is to reason"),
                         Required("price", &ListedModel::price, "US dollars for a million tokens; null: not known"), Required("at_once", &ListedModel::at_once, "most requests at a time"),
                         Required("per_minute", &ListedModel::per_minute, "most requests a minute; null: no bound"));
}

std::string Visible(const std::string& text) { return VisibleText(text, Newlines::kEscape); }
std::string Padded(const std::string& text, size_t width) { return text + std::string(width > text.size() ? width - text.size() : 0, ' '); }

std::string Dollars(double dollars) {
  std::string text = std::to_string(dollars);
  text.erase(text.find_last_not_of('0') + 1);
  return "$" + (text.ends_with('.') ? text.substr(0, text.size() - 1) : text);
}

// What is set otherwise than it would be by itself.
std::string OddSettings(const ListedModel& one) {
  const ModelSettings usual;
  std::string text;
  if (one.protocol != usual.protocol) text += std::string("  protocol: ") + NameOf(one.protocol);
  if (one.effort != usual.effort) text += std::string("  effort: ") + NameOf(one.effort);
  if (one.price) {
    text += "  price: " + Dollars(one.price->input) + " in, " + Dollars(one.price->output) + " out";
    if (one.price->cached_input) text += ", " + Dollars(*one.price->cached_input) + " cached";
  }
  if (one.at_once != usual.at_once) text += "  at_once: " + std::to_string(one.at_once);
  if (one.per_minute) text += "  per_minute: " + std::to_string(*one.per_minute);
  return text;
}

std::string FromWhom(const std::string& source) {
  if (source == "assumed") return "assumed: set context_window in config.json to what its server was started with";
  return source == "server" ? "by its server" : source == "known" ? "as known of the model" : "by config.json";
}

std::string KeyText(const std::string& source) { return source == "none" ? ", no key" : ", key from " + Visible(source); }

std::string Shown(const ModelTestResult& one) {
  std::string text = Visible(one.name) + "  " + Visible(one.model) + " at " + Visible(one.base_url) + KeyText(one.key_from) + "\n";
  const auto line = [&](const char* what, const std::string& value) { text += "  " + Padded(what, 11) + value + "\n"; };
  if (one.answered) {
    line("answer", "whole after " + std::to_string(*one.whole_ms) + " ms" + (one.first_word_ms ? ", first word after " + std::to_string(*one.first_word_ms) + " ms" : ""));
    if (one.context_window) line("window", std::to_string(*one.context_window) + " tokens " + FromWhom(one.window_from));
    line("tool call", one.called_tool ? "yes" : "no");
    line("tokens", one.counted_tokens ? std::to_string(*one.input_tokens) + " in, " + std::to_string(*one.output_tokens) + " out" : "not counted by the server: paddock will estimate them");
  }
  if (!one.error.empty()) line("failed", Visible(one.error));
  if (!one.hint.empty()) line("", Visible(one.hint));
  return text;
}

// One that is to be asked, or why it can't be.
struct AskedModel {
  std::optional<Endpoint> endpoint;
  ModelTestResult unusable;
};

AskedModel AskedOf(const std::string& name, const ModelSettings& settings) {
  auto endpoint = ResolveEndpoint(name, settings, ModelEnvironment(settings.key_env));
  AskedModel one;
  if (endpoint) {
    one.endpoint = *std::move(endpoint);
    return one;
  }
  one.unusable.name = name;
  one.unusable.model = settings.model;
  one.unusable.base_url = WithoutUserinfo(settings.base_url);
  one.unusable.key_from = KeySource(settings);
  one.unusable.error = endpoint.error().message;
  one.unusable.hint = endpoint.error().hint;
  return one;
}

// The flags' or the one named, which must be usable; else all, of which one without its key keeps no other from being asked.
Result<std::vector<AskedModel>> AskedModels(const ModelsOptions& options, const Config& config) {
  ModelFlags flags = options.model;
  if (!options.name.empty() && (!flags.model.empty() || !flags.base_url.empty()))
    return Fail(ErrorKind::kInvalid, "a name of config.json and --model or --base-url: expected one of them", "for a server without settings: --base-url URL --model NAME");
  if (!options.name.empty()) flags.model = options.name;
  std::vector<AskedModel> asked;
  if (!flags.model.empty() || !flags.base_url.empty()) {
    ChosenModel chosen = TRY(ChooseModel(flags, config));
    if (!chosen.endpoint) return Fail(ErrorKind::kInvalid, "\"" + flags.model + "\" is no language model: there is nothing to test");
    asked.push_back({std::move(chosen.endpoint), {}});
  } else {
    for (const auto& [name, settings] : config.models) asked.push_back(AskedOf(name, settings));
  }
  if (asked.empty()) return Fail(ErrorKind::kNotFound, "no models are set up", "paddock models list shows how; or give --base-url and --model");
  return asked;
}

ServerModelSetup SetupOf(Endpoint endpoint, const std::string& programs, int cancel_fd) {
  ServerModelSetup setup;
  setup.gate = SharedGate(endpoint.url, endpoint.key, GateOf(endpoint.settings));
  setup.transport = std::make_unique<HttpProcess>(SharedHttpPool(endpoint.url, endpoint.key, programs + "/paddock-http", HttpEnvironment(ModelEnvironment(""))));
  setup.endpoint = std::move(endpoint);
  setup.cancel_fd = cancel_fd;
  return setup;
}

}  // namespace

int RunModelsList(const ModelsOptions& options) {
  auto config = LoadConfig();
  if (!config) return PrintError(config.error()), kExitUsage;
  std::vector<ListedModel> models;
  size_t name_width = 4, model_width = 5, url_width = 6;
  for (const auto& [name, settings] : config->models) {
    ListedModel one{name, settings.model, WithoutUserinfo(settings.base_url), KeySource(settings), name == config->default_model, true, {}, FallbackNames(*config, name), "", "", settings.protocol, settings.effort, settings.price, settings.at_once, settings.per_minute};
    if (const ContextWindow window = SettledWindow(settings); window.tokens > 0) one.context_window = window.tokens;
    if (auto endpoint = ResolveEndpoint(name, settings, ModelEnvironment(settings.key_env)); !endpoint) {
      one.usable = false;
      one.error = endpoint.error().message;
      one.hint = endpoint.error().hint;
    }
    name_width = std::max(name_width, Visible(name).size() + 2);
    model_width = std::max(model_width, Visible(settings.model).size());
    url_width = std::max(url_width, Visible(one.base_url).size());
    models.push_back(std::move(one));
  }
  if (options.json) {
    Json list = Json::array();
    for (const ListedModel& one : models) list.push_back(ToJson(one));
    return PrintAll(1, DumpJson(Json{{"schema", "paddock/models/1"}, {"models", std::move(list)}}) + "\n") ? kExitCompleted : kExitInternal;
  }
  std::string text;
  if (models.empty()) {
    text = "No language models are set up: playbooks are used, which need none. To add one, write " +
           (ConfigFolder().empty() ? std::string("~/.config/paddock") : Visible(ConfigFolder())) + "/config.json:\n"
           "  {\"schema\": \"paddock/config/1\", \"default_model\": \"local\",\n"
           "   \"models\": {\"local\": {\"base_url\": \"http://127.0.0.1:11434/v1\", \"model\": \"qwen3-coder\"},\n"
           "              \"work\": {\"base_url\": \"https://api.example.com/v1\", \"model\": \"name\", \"key_env\": \"MY_API_KEY\"}}}\n"
           "key_env is the name of the variable that holds the key; key_file would be a file with it.\n";
  }
  for (const ListedModel& one : models) {
    text += Padded(Visible(one.name) + (one.is_default ? " *" : ""), name_width) + "  " + Padded(Visible(one.model), model_width) + "  " +
            Padded(Visible(one.base_url), url_width) + "  key: " + Visible(one.key_from) + "  window: " + (one.context_window ? std::to_string(*one.context_window) : "asked of the server");
    for (size_t i = 0; i < one.fallback.size(); ++i) text += (i == 0 ? "  else: " : ", ") + one.fallback[i];
    text += OddSettings(one) + "\n";
    if (!one.usable) text += "  not usable: " + Visible(one.error) + "\n" + (one.hint.empty() ? "" : "  " + Visible(one.hint) + "\n");
  }
  if (std::any_of(models.begin(), models.end(), [](const ListedModel& one) { return one.is_default; })) text += "* used where no other is named\n";
  return PrintAll(1, text) ? kExitCompleted : kExitInternal;
}

int RunModelsTest(const ModelsOptions& options) {
  auto cancel_fd = StopDescriptor();
  if (!cancel_fd) return PrintError(cancel_fd.error()), kExitInternal;
  auto config = LoadConfig();
  if (!config) return PrintError(config.error()), kExitUsage;
  int64_t ms = kTestMs;
  if (options.timeout) {
    auto given = ReadTimeout(*options.timeout);
    if (!given) return PrintError(given.error()), kExitUsage;
    ms = *given;
  }
  auto programs = ProgramsFolder();
  if (!programs) return PrintError(programs.error()), kExitInternal;
  auto asked = AskedModels(options, *config);
  if (!asked) return PrintError(asked.error()), kExitUsage;
  bool all_well = true;
  Json list = Json::array();
  for (AskedModel& one : *asked) {
    const ModelTestResult result = one.endpoint ? TestModel(SetupOf(*std::move(one.endpoint), *programs, *cancel_fd), Deadline::After(std::chrono::milliseconds(ms))) : one.unusable;
    if (StopSignal()) return kExitSignalBase + StopSignal();
    all_well = all_well && result.called_tool;
    if (options.json) list.push_back(ToJson(result));
    else if (!PrintAll(1, Shown(result))) return kExitInternal;
  }
  if (options.json && !PrintAll(1, DumpJson(Json{{"schema", "paddock/models-test/1"}, {"models", std::move(list)}}) + "\n")) return kExitInternal;
  return all_well ? kExitCompleted : kExitNotCompleted;
}

}  // namespace paddock::orchestrator
