#include "subagents/playbook/review_rules.h"

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/doc_commands.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr auto kLow = Severity::kLow;
constexpr auto kMedium = Severity::kMedium;
constexpr auto kHigh = Severity::kHigh;

#define C_LIKE "C|C\\+\\+|C header|Objective-C.*"
#define JS_LIKE "JavaScript|TypeScript"
#define SHELL_LIKE "Shell|Make|Docker|CI"
#define SECRET_NAME R"((?i:token|secret|passw(?:or)?d|api_?key|session_?id|nonce|salt|csrf))"

constexpr ReviewRule kRisks[] = {
    {C_LIKE, R"(\b(gets)\s*\()", kHigh, "gets() can't bound what it reads", "It writes past the buffer with any long line: use fgets with the buffer's size.", R"(\bgets\s*\(\s*(void|char)\b|[.>]gets)"},
    {C_LIKE, R"(\b(strcpy|strcat|stpcpy|wcscpy|wcscat)\s*\()", kMedium, "{1}() copies without a bound", "Nothing here keeps the source from being longer than the buffer.", R"(\b(strcpy|strcat|stpcpy)\s*\([^,]+,\s*"[^"]*"\s*\)|\bchar\s*\*\s*(strcpy|strcat|stpcpy))"},
    {C_LIKE, R"(\b(v?sprintf)\s*\()", kMedium, "{1}() writes without a bound", "snprintf takes the buffer's size.", R"(\bsprintf\s*\([^,]+,\s*"[^"%]*(%[-+0-9.hlz]*[dicuxXo%][^"%]*)*"|\bint\s+v?sprintf)"},
    {C_LIKE, R"(\b(system|popen)\s*\()", kMedium, "{1}() runs a shell", "Whatever is in its text is run: exec a program with a list of arguments instead.", R"re(\b(system|popen)\s*\(\s*"[^"%]*"|[.>]\s*(system|popen)|\b(int|FILE|void)\b[\s*]+(system|popen))re"},
    {C_LIKE, R"(\bmalloc\s*\(\s*(?:\([\w\s]+\)\s*)?[a-z_][\w.>-]*\s*\*\s*[a-z_][\w.>-]*\s*\))", kLow, "malloc() of a product", "Where it overflows there is less room than was asked for: calloc looks.", R"(\bsizeof\b)"},
    {C_LIKE, R"(\b(alloca)\s*\()", kLow, "alloca() has no bound but the stack's", "A large size crashes the program, without an error.", R"(\balloca\s*\(\s*\d+\s*\))"},
    {C_LIKE, R"(\b(scanf|fscanf|sscanf)\s*\([^"]*"[^"]*%s)", kMedium, "{1}() with %s reads without a bound", "Give the width: %63s for 64 bytes."},
    {C_LIKE, R"(\b(printf|vprintf)\s*\(\s*[a-z_][\w>.\[\]-]*\s*[,)])", kMedium, "{1}() with a format that is no literal", "Where that text comes from outside, it reads and writes memory: use \"%s\".", R"(\bint\s+v?printf)"},
    {C_LIKE, R"(\b(fprintf|dprintf|syslog)\s*\(\s*\w+\s*,\s*[a-z_][\w>.\[\]-]*\s*\))", kMedium, "{1}() with a format that is no literal", "Where that text comes from outside, it reads and writes memory: use \"%s\"."},
    {C_LIKE, R"(\bsnprintf\s*\(\s*[^,]+,\s*[^,]+,\s*[a-z_][\w>.\[\]-]*\s*\))", kMedium, "snprintf() with a format that is no literal", "Where that text comes from outside, it reads and writes memory: use \"%s\"."},
    {C_LIKE, R"(\b(mktemp|tmpnam|tempnam)\s*\()", kMedium, "{1}() names a file that somebody else may make first", "mkstemp makes the file and names it in one step.", R"([.>](mktemp|tmpnam))"},
    {C_LIKE, R"(\b(?:memcpy|memmove)\s*\([^;]*\bstrlen\s*\()", kMedium, "memcpy() by the length of its source", "Nothing here compares that length with the room in the target.", R"(\+\s*1\s*\)\s*;.*alloc)"},
    {C_LIKE, R"(\b(MD5|SHA1|MD4|RC4|DES)_\w+\s*\(|\bEVP_(?:md5|sha1|md4|rc4|des\w*)\s*\()", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by a collision."},
    {C_LIKE "|PHP", R"(CURLOPT_SSL_VERIFY(?:PEER|HOST)\s*,\s*(?:0|false|FALSE)|\bSSL_VERIFY_NONE\b)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    // Of what is made (open, mkdir) the umask takes away; of chmod nothing does.
    {C_LIKE, R"(\bf?chmod(?:at)?\s*\([^;]*\b(?:0?0777|0?0666|S_IRWXO)\b)", kMedium, "Everybody may write to it", "Permissions 777 and 666 let any user of the machine change the file."},
    {C_LIKE, R"re(\b(CURLOPT_(?:PROXY)?USERPWD)\s*,\s*"[^"%]{6,}")re", kMedium, "A name and a password stand in the code", "They have to come from outside, and to be changed once they were committed."},

    {"Python|Cython", R"((?:^|[^\w.])(?:_*builtins_*\s*(?:\.\s*|\[\s*["']))?(eval|exec)(?:["']\s*\])?\s*\)?\s*\()", kHigh, "{1}() runs its text as code", "Whoever decides on the text decides on what is run. For values, ast.literal_eval.", R"(\bdef\s+(eval|exec)\b)"},
    {"Python", R"(\b((?:c?[pP]ickle|dill|marshal|shelve|joblib)\.(?:loads?|open|Unpickler))\s*\()", kMedium, "{1}() runs code that is in the data", "Only for data that nobody else can write."},
    {"Python", R"(\b(yaml\.(?:load|load_all|unsafe_load))\s*\()", kMedium, "{1}() makes any object that the text asks for", "yaml.safe_load reads plain data only.", R"(Safe|CLoader\b.*Safe|BaseLoader)"},
    {"Python", R"re(\b(os\.(?:system|popen)|commands\.getoutput|subprocess\.getoutput)\s*\((?:\s*[fF][rR]?["'].*\{|.*["']\s*(?:\+|%|\.format\()|\s*[\w.]+\s*\+))re", kMedium, "{1}() runs a shell on a text that is put together", "What is put into it is run: use subprocess.run with a list of arguments."},
    {"Python", R"(["']?\bshell(?:["']?\s*[:=]|["']\s*\]\s*=)\s*True\b)", kMedium, "A command goes through a shell", "What is put into the command is run: give a list of arguments, without shell=True."},
    {"Python", R"(\b(os\.(?:system|popen)|commands\.getoutput|subprocess\.getoutput)\s*\()", kMedium, "{1}() runs a shell", "What is put into its text is run: use subprocess.run with a list of arguments."},
    {"Python", R"(^\s*assert\s+.*(?i:admin|auth|permission|allowed|token|passw|logged_in|is_valid|verif))", kMedium, "A check by assert is gone under python -O", "Use `if` and raise an exception."},
    {"Python", R"(^\s*(?:async\s+)?def\s+\w+\(.*[\w\]]\s*=\s*(?:\[\]|\{\}|set\(\)|dict\(\)|list\(\))\s*[,)])", kLow, "A default that all calls share and can change", "It is made once, when the function is defined: use None, and make it inside."},
    {"Python", R"(\b(tempfile\.mktemp)\s*\()", kMedium, "{1}() names a file that somebody else may make first", "tempfile.mkstemp makes the file, too."},
    {"Python", R"(^\s*except\s*:)", kLow, "A bare `except:` catches everything", "KeyboardInterrupt and SystemExit, too."},
    {"Python", R"(["']?\b(?:verify|check_hostname)(?:["']?\s*[:=]|["']\s*\]\s*=)\s*(?:False|0|not\s+True)\b|_create_unverified_context|\bCERT_NONE\b|\bSSL_VERIFY(?:PEER|HOST)\s*,\s*(?:0|False)\b)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    {"Python", R"(\bhashlib\.(?:md5|sha1)\s*\()", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by a collision.", R"(usedforsecurity)"},
    {"Python", SECRET_NAME R"(\w*\s*=\s*.*\brandom\.\w+\()", kMedium, "A secret from random numbers that can be foretold", "The module `secrets` is for that."},
    {"Python", R"(\bapp\.run\(.*\bdebug\s*=\s*True)", kMedium, "Runs with the debugger on", "It gives a console to whoever reaches the port."},
    {"Python", R"(\bchmod\(.*\b0o?0?(?:777|666)\b)", kMedium, "Everybody may write to it", "Permissions 777 let any user of the machine change it."},

    {JS_LIKE, R"((?:^|[^\w.$])(?:(?:window|globalThis|global|self)\s*(?:\?\.|\.)?\s*)?(?:\[\s*["'`])?(eval)(?:["'`]\s*\])?\s*\)?\s*(?:\?\.)?\s*\()", kHigh, "eval() runs its text as code", "Whoever decides on the text decides on what is run.", R"(function\s+eval)"},
    {JS_LIKE, R"(\bnew\s+Function\s*\()", kMedium, "new Function() runs its text as code", "Whoever decides on the text decides on what is run.", R"(new\s+Function\s*\(\s*\))"},
    {JS_LIKE, R"(\.(?:inner|outer)HTML\s*\+?=)", kMedium, "Text becomes part of the page's code (innerHTML)", "Where it comes from outside, its scripts run: textContent shows text.", R"(HTML\s*\+?==|HTML\s*\+?=\s*(''|""|``|'[^'+$]*'|"[^"+]*"|`[^`$]*`)\s*;?\s*$)"},
    {JS_LIKE, R"(\bdangerouslySetInnerHTML\b|\bdocument\.write(?:ln)?\s*\()", kMedium, "Text becomes part of the page's code", "Where it comes from outside, its scripts run."},
    {JS_LIKE, R"re(\b(exec|execSync)\s*\(\s*(?:`[^`]*\$\{|"[^"]*"\s*\+|'[^']*'\s*\+))re", kMedium, "{1}() runs a shell on a text that is put together", "What is put into it is run: execFile takes a list of arguments.", R"(\.exec\s*\()"},
    {JS_LIKE, R"re(\.(exec|execSync)\s*\(\s*(?:`[^`]*\$\{|"[^"]*"\s*\+|'[^']*'\s*\+|[A-Za-z_$][\w.$]*\s*\+\s*['"`]))re", kMedium, "{1}() runs a shell on a text that is put together", "What is put into it is run: execFile takes a list of arguments.",
     R"((?i)\b\w*(db|database|sql|sqlite|conn|connection|pool|client|query|re|regexp?|pattern|exp)\d?\.exec|/\.exec|\)\.exec|["'`]\s*(select|insert|create|update|delete|pragma|drop|alter|begin|attach)\b)"},
    {JS_LIKE, R"re(\bchild_process(?:'\)|"\))?\.(exec|execSync)\s*\(\s*(?:[a-z_$`]|"[^"]*"\s*\+|'[^']*'\s*\+))re", kMedium, "{1}() runs a shell", "What is put into its text is run: execFile takes a list of arguments.", nullptr, true},
    {JS_LIKE, R"(["']?\brejectUnauthorized["']?\s*\]?\s*[:=]\s*(?:false\b|!\s*(?:1|true)\b)|process\.env(?:\.|\[['"])NODE_TLS_REJECT_UNAUTHORIZED\b[^=]*=\s*['"]?0)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    {JS_LIKE, R"(\bcreateHash\(\s*['"](?:md5|sha1)['"])", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by a collision."},
    {JS_LIKE, SECRET_NAME R"(\w*\s*[:=]\s*.*\bMath\.random\()", kMedium, "A secret from random numbers that can be foretold", "crypto.randomBytes is for that."},

    {"Go", R"(\bInsecureSkipVerify\s*[:=]\s*true\b)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    {"Go", R"(\w+\s*,\s*_\s*:?=\s*((?:os|io|ioutil|json|xml|strconv|http|exec|sql|url|base64|hex|time|net|bufio|filepath|rand)\.\w+)\()", kLow, "The error of {1} is ignored", "What it gives back is used whether it worked or not."},
    {"Go", R"(^\s*_\s*=\s*((?:os|json|xml|io)\.\w+|\w+\.(?:Scan|Decode|Unmarshal|Exec|Commit|Parse\w*))\()", kLow, "The error of {1} is ignored", "Nobody hears that it failed."},
    {"Go", R"((?i:token|secret|passw(?:or)?d|api_?key|session|nonce|salt|csrf)\w*\s*:?=\s*.*\brand\.(?:Int\d*|Intn|Int\d+n|Uint\d*|Float\d*|Perm)\((?:\d*|\w*)\))", kMedium, "A secret from random numbers that can be foretold", "crypto/rand is for that."},
    {"Go", R"re(\bexec\.Command(?:Context)?\((?:\w+,\s*)?"(?:/bin/)?(?:ba|z)?sh",\s*"-c",\s*(?:[a-z]\w*|.*\+|fmt\.))re", kMedium, "A shell runs a text that is put together", "What is put into it is run: give program and arguments by themselves."},
    {"Go", R"(\btemplate\.(?:HTML|JS|URL)\([a-z])", kMedium, "Text becomes part of the page's code", "template.HTML switches the escaping off."},
    {"Go", R"(\b(?:md5|sha1)\.(?:New|Sum)\()", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by a collision."},
    {"Go", R"(\bunsafe\.Pointer\()", kLow, "unsafe.Pointer", "The compiler no longer checks the types here: worth a second pair of eyes."},
    {"Go", R"(\b\w+\.Chmod\(.*\b0o?0?(?:777|666)\b)", kMedium, "Everybody may write to it", "Permissions 777 and 666 let any user of the machine change it."},

    {"Rust", R"(\bunsafe\s*(?:\{|fn\b|impl\b))", kLow, "unsafe code", "The compiler no longer checks the memory here: worth a second pair of eyes, and a comment that says why it holds."},
    {"Rust", R"(\.unwrap\(\))", kLow, "unwrap() ends the program where there is no value", "Outside of tests an error is better passed on.", R"((lock|read|write|join|borrow|borrow_mut)\(\)\s*\.unwrap|(Regex|regex)::new\(.*unwrap|write(ln)?!\()"},
    {"Rust", R"(^\s*let\s+_\s*=\s*((?:\w+::)*(?:fs|io)::\w+)\()", kLow, "The error of {1} is ignored", "Nobody hears that it failed."},
    {"Rust", R"re(Command::new\(\s*"(?:/bin/)?(?:ba|z)?sh"\s*\)\.arg\(\s*"-c"\s*\)\.arg\(\s*(?:&?[a-z]|&?format!))re", kMedium, "A shell runs a text that is put together", "What is put into it is run: give program and arguments by themselves."},
    {"Rust", R"re((?i)format!\(\s*"\s*(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)[^"]*\{)re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters."},
    {"Rust", R"(\bmem::transmute\b)", kMedium, "transmute", "Any bytes become any type: rarely what is needed."},
    {"Rust", R"(danger_accept_invalid_(?:certs|hostnames)\(\s*true)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},

    // What a variable holds, a text or an array, the line doesn't say.
    {"Java|Kotlin|Scala|Groovy", R"re(\bgetRuntime\(\)\s*\.exec\s*\(\s*(?:"|String\.(?:format|join)\(|[\w.()]+\s*\+))re", kMedium, "Runtime.exec() on one text", "It is split at blanks, whatever was meant: ProcessBuilder takes a list."},
    {"Java|Kotlin|Scala|Groovy", R"(\bgetRuntime\(\)\s*\.exec\s*\(\s*[A-Za-z_])", kMedium, "Runtime.exec() on something that is no literal", "Whoever decides on it decides on what is run; where it is one text, it is split at blanks.", R"re(\.exec\s*\(\s*new\s+String\s*\[\]\s*\{\s*")re"},
    {"Java|Kotlin|Scala|Groovy", R"(\bProcessBuilder\s*\(\s*\*?[a-z_]\w*(?:\.\w+(?:\(\))?)*\s*[),+])", kMedium, "ProcessBuilder() on something that is no literal", "Whoever decides on it decides on what is run."},
    {"C#", R"re(\bProcess\.Start\s*\(\s*(?:\$@?"[^"]*\{|[A-Za-z_]\w*(?:\.\w+(?:\(\))?)*\s*[),+]))re", kMedium, "Process.Start() on something that is no literal", "Whoever decides on it decides on what is run.", R"((?i)Start\s*\(\s*\w*(?:info|psi)\s*\))"},
    {"Java|Kotlin|Scala|Groovy", R"re("(?:/bin/)?(?:ba|z)?sh",\s*"-c",\s*(?:[a-z]\w*\b|.*\+))re", kMedium, "A shell runs a text that is put together", "What is put into it is run: give program and arguments by themselves.", nullptr, true},
    {"Java|Kotlin|Scala", R"(\bnew\s+ObjectInputStream\s*\(|\bObjectInputStream\s*\(.*\)\.readObject)", kMedium, "ObjectInputStream makes any object that the data asks for", "Only for data that nobody else can write; else with a filter (setObjectInputFilter)."},
    {"Java|Kotlin|Scala", R"re(\bMessageDigest\.getInstance\(\s*"(?:MD5|MD2|SHA-?1)"|\bCipher\.getInstance\(\s*"(?:DES|DESede|RC4|AES/ECB)[/"\w]*)re", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by it."},
    {"Java|Kotlin|Scala|Groovy", SECRET_NAME R"(\w*\s*=\s*.*\b(?:new\s+Random\(|Math\.random\(|ThreadLocalRandom\b))", kMedium, "A secret from random numbers that can be foretold", "SecureRandom is for that."},
    {"Java|Kotlin|Scala", R"(\.setWritable\(\s*true\s*,\s*false\s*\))", kMedium, "Everybody may write to it", "setWritable(true, false) is for all users of the machine."},
    {"Java|Kotlin|Scala", R"(\bcheckServerTrusted\([^)]*\)\s*(?:throws\s+\w+\s*)?\{\s*\}|ALLOW_ALL_HOSTNAME|NoopHostnameVerifier|HostnameVerifier\b.*->\s*\{?\s*(?:return\s+)?true\b|\bverify\s*\([^)]*SSLSession\s+\w+\s*\)\s*\{\s*return\s+true\b|\bTrustAll\w*)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    {"Java|Kotlin|Scala|C#", R"(\bcatch\s*\([^)]*\)\s*\{\s*\})", kLow, "An exception is swallowed", "Nobody hears that it failed."},

    {"PHP", R"((?:^|[^\w>:$])(eval|unserialize|shell_exec|passthru|system|exec|popen)\s*\([^)]*\$)", kMedium, "{1}() on something variable", "Whoever decides on its text decides on what is run."},
    {"PHP", R"(\b(?:echo|print)\b.*\$_(?:GET|POST|REQUEST|COOKIE)\b)", kMedium, "What a visitor sent is printed as it is", "Its scripts run in the page: htmlspecialchars.", R"(htmlspecialchars|htmlentities|intval|\(int\))"},
    {"Ruby", R"((?:^|[^\w.])(eval|instance_eval|class_eval)\s*[( ]\s*[a-z"#])", kMedium, "{1} runs its text as code", "Whoever decides on the text decides on what is run.", R"(\bdo\b)"},
    {"Ruby", R"(\b(Marshal\.load|YAML\.(?:load|unsafe_load))\b)", kMedium, "{1} makes any object that the data asks for", "Only for data that nobody else can write; YAML.safe_load reads plain data."},
    {"Ruby", R"(\b(?:system|exec|spawn)\s*\(?\s*"[^"]*#\{|`[^`]*#\{)", kMedium, "A shell runs a text that is put together", "What is put into it is run: give program and arguments by themselves."},
    {"Ruby", R"(\bVERIFY_NONE\b)", kHigh, "TLS certificates are not checked", "Anybody on the way can read and change what is sent.", nullptr, false, false, nullptr, true},
    {"Ruby", R"(\bchmod(?:_R)?[\s(]+0?o?777\b)", kMedium, "Everybody may write to it", "Permissions 777 let any user of the machine change it."},
    {"Ruby", R"re((?i)"[^"]*\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)[^"]*#\{)re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters."},
    {"Ruby", R"(\bDigest::(?:MD5|SHA1)\b)", kLow, "A weak algorithm of cryptography", "Fine for check sums, not where somebody could gain by a collision."},
    {"Perl", R"(\b(?:system|exec)\s*\(?\s*"[^"]*\$|\beval\s+\$|\beval\s*\(\s*\$|`[^`]*\$)", kMedium, "A text that is put together is run", "Give system a list; eval a block."},

    {SHELL_LIKE, R"(\b(curl|wget)\b[^|;&]*\|\s*(?:sudo\s+)?(?:-E\s+)?(?:ba|z|da|k)?sh\b)", kHigh, "What a server sends is run at once", "Nothing checks it: fetch a fixed version, compare its hash, then run it.", R"(\b(echo|warning|error|info|printf|die)\b.*\b(curl|wget)\b)", true},
    {SHELL_LIKE, R"((?:ba|z)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(curl|wget)\b)", kHigh, "What a server sends is run at once", "Nothing checks it: fetch a fixed version, compare its hash, then run it.", nullptr, true},
    {"Shell|Docker|CI", R"(\brm\s+(?:-\w+\s+)*-\w*[rR]\w*\s+(?:-\w+\s+)*(?:"?\$\{?\w+\}?"?/|"?\$\{?\w+\}?"?(?:\s|$)))", kMedium, "rm -r on a variable", "Where the variable is empty it removes something else: \"${DIR:?}\" fails then.", R"(:\?)"},
    {SHELL_LIKE, R"(\bchmod\s+(?:-\w+\s+)*(?:0?777|a\+rwx|o\+w)\b)", kMedium, "Everybody may write to it", "Permissions 777 let any user of the machine change it."},
    {SHELL_LIKE, R"(\bcurl\s(?:.*\s)?(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)\b|\bwget\s.*--no-check-certificate|GIT_SSL_NO_VERIFY=|sslVerify[ =]false|\bNODE_TLS_REJECT_UNAUTHORIZED['"]?\s*[:=]\s*['"]?0|\bPYTHONHTTPSVERIFY['"]?\s*[:=]\s*['"]?0)", kHigh, "TLS certificates are not checked", "Anybody on the way can change what is fetched."},
    {"Shell", R"((?:^|[;&|]|\bthen\b|\bdo\b)\s*eval\s+.*\$)", kMedium, "eval runs what is in a variable", "Whoever decides on the text decides on what is run."},
    {"Shell", R"(^\s*(?:sudo\s+)?(rm|cp|mv|cd|chmod|chown|cat|rmdir|source)\s+(?:-\w+\s+)*\$\{?\w+\}?(?:/\S*)?(?:\s|$))", kLow, "A variable of {1} is not quoted", "A blank or a star in it makes several words of it, an empty one none."},
    {"Docker", R"(--privileged\b)", kMedium, "Runs with all privileges", "A container that is privileged is no border."},
    {"CI", R"(\bpermissions\s*:\s*write-all\b)", kMedium, "Each job may write everything (permissions: write-all)", "A step that is taken over can change the repository: name what is needed."},
    {"CI", R"(\b(?:(?:make|ninja|npm|yarn|pnpm|cargo|go|mvn|mvnw|gradle|gradlew|dotnet|mix|rake|composer|meson)\s+(?:run\s+)?[\w:-]*(?:test|check)|ctest|pytest|tox|nox|jest|mocha|rspec|phpunit)\b.*\|\|\s*(?:true|:|exit 0)\s*$)", kMedium, "It passes when its tests fail", "Nobody hears of it."},
    {"CI", R"(\bcontinue-on-error\s*:\s*true\b)", kLow, "It goes on where a step fails", "Nobody hears of it."},
    {"Make", R"(^\t\s*@?-@?\s*\S*(?:test|check))", kLow, "make goes on where the tests fail", "The minus sign has it ignore how they end."},
    {"CI", R"(\bpull_request_target\b)", kMedium, "Runs on pull_request_target", "Strangers' changes are run with the repository's secrets at hand, if it checks them out."},
    {"CI", R"(\$\{\{\s*github\.(?:head_ref|event\.(?:issue|pull_request|comment|review|head_commit)\.[\w.]*(?:title|body|ref|message|label|name)))", kHigh, "A stranger's text becomes part of a command", "A title of an issue can hold a command: hand it over in an environment variable.", R"(^\s*\w+:\s*\$\{\{[^}]*\}\}\s*$)", true},

    {"Python", R"re((?i)f["'].*\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s).*\{)re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters."},
    {"Python|Java|C#|Kotlin|Go|Ruby|JavaScript|TypeScript|C\\+\\+|Scala|Groovy", R"re((?i)["'].*\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)[^"']*(?:["']["']?\s*(?:\+|%|\.format\()\s*\w|'"\s*\+))re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters.", nullptr, true},
    {"Go", R"re((?i)fmt\.(?:Sprintf|Fprintf)\(.*"\s*(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s).*%[sv])re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters."},
    {JS_LIKE, R"((?i)`[^`]*\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)[^`]*\$\{)", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters."},
    {"PHP|Perl", R"re((?i)["'].*\b(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)[^"]*(?:\$\w|"\s*\.\s*\$))re", kMedium, "SQL is put together from parts", "Whoever decides on a part decides on the question: use parameters.", nullptr, true},
};

// "if testing.Short() {" and the like hold what is meant to be done there only.
constexpr char kUnderCondition[] = R"(^\s*(\}\s*)?(if|else|elif|except|catch|case|switch|unless|rescue|select)\b|#\s*if)";

constexpr char kUnwritten[] = "Whoever gets there gets an error.";

constexpr ReviewRule kLeftovers[] = {
    {"Python|Java|C#|Kotlin|Go|Ruby|JavaScript|TypeScript|C|C header|C\\+\\+|Scala|Groovy|Rust|PHP|Swift|Perl|Lua", R"(\band\s+False\b|\bor\s+True\b|&&\s*false\b|\|\|\s*true\b|^\s*(?:if|elif|while)\s+(?:False|0)\s*:|\bif\s*\(\s*(?:false|0)\s*\))", kMedium, "A condition that says the same whatever holds", "What it guards is always done, or never.", R"(\|\|\s*true\s*(#.*|;.*)?$)"},
    {".*", R"((?:#|//|/\*|^\s*\*|--|<!--|"""|^\s*;).{0,60}\b(FIXME|XXX|HACK)\b(?:[:(\s.,-]|$))", kLow, "A {1} was added", "Something is known to be open.", R"(mktemp|XXX[XX])", true, true},
    {".*", R"((?:#|//|/\*|^\s*\*|--|<!--|"""|^\s*;)(?:\W*TODO\b|.{0,60}\bTODO[:(]))", Severity::kInfo, "A TODO was added", "Something is known to be open.", nullptr, true, true},
    {".*", R"((?:^|[\s"'`=:(@])((?:/home|/Users)/[a-z][\w-]*)/(?:\.\w|[\w-]+/[\w.-]|[\w-]+\.\w))", kLow, "A path of one person's machine", "It is nowhere else.", R"(/(?:home|Users)/(?:runner|user|username|you|yourname|me|node|app|vagrant|ubuntu|travis|circleci|builder|build|docker|linuxbrew|gitpod|vscode|jovyan|git|www|admin|jenkins|deploy|ec2-user|pi|steam|example|foo|bar|alice|bob|joe|john|jane|fred|jdoe|dev|guest|someone|shared)\w*/)", true, false, nullptr, true},
    {".*", R"(\b([A-Z]:\\{1,2}Users\\{1,2}[A-Za-z][\w.-]*)\\{1,2}\w)", kLow, "A path of one person's machine", "It is nowhere else.", R"((?i)Users\\{1,2}(?:public|default|user|me|you|your|name|runner|all users|admin|test|example|sample|foo|bar|alice|bob|joe|john|jane|jdoe|dev|guest|appveyor|contoso|vagrant)[\w.-]*\\)", true, false, nullptr, true},
    {JS_LIKE, R"(\b(debugger)\s*;?\s*$)", kMedium, "A breakpoint was left in ({1})", "It stops whoever has the tools open.", nullptr, false, true},
    {JS_LIKE, R"(\b(console\.(?:log|debug|trace))\s*\()", kLow, "Debug output ({1})", "It goes to every user's console."},
    {"Python", R"(\b((?:i?pdb|pudb)\.set_trace|breakpoint)\s*\(|^\s*import\s+(?:i?pdb|pudb)\b)", kMedium, "A breakpoint was left in", "The program stops there and waits.", nullptr, false, true},
    {"Python", R"re(^\s*print\s*\(\s*f?["'](?i:debug|here|xxx|>>>|\*\*\*|---|got|test))re", kLow, "Debug output", "It looks like a print that was for oneself.", nullptr, false, true},
    {C_LIKE, R"re(\b(?:f?printf)\s*\(\s*(?:stderr\s*,\s*)?"(?i:\[?debug|xxx|here\b|>>>|\*\*\*))re", kLow, "Debug output", "It looks like a print that was for oneself."},
    {"Go", R"re(\bfmt\.Print(?:ln|f)\(\s*"(?i:debug|xxx|here\b|>>>|\*\*\*)|\bspew\.Dump\()re", kLow, "Debug output", "It looks like a print that was for oneself."},
    {"Rust", R"(\bdbg!\()", kLow, "Debug output (dbg!)", "It is for oneself.", nullptr, false, true},
    {"Java|Kotlin|Scala", R"re(\bSystem\.(?:out|err)\.print(?:ln)?\(\s*"(?i:debug|xxx|here\b|>>>|\*\*\*)|\.printStackTrace\(\s*\))re", kLow, "Debug output", "It looks like a print that was for oneself."},
    {"Ruby", R"re(^\s*(?:puts|pp?|warn)[\s(]+"(?i:\[?debug|xxx|here\b|>>>|\*\*\*))re", kLow, "Debug output", "It looks like a print that was for oneself."},
    {C_LIKE, R"(^\s*#\s*if\s+0\b)", kLow, "Code that is switched off (#if 0)", "Version control keeps what is removed."},
    {"Ruby", R"(\b(binding\.pry|byebug|binding\.irb)\b)", kMedium, "A breakpoint was left in ({1})", "The program stops there and waits.", nullptr, false, true},
    {"PHP", R"(\b(var_dump|print_r|dd)\s*\()", kLow, "Debug output ({1})", "It shows on the page."},
    {"Go", R"re(^\s*(panic)\(\s*(?:fmt\.Sprintf\(|errors\.New\()?["`](?i:todo|fixme|not (?:yet )?implemented|unimplemented)\b)re", kLow, "Something is not written yet ({1})", kUnwritten},
    {"Rust", R"(\b(todo!|unimplemented!)\s*\()", kLow, "Something is not written yet ({1})", kUnwritten},
    {JS_LIKE "|Java|Kotlin|Scala|Groovy|C#|PHP", R"re(\b(throw)\s+(?:new\s+)?\w+\(\s*["'`](?i:todo|fixme|not (?:yet )?implemented|unimplemented)\b)re", kLow, "Something is not written yet ({1})", kUnwritten},
    {"Shell", R"(^\s*set\s+-[a-z]*x)", Severity::kInfo, "Prints every command (set -x)", "Secrets in arguments would be in the log."},

    {JS_LIKE, R"((?:^|\W)((?:it|test|describe|context)\.only|fit|fdescribe)\s*\()", kMedium, "Only this test may be run ({1})", "Others of it may be left out without a word, as the test runner has it.", nullptr, false, true},
    {JS_LIKE, R"((?:^|[^\w.])((?:it|test|describe|context)\.skip|xit|xdescribe|xtest)\s*\()", kLow, "A test is switched off ({1})", "It proves nothing any more.", nullptr, false, true},
    {"Python", R"(@(?:pytest\.mark\.(?:skip|xfail)|unittest\.(?:skip|expectedFailure))\b)", kLow, "A test is switched off", "It proves nothing any more.", R"(skipif|skipIf|skipUnless)", false, true},
    {"Python", R"(\b(?:pytest\.skip|self\.skipTest)\()", kLow, "A test is switched off", "It proves nothing any more.", nullptr, false, true, kUnderCondition},
    {"Go", R"(^\s*t\.(?:Skip|SkipNow|Skipf)\()", kLow, "A test is switched off", "It proves nothing any more.", nullptr, false, true, kUnderCondition},
    {"Rust", R"(^\s*#\[ignore\b)", kLow, "A test is switched off", "It proves nothing any more.", nullptr, false, true},
    {"Java|Kotlin|Scala|Groovy", R"(^\s*@(?:Ignore|Disabled)\b)", kLow, "A test is switched off", "It proves nothing any more.", nullptr, false, true},
    {"C\\+\\+", R"(\bTEST(?:_[FP])?\s*\([^)]*\bDISABLED_|\bGTEST_SKIP\s*\()", kLow, "A test is switched off", "It proves nothing any more.", nullptr, false, true, kUnderCondition},
    {"Ruby", R"re(^\s*(?:skip|omit|pend|pending)(?:[\s(]+["'].*|\s*)$)re", kLow, "A test is switched off", "It proves nothing any more.", R"(\b(if|unless)\b)", false, true, kUnderCondition},
    {"Ruby", R"(^\s*(?:xit|xdescribe|fit|fdescribe)\b|,\s*(?:focus|:focus)\s*[:=,])", kLow, "A test is switched off, or only it is run", "The others prove nothing.", nullptr, false, true},
};

// Of lines that a redactor has seen to. Capture 1 is what may be shown: all of one with its mark, of others what stands before the secret.
constexpr ReviewRule kSecrets[] = {
    {".*", R"((^.*?\[redacted [a-z0-9-]{1,24}\].*$))", kHigh, "A secret is added (value left out)", "It is not shown here. Once committed it has to be changed, not only removed.", nullptr, true, true},
    {".*", R"((-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|^Private-Lines: )(?: BLOCK)?(?: ?-{4,5}|\d))", kHigh, "A private key is added (value left out)", "Once committed it has to be changed, not only removed.", nullptr, true, true},
    {".*", R"re((?i)^\s*((?:[\w.<>:-]+[\s.])*["']?[\w-]*(?:passw(?:or)?d|secret|api_?key|access_?key|auth_?token|private_?key)["']?)\s*(?::|=|=>|:=)\s*["'`][^"'`\s${}<>%]{8,}["'`])re", kMedium, "A value that is named like a secret stands in the code (value left out)", "If it is one, it has to be changed, and to come from outside.",
     R"((?i)example|changeme|change_me|placeholder|your[_-]|xxxx|dummy|test|sample|fake|\*\*\*|<|\.\.\.|getenv|environ|process\.env|localhost|field|label|column|header|param|_key["']?\s*[:=]\s*["'][a-z_.:-]+["'])", true, false},
};

// "contrib", "ci", "support" and "misc": no examples, but what somebody uses.
bool IsContributed(std::string_view path) { return MatchesPart(path, R"((?i)(^|/)(contrib|ci|support|misc)/)") && !MatchesPart(path, R"((?i)(example|sample|demo|bench|fuzz|fixture|tutorial|template|mock|test|spec))"); }

}  // namespace

bool HoldsTrials(std::string_view path) { return IsTestPath(path) || (IsTrialPath(path) && !IsContributed(path)); }

std::span<const ReviewRule> RiskRules() { return kRisks; }
std::span<const ReviewRule> LeftoverRules() { return kLeftovers; }
std::span<const ReviewRule> SecretRules() { return kSecrets; }

std::string ReviewLanguage(std::string_view path, std::string_view first_line) {
  if (IsCiPath(path)) return "CI";
  if (std::string language = LanguageOf(path); !language.empty()) return language;
  if (MatchesWhole(BaseName(path), R"((?i)(GNU)?Makefile(\.\w+)?|.*\.mk)")) return "Make";
  if (MatchesWhole(BaseName(path), R"((?i)(Dockerfile|Containerfile)(\..+)?)")) return "Docker";
  if (MatchesPart(path, R"((?i)\.json5?$)")) return "JSON";
  if (MatchesPart(path, R"((?i)\.ya?ml$)")) return "YAML";
  if (MatchesPart(path, R"((?i)\.sql$)")) return "SQL";
  if (MatchesPart(first_line, R"(^#!.*\b(ba|z|da|k)?sh\b)") || MatchesWhole(BaseName(path), R"(configure|autogen|bootstrap|(pre|post)(inst|rm)|install)")) return "Shell";
  for (const auto& [program, language] : {std::pair(R"(^#!.*\bpython)", "Python"), {R"(^#!.*\bruby)", "Ruby"}, {R"(^#!.*\bperl)", "Perl"}, {R"(^#!.*\bnode)", "JavaScript"}, {R"(^#!.*\bphp)", "PHP"}})
    if (MatchesPart(first_line, program)) return language;
  return "Text";
}

bool InTextOrComment(std::string_view language, std::string_view line, size_t at) {
  const CodeReader reader = CodeReader::OfLanguage(language);
  if (!reader.IsCodeAt(line, at)) return true;
  // A line of a comment that began before it.
  return !reader.hashes() && MatchesPart(line, R"(^\s*\*(\s|/|$))");
}

}  // namespace paddock::subagents
