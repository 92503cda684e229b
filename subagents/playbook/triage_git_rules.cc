// What git itself would run: its settings, its hooks, and files of a repository that git heeds.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

// A repository's own settings. A folder that holds HEAD, config, objects and refs is one too, so those count by name.
constexpr const char* kConfig = R"(((.*/)?(\.git|\.git/modules/.*|[\w.-]+)/)?config(\.worktree)?)";
constexpr TriageRule kGit[] = {
    {"git-fsmonitor", kCritical, R"((?i)^\s*fsmonitor\s*=\s*(.*))", "git runs {1} at each status", kConfig, nullptr, R"((?i)(true|false|yes|no|on|off|0|1)?)"},
    {"git-hooks-path", kMedium, R"re((?i)^\s*hooksPath\s*=\s*"?(\.husky(?:/_)?)"?\s*$)re", "git takes its hooks from {1}, as husky sets it", kConfig},
    {"git-hooks-path", kHigh, R"((?i)^\s*hooksPath\s*=\s*(.*))", "git takes its hooks from {1}", kConfig},
    {"git-ssh-command", kHigh, R"((?i)^\s*(sshCommand|askPass|gitProxy|alternateRefsCommand|diffFilter)\s*=\s*(.*))", "git runs {2} ({1})", kConfig},
    {"git-credential", kCritical, R"((?i)^\s*helper\s*=\s*"?(!.*))", "git runs {1} whenever it needs a password", kConfig},
    {"git-credential", kMedium, R"((?i)^\s*helper\s*=\s*(\S.*))", "git asks {1} for passwords", kConfig, nullptr, R"re((?i)"?(store|cache|manager|manager-core|osxkeychain|libsecret|wincred)(\s+--[\w-]+([=\s][\w.~/-]+)?)*"?)re"},
    {"git-alias", kHigh, R"re(^\s*([\w-]+)\s*=\s*"?(!.*))re", "`git {1}` runs {2}", kConfig},
    {"git-editor", kHigh, R"re((?i)^\s*(editor|pager|external|textconv|clean|smudge|process|driver|cmd|uploadpack|receivepack|vcs|tunnel|tocmd|cccmd|headercmd|sendmailcmd)\s*=\s*(\S.*))re", "git runs {2} ({1})", kConfig,
     nullptr, R"re((?i)"?(git-lfs\s+(clean|smudge|process|filter-process)(\s+(--|-\w+|--[\w-]+|%f))*|(less|more|cat|delta|nano|emacs|code)(\s+-[\w-]+)*|vim?|true|false|yes|no|on|off|0|1)"?)re"},
    {"git-program", kHigh, R"((?i)^\s*(program|command|defaultKeyCommand)\s*=\s*(\S.*))", "git runs {2} ({1})", R"((.*/)?(\.git|\.git/modules/.*)/config(\.worktree)?)"},
    {"git-include", kHigh, R"((?i)^\s*path\s*=\s*(\S.*))", "git also takes its settings from {1}", R"((.*/)?(\.git|\.git/modules/.*)/config(\.worktree)?)"},
    {"git-ext-url", kHigh, R"((?i)^\s*(?:push)?url\s*=\s*(ext::.*|-.*))", "this address runs a program, where git is let do so (protocol.ext.allow): {1}", kConfig},
    {"submodule-update", kCritical, R"((?i)^\s*update\s*=\s*(!.*))", "git submodule update runs {1}", R"((.*/)?config)"},
    {"git-ext-allowed", kHigh, R"((?i)^\s*\[protocol(?:\s+"ext")?\])", "addresses that run programs are allowed", kConfig},
    {"git-instead-of", kMedium, R"((?i)^\s*(?:push)?insteadOf\s*=\s*(\S.*))", "git goes elsewhere than to {1}", kConfig},
    {"git-ssl", kMedium, R"((?i)^\s*sslVerify\s*=\s*(?:false|0|no|off))", "git doesn't check certificates", kConfig},
    {"git-template", kMedium, R"((?i)^\s*(templateDir|attributesFile)\s*=\s*(\S.*))", "git takes more from {2} ({1})", kConfig},


    {"attribute-driver", kMedium, R"(^\s*[^#\s].*\bfilter=([\w-]+))", "files pass the filter {1}, if the settings have it", R"((.*/)?(\.gitattributes|\.git/info/attributes))", R"(filter=(lfs|crlf)\b)"},
    {"attribute-driver", kLow, R"(^\s*[^#\s].*\b(?:diff|merge)=([\w-]+))", "files are compared by the driver {1}, if the settings have it", R"((.*/)?(\.gitattributes|\.git/info/attributes))",
     R"(\b(diff|merge)=(ada|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex|ours|union|binary|text|lfs|astextplain|sql)\b)"},
    {"git-file", kHigh, R"(^gitdir:\s*(/.*|\.\./\.\./\.\./\.\..*))", "the git folder is elsewhere: {1}", R"((.*/)?\.git)"},
    {"git-file", kMedium, R"(^gitdir:\s*(.*))", "the git folder is {1}", R"(\.git)"},
};

