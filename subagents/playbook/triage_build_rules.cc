// What runs when a repository is configured, built or tested.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

constexpr TriageRule kRust[] = {
    {"cargo-config", kHigh, R"re((?:^|[.{,])\s*["']?(rustc-wrapper|rustc-workspace-wrapper|rustc|rustdoc|linker|runner|credential-provider)["']?\s*=\s*\[?\s*["']+((?:\.{0,2}/|[\w.-]+/|(?:(?:ba|z)?sh|curl|wget|python3?|perl|node)\b).*?)["']?\s*(?:[\]},#].*)?$)re",
     "cargo runs `{2}` ({1})", R"((.*/)?\.cargo/config(\.toml)?)"},
    {"cargo-config", kMedium, R"re((?:^|[.{,])\s*["']?(rustc-wrapper|rustc-workspace-wrapper|rustc|rustdoc|credential-provider|LD_PRELOAD|LD_AUDIT|RUSTC_WRAPPER|RUSTC)["']?\s*=\s*(.*))re", "cargo runs {2} ({1})", R"((.*/)?\.cargo/config(\.toml)?)", nullptr, R"re(["']*(?:/usr(?:/local)?/bin/)?sccache["']*\s*[\]},]*\s*(?:#.*)?)re"},
    {"cargo-config", kLow, R"re((?:^|[.{,])\s*["']?(linker|runner|rustflags)["']?\s*=\s*(.*))re", "cargo uses {2} ({1}): normal for cross builds", R"((.*/)?\.cargo/config(\.toml)?)"},
    {"cargo-registry", kMedium, R"re((?:^|[.{,])\s*["']?(registry|replace-with|index)["']?\s*=\s*["'](.*)["'])re", "crates are taken from {2} ({1})", R"((.*/)?\.cargo/config(\.toml)?)"},
    {"build-rs", kHigh, R"re(Command::new\(\s*"(sh|bash|/bin/\w*sh|curl|wget|nc|powershell|cmd)")re", "build.rs starts `{1}`", R"((.*/)?build\.rs)"},
    {"build-rs", kHigh, R"((TcpStream|UdpSocket|reqwest|ureq::|hyper::Client))", "build.rs reaches the network ({1})", R"((.*/)?build\.rs)"},
    {"build-rs", kLow, R"re(Command::new\(\s*([^)]*))re", "build.rs starts programs: {1}", R"((.*/)?build\.rs)"},
    {"build-rs", kInfo, R"(^\s*fn main\s*\()", "build.rs runs at build: normal for Rust", R"((.*/)?build\.rs)"},
    {"build-rs", kLow, TOML_BEFORE "build" TOML_BEHIND R"re(\s*["']+([^"']+)["'])re", "cargo runs {1} at build", R"((.*/)?Cargo\.toml)"},
    {"rust-toolchain", kHigh, TOML_BEFORE "path" TOML_BEHIND R"re(\s*["']+([^"']+)["'])re", "cargo and the compiler are taken from {1}", R"((.*/)?rust-toolchain(\.toml)?)"},
    {"cargo", kInfo, R"(^\s*\[?(?:.*\.)?["']?(?:dev-|build-)?dependencies\b.*[\]=])", "cargo builds dependencies, whose build scripts and macros may run: normal for Rust", R"((.*/)?Cargo\.toml)"},
    {"proc-macro", kInfo, TOML_BEFORE "proc[-_]macro" TOML_BEHIND R"(\s*true)", "a procedural macro runs in the compiler: normal for Rust", R"((.*/)?Cargo\.toml)"},
};

constexpr TriageRule kJvm[] = {
    HiddenName(XML_HIDDEN, R"(.*\.xml)"),
    HiddenName(XML_HIDDEN_DASH, R"(.*\.xml)", kMedium),
    {"xml-entity", kMedium, R"((<!ENTITY\s.*))", "{base} has text of its own making, or of another file: {1}", R"(.*\.xml)"},
    HiddenName(R"((^\s*[\w.-]*\\[A-Zabcdeg-moqsv-z].*|(?:^|[\s=])-[\w:]*\\[A-Zabcdeg-moqsv-z].*))", R"(.*\.properties)"),
    HiddenName(R"((^\s*[\w.-]*\w\\$|(?:^|[\s=])-[\w:]*\w\\$))", R"(.*\.properties)", kMedium),
    HiddenName(OPTION_HIDDEN, R"((.*/)?((jvm|maven)\.config|\.mavenrc))"),
    {"gradle-remote", kHigh, R"re(apply\s*\(?\s*from\s*[:=]\s*['"](https?://[^'"]+))re", "Gradle runs a script from {1}", R"(.*\.gradle(\.kts)?)"},
    {"gradle-runs", kLow, R"re((\.execute\(\)|\bexec\s*\{|commandLine\b.*|ProcessBuilder|Runtime\.getRuntime|\.executeOnShell))re", "Gradle starts programs: {1}", R"(.*\.gradle(\.kts)?)"},
    {"gradle-network", kMedium, R"re((new URL\(|\bURL\(|\.openStream\(|HttpClient))re", "Gradle reaches the network by itself", R"(.*\.gradle(\.kts)?)"},
    {"wrapper-url", kHigh, R"(^\s*(?:distributionUrl|wrapperUrl)\s*[=:\s]\s*(.*))", "the wrapper fetches and runs {1}", R"((.*/)?(gradle|maven)-wrapper\.properties)", nullptr, R"(https\\?://(services\.gradle\.org|repo1?\.maven\.(apache\.)?org)/.*)"},
    {"wrapper-url", kInfo, R"(^\s*(?:distributionUrl)\s*[=:\s]\s*(.*))", "the wrapper fetches its build tool: normal for Java", R"((.*/)?(gradle|maven)-wrapper\.properties)"},
    {"maven-runs", kLow, R"((exec-maven-plugin|maven-antrun-plugin|groovy-maven-plugin|gmavenplus-plugin|frontend-maven-plugin))", "Maven starts programs at build ({1}): normal for Java", R"((.*/)?pom\.xml)"},
    {"maven-runs", kMedium, R"(<executable>\s*([^<]*\b(?:sh|bash|curl|wget|powershell|cmd|python3?|perl)\b[^<]*)</executable>)", "Maven starts `{1}`", R"((.*/)?pom\.xml)"},
    {"maven-extension", kMedium, R"(<artifactId>\s*([^<]+)</artifactId>)", "Maven loads {1} into itself", R"((.*/)?\.mvn/extensions\.xml)"},
    {"jvm-agent", kHigh, R"((-javaagent:\S*|-agentpath:\S*|-agentlib:\S*|-XX:OnOutOfMemoryError=\S*|-XX:OnError=\S*))", "each build loads {1}", R"((.*/)?(jvm\.config|maven\.config|gradle\.properties|\.mavenrc))"},
    {"maven-extension", kMedium, R"((-Dmaven\.ext\.class\.path=\S*))", "Maven loads more into itself: {1}", R"((.*/)?(maven\.config|jvm\.config|\.mavenrc))"},
    {"jvm-agent", kHigh, R"((?:^|\s)(@[^\s@]+)\s*$)", "each build takes options of Java from {1}", R"((.*/)?jvm\.config)"},
    {"ant-runs", kLow, R"re((?i)<exec\s[^>]*executable\s*=\s*["']([^"']*))re", "Ant starts {1}", R"((.*/)?build\.xml)"},
    {"sbt-runs", kLow, R"(\bsys\.process\b|"[^"]*"\s*!!)", "sbt starts programs", R"(.*\.sbt)"},
    {"gradle", kInfo, R"(^\s*(?:plugins|apply|dependencies|buildscript|allprojects|subprojects|rootProject|include|pluginManagement)\b)", "{base} is a program that Gradle runs at build: normal for Gradle", R"((.*/)?(build|settings)\.gradle(\.kts)?)"},
    {"maven", kInfo, R"(<plugin[\s>])", "Maven runs plugins at build: normal for Java", R"((.*/)?pom\.xml)"},
    {"ant", kInfo, R"(<target\b)", "Ant runs targets at build: normal for Ant", R"((.*/)?build\.xml)"},
    {"sbt", kInfo, R"(^\s*(?:lazy val|(?:ThisBuild\s*/\s*)?(?:name|scalaVersion)\s*:=))", "{base} is a program that sbt runs at build: normal for Scala", R"((.*/)?build\.sbt)"},
};

constexpr TriageRule kNative[] = {
    HiddenName(XML_HIDDEN, R"(.*\.(\w*proj|props|targets))"),
    HiddenName(XML_HIDDEN_DASH, R"(.*\.(\w*proj|props|targets))", kMedium),
    HiddenName(OPTION_HIDDEN, R"((.*/)?\.bazelrc)"),
    {"cmake-shell", kMedium, R"re((?i)\bCOMMAND\s+"?((?:/bin/)?(?:ba|z)?sh|curl|wget|powershell|nc|perl|python3?)"?\s+(-c|-e|-o|https?://|-Enc)\b)re", "CMake starts `{1} {2}`", R"((.*/)?(CMakeLists\.txt|.*\.cmake(\.in)?))"},
    {"cmake-download", kLow, R"((?i)\b(ExternalProject_Add|FetchContent_Declare|CPMAddPackage|file\s*\(\s*DOWNLOAD)\b)", "CMake may download at configure or build ({1}): normal for CMake", R"((.*/)?(CMakeLists\.txt|.*\.cmake(\.in)?))"},
    {"cmake-runs", kLow, R"((?i)(?:^|\]\])\s*execute_process\s*\()", "CMake starts programs at configure: normal for CMake", R"((.*/)?(CMakeLists\.txt|.*\.cmake(\.in)?))"},
    {"cmake-home", kMedium, R"(\$ENV\{(HOME|USERPROFILE|APPDATA)\}(.{0,60}))", "CMake looks into the home folder: {2}", R"((.*/)?(CMakeLists\.txt|.*\.cmake(\.in)?))"},
    {"make-shell", kMedium, R"((?:^|[^$])\$[({]shell(?:\s+|\\$)((?:curl|wget|nc|base64|python3?\s+-c|perl\s+-e)\s.*))", "make runs `{1}` as soon as it reads the file", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    {"make-shell", kMedium, R"(^(?:[^\t#].*[^$]|[^\t#$])?\$[({]shell(?:\s+|\\$)((?:touch|rm|mv|cp|tee|dd|chmod|ln)\s.*|[^)]*[^2&>]>\s*[^&\s/)].*))", "make writes as soon as it reads the file, even as `make -n`: `{1}`", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    // `=` is read when it is used, and `$$(` of .SECONDEXPANSION when its target is made.
    {"make-shell-used", kLow, R"(^\s*(?:export\s+|override\s+)?[\w.-]+\s*\??=(?:.*[^$])?\$[({]shell(?:\s+|\\$)(.*))", "make runs `{1}` whenever it needs that variable, even as `make -n`", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    {"make-shell", kLow, R"(^(?:[^\t#].*[^$]|[^\t#$])?\$[({]shell(?:\s+|\\$)(.*))", "make runs `{1}` whenever it reads the file, even as `make -n`", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    {"make-shell", kLow, R"(^[\w.-]+\s*!=\s*(\S.*))", "make runs `{1}` whenever it reads the file, even as `make -n`", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    {"make-fetch", kLow, R"(^\t[@-]*\s*(?:sudo\s+)?((?:curl|wget)\b.*))", "make fetches: `{1}`", R"((.*/)?((GNUm|M|m)akefile(\.\w+)?|.*\.mk))"},
    {"meson-runs", kLow, R"(\brun_command\s*\((.*))", "meson starts programs at configure: normal for meson", R"((.*/)?meson\.build)"},
    {"meson", kInfo, R"(^\s*project\s*\()", "Meson configures the build: normal for Meson", R"((.*/)?meson\.build)"},
    {"configure", kInfo, R"(^#! ?/bin/sh$)", "configure is a program that runs at build: normal for Autotools", R"((.*/)?(configure|autogen\.sh|bootstrap(\.sh)?))"},
    {"make", kInfo, R"(^(all|build|default|install|test|check)\s*:([^=]|$))", "make has commands for the build or the tests ({1}): normal for make", R"((.*/)?((GNUm|M|m)akefile(\.(am|in))?))"},
    {"configure", kInfo, R"(^(AC_INIT)\b)", "configure is made and run at build: normal for Autotools", R"((.*/)?configure\.(ac|in))"},
    {"cmake", kInfo, R"((?i)^\s*project\s*\()", "CMake configures the build: normal for CMake", R"((.*/)?CMakeLists\.txt)"},
    {"configure-fetch", kLow, R"(^\s*((?:curl|wget)\b.*))", "fetches: `{1}`", R"((.*/)?(configure(\.ac|\.in)?|autogen\.sh|bootstrap(\.sh)?))"},
    {"bazel-command", kMedium, R"(^\s*(?:try-)?import\s+(\S+))", "Bazel takes its options from {1} as well", R"((.*/)?\.bazelrc)"},
    {"bazel-command", kMedium, R"((--(?:workspace_status_command|credential_helper|run_under|host_javabase)\S*))", "Bazel runs something of its own accord: {1}", R"((.*/)?\.bazelrc)"},
    {"bazel-fetch", kLow, R"(^\s*(http_archive|http_file|git_repository|genrule)\s*\()", "Bazel fetches or runs at build ({1}): normal for Bazel", R"((.*/)?(BUILD|WORKSPACE|MODULE)(\.bazel)?|.*\.bzl)"},
    {"msbuild-runs", kMedium, R"re((?i)<(?:Exec\s[^>]*Command\s*=\s*(?:"([^"]*)|'([^']*))|(?:Pre|Post)BuildEvent>(.*)))re", "MSBuild runs `{1}{2}{3}`; Visual Studio may do so on opening", R"(.*\.(\w*proj|props|targets))"},
    {"msbuild-runs", kMedium, R"((?i)<Exec(?:\s|$))", "MSBuild runs something; Visual Studio may do so on opening", R"(.*\.(\w*proj|props|targets))"},
    {"rake", kInfo, R"(^\s*(?:task|multitask|namespace|desc|require|require_relative|Rake::\w+|Bundler::GemHelper|import)\b)", "{base} is Ruby that rake runs at build or test: normal for Ruby", R"((.*/)?(Rakefile(\.rb)?|rakefile))"},
    {"scons", kInfo, R"(\b(?:Environment|Program|SConscript|Library)\s*\()", "{base} is Python that SCons runs at build: normal for SCons", R"((.*/)?(SConstruct|SConscript))"},
    {"waf", kInfo, R"(^def (?:configure|build|options)\b)", "{base} is Python that waf runs at build: normal for waf", R"((.*/)?wscript)"},
    {"zig-build", kInfo, R"(\bpub fn build\s*\()", "{base} is a program that runs at zig build: normal for Zig", R"((.*/)?build\.zig)"},
    {"mix", kInfo, R"(\buse Mix\.Project\b)", "{base} is a program that mix runs at build: normal for Elixir", R"((.*/)?mix\.exs)"},
    {"xcode-scheme", kLow, R"re(scriptText\s*=\s*(?:"([^"]*)|'([^']*)))re", "a scheme of Xcode runs `{1}{2}` when it is built, run or tested", R"(.*\.xcscheme)"},
    {"doxygen-filter", kLow, R"(^\s*(INPUT_FILTER|FILTER_PATTERNS|FILTER_SOURCE_PATTERNS|FILE_VERSION_FILTER|\w+_PATH|QHG_LOCATION|HHC_LOCATION)\s*\+?=\s*"?((?:\.{0,2}/|[\w.-]+/|sh\b|bash\b|python|perl|sed\b).*))", "doxygen runs {2} ({1}), when the documentation is made", R"((.*/)?Doxyfile[^/]*)", R"(^\s*(INCLUDE|EXAMPLE|IMAGE|STRIP_FROM(_INC)?|DOTFILE|MSCFILE|DIAFILE|PLANTUML_INCLUDE)_PATH)"},
    {"swift-package", kInfo, R"(\bPackage\s*\()", "{base} is a program that Swift runs at build: normal for Swift", R"((.*/)?Package\.swift)"},
};

constexpr TriageRule kDebian[] = {
    {"debian-rules", kInfo, R"(^#!.*\bmake\b)", "{file} runs when the Debian package is built: normal for Debian packages"},
};

constexpr TriageRule kGo[] = {
    {"go-generate", kMedium, R"(^//go:generate\s+((?:sh|bash|curl|wget|nc|powershell)\b.*))", "go generate runs `{1}`"},
    {"go-generate", kInfo, R"(^//go:generate\s+(.*))", "go generate runs `{1}`: only when asked, normal for Go"},
    {"cgo-flags", kHigh, R"(^\s*(?://\s*)?#cgo\b.*(-fplugin|-B\s|-Wl,--plugin|-wrapper|-specs).*)", "cgo gives the compiler {1}"},
};

}  // namespace

std::span<const TriageRule> RustRules() { return kRust; }
std::span<const TriageRule> JvmRules() { return kJvm; }
std::span<const TriageRule> NativeRules() { return kNative; }
std::span<const TriageRule> DebianRules() { return kDebian; }
std::span<const TriageRule> GoRules() { return kGo; }

}  // namespace paddock::subagents
