#include "orchestrator/cli/odd_words.h"

#include <algorithm>
#include <cctype>

#include "base/nearest.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

std::string Shown(const std::string& word) { return VisibleText(TruncateUtf8(word, 100), Newlines::kEscape); }

// The innermost command that the words name.
struct NamedCommand {
  const CLI::App* app = nullptr;
  std::string name;  // as it is called: "trust show"; empty: none is named
  std::string next;  // the word behind it, or empty
};

NamedCommand Named(const CLI::App& app, const std::vector<std::string>& words) {
  NamedCommand named{&app, "", ""};
  size_t i = 1;
  for (; i < words.size(); ++i) {
    const auto below = named.app->get_subcommands([&](const CLI::App* one) { return one->get_name() == words[i]; });
    if (below.empty()) break;
    named.app = below.front();
    named.name += (named.name.empty() ? "" : " ") + words[i];
  }
  if (i < words.size()) named.next = words[i];
  return named;
}

std::string SeeHelpOf(const std::string& command) {
  return command.empty() ? "see paddock --help, or paddock COMMAND --help" : "see paddock " + command + " --help";
}

std::vector<std::string> NamesBelow(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) names.push_back(one->get_name());
  return names;
}

std::string Joined(const std::vector<std::string>& names, const char* between) {
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : between) + one;
  return list;
}

// What was meant by a word that names no command below this one: one with nearly that name, or commands of that name that stand deeper.
std::string MeantHint(const NamedCommand& named) {
  const std::string nearest = NearestHint(named.next, NamesBelow(*named.app));
  if (!nearest.empty()) return nearest;
  std::vector<std::string> deeper;
  for (const CLI::App* one : named.app->get_subcommands([](const CLI::App*) { return true; }))
    for (const std::string& name : NamesBelow(*one))
      if (name == named.next) deeper.push_back("paddock " + one->get_name() + " " + name);
  return deeper.empty() ? SeeHelpOf(named.name) : "did you mean " + Joined(deeper, " or ") + "?";
}

std::string ExtrasHint(const std::string& command) {
  if (command == "run") return "options of paddock stand before the command: see paddock run --help";
  if (command == "shell") return "a shell takes no command: for one, paddock run -- COMMAND; see paddock shell --help";
  if (command == "exec") return "a task stands in quotes: paddock exec \"how is this tested?\"";
  if (command == "investigate") return "a goal stands in quotes: paddock investigate explorer \"what is this?\"";
  return SeeHelpOf(command);
}

Error Odd(std::string message, std::string hint) { return Error{ErrorKind::kInvalid, std::move(message), std::move(hint), 0}; }

}  // namespace

std::optional<Error> NoSuchCommand(const CLI::App& app, const std::vector<std::string>& words) {
  const NamedCommand named = Named(app, words);
  const std::vector<std::string> below = NamesBelow(*named.app);
  if (below.empty() || named.next.empty() || named.next.starts_with("-")) return {};
  const std::string known = "\"" + Shown(named.next) + "\"; known: " + Joined(below, ", ");
  return Odd(named.name.empty() ? "there is no command " + known : "paddock " + named.name + ": there is no " + known, MeantHint(named));
}

Error OddWords(const CLI::App& app, const CLI::ParseError& fault, const std::vector<std::string>& words) {
  if (auto none = NoSuchCommand(app, words)) return *std::move(none);
  const NamedCommand named = Named(app, words);
  const std::vector<std::string> below = NamesBelow(*named.app);
  if (!named.name.empty() && !below.empty() && named.next.empty()) return Odd("paddock " + named.name + ": what is to be done is missing", "known: " + Joined(below, ", "));
  if (fault.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return Odd(fault.what(), SeeHelpOf(named.name));
  // CLI11 names them from the last to the first. An option says more than its value.
  std::vector<std::string> options;
  for (const CLI::Option* one : named.app->get_options()) {
    for (const std::string& name : one->get_lnames()) options.push_back("--" + name);
    for (const std::string& name : one->get_snames()) options.push_back("-" + name);
  }
  for (const std::string& word : words) {
    if (word == "--") break;
    const bool is_long = word.starts_with("--");
    if (!word.starts_with("-") || word.size() < 2 || (!is_long && !std::isalpha(static_cast<unsigned char>(word[1])))) continue;
    const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (std::find(options.begin(), options.end(), name) != options.end()) continue;
    const std::string nearest = is_long ? NearestHint(name, options) : "";
    return Odd("there is no option " + Shown(name) + (named.name.empty() ? "" : " of paddock " + named.name), nearest.empty() ? SeeHelpOf(named.name) : nearest);
  }
  return Odd(fault.what(), ExtrasHint(named.name));
}

}  // namespace paddock::orchestrator