constexpr TriageRule kSubmodule[] = {
    {"git-ext-url", kHigh, R"((?i)^\s*url\s*=\s*(ext::.*|-.*))", "git submodule update would run a program for this address, which git refuses unless its settings let it: {1}"},
    {"submodule-update", kCritical, R"((?i)^\s*update\s*=\s*(!.*))", "git submodule update runs {1}"},
    {"submodule-path", kCritical, R"re((?i)^\s*path\s*=\s*"?((?:.*/)?(?:\.\.|\.git)(?:/.*)?|/.*|-.*))re", "a submodule goes to {1}"},
    {"submodule-url", kHigh, R"((?i)^\s*url\s*=\s*(file:.*|/.*|\.\./\.\./\.\./.*))", "a submodule comes from {1}"},
    {"submodule-url", kMedium, R"((?i)^\s*url\s*=\s*((?:http|git|ftp)://.*))", "a submodule comes from {1}, unencrypted"},
    {"submodule", kInfo, R"((?i)^\s*url\s*=\s*(.*))", "has a submodule: {1}"},
};

// Whole lines of the hooks that pre-commit and husky 9 write: no line of them names a file of the repository.
#define PRE_COMMIT_LINES R"re(^(?:# start templated|# end templated|INSTALL_PYTHON=(?:/\.?[\w+@-][\w.+@-]*)+/python[\d.]*|ARGS=\(hook-impl --config=\.pre-commit-config\.yaml --hook-type=[\w-]+(?: --skip-on-missing-config)?\)|HERE="\$\(cd "\$\(dirname "\$0"\)" && pwd\)"|ARGS\+=\(--hook-dir "\$HERE" -- "\$@"\)|if \[ -x "\$INSTALL_PYTHON" \]; then|\s*exec "\$INSTALL_PYTHON" -m ?pre_commit "\$\{ARGS\[@\]\}"|elif command -v pre-commit > /dev/null; then|\s*exec pre-commit "\$\{ARGS\[@\]\}"|\s*echo '`pre-commit` not found\.  Did you forget to activate your virtualenv\?' 1>&2|\s*exit 1)$)re"
#define HUSKY_LINES R"re(^(?:\. "\$\(dirname "\$0"\)/h"|\[ "\$HUSKY" = "2" \] && set -x|n=\$\(basename "\$0"\)|s=\$\(dirname "\$\(dirname "\$0"\)"\)/\$n|\[ ! -f "\$s" \] && exit 0|if \[ -f "\$HOME/\.huskyrc" \]; then|\s*echo "husky - '~/\.huskyrc' is DEPRECATED, please move your code to ~/\.config/husky/init\.sh"|i="\$\{XDG_CONFIG_HOME:-\$HOME/\.config\}/husky/init\.sh"|\[ -f "\$i" \] && \. "\$i"|\[ "\$\{HUSKY-\}" = "0" \] && exit 0|export PATH="node_modules/\.bin:\$PATH"|sh -e "\$s" "\$@"|c=\$\?|\[ \$c != 0 \] && echo "husky - \$n script failed \(code \$c\)"|\[ \$c = 127 \] && echo "husky - command not found in PATH=\$PATH"|exit \$c)$)re"
constexpr TriageRule kHook[] = {
    HiddenName(ODD_ENCODING, R"((.*/)?(\.git/hooks|\.git/modules/.*/hooks|\.husky(/_)?|\.githooks|\.hooks)/[^/]+)", kHigh, 2),
    {"hg-settings", kHigh, R"((?i)^\s*\[\s*(hooks|extensions|alias|extdiff|merge-tools|diff-tools|auth|hgeditor)\b)", "Mercurial runs what [{1}] of its settings names", R"((.*/)?\.hg/hgrc(-not-shared)?)"},
    {"hg-settings", kHigh, R"((?i)^\s*(%include\s.*|(?:editor|ssh|merge|pager|remotecmd|askusername)\s*=\s*\S.*))", "Mercurial is told {1}", R"((.*/)?\.hg/hgrc(-not-shared)?)"},
    {"git-hook", kMedium, PRE_COMMIT_LINES, "a hook that pre-commit put there, which runs what the repository's .pre-commit-config.yaml says at git's next {base}", R"((.*/)?\.git/hooks/[^/]+)"},
    {"git-hook", kLow, R"re(^\s*(?:# File generated by pre-commit\b.*|git lfs (?:pre-push|post-checkout|post-commit|post-merge) "\$@"|command -v git-lfs >/dev/null 2>&1 \|\| \{ (?:echo|printf) >&2 "[^"$`]*"(?: "[^"$`]*")?; exit 2; \}|call_lefthook (?:run )?"?[\w-]+"? "\$@")\s*$)re", "a hook that a known tool put there: {base}", R"((.*/)?\.git/hooks/[^/]+)"},
    {"git-hook", kHigh, R"re(^#!\s*(\S.*))re", "git runs {1} at its next {base}", R"((.*/)?(\.git|\.git/modules/.*)/hooks/.+)", R"(^#!\s*(/usr)?(/local)?/bin/(env\s+)?(ba|z|da|k)?sh(\s+-[eux]+)?\s*$)"},
    {"git-hook", kHigh, R"(^\s*[^#\s])", "git runs this at its next {base}", R"((.*/)?(\.git|\.git/modules/.*)/hooks/.+)", R"(^\s*(exit 0|:|set -\w+|fi|then|else)\s*$)"},
    {"hook-script", kInfo, HUSKY_LINES, "husky's own part of a git hook: {file}", R"((.*/)?\.husky/_/[^/]+)"},
    {"hook-script", kLow, R"(^\s*([^#\s].*))", "becomes a git hook once installed: `{1}`", R"((.*/)?(\.husky(/_)?|\.githooks|\.hooks)/[^/]+)", R"(^\s*(exit 0|:|set -\w+|fi|then|else|\. .*husky\.sh.*)\s*$)"},
    HiddenName(YAML_HIDDEN_FLOW, R"((.*/)?\.pre-commit-(config|hooks)\.ya?ml)"),
    HiddenName(YAML_HIDDEN, R"((.*/)?\.?lefthook(-local)?\.ya?ml)"),
    {"hook-config", kLow, YAML_BEFORE R"((?:entry|run))" YAML_BEHIND R"(\s*(\S.*))", "runs at git hooks once installed: `{1}`", R"((.*/)?(\.pre-commit-(config|hooks)|\.?lefthook(-local)?)\.ya?ml)"},
    {"hook-config", kLow, YAML_BEFORE "(entry|run)" YAML_BEHIND, "runs something at git hooks once installed ({1})", R"((.*/)?(\.pre-commit-(config|hooks)|\.?lefthook(-local)?)\.ya?ml)"},
    {"hook-config", kInfo, YAML_BEFORE "repo" YAML_BEHIND R"(\s*(https?://[^\s,}]+))", "git hooks come from {1} once installed: normal for pre-commit", R"((.*/)?\.pre-commit-config\.ya?ml)"},
};

}  // namespace

std::span<const TriageRule> GitRules() { return kGit; }
std::span<const TriageRule> SubmoduleRules() { return kSubmodule; }
std::span<const TriageRule> HookRules() { return kHook; }

}  // namespace paddock::subagents
