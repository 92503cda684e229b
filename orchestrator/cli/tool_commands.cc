// tool, and what a tool's result passes: redact, wrap.
#include <memory>

#include "orchestrator/cli/commands.h"
#include "orchestrator/cli/redact.h"
#include "orchestrator/cli/tool_call.h"
#include "orchestrator/cli/wrap.h"

namespace paddock::orchestrator {
namespace {

void AddTool(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<ToolCallOptions>();
  auto list_json = std::make_shared<bool>(false);
  CLI::App* tool = app->add_subcommand("tool", "Call one tool in a jail, or list the tools");
  tool->require_subcommand(1);
  CLI::App* call = tool->add_subcommand("call", "Call one tool on a repository, in a jail of its own");
  call->add_option("name", options->tool, "Name of the tool, see paddock tool list");
  call->add_option("arguments", options->arguments, "Its arguments: a JSON object");
  call->add_option("--arg", options->words, "Instead: key=value, by the tool's schema; a list takes one item each time; key=- is standard input without the line end at its end")
      ->type_name("KEY=VALUE")->expected(1)->take_all()->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  call->add_option("--repo", options->repo, "Folder of the repository (default: the current one)");
  call->add_option("--profile", options->profile, "Sandbox profile (default: read-only, or read-only-tools where the tool starts a program)");
  call->add_option("--timeout", options->timeout, "Longest time, for example 60s (default: 30s)");
  call->add_option("--insist", options->insist, "Allow this folder though it is a home folder, / or the system's");
  call->add_flag("--json", options->json, "Print one line of JSON");
  call->footer("Example: paddock tool call search_text --arg pattern=main --repo ~/src/thing\n\n"
               "Exit status: 0 the tool succeeded, 1 it failed, gave a part only or never answered, 2 bad usage and nothing was started, "
               "3 failed to start, 4 paddock itself failed, 130, 143 and 129 stopped by SIGINT, SIGTERM and SIGHUP.");
  CLI::App* list = tool->add_subcommand("list", "List the tools");
  list->add_flag("--json", *list_json, "Print their descriptions and schemas as one line of JSON");
  list->footer("Example: paddock tool list --json");
  commands->push_back({call, [options] { return RunToolCall(*options); }});
  commands->push_back({list, [list_json] { return RunToolList(*list_json); }});
}

void AddRedact(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<RedactOptions>();
  CLI::App* command = app->add_subcommand("redact", "Take secrets out of a text: standard input to standard output");
  command->add_flag("--json", options->json, "Say on stderr how many of which kind, as one line of JSON");
  command->footer("Example: git diff | paddock redact");
  commands->push_back({command, [options] { return RunRedact(*options); }});
}

void AddWrap(CLI::App* app, Commands* commands) {
  auto options = std::make_shared<WrapOptions>();
  CLI::App* command = app->add_subcommand("wrap", "Clean a text and mark it as untrusted, as a model is shown it: standard input to standard output");
  command->add_option("--source", options->source, "Where it is from, for example file (default: input)");
  command->add_option("--path", options->path, "Its path");
  command->footer("Example: paddock wrap --source file --path README.md < README.md\n\nOf more than 256 KiB only head and tail are kept, and it says so.");
  commands->push_back({command, [options] { return RunWrap(*options); }});
}

}  // namespace

void AddToolCommands(CLI::App* app, Commands* commands) {
  AddTool(app, commands);
  AddRedact(app, commands);
  AddWrap(app, commands);
}

}  // namespace paddock::orchestrator
