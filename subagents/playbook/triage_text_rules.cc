// What a reader isn't meant to see: obfuscated code, invisible characters, orders to editors in any file.
#include "subagents/playbook/triage_rules.h"

namespace paddock::subagents {
namespace {

using enum Severity;

constexpr TriageRule kSource[] = {
    {"off-screen", kHigh, R"([;{},)\w"'][ \t]{150,}[^\s\\])", "code stands far to the right of what a screen shows", nullptr, R"(^\s*(//|#|\*|/\*))"},
    {"odd-encoding", kMedium, R"((?i)^[ \t\f]*#\s*(?:-\*-\s*)?(?:en)?coding[:=]\s*((?:utf_?-?7|raw_unicode|unicode_escape|punycode|idna|rot_?13)[\w-]*))", "Python reads the source as {1}: it says other than what stands there", R"(.*\.pyw?)"},
    {"obfuscated", kHigh, R"(\b_0x[0-9a-f]{4,6}\b.{0,200}\b_0x[0-9a-f]{4,6}\b)", "the names were made unreadable on purpose", R"(.*\.(js|mjs|cjs|ts|html))"},
    {"obfuscated", kMedium, R"((\\x[0-9a-fA-F]{2}){24})", "a long run of escaped bytes", R"(.*\.(js|mjs|cjs|ts|py|rb|php|sh|pl|ps1|lua))"},
    {"obfuscated", kMedium, R"((fromCharCode\(\s*(\d+\s*,\s*){12}|(chr\(\d+\)\s*[.+]\s*){6}|(\\u00[0-9a-fA-F]{2}){12}))", "text is put together of numbers", R"(.*\.(js|mjs|cjs|ts|py|rb|php|sh|pl|ps1|lua|html))"},
    {"script-as-root", kLow, R"(^\s*(?:if\s+|then\s+|\w+=\S+\s+)*sudo\s+(?:-\w+\s+)*((?:apt|apt-get|dnf|yum|pacman|apk|brew|dpkg|cp|mv|rm|tee|install|make|ln|chown|chmod|pip3?|sh|bash|sed|mkdir)\b[^|;&]*))", "{base} runs `{1}` as root when somebody starts it", R"(.*\.(sh|bash|zsh))"},
    {"script-clones", kLow, R"(^\s*(git\s+clone\s+(?:-\S+\s+(?:\d+\s+)?)*["']?(?:https?|git|ssh)://\S+))", "{base} fetches another repository when somebody starts it: `{1}`", R"(.*\.(sh|bash|zsh))"},
    {"decoded-string", kMedium, R"re(\b(?:atob|b64decode|base64_decode|base64\.decode\w*|Buffer\.from)\(\s*b?["'][A-Za-z0-9+/]{120,}={0,2}["'])re", "a long text is decoded"},
};

constexpr TriageRule kLong[] = {
    {"long-line", kInfo, R"(^.{800})", "a very long line: code may hide in it"},
};

// A word that can be read as one of Latin letters only, and is not. With a letter that no Latin one looks like ("xmlзначение") nobody is misled.
#define ALIKE "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅοΟ"
#define HOMOGLYPH R"((?:^|\PL)([\p{Latin})" ALIKE R"(]*(?:[A-Za-z][)" ALIKE R"(]|[)" ALIKE R"(][A-Za-z])[\p{Latin})" ALIKE R"(]*)(?:\PL|$))"
// Of one kind the first that fits a file counts.
constexpr TriageRule kHidden[] = {
    {"bidi", kHigh, R"(\\u\{(202[A-E]|206[6-9])\})", "bidirectional controls: what is shown is not what is there",
     R"((.*/)?([^/]+\.(js|mjs|cjs|jsx|ts|tsx|py|rb|php|sh|bash|pl|pm|ps1|bat|lua|go|rs|c|cc|cpp|cxx|h|hpp|java|kt|kts|gradle|groovy|swift|cs|json|toml|ya?ml|cmake|mk|sql|scala|ex|zig)|Makefile|Dockerfile))"},
    {"hidden-tags", kHigh, R"(\\u\{E0[01][0-9A-F]{2}\}(\\u\{E0[01][0-9A-F]{2}\}){3})", "text written in characters that nobody sees"},
    {"hidden-tags", kHigh, R"((\\u\{(FE0[0-9A-F]|200[BCD])\}){6})", "text written in characters that nobody sees"},
    {"zero-width", kHigh, R"([A-Za-z_.](\\u\{(200[BCDEF]|2060|206[1-4]|FEFF|180E)\})+[A-Za-z_(])", "an invisible character stands within a word",
     R"((.*/)?([^/]+\.(js|mjs|cjs|jsx|ts|tsx|py|rb|php|sh|bash|pl|pm|ps1|bat|lua|go|rs|c|cc|cpp|cxx|h|hpp|java|kt|kts|gradle|groovy|swift|cs|json|toml|cmake|mk)|Makefile|Dockerfile))"},
    {"homoglyph", kHigh, HOMOGLYPH, "a word has letters of another alphabet that look like its own", R"((.*/)?(package|composer|bower|deno|tsconfig[^/]*|settings|tasks|launch)\.json|(.*/)?(Cargo|pyproject)\.toml)"},
    {"homoglyph", kLow, HOMOGLYPH, "a word of another language's messages has letters of two alphabets",
     R"((.*/)?(locales?|i18n|l10n|lang|langs|languages|translations?|messages|nls|lc_messages|(ru|uk|be|bg|sr|mk|kk|ky|mn|tg|el)([-_]\w+)?)/(.*/)?[^/]+\.(json|toml)|(.*/)?([^/]+[._-])?(ru|uk|be|bg|sr|mk|kk|ky|mn|tg|el)([-_][A-Za-z]{2,4})?\.(json|toml))"},
    {"homoglyph", kHigh, HOMOGLYPH, "a word has letters of another alphabet that look like its own",
     R"((.*/)?([^/]+\.(js|mjs|cjs|jsx|ts|tsx|py|rb|php|sh|bash|pl|pm|ps1|bat|lua|go|rs|c|cc|cpp|cxx|h|hpp|java|kt|kts|gradle|groovy|swift|cs|json|toml|cmake|mk)|Makefile|Dockerfile))"},
    {"bidi", kMedium, R"(\\u\{(202[A-E]|206[6-9])\})", "bidirectional controls in a text"},
    {"terminal-escape", kMedium, R"(\\u\{1B\}[\[\]P_^])", "terminals obey what stands here"},
    {"zero-width", kInfo, R"(\\u\{(200[BCDEF]|2060|FEFF|180E)\})", "invisible characters in a text"},
};

// Orders to editors, in whatever file they stand.
constexpr TriageRule kModelines[] = {
    {"vim-modeline", kCritical, R"((?:^|\s)(?:vi|vim|ex):.*(?:\bsystem\(|\bexecute\b|:!|source!|\bpy3?\b|luaeval|assert_fails|\bcall\b))", "Vim executes this line where modelines are on"},
    {"emacs-eval", kHigh, R"((?:-\*-.*\b|^\W{0,4})eval:\s*\(.*(?:shell-command|call-process|start-process|make-process|async-shell|url-retrieve|delete-file|write-region|load))", "Emacs is asked to execute this when the file is opened"},
    {"emacs-eval", kLow, R"((?:-\*-.*\b|^\W{0,4})eval:\s*\()", "Emacs is asked to evaluate this when the file is opened"},
};

}  // namespace

std::span<const TriageRule> SourceRules() { return kSource; }
std::span<const TriageRule> LongLineRules() { return kLong; }
std::span<const TriageRule> HiddenTextRules() { return kHidden; }
std::span<const TriageRule> ModelineRules() { return kModelines; }

}  // namespace paddock::subagents
