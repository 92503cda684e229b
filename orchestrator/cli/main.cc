// paddock: the command line. One file a command; this one only reads the words.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "orchestrator/cli/doctor.h"
#include "orchestrator/cli/exec.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/help_formatter.h"
#include "orchestrator/cli/investigate.h"
#include "orchestrator/cli/models.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/profiles.h"
#include "orchestrator/cli/redact.h"
#include "orchestrator/cli/run.h"
#include "orchestrator/cli/start_up.h"
#include "orchestrator/cli/subagents.h"
#include "orchestrator/cli/tool_call.h"
#include "orchestrator/cli/wrap.h"

namespace {

using namespace paddock;
using namespace paddock::orchestrator;

constexpr char kExitStatuses[] =
    "Exit status: 0 completed, 1 ended otherwise (see the ticket's status), 2 bad usage and nothing was started, "
    "3 failed to start (no jail, or not the one that the profile requires), 4 paddock itself failed, "
    "130, 143 and 129 stopped by SIGINT, SIGTERM and SIGHUP.";

void AddModelFlags(CLI::App* command, ModelFlags* flags) {
  command->add_option("--model", flags->model, "A model of config.json, playbook (no language model) or scripted:FILE; with --base-url its name there");
  command->add_option("--base-url", flags->base_url, "Server of the model, for example http://127.0.0.1:11434/v1");
  command->add_option("--protocol", flags->protocol, "How that server is spoken to: chat (default), responses or messages");
  command->add_option("--key-env", flags->key_env, "Environment variable that holds its key");
  command->add_option("--key-file", flags->key_file, "File that holds its key");
}

void AddCassetteFlags(CLI::App* command, ModelFlags* flags) {
  command->add_option("--record-cassette", flags->record_cassette, "Keep every exchange with the model's server in this new file");
  command->add_option("--replay-cassette", flags->replay_cassette, "Give back what stands in such a file instead of asking a server");
}

CLI::App* AddInvestigate(CLI::App* app, InvestigateOptions* options) {
  CLI::App* command = app->add_subcommand("investigate", "Have a subagent find something out about a repository, in a jail");
  command->add_option("subagent", options->subagent, "Name of the subagent, for example explorer");
  command->add_option("goal", options->goal, "What is to be found out");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--context", options->context, "What you know already");
  AddModelFlags(command, &options->model);
  AddCassetteFlags(command, &options->model);
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m");
  command->add_option("--max-turns", options->max_turns, "Most turns of the model, the report included");
  command->add_option("--max-cost", options->max_cost, "Most US dollars, for example 0.50, by the price of the model in config.json");
  command->add_option("--tools", options->tools, "Only these of the subagent's tools, separated by commas");
  command->add_option("--ticket", options->ticket, "A JSON task ticket (file, or - for standard input) instead of subagent and goal");
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  command->add_flag("--json", options->json, "Print the result ticket as one line of JSON");
  command->footer(std::string("Example: paddock investigate explorer \"how is it built?\" --repo ~/src/thing\n\n") + kExitStatuses);
  return command;
}

CLI::App* AddExec(CLI::App* app, ExecOptions* options) {
  CLI::App* command = app->add_subcommand("exec", "Have the main agent do a task about a repository; nobody is asked anything");
  command->add_option("task", options->task, "What is to be done, in quotes; - reads it from standard input");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--profile", options->profile, "Sandbox profile of its tools (default: read-only); what it hides is hidden from subagents too");
  AddModelFlags(command, &options->model);
  AddCassetteFlags(command, &options->model);
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m (default: 30m)");
  command->add_option("--max-cost", options->max_cost, "Most US dollars of the run and its subagents, by the price of the model in config.json");
  command->add_option("--max-turns", options->max_turns, "Most turns of the model, the answer included (default: 50, with --plan 8)");
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  command->add_flag("--plan", options->plan, "Make a plan only");
  command->add_flag("--json", options->json, "Print what happens as lines of JSON, the last of which is the result (docs/exec-events.md)");
  command->footer(std::string("Its tools look and search, in a jail; subagents run in jails of their own. It changes nothing.\n\n"
                              "Example: paddock exec \"where are requests checked?\" --repo ~/src/thing\n\n") +
                  kExitStatuses);
  return command;
}

struct ToolCommands {
  CLI::App *call = nullptr, *list = nullptr;
};
ToolCommands AddTool(CLI::App* app, ToolCallOptions* options, bool* list_json) {
  CLI::App* tool = app->add_subcommand("tool", "Call one tool in a jail, or list the tools");
  tool->require_subcommand(1);
  ToolCommands commands;
  commands.call = tool->add_subcommand("call", "Call one tool on a repository, in a jail of its own");
  CLI::App* call = commands.call;
  call->add_option("name", options->tool, "Name of the tool, see paddock tool list");
  call->add_option("arguments", options->arguments, "Its arguments: a JSON object");
  call->add_option("--arg", options->words, "Instead: key=value, by the tool's schema; a list takes one item each time; key=- is standard input")
      ->type_name("KEY=VALUE")->expected(1)->take_all()->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  call->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  call->add_option("--profile", options->profile, "Sandbox profile (default: read-only)");
  call->add_option("--timeout", options->timeout, "Longest time, for example 60s (default: 30s)");
  call->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  call->add_flag("--json", options->json, "Print one line of JSON");
  call->footer("Example: paddock tool call search_text --arg pattern=main --repo ~/src/thing\n\n"
               "Exit status: 0 the tool succeeded, 1 it failed, gave a part only or never answered, 2 bad usage and nothing was started, "
               "3 failed to start, 4 paddock itself failed, 130, 143 and 129 stopped by SIGINT, SIGTERM and SIGHUP.");
  commands.list = tool->add_subcommand("list", "List the tools");
  commands.list->add_flag("--json", *list_json, "Print their descriptions and schemas as one line of JSON");
  commands.list->footer("Example: paddock tool list --json");
  return commands;
}

struct ModelsCommands {
  CLI::App* list;
  CLI::App* test;
};
ModelsCommands AddModels(CLI::App* app, ModelsOptions* options) {
  CLI::App* models = app->add_subcommand("models", "The language models that you have set up");
  models->require_subcommand(1);
  ModelsCommands commands{models->add_subcommand("list", "What stands in config.json"),
                          models->add_subcommand("test", "Ask a model one small question: does it answer, stream, call tools, count tokens?")};
  commands.test->add_option("name", options->name, "Name in config.json (default: all of them)");
  AddModelFlags(commands.test, &options->model);
  commands.test->add_option("--timeout", options->timeout, "Longest time for one model (default: 60s)");
  for (CLI::App* command : {commands.list, commands.test}) command->add_flag("--json", options->json, "Print JSON");
  commands.list->footer("Example: paddock models list");
  commands.test->footer("Example: paddock models test --base-url http://127.0.0.1:8080/v1 --model any\n\n"
                        "Exit status: 0 every model answered and called its tool, 1 one did not, 2 bad usage or settings.");
  return commands;
}

struct ProfileCommands {
  CLI::App *list, *groups;
};
ProfileCommands AddProfile(CLI::App* app, bool* json) {
  CLI::App* profile = app->add_subcommand("profile", "The sandbox profiles, and what they are made of");
  profile->require_subcommand(1);
  ProfileCommands commands{profile->add_subcommand("list", "The profiles that come with paddock, and your own"),
                           profile->add_subcommand("groups", "The groups of system calls that a profile can allow")};
  for (CLI::App* command : {commands.list, commands.groups}) command->add_flag("--json", *json, "Print one line of JSON, which has more");
  commands.list->footer("Example: paddock profile list");
  commands.groups->footer("Example: paddock profile groups");
  return commands;
}

struct SubagentsCommands {
  CLI::App *list, *show;
};
SubagentsCommands AddSubagents(CLI::App* app, SubagentsOptions* options) {
  CLI::App* subagents = app->add_subcommand("subagents", "The subagents that can be sent, and what their models are told");
  subagents->require_subcommand(1);
  SubagentsCommands commands{subagents->add_subcommand("list", "The subagents that come with paddock, and your own"),
                             subagents->add_subcommand("show", "What a subagent's model is told, word for word")};
  commands.show->add_option("name", options->name, "Name of the subagent");
  for (CLI::App* command : {commands.list, commands.show}) command->add_flag("--json", options->json, "Print one line of JSON");
  commands.list->footer("Example: paddock subagents list");
  commands.show->footer("Example: paddock subagents show explorer");
  return commands;
}

CLI::App* AddRedact(CLI::App* app, RedactOptions* options) {
  CLI::App* command = app->add_subcommand("redact", "Take secrets out of a text: standard input to standard output");
  command->add_flag("--json", options->json, "Say on stderr how many of which kind, as one line of JSON");
  command->footer("Example: git diff | paddock redact");
  return command;
}

CLI::App* AddWrap(CLI::App* app, WrapOptions* options) {
  CLI::App* command = app->add_subcommand("wrap", "Clean a text and mark it as untrusted, as a model is shown it: standard input to standard output");
  command->add_option("--source", options->source, "Where it is from, for example file (default: input)");
  command->add_option("--path", options->path, "Its path");
  command->footer("Example: paddock wrap --source file --path README.md < README.md\n\nOf more than 256 KiB only head and tail are kept, and it says so.");
  return command;
}

CLI::App* AddDoctor(CLI::App* app, DoctorOptions* options) {
  CLI::App* command = app->add_subcommand("doctor", "Try what this machine can enforce, and say how to mend what is missing");
  command->add_option("--repo", options->repo, "A folder on whose file system it is tried (default: the current one)");
  command->add_flag("--json", options->json, "Print the findings as one line of JSON");
  command->footer("Each step is tried in a child that is gone afterwards; then a jail is built for every profile that ships.\n\n"
                  "Example: paddock doctor --repo ~/src/thing\n\n"
                  "Exit status: 0 every profile works, 1 one is refused, 2 bad usage, 4 paddock itself failed.");
  return command;
}

void AddRunFlags(CLI::App* command, RunOptions* options) {
  command->add_option("--profile", options->profile, "Sandbox profile: a name, or a file (default: build)");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m");
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
}

struct RunCommands {
  CLI::App *run, *shell;
};
RunCommands AddRun(CLI::App* app, RunOptions* options) {
  RunCommands commands{app->add_subcommand("run", "Run any command in a jail"), app->add_subcommand("shell", "A shell in a jail, in a stranger's repository")};
  for (CLI::App* command : {commands.run, commands.shell}) AddRunFlags(command, options);
  commands.run->add_flag("--json", options->json, "Print how it ended, its output and what was denied as one line of JSON");
  commands.run->footer("The command begins at the first word that is no option, or after --.\n\nExample: paddock run --repo ~/src/thing -- make check\n\n"
                       "Profiles: paddock profile list. A profile of your own: docs/profiles.md.\n\n"
                       "Exit status: that of the command; 128 + n when signal n ended it; 124 its time was up, 125 paddock failed or nothing "
                       "was started, 126 the command can't be run, 127 there is no such command.");
  commands.shell->footer("Example: paddock shell --repo ~/src/thing");
  return commands;
}

// For words that a command has no use for.
const char* ExtrasHint(const std::string& command) {
  if (command == "run") return "options of paddock stand before the command: see paddock run --help";
  if (command == "shell") return "a shell takes no command: for one, paddock run -- COMMAND; see paddock shell --help";
  if (command == "exec") return "a task stands in quotes: paddock exec \"how is this tested?\"";
  if (command == "investigate") return "a goal stands in quotes: paddock investigate explorer \"what is this?\"";
  return "see paddock --help, or paddock COMMAND --help";
}

// What CLI11 printed has gone out, or it has not.
int Shown(int) {
  std::cout.flush();
  return std::cout ? kExitCompleted : kExitInternal;
}

}  // namespace

