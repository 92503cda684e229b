// What there is to work with: models, profile, subagents, trust, doctor.
#include <memory>

#include "orchestrator/cli/commands.h"
#include "orchestrator/cli/doctor.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/lint_subagents.h"
#include "orchestrator/cli/models.h"
#include "orchestrator/cli/profiles.h"
#include "orchestrator/cli/subagents.h"
#include "orchestrator/cli/trust.h"

namespace paddock::orchestrator {
namespace {

void AddModels(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<ModelsOptions>();
  CLI::App* models = app->add_subcommand("models", "The language models that you have set up");
  models->require_subcommand(1);
  CLI::App* list = models->add_subcommand("list", "What stands in config.json");
  CLI::App* test = models->add_subcommand("test", "Ask a model one small question: does it answer, stream, call tools, count tokens?");
  test->add_option("name", options->name, "Name in config.json (default: all of them)");
  AddModelFlags(test, &options->model);
  test->add_option("--timeout", options->timeout, "Longest time for one model (default: 60s)");
  for (CLI::App* command : {list, test}) command->add_flag("--json", options->json, "Print JSON");
  list->footer("Example: paddock models list");
  test->footer("Example: paddock models test --base-url http://127.0.0.1:8080/v1 --model any\n\n"
               "Exit status: 0 every model answered and called its tool, 1 one did not or has no key, 2 bad usage or settings.");
  commands->push_back({list, [options] { return RunModelsList(*options); }});
  commands->push_back({test, [options] { return RunModelsTest(*options); }});
}

void AddProfile(CLI::App* app, Commands* commands) {
  auto json = std::make_shared<bool>(false);
  CLI::App* profile = app->add_subcommand("profile", "The sandbox profiles, and what they are made of");
  profile->require_subcommand(1);
  CLI::App* list = profile->add_subcommand("list", "The profiles that come with paddock, and your own");
  CLI::App* groups = profile->add_subcommand("groups", "The groups of system calls that a profile can allow");
  for (CLI::App* command : {list, groups}) command->add_flag("--json", *json, "Print one line of JSON, which has more");
  list->footer("Example: paddock profile list");
  groups->footer("Example: paddock profile groups");
  commands->push_back({list, [json] { return RunProfileList(*json); }});
  commands->push_back({groups, [json] { return RunProfileGroups(*json); }});
}

void AddSubagents(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<SubagentsOptions>();
  CLI::App* subagents = app->add_subcommand("subagents", "The subagents that can be sent, and what their models are told");
  subagents->require_subcommand(1);
  CLI::App* list = subagents->add_subcommand("list", "The subagents that come with paddock, your own, and those that you or a repository have for other tools");
  list->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  CLI::App* show = subagents->add_subcommand("show", "What a subagent's model is told, word for word");
  show->add_option("name", options->name, "Name of the subagent");
  show->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  for (CLI::App* command : {list, show}) command->add_flag("--json", options->json, "Print one line of JSON");
  list->footer("Example: paddock subagents list");
  show->footer("Example: paddock subagents show explorer");
  auto lint_options = std::make_shared<LintOptions>();
  CLI::App* lint = subagents->add_subcommand("lint", "What is wrong with definitions, and what of other tools' is not carried over");
  lint->add_option("path", lint_options->paths, "A repository, a folder of agents, or files (default: all that is yours, and the current folder)");
  lint->add_option("--repo", lint_options->paths, "The same, as list and show take it");
  lint->add_flag("--json", lint_options->json, "Print one line of JSON");
  lint->footer("It reads your own, .claude/agents, .gemini/agents, .opencode/agents and .codex/agents, in your home and in the repository.\n\n"
               "Example: paddock subagents lint ~/src/thing\n\n"
               "Exit status: 0 all can be used, 1 there are warnings only, 2 one can't be used, or bad usage, 3 no jail to read them in.");
  commands->push_back({list, [options] { return UnlessStopped(RunSubagentsList(*options)); }});
  commands->push_back({show, [options] { return UnlessStopped(RunSubagentsShow(*options)); }});
  commands->push_back({lint, [lint_options] { return UnlessStopped(RunSubagentsLint(*lint_options)); }});
}

void AddTrust(CLI::App* app, Commands* commands) {
  CLI::App* trust = app->add_subcommand("trust", "The agents that a repository brings along, trusted by the hash of all of them");
  trust->require_subcommand(1);
  auto options = std::make_shared<TrustOptions>();
  const auto add = [&](const char* name, const char* description, int (*perform)(const TrustOptions&)) {
    CLI::App* command = trust->add_subcommand(name, description);
    commands->push_back({command, [options, perform] { return perform(*options); }});
    return command;
  };
  CLI::App* yes = add("add", "Look at the agents of a repository, and trust them as they are", &RunTrustAdd);
  CLI::App* list = add("list", "What is trusted", &RunTrustList);
  CLI::App* show = add("show", "What is trusted of a repository, and what changed since", &RunTrustShow);
  CLI::App* remove = add("remove", "Trust them no more", &RunTrustRemove);
  for (CLI::App* command : {yes, show, remove}) command->add_option("repo,--repo", options->repo, "Folder of the repository (default: the current one)");
  yes->add_flag("--yes", options->yes, "Don't ask");
  for (CLI::App* command : {list, show}) command->add_flag("--json", options->json, "Print one line of JSON");
  for (const auto& [command, example] : {std::pair{yes, "add ~/src/thing"}, {list, "list"}, {show, "show ~/src/thing"}, {remove, "remove ~/src/thing"}})
    command->footer(std::string("Example: paddock trust ") + example +
                    "\n\nOf a repository that is not trusted, or that changed since, no agent is used.\n\n"
                    "Exit status: 0 done, 1 nothing is there or trusted, it changed, or you said no, 2 bad usage, 3 no jail to read them in.");
}

void AddDoctor(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app->add_subcommand("doctor", "Try what this machine can enforce, and say how to mend what is missing");
  command->add_option("--repo", options->repo, "A folder on whose file system it is tried (default: the current one)");
  command->add_flag("--json", options->json, "Print the findings as one line of JSON");
  command->footer("Each step is tried in a child that is gone afterwards; then a jail is built for every profile that ships.\n\n"
                  "Example: paddock doctor --repo ~/src/thing\n\n"
                  "Exit status: 0 every profile works, 1 one is refused, 2 bad usage, 4 paddock itself failed.");
  commands->push_back({command, [options] { return RunDoctor(*options); }});
}

}  // namespace

void AddSetupCommands(CLI::App* app, Commands* commands) {
  AddModels(app, commands);
  AddProfile(app, commands);
  AddSubagents(app, commands);
  AddTrust(app, commands);
  AddDoctor(app, commands);
}

}  // namespace paddock::orchestrator
