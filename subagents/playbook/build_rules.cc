#include "subagents/playbook/build_rules.h"

namespace paddock::subagents {
namespace {

constexpr auto kSetup = CommandKind::kSetup;
constexpr auto kBuild = CommandKind::kBuild;
constexpr auto kTest = CommandKind::kTest;

#define C_LIKE "C|C\\+\\+|Objective-C|Fortran|Vala|Assembly"
#define MAKEFILE "(GNUm|M|m)akefile"
#define JS "JavaScript|TypeScript"
#define JVM "Java|Kotlin|Groovy|Scala"
#define TEST_NAMES "test|tests|check|unittest|unittests|test-all|check-all|runtests"
#define NO_SCRIPT "no test specified|\"test\"\\s*:\\s*\"\"|exit 1\""

constexpr BuildRule kRules[] = {
    // CMake
    {"CMake", kBuild, "cmake", "cmake -S . -B build && cmake --build build", {"CMakeLists\\.txt", R"((?i)^\s*project\s*\()"}, 50, C_LIKE},
    {"CTest", kTest, "ctest", "ctest --test-dir build", {"CMakeLists\\.txt", R"((?i)^\s*(enable_testing\s*\(|include\s*\(\s*CTest\b))"}, 50, C_LIKE},
    {"CTest", kTest, "ctest", "ctest --test-dir build", {".*/CMakeLists\\.txt", R"((?i)^\s*(enable_testing\s*\(|include\s*\(\s*CTest\b|(add_test|gtest_discover_tests|catch_discover_tests)\s*\())"}, 42, C_LIKE, "CMakeLists\\.txt"},
    // Autotools
    {"Autotools", kBuild, "configure", "./configure && make", {"configure\\.(ac|in)", R"(^\s*AC_INIT\b)"}, 52, C_LIKE, "configure"},
    {"Autotools", kBuild, "configure", "./autogen.sh && ./configure && make", {"configure\\.(ac|in)", R"(^\s*AC_INIT\b)"}, 51, C_LIKE, "autogen\\.sh", "configure"},
    {"Autotools", kBuild, "configure", "./bootstrap && ./configure && make", {"configure\\.(ac|in)", R"(^\s*AC_INIT\b)"}, 51, C_LIKE, "bootstrap", "configure|autogen\\.sh"},
    {"Autotools", kBuild, "configure", "./bootstrap.sh && ./configure && make", {"configure\\.(ac|in)", R"(^\s*AC_INIT\b)"}, 51, C_LIKE, "bootstrap\\.sh", "configure|autogen\\.sh|bootstrap"},
    {"Autotools", kBuild, "configure", "autoreconf -fi && ./configure && make", {"configure\\.(ac|in)", R"(^\s*AC_INIT\b)"}, 50, C_LIKE, "Makefile\\.am", "configure|autogen\\.sh|bootstrap|bootstrap\\.sh"},
    {"configure script", kBuild, "configure", "./configure && make", {"configure", R"(^#!)"}, 48, C_LIKE, "Makefile(\\.in)?", "configure\\.(ac|in)"},
    {"Autotools", kTest, "make", "make check", {"(.*/)?Makefile\\.am", R"(^\s*(TESTS\s*\+?=|check_PROGRAMS\s*\+?=|check_SCRIPTS\s*\+?=|check-local\s*:|check\s*:))"}, 52, C_LIKE},
    {"Autotools", kTest, "make", "make {1}", {"Makefile\\.in", "^(" TEST_NAMES ")\\s*:([^=]|$)"}, 48, C_LIKE},
    // Make
    {"Make", kBuild, "make", "make", {MAKEFILE, R"(^all\s*::?([^=]|$))"}, 46, C_LIKE},
    {"Make", kBuild, "make", "make", {MAKEFILE, R"(^(build|default|[\w./$()-]+)\s*::?([^=]|$))", nullptr, R"(^\.)"}, 38, C_LIKE},
    {"Make", kTest, "make", "make {1}", {MAKEFILE, "^(?:[\\w.-]+ +)*?(" TEST_NAMES ")(?: +[\\w.-]+)*\\s*::?([^=]|$)"}, 48, ""},
    // Meson
    {"Meson", kBuild, "meson", "meson setup build && meson compile -C build", {"meson\\.build", R"(^\s*project\s*\()"}, 50, C_LIKE "|Rust|Python"},
    {"Meson", kTest, "meson test", "meson test -C build", {"(.*/)?meson\\.build", R"(^\s*test\s*\()"}, 50, C_LIKE "|Rust|Python", "meson\\.build"},
    // Bazel
    {"Bazel", kBuild, "bazel", "bazel build //...", {"(MODULE\\.bazel|WORKSPACE(\\.bazel)?)", R"(^\s*(module|workspace|bazel_dep|load)\s*\()"}, 30},
    {"Bazel", kTest, "bazel test", "bazel test //...", {"(.*/)?BUILD(\\.bazel)?", R"(^\s*\w*_test\s*\()"}, 30, "", "MODULE\\.bazel|WORKSPACE(\\.bazel)?"},
    {"SCons", kBuild, "scons", "scons", {"SConstruct", R"(\b(Environment|Program|SConscript)\s*\()"}, 45, C_LIKE},
    // Python
    {"uv", kBuild, "uv", "uv sync", {"pyproject\\.toml", R"(^\[(project|tool\.uv)\])"}, 48, "Python", "uv\\.lock"},
    {"Poetry", kBuild, "poetry", "poetry install", {"pyproject\\.toml", R"(^\[tool\.poetry\])"}, 52, "Python"},
    {"Python build backend", kBuild, "pip", "python3 -m pip install .", {"pyproject\\.toml", R"re(^\s*build-backend\s*=\s*"([\w.:-]+)")re"}, 50, "Python|Cython"},
    {"setuptools", kBuild, "pip", "python3 -m pip install .", {"setup\\.py", R"(\bsetup\s*\()", nullptr, R"(^\s*def )"}, 47, "Python|Cython"},
    {"setuptools", kBuild, "pip", "python3 -m pip install .", {"setup\\.cfg", R"(^\[metadata\])"}, 44, "Python|Cython", "setup\\.py|pyproject\\.toml"},
    {"requirements", kSetup, "pip requirements", "python3 -m pip install -r {base}", {"requirements\\.txt", R"(^[A-Za-z][\w.\[\]-]*\s*([=<>~!;].*)?$)"}, 30, "Python"},
    {"tox", kTest, "tox", "tox", {"tox\\.ini", R"(^\[(tox|testenv)\b)"}, 50, "Python"},
    {"tox", kTest, "tox", "tox", {"pyproject\\.toml", R"(^\[tool\.tox\b|^\s*legacy_tox_ini)"}, 48, "Python"},
    {"tox", kTest, "tox", "tox", {"setup\\.cfg", R"(^\[tox:tox\])"}, 48, "Python"},
    {"nox", kTest, "nox", "nox", {"noxfile\\.py", R"(^def \w*tests?\w*\()"}, 46, "Python"},
    {"pytest", kTest, "pytest", "python3 -m pytest", {"pytest\\.ini|tox\\.ini|setup\\.cfg", R"(^\[(tool:)?pytest\])"}, 47, "Python"},
    {"pytest", kTest, "pytest", "python3 -m pytest", {"pyproject\\.toml", R"(^\[tool\.pytest\b)"}, 47, "Python"},
    {"pytest", kTest, "pytest", "python3 -m pytest", {"(.*/)?(conftest|test_\\w+|\\w+_test)\\.py", R"(^(import pytest|from pytest\b))"}, 40, "Python"},
    {"unittest", kTest, "unittest", "python3 -m unittest", {"(.*/)?(test_\\w+|\\w+_test|tests?)\\.py", R"(^(import unittest\b|from unittest import))"}, 32, "Python"},
    {"Django", kTest, "manage.py", "python3 manage.py test", {"manage\\.py", R"(execute_from_command_line\s*\()"}, 50, "Python"},
    {"test script", kTest, "script:{file}", "cd {dir} && ./{base}", {"[\\w.-]+/run_?tests?\\.(py|sh|pl)", R"(^#!)"}, 40},
    // Node
    {"npm", kSetup, "npm install", "yarn install", {"package\\.json", R"re("(name|private|scripts|version)"\s*:)re"}, 40, JS, "yarn\\.lock"},
    {"npm", kSetup, "npm install", "pnpm install", {"package\\.json", R"re("(name|private|scripts|version)"\s*:)re"}, 40, JS, "pnpm-lock\\.yaml"},
    {"npm", kSetup, "npm install", "npm install", {"package\\.json", R"re("(name|private|scripts|version)"\s*:)re"}, 40, JS, nullptr, "yarn\\.lock|pnpm-lock\\.yaml"},
#define NPM_SCRIPT(group, kind, name, tool, score, lock, without) \
    {tool, kind, group, tool " " name, {"package\\.json", "^\\s*\"(?:" name ")\"\\s*:\\s*\"(.+)\"", ".*scripts", NO_SCRIPT}, score, JS, lock, without}, \
    {tool, kind, group, tool " " name, {"package\\.json", "\"scripts\"\\s*:\\s*\\{[^{}]*(\"(?:" name ")\"\\s*:\\s*\"[^\"]+)", nullptr, NO_SCRIPT}, score, JS, lock, without}
    NPM_SCRIPT("npm test", kTest, "test", "npm", 52, nullptr, "yarn\\.lock|pnpm-lock\\.yaml"),
    NPM_SCRIPT("npm test", kTest, "test", "yarn", 52, "yarn\\.lock", nullptr),
    NPM_SCRIPT("npm test", kTest, "test", "pnpm", 52, "pnpm-lock\\.yaml", nullptr),
#undef NPM_SCRIPT
#define NPM_BUILD(tool, lock, without) \
    {tool, kBuild, "npm run", tool " install && " tool " run build", {"package\\.json", R"re(^\s*"build"\s*:\s*"(.+)")re", ".*scripts"}, 52, JS, lock, without}, \
    {tool, kBuild, "npm run", tool " install && " tool " run build", {"package\\.json", R"("scripts"\s*:\s*\{[^{}]*("build"\s*:\s*"[^"]+))"}, 52, JS, lock, without}
    NPM_BUILD("npm", nullptr, "yarn\\.lock|pnpm-lock\\.yaml"),
    NPM_BUILD("yarn", "yarn\\.lock", nullptr),
    NPM_BUILD("pnpm", "pnpm-lock\\.yaml", nullptr),
#undef NPM_BUILD
    {"Deno", kTest, "deno test", "deno test", {"deno\\.jsonc?", R"re("(tasks|imports)")re"}, 40, JS},
    // Go, Rust
    {"Go", kBuild, "go", "go build ./...", {"go\\.mod", R"(^module\s+\S+)"}, 50, "Go"},
    {"Go", kTest, "go test", "go test ./...", {"(.*/)?\\w+_test\\.go", R"(^func (Test|Example|Benchmark)\w*\()"}, 50, "Go", "go\\.mod"},
    {"Cargo", kBuild, "cargo", "cargo build", {"Cargo\\.toml", R"(^\[(package|workspace)\])"}, 50, "Rust"},
    {"Cargo", kTest, "cargo test", "cargo test", {"Cargo\\.toml", R"(^\[\[test\]\])"}, 50, "Rust"},
    {"Cargo", kTest, "cargo test", "cargo test --workspace", {"(.*/)?[\\w-]+\\.rs", R"(^\s*#\[(test|cfg\(test\)|tokio::test)\])"}, 50, "Rust", "Cargo\\.toml"},
    // JVM
    {"Maven", kBuild, "mvn", "./mvnw package", {"pom\\.xml", R"(^\s*<(artifactId|packaging|modelVersion)>)"}, 51, JVM, "mvnw"},
    {"Maven", kBuild, "mvn", "mvn package", {"pom\\.xml", R"(^\s*<(artifactId|packaging|modelVersion)>)"}, 50, JVM, nullptr, "mvnw"},
    {"Maven", kTest, "mvn test", "./mvnw test", {"(.*/)?pom\\.xml", R"(<artifactId>(junit|testng|spock|mockito|maven-surefire)[\w.-]*</artifactId>)"}, 51, JVM, "mvnw"},
    {"Maven", kTest, "mvn test", "mvn test", {"(.*/)?pom\\.xml", R"(<artifactId>(junit|testng|spock|mockito|maven-surefire)[\w.-]*</artifactId>)"}, 50, JVM, "pom\\.xml", "mvnw"},
    {"Gradle", kBuild, "gradle", "./gradlew build", {"(build|settings)\\.gradle(\\.kts)?", R"(^\s*(plugins|apply|dependencies|buildscript|allprojects|rootProject|include|pluginManagement)\b)"}, 51, JVM, "gradlew"},
    {"Gradle", kBuild, "gradle", "gradle build", {"(build|settings)\\.gradle(\\.kts)?", R"(^\s*(plugins|apply|dependencies|buildscript|allprojects|rootProject|include|pluginManagement)\b)"}, 50, JVM, nullptr, "gradlew"},
    {"Gradle", kTest, "gradle test", "./gradlew test", {"(.*/)?build\\.gradle(\\.kts)?", R"(testImplementation|testCompile|useJUnit|kotlin\("test|commonTest|[tT]est\s*\{)"}, 50, JVM, "gradlew"},
    {"Gradle", kTest, "gradle test", "gradle test", {"(.*/)?build\\.gradle(\\.kts)?", R"(testImplementation|testCompile|useJUnit|kotlin\("test)"}, 50, JVM, "build\\.gradle(\\.kts)?", "gradlew"},
    {"Ant", kBuild, "ant", "ant", {"build\\.xml", R"(<project\b)"}, 44, JVM},
    {"Ant", kTest, "ant test", "ant {1}", {"build\\.xml", R"re(<target\s[^>]*name="(test|tests|junit|check|run-tests)")re"}, 46, JVM},
    {"sbt", kBuild, "sbt", "sbt compile", {"build\\.sbt", R"(^\s*(lazy val|name\s*:=|scalaVersion|ThisBuild))"}, 50, JVM},
    {"sbt", kTest, "sbt test", "sbt test", {"build\\.sbt", R"(% *"?[tT]est\b|scalatest|munit|specs2)"}, 50, JVM},
    // Perl, Ruby, PHP
    {"ExtUtils::MakeMaker", kBuild, "perl", "perl Makefile.PL && make", {"Makefile\\.PL", R"(WriteMakefile|Module::Install|WriteAll)"}, 50, "Perl"},
    {"ExtUtils::MakeMaker", kTest, "make", "make test", {"Makefile\\.PL", R"(\btest\s*=>|\bTESTS\s*=>|^\s*tests\b)"}, 50, "Perl"},
    {"ExtUtils::MakeMaker", kTest, "make", "make test", {"t/[^/]+\\.t", R"(^\s*use\s+(Test::\w+|Test2?)\b)"}, 48, "Perl", "Makefile\\.PL"},
    {"Module::Build", kBuild, "perl build", "perl Build.PL && ./Build", {"Build\\.PL", R"(Module::Build|Minilla|create_build_script)"}, 49, "Perl"},
    {"Module::Build", kTest, "Build test", "./Build test", {"t/[^/]+\\.t", R"(^\s*use\s+(Test::\w+|Test2?)\b)"}, 47, "Perl", "Build\\.PL"},
    {"Dist::Zilla", kBuild, "dzil", "dzil build", {"dist\\.ini", R"(^\s*name\s*=)"}, 45, "Perl"},
    {"Dist::Zilla", kTest, "dzil test", "dzil test", {"t/[^/]+\\.t", R"(^\s*use\s+(Test::\w+|Test2?)\b)"}, 44, "Perl", "dist\\.ini"},
    {"Bundler", kSetup, "bundle", "bundle install", {"Gemfile", R"(^\s*(source|gemspec|gem)\b)"}, 44, "Ruby"},
    {"RubyGems", kBuild, "gem", "gem build {base}", {"[\\w.-]+\\.gemspec", R"(Gem::Specification\.new)"}, 46, "Ruby"},
    {"Rake", kTest, "rake", "bundle exec rake {1}", {"Rakefile", R"(^\s*task\s*\(?\s*:?["']?(test|spec)\b)"}, 48, "Ruby", "Gemfile"},
    {"Rake", kTest, "rake", "bundle exec rake test", {"Rakefile", R"(Rake::TestTask|Minitest::TestTask)"}, 50, "Ruby", "Gemfile"},
    {"Rake", kTest, "rake", "bundle exec rake spec", {"Rakefile", R"(RSpec::Core::RakeTask)"}, 49, "Ruby", "Gemfile"},
    {"Rake", kTest, "rake", "rake test", {"Rakefile", R"(Rake::TestTask|Minitest::TestTask|^\s*task\s+:?test\b)"}, 47, "Ruby", nullptr, "Gemfile"},
    {"RSpec", kTest, "rspec", "bundle exec rspec", {"(.*/)?(spec_helper|\\w+_spec)\\.rb", R"(RSpec|^\s*describe\b)"}, 44, "Ruby"},
    {"Composer", kSetup, "composer", "composer install", {"composer\\.json", R"re("(name|require|type)"\s*:)re"}, 46, "PHP"},
    {"Composer", kTest, "composer test", "composer test", {"composer\\.json", R"(^\s*"test"\s*:)", ".*scripts"}, 50, "PHP"},
    {"PHPUnit", kTest, "composer test", "vendor/bin/phpunit", {"phpunit\\.xml(\\.dist)?", R"(<phpunit\b)"}, 47, "PHP"},
    // Haskell, OCaml, .NET, BEAM, Zig, Swift, Lua
    {"Stack", kBuild, "stack", "stack build", {"stack\\.yaml", R"(^(resolver|snapshot)\s*:)"}, 46, "Haskell"},
    {"Stack", kTest, "stack test", "stack test", {"[\\w.-]+\\.cabal", R"((?i)^test-suite\s)"}, 44, "Haskell", "stack\\.yaml"},
    {"Cabal", kBuild, "cabal", "cabal build all", {"[\\w.-]+\\.cabal|cabal\\.project", R"((?i)^(name|packages)\s*:)"}, 48, "Haskell"},
    {"Cabal", kTest, "cabal test", "cabal test all", {"([\\w.-]+/)?[\\w.-]+\\.cabal", R"((?i)^test-suite\s)"}, 48, "Haskell"},
    {"Dune", kBuild, "dune", "dune build", {"dune-project", R"(\(lang dune)"}, 50, "OCaml"},
    {"Dune", kTest, "dune test", "dune test", {"(.*/)?dune", R"(^\s*\((test|tests|inline_tests)\b)"}, 50, "OCaml"},
    {".NET", kBuild, "dotnet", "dotnet build", {"([\\w.-]+/){0,3}[\\w.-]+\\.(sln|[cf]sproj)", R"(<Project\b|^Project\()"}, 50, "C#|F#"},
    {".NET", kTest, "dotnet test", "dotnet test", {"([\\w.-]+/){0,4}[\\w.-]+\\.[cf]sproj", R"(Microsoft\.NET\.Test\.Sdk|xunit|NUnit|MSTest)"}, 50, "C#|F#"},
    {"Rebar", kBuild, "rebar3", "rebar3 compile", {"rebar\\.config", R"(^\{)"}, 50, "Erlang"},
    {"Rebar", kTest, "rebar3 test", "rebar3 eunit", {"(.*/)?\\w+\\.erl", R"(eunit\.hrl)"}, 46, "Erlang", "rebar\\.config"},
    {"Mix", kBuild, "mix", "mix deps.get && mix compile", {"mix\\.exs", R"(^\s*def project\b|use Mix\.Project)"}, 50, "Elixir"},
    {"Mix", kTest, "mix test", "mix test", {"test/.*_test\\.exs|test/test_helper\\.exs", R"(ExUnit)"}, 50, "Elixir", "mix\\.exs"},
    {"Zig", kBuild, "zig", "zig build", {"build\\.zig", R"(pub fn build\s*\()"}, 50, "Zig"},
    {"Zig", kTest, "zig test", "zig build test", {"build\\.zig", R"(\.step\s*\(\s*"test")"}, 50, "Zig"},
    {"Swift", kBuild, "swift", "swift build", {"Package\\.swift", R"(\bPackage\s*\()"}, 50, "Swift"},
    {"Swift", kTest, "swift test", "swift test", {"Package\\.swift", R"(\.testTarget\s*\()"}, 50, "Swift"},
    {"LuaRocks", kBuild, "luarocks", "luarocks make {file}", {"[\\w.-]+\\.rockspec", R"(^\s*(package|build)\s*=)"}, 46, "Lua"},
    {"busted", kTest, "busted", "busted", {"\\.busted|spec/.*_spec\\.lua", R"(return|describe)"}, 45, "Lua"},
    // Scripts that are named for it
    {"script", kTest, "script:{file}", "./{file}", {"(check|test|tests|runtests|run_?tests?|run-tests)(\\.sh|\\.py)?", R"(^#!)"}, 38},
    {"script", kBuild, "script:{file}", "./{file}", {"(build|make|compile|quickstart)(\\.sh|\\.py)?", R"(^#!)"}, 34},
    // A Debian source package, where nothing better is known
    {"Debian package", kBuild, "dpkg", "dpkg-buildpackage -us -uc -b", {"debian/rules", R"(^\s+dh\b)"}, 4},
};

struct Basis {
  const char* group;
  const char* files;
};
constexpr Basis kBases[] = {
    {"cmake", "CMakeLists\\.txt"}, {"ctest", "CMakeLists\\.txt"}, {"meson", "meson\\.build"}, {"meson test", "meson\\.build"},
    {"configure", "configure(\\.ac|\\.in)?"}, {"bazel", "WORKSPACE.*|MODULE\\.bazel"}, {"bazel test", "WORKSPACE.*|MODULE\\.bazel"},
    {"make", MAKEFILE "|configure\\.ac|Makefile\\.PL|Makefile\\.(am|in)"}, {"scons", "SConstruct"}, {"cargo", "Cargo\\.toml"}, {"cargo test", "Cargo\\.toml"},
    {"go", "go\\.mod"}, {"go test", "go\\.mod"}, {"npm install", "package\\.json"}, {"mvn", "pom\\.xml"}, {"mvn test", "pom\\.xml"},
    {"gradle", "(build|settings)\\.gradle(\\.kts)?"}, {"gradle test", "(build|settings)\\.gradle(\\.kts)?"}, {"ant", "build\\.xml"}, {"ant test", "build\\.xml"},
    {"sbt", "build\\.sbt"}, {"sbt test", "build\\.sbt"}, {"pip", "setup\\.py|pyproject\\.toml|setup\\.cfg"}, {"poetry", "pyproject\\.toml"}, {"uv", "pyproject\\.toml"},
    {"pytest", "setup\\.py|pyproject\\.toml|setup\\.cfg|tests?/.*\\.py|pytest\\.ini"}, {"unittest", "(.*/)?(test_\\w+|\\w+_test|tests?)\\.py"}, {"tox", "tox\\.(ini|toml)|pyproject\\.toml"}, {"nox", "noxfile\\.py"}, {"setup.py test", "setup\\.py"},
    {"manage.py", "manage\\.py"}, {"perl", "Makefile\\.PL|Build\\.PL"}, {"Build test", "Build\\.PL"}, {"dzil", "dist\\.ini"}, {"dzil test", "dist\\.ini"},
    {"bundle", "Gemfile"}, {"rake", "Rakefile"}, {"rspec", "spec/.*|\\.rspec"}, {"gem", ".*\\.gemspec"}, {"composer", "composer\\.json"}, {"composer test", "composer\\.json"},
    {"cabal", ".*\\.cabal|cabal\\.project"}, {"cabal test", ".*\\.cabal|cabal\\.project"}, {"stack", "stack\\.yaml"}, {"stack test", "stack\\.yaml"}, {"dune", "dune-project"}, {"dune test", "dune-project"},
    {"dotnet", ".*\\.(sln|csproj|fsproj)"}, {"dotnet test", ".*\\.(sln|csproj|fsproj)"}, {"rebar3", "rebar\\.config"}, {"rebar3 test", "rebar\\.config"}, {"mix", "mix\\.exs"}, {"mix test", "mix\\.exs"},
    {"zig", "build\\.zig"}, {"zig test", "build\\.zig"}, {"swift", "Package\\.swift"}, {"swift test", "Package\\.swift"}, {"luarocks", ".*\\.rockspec"}, {"luarocks test", ".*\\.rockspec"}, {"busted", "\\.busted|spec/.*"},
};

}  // namespace

std::span<const BuildRule> BuildRules() { return kRules; }

const char* BasisFilesOf(std::string_view group) {
  for (const auto& basis : kBases)
    if (group == basis.group) return basis.files;
  return group.starts_with("script:") ? ".*" : group.starts_with("npm script:") ? "package\\.json" : nullptr;
}

}  // namespace paddock::subagents
