// What agents and continuous integration would do: their settings, and texts that are addressed to them.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

constexpr TriageRule kAgent[] = {
    {"agent-endpoint", kHigh, R"re(((?:ANTHROPIC|OPENAI|GEMINI|GOOGLE|AZURE|MISTRAL|OPENROUTER|CLAUDE)\w*_(?:BASE_URL|API_BASE|ENDPOINT|AUTH_TOKEN|API_KEY)|"?(?:baseURL|base_url|api_base|apiBase)"?)["']?\s*[:=]\s*["']*(http[^"',\s]*))re",
     "an agent's model is asked at {2} ({1})", nullptr, nullptr, R"(https?://(localhost|127\.\d+\.\d+\.\d+)(:\d+)?(/.*)?)"},
    {"agent-helper", kHigh, R"re(["']?(apiKeyHelper|awsAuthRefresh|awsCredentialExport|otelHeadersHelper|statusLine|notify)["']?\s*[:=]\s*(.*))re", "an agent runs {2} ({1})"},
    {"agent-unbound", kHigh,
     R"re(("(?:defaultMode|mode)"\s*:\s*"(?:bypassPermissions|dontAsk|yolo)"|"enableAllProjectMcpServers"\s*:\s*true|"(?:Bash|Shell|run_shell_command)(?:\(\*?(?::\*)?\))?"|--dangerously\S*|--yolo|"(?:yolo|autoApprove|autoAccept|alwaysAllow|trust|skipDangerousModePermissionPrompt)"\s*:\s*(?:true|\[)|approval_policy["']?\s*=\s*["']+never["']|sandbox_mode["']?\s*=\s*["']+danger-full-access["']|trust_level["']?\s*=\s*["']+trusted["']|"(?:bash|edit|\*)"\s*:\s*"allow"))re",
     "an agent's questions are switched off: {1}"},
    {"loader-env", kHigh, R"re("(?:env:)?(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PROMPT_COMMAND|ZDOTDIR|PYTHONSTARTUP|GIT_SSH_COMMAND)"\s*:\s*(.*))re", "whatever starts there loads or runs {2} ({1})", R"(.*\.jsonc?)"},
    {"loader-env", kMedium, R"re("(NODE_OPTIONS|PYTHONPATH|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|PATH)"\s*:\s*(.*))re", "whatever starts there is given {1} = {2}", R"(.*\.jsonc?)"},
    {"agent-hook", kMedium, R"re("((?:Pre|Post)ToolUse|SessionStart|SessionEnd|UserPromptSubmit|Stop|SubagentStop|Notification|PreCompact|(?:Before|After)(?:Tool|Agent|Model)\w*|beforeShellExecution|beforeSubmitPrompt|afterFileEdit|stop)"\s*:\s*\[)re", "an agent runs something at {1}",
     R"((.*/)?\.(claude|gemini|cursor|codex|opencode|qwen)/.*)"},
    {"agent-command", kHigh, R"re(["']?command["']?\s*[:=]\s*\[?\s*["']+((?:/bin/|/usr/bin/)?(?:ba|z|da)?sh|cmd|powershell|curl|wget|nc)["'])re", "an agent starts `{1}`", R"((.*/)?(\.mcp\.json|mcp\.json|mcp_config\.json|opencode\.jsonc?|\.(claude|gemini|cursor|codex|opencode|vscode|roo|kiro|amazonq|windsurf|zed|junie)/.*\.(jsonc?|toml)))"},
    {"agent-command", kMedium, R"re(["']?command["']?\s*[:=]\s*\[?\s*(?:"+([^"]+)"|'+([^']+)'))re", "an agent starts `{1}{2}`", R"((.*/)?(\.mcp\.json|mcp\.json|mcp_config\.json|opencode\.jsonc?|\.(claude|gemini|cursor|codex|opencode|vscode|roo|kiro|amazonq|windsurf|zed|junie)/.*\.(jsonc?|toml)))"},
    {"agent-server", kMedium, R"re(["']?(url|serverUrl|httpUrl)["']?\s*[:=]\s*["']+(https?://[^"']+)["'])re", "an agent takes tools from {2}", R"((.*/)?(\.mcp\.json|mcp\.json|mcp_config\.json|opencode\.jsonc?|\.(claude|gemini|cursor|codex|opencode|vscode|roo|kiro|amazonq|windsurf|junie)/.*\.(jsonc?|toml)))"},
    {"agent-plugin", kMedium, R"re("(plugin|plugins|extraKnownMarketplaces|enabledPlugins|instructions)"\s*:)re", "an agent loads more: {1}", R"((.*/)?(opencode\.jsonc?|\.(claude|opencode)/.*\.jsonc?))"},
    {"agent-plugin", kMedium, R"(^\s*(export\s+(?:const|default|async|function).*))", "an agent loads this code", R"((.*/)?\.opencode/(plugins?|tools?)/.*\.[jt]s)"},
    {"agent-prompt-runs", kMedium, "^\\s*!`?\\s*([^`\\[\\s].*)", "an agent's command runs `{1}` before anybody reads it", R"((.*/)?\.(claude|opencode|gemini)/commands?/.*)"},
    HiddenName(YAML_HIDDEN_FLOW, R"((.*/)?\.aider\.conf\.yml)"),
    {"agent-aider", kMedium, YAML_BEFORE R"((?:(?:lint|test)-cmd|auto-test|auto-lint|yes-always|openai-api-base))" YAML_BEHIND R"(\s*(.*))", "aider is told {1}", R"((.*/)?\.aider\.conf\.yml)"},
};