int main(int argc, char** argv) {
  TidyUp();
  const std::vector<std::string> words(argv, argv + argc);
  const bool runs = words.size() > 1 && (words[1] == "run" || words[1] == "shell");
  std::optional<RunLauncher> launcher;
  if (runs) launcher = BeginLauncher();
  CLI::App app("paddock runs AI agents on code that nobody has vouched for.", "paddock");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "paddock " PADDOCK_VERSION);
  app.require_subcommand(0, 1);
  InvestigateOptions investigate;
  CLI::App* investigate_command = AddInvestigate(&app, &investigate);
  ExecOptions exec;
  CLI::App* exec_command = AddExec(&app, &exec);
  ToolCallOptions tool_call;
  bool tool_list_json = false;
  const ToolCommands tool = AddTool(&app, &tool_call, &tool_list_json);
  ModelsOptions models;
  const ModelsCommands models_commands = AddModels(&app, &models);
  bool profile_json = false;
  const ProfileCommands profile = AddProfile(&app, &profile_json);
  SubagentsOptions subagents;
  const SubagentsCommands subagents_commands = AddSubagents(&app, &subagents);
  RedactOptions redact;
  CLI::App* redact_command = AddRedact(&app, &redact);
  WrapOptions wrap;
  CLI::App* wrap_command = AddWrap(&app, &wrap);
  DoctorOptions doctor;
  CLI::App* doctor_command = AddDoctor(&app, &doctor);
  RunOptions run;
  const RunCommands run_commands = AddRun(&app, &run);
  // What stands after the options of `run` is the program's, whatever it looks like.
  const size_t options_end = runs && words[1] == "run" ? EndOfRunOptions(words) : words.size();
  if (options_end < words.size()) run.command.assign(words.begin() + static_cast<ptrdiff_t>(options_end) + (words[options_end] == "--"), words.end());
  const auto refuse = [&](const char* what, const char* hint) {
    const Error error{ErrorKind::kInvalid, what, hint, 0};
    if (words.size() > 1 && words[1] == "exec") {
      exec.json = std::find(words.begin(), words.end(), "--json") != words.end();
      return RefuseExec(exec, error);
    }
    if (!runs) return PrintError(error), kExitUsage;
    run.json = words[1] == "run" && RunAsksForJson(words, options_end);
    return RefuseRun(run, error);
  };
  try {
    app.parse(static_cast<int>(options_end), argv);
  } catch (const CLI::CallForHelp& help) {
    return Shown(app.exit(help));
  } catch (const CLI::CallForAllHelp& help) {
    return Shown(app.exit(help));
  } catch (const CLI::CallForVersion& version) {
    return Shown(app.exit(version));
  } catch (const CLI::ExtrasError& fault) {
    return refuse(fault.what(), ExtrasHint(words[1]));
  } catch (const CLI::ParseError& fault) {
    return refuse(fault.what(), "see paddock --help, or paddock COMMAND --help");
  }
  if (*exec_command) return RunExec(exec);
  if (*investigate_command) return RunInvestigate(investigate);
  if (*tool.call) return RunToolCall(tool_call);
  if (*tool.list) return RunToolList(tool_list_json);
  if (*models_commands.list) return RunModelsList(models);
  if (*models_commands.test) return RunModelsTest(models);
  if (*profile.list) return RunProfileList(profile_json);
  if (*profile.groups) return RunProfileGroups(profile_json);
  if (*subagents_commands.list) return RunSubagentsList(subagents);
  if (*subagents_commands.show) return RunSubagentsShow(subagents);
  if (*redact_command) return RunRedact(redact);
  if (*wrap_command) return RunWrap(wrap);
  if (*doctor_command) return RunDoctor(doctor);
  run.shell = bool(*run_commands.shell);
  if (launcher && (*run_commands.run || run.shell)) return RunRun(run, *std::move(launcher));
  PrintError(Error{ErrorKind::kInvalid, "no command given", "for example: paddock investigate explorer \"what is this?\" --repo DIR", 0});
  return kExitUsage;
}
