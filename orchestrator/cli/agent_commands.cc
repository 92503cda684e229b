// investigate, exec and recheck.
#include <memory>

#include "orchestrator/cli/commands.h"
#include "orchestrator/cli/investigate.h"
#include "orchestrator/cli/recheck.h"

namespace paddock::orchestrator {
namespace {

void AddCassetteFlags(CLI::App* command, ModelFlags* flags) {
  command->add_option("--record-cassette", flags->record_cassette, "Keep every exchange with the model's server in this new file");
  command->add_option("--replay-cassette", flags->replay_cassette, "Give back what stands in such a file instead of asking a server");
}

void AddInvestigate(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<InvestigateOptions>();
  CLI::App* command = app->add_subcommand("investigate", "Have a subagent find something out about a repository, in a jail");
  command->add_option("subagent", options->subagent, "Name of the subagent, for example explorer");
  command->add_option("goal", options->goal, "What is to be found out");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--context", options->context, "What you know already, a log for the debugger for example");
  command->add_option("--context-file", options->context_file, "The same from a file, or - for standard input; of a long one, head and tail");
  AddModelFlags(command, &options->model);
  AddCassetteFlags(command, &options->model);
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m");
  command->add_option("--max-turns", options->max_turns, "Most turns of the model, the report included");
  command->add_option("--max-cost", options->max_cost, "Most US dollars, for example 0.50, by the price of the model in config.json");
  command->add_option("--tools", options->tools, "Only these of the subagent's tools, separated by commas");
  command->add_option("--hide", options->hide, "Files and folders that nobody may see, such as .env, '*.pem' or secrets/; may be given again")->take_all()->expected(1);
  command->add_option("--schema", options->schema, "File with a JSON Schema that `data` of the result has to fit");
  command->add_option("--ticket", options->ticket, "A JSON task ticket (file, or - for standard input) instead of subagent and goal");
  AddRunPolicyFlags(command, &options->run);
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  command->add_flag("--json", options->json, "Print the result ticket as one line of JSON");
  command->footer(std::string("Example: paddock investigate explorer \"how is it built?\" --repo ~/src/thing\n\n") + kExitStatuses);
  commands->push_back({command, [options] { return RunInvestigate(*options); }});
}

void AddExec(CLI::App* app, ExecOptions* options, Commands* commands) {
  CLI::App* command = app->add_subcommand("exec", "Have the main agent do a task about a repository; nobody is asked anything");
  command->add_option("task", options->task, "What is to be done, in quotes; - reads it from standard input");
  command->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  command->add_option("--profile", options->profile, "Sandbox profile of its tools (default: read-only); what it hides is hidden from subagents too");
  command->add_option("--hide", options->hide, "Files and folders that nobody may see, such as .env, '*.pem' or secrets/; may be given again")->take_all()->expected(1);
  AddModelFlags(command, &options->model);
  AddCassetteFlags(command, &options->model);
  command->add_option("--timeout", options->timeout, "Longest time, for example 60s or 5m (default: 30m)");
  command->add_option("--max-cost", options->max_cost, "Most US dollars of the run and its subagents, by the price of the model in config.json");
  command->add_option("--max-turns", options->max_turns, "Most turns of the model, the answer included (default: 50, with --plan 8)");
  AddRunPolicyFlags(command, &options->run);
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  command->add_flag("--plan", options->plan, "Make a plan only");
  command->add_option("--planner", options->planner, "Have this subagent make a plan first, and each step carried out by a fresh agent");
  command->add_flag("--quarantine", options->quarantine, "Let it see no text of the repository: subagents read, it gets numbers, choices and handles");
  command->add_flag("--json", options->json, "Print what happens as lines of JSON, the last of which is the result (docs/exec-events.md)");
  command->footer(std::string("Its tools look and search, in a jail; subagents run in jails of their own. It changes nothing.\n\n"
                              "Example: paddock exec \"where are requests checked?\" --repo ~/src/thing\n\n") +
                  kExitStatuses);
  commands->push_back({command, [options] { return RunExec(*options); }});
}

void AddRecheck(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<RecheckOptions>();
  CLI::App* command = app->add_subcommand("recheck", "Check the citations of a ticket again, on the same tree or a newer one");
  command->add_option("ticket", options->ticket, "Id of a run, folder of its record, or a file with a result ticket as JSON");
  command->add_option("--repo", options->repo, "Folder of the repository (default: that of the run)");
  command->add_option("--profile", options->profile, "Sandbox profile of the check (default: the subagent's, else read-only)");
  command->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  command->add_flag("--json", options->json, "Print one line of JSON (orchestrator/schema/recheck.schema.json)");
  command->footer("Example: paddock recheck 20260131-235959-1a2b3c4d5e6f --repo ~/src/thing\n\n"
                  "Exit status: 0 all citations are verified, 1 one is not (changed, moved, contradicted, or not to be checked), 2 bad input and nothing was started, "
                  "3 failed to start, 4 paddock itself failed, 130, 143 and 129 stopped by SIGINT, SIGTERM and SIGHUP.");
  commands->push_back({command, [options] { return RunRecheck(*options); }});
}

}  // namespace

void AddModelFlags(CLI::App* command, ModelFlags* flags) {
  command->add_option("--model", flags->model, "A model of config.json, playbook (no language model) or scripted:FILE; with --base-url its name there");
  command->add_option("--base-url", flags->base_url, "Server of the model, for example http://127.0.0.1:11434/v1");
  command->add_option("--protocol", flags->protocol, "How that server is spoken to: chat (default), responses or messages");
  command->add_option("--key-env", flags->key_env, "Environment variable that holds its key");
  command->add_option("--key-file", flags->key_file, "File that holds its key");
}

void AddAgentCommands(CLI::App* app, ExecOptions* exec, Commands* commands) {
  AddInvestigate(app, commands);
  AddExec(app, exec, commands);
  AddRecheck(app, commands);
}

}  // namespace paddock::orchestrator
