#include "orchestrator/cli/odd_words.h"

#include <algorithm>
#include <cctype>

#include "base/nearest.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr char kSeeHelp[] = "see paddock --help, or paddock COMMAND --help";

std::string Shown(const std::string& word) { return VisibleText(TruncateUtf8(word, 100), Newlines::kEscape); }

std::string SeeHelpOf(const std::string& command) { return command.empty() ? kSeeHelp : "see paddock " + command + " --help"; }

// The innermost command that the words name.
const CLI::App* Named(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (size_t i = 1; i < words.size(); ++i) {
    const auto below = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == words[i]; });
    if (below.empty()) break;
    command = below.front();
  }
  return command;
}

std::vector<std::string> NamesBelow(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) names.push_back(one->get_name());
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  return list;
}

const char* ExtrasHint(const std::string& command) {
  if (command == "run") return "options of paddock stand before the command: see paddock run --help";
  if (command == "shell") return "a shell takes no command: for one, paddock run -- COMMAND; see paddock shell --help";
  if (command == "exec") return "a task stands in quotes: paddock exec \"how is this tested?\"";
  if (command == "investigate") return "a goal stands in quotes: paddock investigate explorer \"what is this?\"";
  return kSeeHelp;
}

}  // namespace

Error OddWords(const CLI::App& app, const CLI::ParseError& fault, const std::vector<std::string>& words) {
  const CLI::App* command = Named(app, words);
  const std::vector<std::string> below = NamesBelow(*command);
  const auto fails = [](std::string message, std::string hint) { return Error{ErrorKind::kInvalid, std::move(message), std::move(hint), 0}; };
  // What stands behind the command's name.
  const auto at = std::find(words.begin(), words.end(), command->get_name());
  const std::string next = at != words.end() && at + 1 != words.end() ? *(at + 1) : "";
  if (command != &app && !below.empty() && (next.empty() || !next.starts_with("-"))) {
    const std::string nearest = NearestHint(next, below);
    if (next.empty()) return fails("paddock " + command->get_name() + ": what is to be done is missing", "known: " + Joined(below));
    return fails("paddock " + command->get_name() + ": there is no \"" + Shown(next) + "\"; known: " + Joined(below), nearest.empty() ? kSeeHelp : nearest);
  }
  if (fault.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return fails(fault.what(), kSeeHelp);
  // CLI11 names them from the last to the first. An option says more than its value.
  std::vector<std::string> options;
  for (const CLI::Option* one : command->get_options()) {
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
    return fails("there is no option " + Shown(name) + (command == &app ? "" : " of paddock " + command->get_name()), nearest.empty() ? SeeHelpOf(command == &app ? "" : command->get_name()) : nearest);
  }
  return fails(fault.what(), ExtrasHint(words.size() > 1 ? words[1] : ""));
}

}  // namespace paddock::orchestrator
