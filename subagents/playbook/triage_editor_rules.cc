// What editors, shells and version managers run when a folder is opened or entered.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

constexpr TriageRule kEditor[] = {
    HiddenName(XML_HIDDEN, R"((.*/)?\.(idea|run)/.*\.xml)"),
    HiddenName(YAML_HIDDEN, R"((.*/)?\.gitpod\.yml)"),
    HiddenName(R"((?:^|\()\s*([\w-]*\\[\w-]+)\s+\.)", R"((.*/)?\.dir-locals(-2)?\.el)"),
    {"vscode-folder-open", kHigh, R"re("runOn"\s*:\s*"folderOpen")re", "VS Code runs a task as soon as the folder is opened", R"((.*/)?(\.vscode/tasks\.json|.*\.code-workspace))"},
    {"vscode-trust", kHigh, R"re("(task\.allowAutomaticTasks|security\.workspace\.trust\.\w+|chat\.tools\.(?:autoApprove|global\.autoApprove|terminal\.autoApprove)|git\.path|terminal\.external\.\w+)"\s*:\s*(.*))re",
     "VS Code is told {1} = {2}", R"((.*/)?(\.vscode/settings\.json|.*\.code-workspace))", R"re("task\.allowAutomaticTasks"\s*:\s*"off"|trust\.\w+"\s*:\s*true)re"},
    {"loader-env", kHigh, R"re("(?:env:)?(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|ZDOTDIR|PYTHONSTARTUP|GIT_SSH_COMMAND)"\s*:\s*(.*))re", "whatever starts there loads or runs {2} ({1})", R"((.*/)?(\.vscode/.*\.json|.*\.code-workspace|\.?devcontainer(/.*)?\.json))"},
    {"vscode-program", kLow, R"re("(typescript\.tsdk|python\.(?:defaultInterpreterPath|pythonPath|venvPath))"\s*:\s*"([^"]*)")re", "VS Code uses {2} ({1}): common", R"((.*/)?(\.vscode/settings\.json|.*\.code-workspace))",
     R"re(\.(sh|bat|cmd|exe|ps1|py)")re"},
    {"vscode-program", kMedium,
     R"re("([\w.-]*(?:[pP]ath|[eE]xecutable|[cC]ommand|shell|automationShell|automationProfile|overrideCommand|alternateTools|tsdk|[iI]nterpreter\w*|serverArgs|binary)[\w.-]*(?:linux|osx|windows)?)"\s*:\s*[\[{]?\s*"((?:\$\{workspace|\.{0,2}/|[\w.-]+/|/)[^"]*|(?:ba|z)?sh)")re",
     "VS Code runs {2} ({1})", R"((.*/)?(\.vscode/settings\.json|.*\.code-workspace))"},
    {"vscode-program", kMedium, R"re("([\w.-]*(?:compilerPath|executablePath|jestCommandLine|overrideCommand|alternateTools|toolsEnvVars|extraEnv|vmargs|execArgv|\.cmd|CommandLine))"\s*:\s*(.*))re", "an extension of VS Code is told {1} = {2}", R"((.*/)?(\.vscode/.*\.json|.*\.code-workspace))"},
    {"loader-env", kMedium, R"re("(NODE_OPTIONS|RUSTC_WRAPPER|PYTHONPATH|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|PATH)"\s*:\s*(.*))re", "whatever starts there is given {1} = {2}", R"((.*/)?(\.vscode/.*\.json|.*\.code-workspace))"},
    {"vscode-terminal", kMedium, R"re("(terminal\.integrated\.(?:env|profiles|automationProfile|defaultProfile|shell)[\w.]*)"\s*:)re", "VS Code's terminals are changed ({1})", R"((.*/)?(\.vscode/settings\.json|.*\.code-workspace))"},
    {"vscode-task", kLow, R"re("command"\s*:\s*"([^"]*)")re", "a task of VS Code: `{1}`, when it is asked for", R"((.*/)?(\.vscode/tasks\.json|.*\.code-workspace))"},
    {"vscode-launch", kLow, R"re("(preLaunchTask|runtimeExecutable|miDebuggerPath|program|debugServer|pipeProgram)"\s*:\s*"([^"]*)")re", "debugging in VS Code starts {2}", R"((.*/)?\.vscode/launch\.json)"},
    {"idea-startup", kHigh, R"((ProjectStartupSharedConfiguration|ProjectStartupConfiguration|RunOnProjectOpen|"run-on-startup"))", "the IDE runs something as soon as the project is opened", R"((.*/)?\.(idea|run)/.*\.xml)"},
    {"idea-watcher", kMedium, R"re((\bisEnabled\s*=\s*["']true["']|\bname\s*=\s*["']program["']))re", "the IDE runs a program whenever a file is saved", R"((.*/)?\.idea/watcherTasks\.xml)"},
    {"idea-run", kLow, R"re(name\s*=\s*["'](SCRIPT_TEXT|SCRIPT_PATH|INTERPRETER_PATH|SHELL_PATH|shellPath)["']\s+value\s*=\s*(?:"([^"]*)|'([^']*)))re", "a run configuration of the IDE starts {2}{3}", R"((.*/)?\.(idea|run)/.*\.xml)"},
    {"idea-run", kLow, R"re(name\s*=\s*["'](SCRIPT_TEXT|SCRIPT_PATH|INTERPRETER_PATH|SHELL_PATH|shellPath)["'])re", "a run configuration of the IDE starts something ({1})", R"((.*/)?\.(idea|run)/.*\.xml)"},
    {"devcontainer-host", kMedium, R"re("initializeCommand"\s*:\s*(.*))re", "opening the dev container runs {1} on the machine itself", R"((.*/)?\.?devcontainer(/.*)?\.json)"},
    {"devcontainer-mount", kMedium, R"re((docker\.sock|--privileged|\$\{localEnv:(?:HOME|USERPROFILE)\}|source=/,|"source=/[^,]*|"source"\s*:\s*"(?:/|~|\$\{localEnv:HOME\})[^"]*|"(?:-v|--volume|--mount)[=",\s]+"?(?:/|~)[^":]*:|--pid=host|--network=host|SYS_ADMIN))re", "the dev container gets at the machine: {1}", R"((.*/)?\.?devcontainer(/.*)?\.json)"},
    {"devcontainer", kLow, R"re("(dockerComposeFile|dockerFile|runArgs)"\s*:\s*(.*))re", "the dev container is made by {2} ({1})", R"((.*/)?\.?devcontainer(/.*)?\.json)"},
    {"devcontainer", kLow, R"re("((?:onCreate|updateContent|postCreate|postStart|postAttach)Command)"\s*:\s*(.*))re", "in the dev container runs {2} ({1})", R"((.*/)?\.?devcontainer(/.*)?\.json)"},
    {"envrc", kLow, R"(^\s*((?:use|layout|dotenv(?:_if_exists)?|export|PATH_add|path_add|watch_file|source_up|source_env\w*)\b.*))", "direnv does this on entering the folder, once allowed: `{1}`", R"((.*/)?\.envrc)", R"(\$\(|`|[;&|<>])"},
    {"envrc", kMedium, R"(^\s*([^#\s].*))", "direnv runs this on entering the folder, once allowed: `{1}`", R"((.*/)?\.envrc)", R"(^\s*(fi|then|else|done|esac|\})\s*$)"},
    {"rvmrc", kMedium, R"(^\s*([^#\s].*))", "rvm runs this on entering the folder, once trusted: `{1}`", R"((.*/)?\.rvmrc)"},
    {"autoenv", kHigh, R"(^\s*([^#\s].*))", "autoenv runs this on entering the folder: `{1}`", R"((.*/)?\.(autoenv(\.zsh)?|autoenv_leave\.zsh|in|out))"},
    {"mise", kHigh, R"re((?:^|[.{,])\s*["']?(enter|cd|leave|preinstall|postinstall|shell)["']?\s*=\s*(.*))re", "mise runs {2} ({1})", R"((.*/)?(\.?mise(\.\w+)?\.toml|\.?mise/config\.toml|\.config/mise.*\.toml))"},
    {"mise", kMedium, R"re((_["']?\s*\.\s*["']?(?:source|file)["']?\s*=.*|(?:^|[.{,])\s*["']?_["']?\s*=.*|^\s*\[\s*["']?env["']?\s*\.\s*["']?_.*|exec\(.*))re", "mise takes the environment from {1}", R"((.*/)?(\.?mise(\.\w+)?\.toml|\.?mise/config\.toml))"},
    {"loader-env", kHigh, R"re((?:^|[.{,])\s*["']?(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|NODE_OPTIONS)["']?\s*=\s*(.*))re", "whatever starts there loads or runs {2} ({1})", R"((.*/)?(\.?mise(\.\w+)?\.toml|\.?mise/config\.toml|\.config/mise.*\.toml))"},
    {"tool-versions", kMedium, R"(^\s*([\w-]+)\s+((?:path|ref):\S+))", "asdf takes {1} from {2}", R"((.*/)?\.tool-versions)"},
    {"vimrc", kLow, R"((?i)^\s*au(?:tocmd)?!?\s+[\w,]+\s+[^\s|!]+\s+set(?:l(?:ocal)?)?\s+((?:no)?(?:ts|tabstop|sw|shiftwidth|sts|softtabstop|et|expandtab|tw|textwidth|ai|autoindent|si|smartindent|cin|cindent|cino|cinoptions|fo|formatoptions|cc|colorcolumn|wrap|spell|nu|number|list|ff|fileformat|ft|filetype|fenc|fileencoding|eol|fixeol|fdm|foldmethod)(?:[-+^]?=[^\s|!`]*)?(?:\s+|$))+$)",
     "Vim takes settings from the folder where that is on", R"((.*/)?(\.exrc|\.nvimrc|\.l?vimrc|_vimrc))"},
    {"vimrc", kHigh, R"((?i)((?:\bsystem\(|:?!\s*\w|\bautocmd\b|\bau\b|\bexe(?:c(?:u(?:te?)?)?)?\b|^\s*:?\s*(?:lua|pyx?3?|python[3x]?|ruby|perl)\b|\bluaeval\b|os\.execute|jobstart|vim\.fn\.system|vim\.(?:loop|uv|system|cmd)\b|\bdofile\b|\bloadfile\b|\bloadstring\b|io\.popen|\bso(?:u(?:r(?:ce?)?)?)?\b|\bcall?\b).*))", "Vim runs this where local settings are on: {1}",
     R"((.*/)?(\.exrc|\.nvimrc|\.nvim\.lua|\.l?vimrc|_vimrc))"},
    {"vimrc", kMedium, R"(^\s*(\S.*))", "Neovim runs this where local settings are on: {1}", R"((.*/)?\.nvim\.lua)", R"re(^\s*(--([^\[].*)?|vim\.(o|bo|wo|go|opt|opt_local|g|b|w)\b[\w.]*\s*=\s*("[^"\\]*"|'[^'\\]*'|-?[\d.]+|true|false|nil))\s*(--([^\[].*)?)?$)re"},
    {"vimrc", kLow, R"(^\s*([^"\s].*))", "Vim takes settings from the folder where that is on", R"((.*/)?(\.exrc|\.nvimrc|\.nvim\.lua|\.l?vimrc|_vimrc))"},
    {"dir-locals", kHigh, R"((?:\(|^)\s*eval\b(.*))", "Emacs is asked to evaluate{1}", R"((.*/)?\.dir-locals(-2)?\.el)"},
    {"dir-locals", kMedium, R"re(\(\s*([\w/+-]*-(?:executable|program|command|shell|interpreter|path|binary|server))\s+\.\s+(.*))re", "Emacs starts {2} as its {1}, where it was let", R"((.*/)?\.dir-locals(-2)?\.el)", R"re(^[\s(]*(?:[\w-]+\s+\.\s+)?[\s(]*compile-command\s+\.\s+"(?:make|cmake|ninja|cargo|go|npm|meson)\b[^";&|`$]*"[\s)]*$)re"},
    {"debugger-init", kHigh, R"(^\s*((?:shell|!|python|python-interactive|source|platform shell|command script|script|pipe|make)\b.*))", "the debugger runs {1}", R"((.*/)?\.(gdbinit|lldbinit))"},
    {"debugger-init", kMedium, R"(^\s*([^#\s].*))", "the debugger takes commands from the folder", R"((.*/)?\.(gdbinit|lldbinit))"},
    {"zed", kMedium, R"re("(path|command|shell|program)"\s*:\s*"([^"]*)")re", "Zed runs {2}", R"((.*/)?\.zed/settings\.json)"},
    {"editor-settings", kMedium, R"re((:(?:sh|pipe|pipe-to|insert-output|append-output|run-shell-command)\b.*|(?:^|[.{,])\s*["']?(?:command|shell|args)["']?\s*=.*))re", "Helix is told to run {1}", R"((.*/)?\.helix/(languages|config)\.toml)"},
    {"sublime", kLow, R"re("(cmd|shell_cmd)"\s*:\s*(.*))re", "Sublime Text builds with {2}", R"(.*\.sublime-project)"},
    {"gitpod", kLow, YAML_BEFORE R"((before|init|command|prebuild))" YAML_BEHIND R"(\s*(.*))", "Gitpod runs {2} on opening", R"((.*/)?\.gitpod\.yml)"},
    {"desktop-entry", kMedium, R"((?i)^\s*(?:Exec|open|shellexecute|shell\\[^=]*command|IconFile|URL)\s*=\s*(.*))", "a desktop shows this as something to click, which starts {1}", R"((.*/)?([^/]*\.(desktop|url)|autorun\.inf))"},
};

}  // namespace

std::span<const TriageRule> EditorRules() { return kEditor; }

}  // namespace paddock::subagents
