// Where triage looks, one search each: most telling first, whole-tree searches last.
#include "subagents/playbook/triage_management.h"
#include "subagents/playbook/triage_rules.h"

namespace paddock::subagents {
namespace {

constexpr const char* kSourceGlob =
    "{*.js,*.mjs,*.cjs,*.jsx,*.ts,*.tsx,*.py,*.pyw,*.rb,*.php,*.pl,*.pm,*.sh,*.bash,*.zsh,*.fish,*.ps1,*.psm1,*.bat,*.cmd,*.vbs,*.lua,*.go,*.rs,*.c,*.cc,*.cpp,*.cxx,*.h,*.hpp,*.java,"
    "*.kt,*.groovy,*.swift,*.cs,*.ipynb,*.html,Dockerfile,Dockerfile.*,*.dockerfile,*.el,*.vim,*.nix,*.R,*.jl,*.ex,*.exs,*.tcl,*.awk,*.mk,*.inc}";

// A member of JSON that stands on more than one line, or has a comment within; a setting of git on the line of its section, or one that goes on.
constexpr const char* kSplitJson = R"(^\s*:|"\s*:\s*$|"[\w.\\-]+"\s*(?::\s*)?/[*/]|\*/\s*[:"\[{]|"command"\s*:\s*\[\s*$|\r.)";
constexpr const char* kSplitSetting = R"(^\s*\[[^\]]*\]\s*[^\s#;]|\\\s*$|""|\r.)";

constexpr TriageArea kAreas[] = {
    {"git", When::kOpen, "{config,config.worktree,.gitattributes,attributes,.git}", Signs::kAll, &GitRules, nullptr, 300, nullptr, kSplitSetting},
    {"submodules", When::kInstall, ".gitmodules", Signs::kAll, &SubmoduleRules, nullptr, 300, nullptr, kSplitSetting},
    {"hooks", When::kOpen, "{**/.git/hooks/**/*[!l]?,**/.git/modules/**/hooks/**/*[!l]?,**/.hg/hgrc*}", Signs::kAll, &HookRules, nullptr, 1000},
    {"hook settings", When::kHooked, "{**/.husky/*,**/.husky/_/*,**/.githooks/*,**/.hooks/*,**/.pre-commit-config.y*ml,**/.pre-commit-hooks.yaml,**/lefthook*.y*ml,**/.lefthook*.y*ml}", Signs::kAll, &HookRules, nullptr, 1000},
    {"npm", When::kInstall, "{package.json,binding.gyp,*.gypi}", Signs::kAll, &NpmRules, nullptr, 600, nullptr, kSplitJson},
    {"python", When::kInstall, "{**/setup.py,**/pyproject.toml,**/setup.cfg,**/*.pth,**/sitecustomize.py,**/usercustomize.py,**/pip.conf,**/pip.ini,**/*requirements*.txt,**/requirements/*.txt,**/Pipfile}", Signs::kAll, &PythonRules},
    {"conftest", When::kBuild, "{conftest.py,.pylintrc,pylintrc,.pylintrc.toml,pylintrc.toml,pytest.ini,.pytest.ini,tox.ini,mypy.ini,.mypy.ini,.coveragerc,.flake8,.rspec,.rubocop.yml,.golangci.y*ml,.prettierrc,.prettierrc.*,.eslintrc,.eslintrc.*,.stylelintrc,.stylelintrc.*,.babelrc,.babelrc.*,babel.config.json,.mocharc,.mocharc.*,.nycrc,.nycrc.*,.swcrc,.remarkrc,.remarkrc.*,biome.json*}", Signs::kAll, &ConftestRules},
    {"packages", When::kInstall, "{**/composer.json,**/*.gemspec,**/extconf.rb,**/Gemfile,**/gems.rb,**/Rakefile,**/Makefile.PL,**/Build.PL,**/.npmrc,**/.yarnrc,**/.yarnrc.yml,**/pnpm-workspace.y*ml,**/bunfig.toml,**/deno.json,**/deno.jsonc,**/.bundle/config}", Signs::kAll, &PackageRules, nullptr, 300, nullptr, kSplitJson},
    {"lock files", When::kInstall, "{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml}", Signs::kNone, &LockRules, nullptr, 600},
    {"editors", When::kOpen,
     "{**/.vscode/*.json,**/*.code-workspace,**/.idea/**,**/.run/*.xml,**/.devcontainer/**/*.json,**/.devcontainer.json,**/.envrc,**/.rvmrc,**/.autoenv*,**/.in,**/.out,**/.mise*.toml,**/mise*.toml,**/.mise/config.toml,**/mise/config.toml,"
     "**/.config/mise/**/*.toml,**/.tool-versions,**/.exrc,**/.nvimrc,**/.nvim.lua,**/.vimrc,**/.lvimrc,**/_vimrc,**/.dir-locals*.el,**/.gdbinit,**/.lldbinit,**/.zed/*.json,**/*.sublime-project,**/.gitpod.yml,**/*.desktop,"
     "**/*.url,**/autorun.inf,**/.helix/*.toml}",
     Signs::kAll, &EditorRules, nullptr, 400, nullptr, kSplitJson},
    {"agents", When::kOpen,
     "{**/.claude/**,**/.mcp.json,**/mcp.json,**/mcp_config.json,**/.cursor/**,**/.gemini/**,**/.codex/**,**/.opencode/**,**/opencode.json*,**/.qwen/**,**/.roo/**,**/.kiro/**,**/.amazonq/**,**/.windsurf/**,**/.junie/**,"
     "**/.clinerules*,**/.clinerules/**,**/.cursorrules,**/.windsurfrules,**/CLAUDE*.md,**/AGENTS.md,**/GEMINI.md,**/SKILL.md,**/.aider.conf.yml,**/.continue/**,**/.github/copilot-instructions.md,"
     "**/.github/instructions/**,**/.github/prompts/**}",
     Signs::kAll, &AgentRules, nullptr, 400, nullptr, kSplitJson},
    {"rust", When::kBuild, "{**/build.rs,**/.cargo/config.toml,**/.cargo/config,**/Cargo.toml,**/rust-toolchain,**/rust-toolchain.toml}", Signs::kAll, &RustRules},
    {"jvm", When::kBuild, "{**/*.gradle,**/*.gradle.kts,**/gradle-wrapper.properties,**/maven-wrapper.properties,**/gradle.properties,**/pom.xml,**/.mvn/extensions.xml,**/jvm.config,**/maven.config,**/.mvn/jvm.config,**/.mavenrc,**/build.xml,**/*.sbt}", Signs::kAll, &JvmRules, nullptr, 300, nullptr, kPluginManagement},
    {"native", When::kBuild,
     "{CMakeLists.txt,*.cmake,*.cmake.in,CMakePresets.json,meson.build,configure,configure.ac,configure.in,autogen.sh,bootstrap,bootstrap.sh,Makefile,makefile,GNUmakefile,Makefile.*,*.mk,Kbuild,BUILD,BUILD.bazel,WORKSPACE,"
     "WORKSPACE.bazel,MODULE.bazel,*.bzl,.bazelrc,SConstruct,SConscript,wscript,*.vcxproj,*.csproj,*.fsproj,*.props,*.targets,Rakefile,Rakefile.rb,rakefile,Justfile,justfile,Taskfile.yml,build.zig,mix.exs,Package.swift,*.xcscheme,Doxyfile*}",
     Signs::kAll, &NativeRules, nullptr, 800},
    {"debian", When::kBuild, "**/debian/rules", Signs::kAll, &DebianRules},
    {"go", When::kBuild, "*.go", Signs::kNone, &GoRules},
    {"ci", When::kSign, "{**/.github/workflows/*,**/.github/actions/**/*.y*ml,**/.gitlab-ci.yml,**/.circleci/config.yml,**/.travis.yml,**/azure-pipelines.yml,**/appveyor.yml,**/.appveyor.yml,**/.cirrus.yml,**/.drone.yml,**/.woodpecker.y*ml,**/.woodpecker/*,**/.build.yml,**/.buildkite/*,**/bitbucket-pipelines.yml,**/Jenkinsfile,**/*compose*.y*ml}", Signs::kSource, &CiRules},
    {"source", When::kSign, kSourceGlob, Signs::kSource, &SourceRules, nullptr, 400},
    {"long lines", When::kSign, "*.{js,mjs,cjs,ts,py,rb,php,sh,pl,ps1,bat,lua}", Signs::kNone, &LongLineRules, nullptr, 60},
    {"hidden text", When::kSign, "", Signs::kNone, &HiddenTextRules,
     R"([\x{202A}-\x{202E}\x{2066}-\x{2069}\x{E0000}-\x{E007F}\x{200B}\x{2060}-\x{2064}\x{E0100}-\x{E01EF}]|[\x{FE00}-\x{FE0F}]{4}|[A-Za-z_.][\x{200C}-\x{200F}\x{FEFF}\x{180E}]+[A-Za-z_(]|\x{1B}[\[\]P_^]|[A-Za-z][аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅοΟ]|[аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЈЅοΟ][A-Za-z])",
     300},
    {"addressed", When::kSign, "", Signs::kNone, &AddressedRules, nullptr, 200,
     R"((?i).*\.(m?js|cjs|jsx|tsx?|pyw?|rb|php|p[lm]|sh|bash|zsh|fish|psm?1|bat|cmd|vbs|lua|go|rs|c|cc|cpp|cxx|h|hpp|inc|java|kts?|groovy|scala|swift|cs|ipynb|jsonl?|csv|sse|el|vim|nix|r|jl|exs?|tcl|awk|mk|sql))"},
    {"modelines", When::kOpen, "", Signs::kNone, &ModelineRules, nullptr, 100},
};

// Bytes of one search's pattern. search_text takes 4,096; but where much text is searched, a few small ones together are far
// faster than one of many alternatives.
constexpr size_t kMaxPattern = 3'900, kMaxWidePattern = 700;

std::vector<std::string> AnyOfParts(const std::vector<std::string>& parts, size_t most) {
  std::vector<std::string> out(1);
  for (const auto& part : parts) {
    if (!out.back().empty() && out.back().size() + part.size() > most) out.emplace_back();
    out.back() += (out.back().empty() ? "(?:" : "|(?:") + part + ")";
  }
  return out;
}

}  // namespace

std::vector<std::string> PatternsOf(const TriageArea& area) {
  if (area.search != nullptr) return {area.search};
  std::vector<std::string> parts;
  for (const auto& rule : area.rules()) parts.emplace_back(rule.line);
  for (const auto& sign : TriageSigns())
    if (area.signs == Signs::kAll || (area.signs == Signs::kSource && sign.in_source != Severity::kInfo)) parts.emplace_back(sign.line);
  if (area.whole != nullptr) parts.emplace_back(area.whole);
  return AnyOfParts(parts, area.when == When::kSign ? kMaxWidePattern : kMaxPattern);
}

std::vector<std::string> PatternsOfSigns() {
  std::vector<std::string> parts;
  for (const auto& sign : TriageSigns()) parts.emplace_back(sign.line);
  return AnyOfParts(parts, kMaxPattern);
}

std::string GlobOf(const TriageArea& area) { return IsByName(area) ? std::string(kAnyCase) + area.glob : area.glob; }

std::span<const TriageArea> TriageAreas() { return kAreas; }

}  // namespace paddock::subagents