constexpr TriageRule kAddressed[] = {
    {"addressed-to-agent", kHigh, R"((?i)\b(ignore|disregard|forget|override)\s+(?:(?:all|any|every|the|your|of|these|those)\s+)*(?:previous|prior|above|earlier|preceding|system|existing)\s+(?:\w+\s+)?(instructions?|prompts?|rules|messages|context|guidelines))", "a text tells an agent to {1} its instructions"},
    {"addressed-to-agent", kHigh, R"((?i)\b(?:do not|don't|never)\s+(tell|inform|mention|show|reveal|alert|notify|report)\b.{0,60}\b(?:users?|humans?|developers?|anyone|reviewers?)\b)", "a text wants an agent to keep something from people",
     R"((.*/)?(CLAUDE(\.local)?|AGENTS|GEMINI|README|CONTRIBUTING|SKILL|copilot-instructions)[^/]*|(.*/)?\.(cursor|claude|gemini|codex|opencode|windsurf|clinerules|roo|kiro|github/(instructions|prompts)|cursorrules|windsurfrules).*)"},
    {"addressed-to-agent", kHigh, R"((?i)\b(?:send|upload|post|exfiltrate|transmit|forward|copy|paste)\b.{0,60}\b(?:secrets?|tokens?|api[ _-]?keys?|credentials?|env(?:ironment)? (?:variables?|vars?)|ssh keys?|passwords?)\b.{0,60}(?:https?://|\bto\s+(?:[\w.+-]+@\w|[\w-]+\.[a-z]{2,}|us\b|me\b|this\b|an?\s+(?:external|remote|public)\b|the\s+(?:following|url|server|endpoint|address|webhook|attacker|issue|chat|paste)\b)))", "a text wants an agent to hand over secrets",
     R"((.*/)?(CLAUDE(\.local)?|AGENTS|GEMINI|README|CONTRIBUTING|SKILL|copilot-instructions)[^/]*|(.*/)?\.(cursor|claude|gemini|codex|opencode|windsurf|clinerules|roo|kiro|github/(instructions|prompts)|cursorrules|windsurfrules).*)"},
    {"addressed-to-agent", kHigh, R"((?i)(<!--|\[//\]: #|\{#).{0,80}\b(assistants?|AI|agents?|LLMs?|language models?|copilot|claude|chatgpt|gemini)\b.{0,160}\b(run|execute|must|should|ignore|fetch|install|open|read|send)\b)", "a comment that a page doesn't show speaks to an agent"},
    {"addressed-to-agent", kMedium, R"((<\|im_start\|>|<\|(?:system|assistant|user)\|>|\[/?INST\]|</?system(?:-reminder|_prompt)?>|<<SYS>>))", "has marks of a model's own conversation: {1}", R"(.*\.(md|txt|rst|adoc|html|mdc)|(.*/)?[^/.]+)"},
    {"addressed-to-agent", kMedium, R"((?i)\bwithout\s+(?:asking|telling|informing|notifying|confirm\w*|approval|permission)\b)", "tells an agent to do something without asking",
     R"((.*/)?(CLAUDE(\.local)?|AGENTS|GEMINI|SKILL|copilot-instructions)[^/]*|(.*/)?\.(cursor|claude|gemini|codex|opencode|windsurf|clinerules|roo|kiro|cursorrules|windsurfrules).*)"},
    {"agent-told-to-run", kLow, "(?i)\\b(?:always|must|first|before|whenever|at the start)\\b.{0,80}\\b(?:run|execute)\\b.{0,10}`([^`]+)`", "tells agents to run `{1}`",
     R"((.*/)?(CLAUDE(\.local)?|AGENTS|GEMINI|SKILL|copilot-instructions)[^/]*|(.*/)?\.(cursor|claude|gemini|codex|opencode|windsurf|clinerules|roo|kiro|cursorrules|windsurfrules).*)"},
};

