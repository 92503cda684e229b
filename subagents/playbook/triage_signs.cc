// Signs of hostility, strongest first.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

constexpr TriageSign kSigns[] = {
    {"decode-and-run", Severity::kCritical, Severity::kMedium,
     R"((?i)base64\s+(-d|--decode)\b[^|]*\|\s*(sudo )?(ba|z)?sh\b|eval\W{1,4}\(?.{0,40}base64|\bexec\(.{0,60}(b64decode|marshal\.loads|decompress|fromhex|codecs\.decode)|\beval\(.{0,60}(atob\(|Buffer\.from|unescape\(|fromCharCode|b64decode|base64_decode|gzinflate|str_rot13)|new Function\(.{0,60}(atob\(|Buffer\.from)|powershell.{0,80}\s-e(nc|ncodedcommand)?\s|FromBase64String\(|__import__\(.(base64|zlib|marshal|codecs).\))",
     "decodes text and executes it"},
    {"reverse-shell", Severity::kCritical, Severity::kMedium, R"(/dev/(tcp|udp)/|\bn(c|cat)\b.{0,60}\s-e\s|\bncat\b.{0,60}--(sh-)?exec|\bbash -i\b.{0,20}>&|socat\b.{0,60}exec:|\bpty\.spawn\(\s*\[?["'](/bin/)?(ba|z)?sh\b)",
     "opens a shell for somebody outside"},
    {"destroys", Severity::kCritical, Severity::kInfo, R"(\brm\s+-(rf|fr)\s+["']?(~|/|\$HOME|\$\{HOME\})/?["']?(\s|$|;|&|\*)|\bmkfs\.|\bdd\b.{0,60}\bof=/dev/[a-z])", "destroys files outside of the repository"},
    {"fetch-and-run", Severity::kHigh, Severity::kMedium,
     R"((?i)\b(curl|wget)\b[^|#]*\|\s*(sudo\s+)?(-\w+\s+)*(ba|z|da|k)?sh\b|\b(curl|wget)\b[^|#]*\|\s*(sudo\s+)?(python3?|node|perl|ruby)\b|\b(ba)?sh\s+(-c\s+)?["']?(<\(|\$\()\s*(curl|wget)|\b(curl|wget)\b[^#]*(&&|;)\s*(sudo\s+)?((ba)?sh|chmod)\s|\biex\b.{0,60}(DownloadString|iwr|Invoke-WebRequest)|DownloadString\(.{0,80}\biex\b)",
     "fetches a program and runs it"},
    {"sends", Severity::kHigh, Severity::kInfo,
     R"((?i)\b(curl|wget)\b.{0,100}\s(-d|--data[a-z-]*|-F|--form|-T|--upload-file|--post-(data|file))\b.{0,60}(@|\$\(|`|env\b|token|secret)|\b(env|printenv)\b\s*\|\s*(curl|nc|base64)|JSON\.stringify\(process\.env|(requests\.post|urlopen)\(.{0,80}environ|discord(app)?\.com/api/webhooks|api\.telegram\.org/bot|\bngrok(-free)?\.(io|app|com|dev|connect)\b|\bngrok\s+(http|tcp|tls|start|authtoken)\b|(\brequire\s*\(\s*["\x60\x27]|\bfrom\s+["\x27]?|\bimport\s+["\x27]?)(@ngrok/)?(py)?ngrok\b|\w\.onion\b|burpcollaborator|\boast\.(pro|live|site|online|fun|me)\b|(//|\w\.)interact\.sh\b)",
     "sends something of this machine to somebody"},
    {"reads-keys", Severity::kHigh, Severity::kInfo,
     R"((~|\$HOME|\$\{(localEnv:)?HOME\}|homedir\(\)|expanduser|Path\.home\(\)|/root|/home/\w+).{0,12}\.(ssh|aws|gnupg|kube|netrc|npmrc|pypirc|git-credentials|docker)\b|\.ssh/(id_|authorized_keys)|\bid_(rsa|ed25519|ecdsa)\b|\.aws/credentials|/etc/shadow|wallet\.dat|\bLogin Data\b)",
     "touches keys or credentials"},
    {"persists", Severity::kHigh, Severity::kInfo,
     R"(\.(bashrc|zshrc|bash_profile|profile|zprofile)\b|\bcrontab\s|/etc/cron|LaunchAgents|systemctl (--user )?enable|HKCU\\|\bschtasks\b|\.config/autostart)", "writes itself into what starts with the machine or a shell"},
    {"writes-home", Severity::kHigh, Severity::kInfo,
     R"((>|\btee\b|\btouch\b|writeFile\w*\(|appendFile\w*\(|\bopen\(|\bcp\b|\bmv\b|fs::write|File\.write|file_put_contents|write_text).{0,80}(~/|\$\{?HOME\b|%APPDATA%|%USERPROFILE%|expanduser|Path\.home\(\)|homedir\(\)|process\.env\.HOME|ENV\[.HOME|env::var\("HOME|getenv\(.HOME)|(Path\.home\(\)|expanduser\(|homedir\(\)|process\.env\.HOME|env::var\("HOME).{0,80}(write|touch|open))",
     "writes into the home folder"},
    {"raw-address", Severity::kHigh, Severity::kInfo, R"(\b(https?|ftp|tcp)://((?:[1-9]|1[1-9]|[2-9]\d|1(?:[013-6]\d|2[0-689]|7[013-9]|8\d|9[013-9])|2\d\d)\.\d+|192\.(?:\d{1,2}|1[0-57-9]\d|16[0-79]|2\d\d)|172\.(?:\d|1[0-5]|3[2-9]|[4-9]\d|\d{3}))\.\d+\.\d+)", "talks to a bare network address of the internet"},
    {"hides-letters", Severity::kHigh, Severity::kInfo, R"(\\(?:u+00|U000000)(4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA]))", "writes plain letters as escapes, so that nobody finds them"},
    {"hides-letters", Severity::kHigh, Severity::kInfo, R"((?:^|[^\\])(?:\\\\)*\\(?:u+00|U000000))" NAME_HEX R"re(|"(?:[^"\\]|\\.)*\\x)re" NAME_HEX R"re((?:[^"\\]|\\.)*"\s*[:=.])re",
     "writes plain letters as escapes, so that nobody finds them", nullptr, R"((?i).*\.(json[c5]?|code-workspace|sublime-project|toml|ya?ml|properties|npmrc|yarnrc)|(.*/)?\.cargo/config)"},
};

}  // namespace

std::span<const TriageSign> TriageSigns() { return kSigns; }

const char* WhenWord(When when) {
  switch (when) {
    case When::kOpen: return "open";
    case When::kInstall: return "install";
    case When::kBuild: return "build";
    case When::kHooked: return "hooked";
    case When::kSign: break;
  }
  return "sign";
}

}  // namespace paddock::subagents
