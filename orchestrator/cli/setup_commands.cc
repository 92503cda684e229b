// What there is to work with: models, profile, subagents, doctor.
#include <memory>

#include "orchestrator/cli/commands.h"
#include "orchestrator/cli/doctor.h"
#include "orchestrator/cli/models.h"
#include "orchestrator/cli/profiles.h"
#include "orchestrator/cli/subagents.h"

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
               "Exit status: 0 every model answered and called its tool, 1 one did not, 2 bad usage or settings.");
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
  CLI::App* list = subagents->add_subcommand("list", "The subagents that come with paddock, and your own");
  CLI::App* show = subagents->add_subcommand("show", "What a subagent's model is told, word for word");
  show->add_option("name", options->name, "Name of the subagent");
  for (CLI::App* command : {list, show}) command->add_flag("--json", options->json, "Print one line of JSON");
  list->footer("Example: paddock subagents list");
  show->footer("Example: paddock subagents show explorer");
  commands->push_back({list, [options] { return RunSubagentsList(*options); }});
  commands->push_back({show, [options] { return RunSubagentsShow(*options); }});
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
  AddDoctor(app, commands);
}

}  // namespace paddock::orchestrator