// One address, of a service that such secrets are made for.
#define KNOWN_SERVICE R"(^(?:[^:]|:[^/]|:/[^/])*https://(?:(?:api|uploads)\.github\.com|(?:[\w-]+\.)?codecov\.io|coveralls\.io|scan\.coverity\.com|sonarcloud\.io|(?:api|app)\.codacy\.com)(?:[/"'\s?]|$)(?:[^:]|:[^/]|:/[^/])*$)"

constexpr TriageRule kCi[] = {
    {"ci-foreign-pull", kMedium, R"re(^\s*(?:[-?]\s*|["']?on["']?\s*:\s*[\[{]?.*)?["']?(pull_request_target|workflow_run)\b)re", "the workflow runs with secrets for strangers' pull requests ({1})", R"((.*/)?\.github/workflows/.*)"},
    {"ci-foreign-pull", kMedium, R"((?:\bref|\brepository|checkout|fetch|clone|pull|merge|worktree|reset)\b.*github\.event\.pull_request\.head\.(?:sha|ref|repo))", "the workflow takes a stranger's commit", R"((.*/)?\.github/workflows/.*)", R"(^\s*(if|group|name|concurrency):)"},
    {"ci-injection", kMedium, R"(\$\{\{\s*(github\.event\.(?:issue|comment|pull_request|review|discussion|head_commit)[\w.]*\.(?:title|body|ref|label|message|name|email)|github\.head_ref)\b)", "a stranger's text goes into a script of the workflow: {1}", R"((.*/)?\.github/.*)",
     R"(^\s*(if|group|name|ref|concurrency|[A-Z_]+):)"},
    {"ci-foreign-name", kInfo, R"(github\.event\.pull_request\.head\.(?:sha|ref|repo))", "the workflow names a stranger's commit", R"((.*/)?\.github/workflows/.*)", R"(^\s*(if|group|name|concurrency):)"},
    // In a header, and nothing else of the repository's: to whom, a person has to say.
    {"ci-secrets", kMedium, R"re((?i)^((?:[^$]|\$[^{]|\$\{[^{]|\$\{\{\s*(?:github|env|matrix|steps|inputs|needs|vars|runner)\.)*\b(?:curl|wget)\b(?:[^$]|\$[^{]|\$\{[^{]|\$\{\{\s*(?:github|env|matrix|steps|inputs|needs|vars|runner)\.)*authorization:\s*(?:(?:bearer|token|basic)\s+)?\$\{\{\s*secrets\.\w+\s*\}\}["'](?:[^$]|\$[^{]|\$\{[^{]|\$\{\{\s*(?:github|env|matrix|steps|inputs|needs|vars|runner)\.)*)$)re",
     "the workflow shows a secret to whom it asks: {1}", R"((.*/)?\.github/.*)", KNOWN_SERVICE},
    {"ci-secrets", kHigh, R"((toJSON\(secrets\)|(?:curl|wget|nc)\b.*\$\{\{\s*secrets\.\w+))", "the workflow gives secrets away: {1}", R"((.*/)?\.github/.*)", KNOWN_SERVICE},
    HiddenName(YAML_HIDDEN, R"((.*/)?\.github/workflows/.*)", kMedium),
    HiddenName(R"(("[^"]*\\(?:x|u00))" NAME_HEX R"([^"]*"\s*:.*))", R"((.*/)?\.github/workflows/.*)", kMedium),
    {"container-host", kMedium, R"((privileged:\s*true|docker\.sock|-\s*["']?(?:/|~|\$HOME)["']?:/|pid:\s*["']?host|network_mode:\s*["']?host|SYS_ADMIN))", "a container gets at the machine: {1}", R"((.*/)?(docker-)?compose[\w.-]*\.ya?ml)"},
};

}  // namespace

std::span<const TriageRule> AgentRules() { return kAgent; }
std::span<const TriageRule> AddressedRules() { return kAddressed; }
std::span<const TriageRule> CiRules() { return kCi; }

}  // namespace paddock::subagents
