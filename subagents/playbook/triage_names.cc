#include "subagents/playbook/triage_names.h"

#include <algorithm>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

using enum Severity;

constexpr NameRule kRules[] = {
    {"lookalike-name", When::kSign, kHigh, R"((?i).*\.(pdf|txt|docx?|xlsx?|png|jpe?g|gif|mp[34]|csv|html?|md)\s*\.(exe|scr|js|jse|vbs|bat|cmd|lnk|sh|com|ps1|app|jar|hta|msi|command|desktop))", "{base} looks like a document and is a program", R"((?i).*\.html?\.(js|sh)|.*\.md\.js)"},
    {"lookalike-git", When::kOpen, kCritical, R"((?i)(.*/)?(\.git[ .]+|git~\d|\.g\S{1,12}it|\.gi\S{1,12}t)(/.*)?)", "{file} is .git to some file systems, with settings of its own", R"((.*/)?\.git(/.*)?)"},
    {"lookalike-git", When::kOpen, kCritical, R"((.*/)?(\.GIT|\.Git|\.GiT|\.gIT|\.giT|\.gIt)(/.*)?)", "{file} is .git to some file systems, with settings of its own"},
    {"git-file", When::kOpen, kHigh, R"((.*/)?commondir)", "git takes settings and hooks from elsewhere than {file}'s folder", R"((.*/)?\.git/(modules/.*/)?worktrees/[^/]+/commondir)"},
    {"editor-settings", When::kOpen, kMedium, R"((.*/)?(\.vim/coc-settings\.json|\.vs/tasks\.vs\.json|\.fleet/run\.json|\.idea/externalTools\.xml|tools/External Tools\.xml))", "an editor takes programs to start from {file}"},
    {"option-name", When::kSign, kHigh, R"((.*/)?(--?(checkpoint-action|exec|use-compress-program|to-command|rsh|e|upload-pack)[=\\ ].*|-(rf|fr|c|e|oProxyCommand=.*)))", "{base} is an option to a program that is given all names of the folder"},
    {"shadowing-name", When::kBuild, kHigh, R"((?i)(git|node|npm|npx|python3?|code|pip|cargo|go|make|cmake|java|mvn|sh|bash|ls|docker)\.(exe|com|bat|cmd))", "Windows would take {base} of the folder for the program of that name"},
    {"shadowing-module", When::kBuild, kMedium, R"((?:pre_commit|venv|pip)(?:/__main__|/__init__)?\.py|(os|re|json|random|socket|ssl|subprocess|logging|site|email|struct|typing|types|hashlib|base64|shutil|tempfile|pathlib|urllib|abc|enum|copy|time|inspect|string)\.py)", "{base} stands before Python's own module in whatever runs here"},
    {"makefile-first", When::kBuild, kLow, R"(GNUmakefile)", "make takes {base} before any Makefile"},
    {"node-bin", When::kInstall, kMedium, R"((.*/)?node_modules/\.bin/[^/]+)", "programs of node_modules are in the folder already: {file}"},
    {"julia-build", When::kInstall, kLow, R"((.*/)?deps/build\.jl)", "Julia runs {file} when the package is installed: normal for Julia"},
    {"script-plugin", When::kOpen, kMedium, R"((.*/)?(\.yarn/plugins/.*\.c?js|\.pnpmfile\.[cm]?js|\.pnp\.c?js))", "{base} is loaded by each command of the package manager", R"((.*/)?\.yarn/plugins/@yarnpkg/.*)"},
    {"wrapper-jar", When::kBuild, kLow, R"((.*/)?(gradle/wrapper/gradle-wrapper|\.mvn/wrapper/maven-wrapper)\.jar)", "{file} runs at build: normal for Java, and nobody can read it", nullptr, true},
    {"binary", When::kSign, kMedium, R"((?i).*\.(exe|dll|scr|com|msi|cpl|sys|ocx|so(\.\d+)*|dylib|node|pyd|ko|elf|bin|run|appimage|lnk|hta|jse|vbe|wsf|scf|jar|war|apk|ipa|dex|class|pyc|pyo|beam|xpi|crx|vsix))", "{file} is a program that can't be read here", R"((?i).*(^|/)(tests?|testdata|fixtures?|spec|examples?|t|samples?)/.*)", true},
    {"binary", When::kSign, kLow, R"((?i).*\.(exe|dll|scr|com|msi|cpl|sys|ocx|so(\.\d+)*|dylib|node|pyd|ko|elf|bin|run|appimage|lnk|hta|jse|vbe|wsf|scf|jar|war|apk|ipa|dex|class|pyc|pyo|beam|xpi|crx|vsix|wasm|o|obj|a|lib))", "{file} is a program that can't be read here", nullptr, true},
    {"archive", When::kSign, kLow, R"((?i).*\.(zip|7z|rar|tar|tgz|txz|tbz2?|gz|xz|bz2|zst|lzma|cab|iso|img|dmg|deb|rpm|whl|egg|gem|nupkg|crate|cpio))", "{file} is an archive: what is in it was not looked at"},
};

constexpr const char* kGlobs[] = {
    "*.{exe,dll,scr,com,msi,cpl,sys,ocx,so,so.*,dylib,node,pyd,ko,elf,bin,run,appimage,AppImage,lnk,hta,jse,vbe,wsf,scf,jar,war,apk,ipa,dex,class,pyc,pyo,beam,xpi,crx,vsix,wasm,o,obj,a,lib,EXE,DLL,bat,cmd}",
    "*.{zip,7z,rar,tar,tgz,txz,tbz,tbz2,gz,xz,bz2,zst,lzma,cab,iso,img,dmg,deb,rpm,whl,egg,gem,nupkg,crate,cpio}",
    "{HEAD,commondir,objects,refs,.[gG]*[tT]*,[gG][iI][tT]~*,-*,GNUmakefile,.pnpmfile.cjs,.pnpmfile.js,.pnpmfile.mjs,.pnp.cjs,.pnp.js}",
    "*.{txt,pdf,doc,docx,jpg,png,xls,xlsx,csv,html,md}*.{js,vbs,sh,ps1,command}",
    "{/venv.py,/pip.py,/pre_commit.py,/{venv,pip,pre_commit}/__*__.py,/{os,re,json,random,socket,ssl,subprocess,logging,site,email,struct,typing,types,hashlib,base64,shutil,tempfile,pathlib,urllib,abc,enum,copy,time,inspect,string}.py}",
    "{**/bin/*,**/sbin/*,**/tool/*,**/tools/*,**/libexec/*,**/helpers/*}",
    "{**/.yarn/plugins/**,**/node_modules/.bin/*,**/.git/hooks/*,**/.git/commondir,**/.vim/coc-settings.json,**/.vs/tasks.vs.json,**/.fleet/run.json,**/.idea/externalTools.xml,**/build.ninja,**/xmake.lua,**/premake[45].lua,**/build.sc,**/config.nims,**/cabal.project*,**/*.rockspec,**/*.proj,**/*.pro,**/Makevars*,**/install.libs.R,**/*.tf}",
    // What ProgramByName knows, between them.
    "{[rR]akefile.rb,rakefile,gems.rb,conanfile.py,*.opam,opam,dune,dune-project,noxfile.py,fabfile.py,hatch_build.py,pdm_build.py,package.yaml,package.yml,package.json5,yarn.config.cjs,constraints.pro,.irbrc,.pryrc,.guardfile,build.jl,build.zig.zon,CMakePresets.json,CMakeUserPresets.json,phpunit.xml,phpunit.xml.dist,platformio.ini,mkdocs.yml,*.config.{js,cjs,mjs,ts,cts,mts},*.conf.{js,cjs},.*rc.{js,cjs,mjs,ts},[gG]*file.{js,cjs,mjs,ts},[A-Z]*file}",
    "{setup.py,conftest.py,build.rs,Makefile,makefile,CMakeLists.txt,configure,*.gradle,*.gradle.kts,Rakefile,Gemfile,*.gemspec,extconf.rb,Makefile.PL,Build.PL,*.csproj,*.vbproj,*.fsproj,*.vcxproj,Podfile,Setup.hs,*.nimble,rebar.config,project.clj,dub.sdl,dub.json,Justfile,justfile,Taskfile.yml,Taskfile.yaml,flake.nix,shell.nix,default.nix,project.pbxproj,mix.exs,wscript,meson.build,SConstruct,build.zig,build.sbt,build.xml,WORKSPACE,WORKSPACE.bazel,MODULE.bazel,Package.swift,autogen.sh,bootstrap,bootstrap.sh,Directory.Build.*,*.podspec,Setup.lhs,rebar.config.script,BSDmakefile,dune-workspace,phpunit.xml*,mkdocs.yaml}",
};

}  // namespace

std::span<const NameRule> NameRules() { return kRules; }

const char* ProgramByName(std::string_view path, When* when) {
  static constexpr struct {
    const char* path;
    When when;
    const char* runs;
  } kPrograms[] = {
      {R"(setup\.py)", When::kInstall, "Python runs {base} when the package is built or installed"},
      {R"((hatch|pdm)_build\.py)", When::kInstall, "Python's build backend runs {base} when the package is built or installed"},
      {R"(Gemfile|gems\.rb|.*\.gemspec|extconf\.rb)", When::kInstall, "Ruby runs {base} when the gem is installed or bundled"},
      {R"((Makefile|Build)\.PL)", When::kInstall, "Perl runs {base} when the module is installed"},
      {R"(package\.(ya?ml|json5))", When::kInstall, "{base} may name scripts that pnpm runs at install"},
      {R"(Brewfile)", When::kInstall, "brew bundle runs {base}, which is Ruby"},
      {R"(conanfile\.py)", When::kInstall, "Conan runs {base} when it installs or builds"},
      {R"(yarn\.config\.cjs|constraints\.pro)", When::kInstall, "yarn runs {base} at yarn constraints, and at install where that is switched on"},
      {R"(noxfile\.py|fabfile\.py|\.guardfile)", When::kBuild, "{base} is a program that its tool runs when it is started in the folder"},
      {R"(\.(irb|pry)rc)", When::kBuild, "Ruby's console runs {base} when it is started in the folder"},
      {R"(Vagrantfile)", When::kBuild, "vagrant runs {base} at each command"},
      {R"((Fast|App|Danger|Guard|Cap|Berks|Thor|Puppet|Steep|Deliver|Match|Plugin|Snap|Scan|Gym|Tilt|Snake)file)", When::kBuild, "{base} is a program that its tool runs when it is started in the folder"},
      {R"((ava|astro|babel|c8|commitlint|cypress|docusaurus|esbuild|eslint|gatsby|jest|knip|lint-staged|metro|mocha|next|nuxt|nyc|playwright|postcss|prettier|release|remix|rollup|rsbuild|rspack|storybook|stylelint|svelte|tailwind|tsup|typedoc|uno|vite|vitest|vue|webpack|windi)(\.[\w-]+)*\.config\.[cm]?[jt]s|(karma|wdio|protractor|nightwatch|codecept)(\.[\w-]+)*\.conf\.[cm]?[jt]s|\.[\w-]+rc\.[cm]?[jt]s|(Grunt|gulp|Jake)file([\w.]*)?\.[cm]?[jt]s)", When::kBuild, "{base} is a program that its tool runs at build, test or check"},
      {R"(CMake(User)?Presets\.json)", When::kBuild, "CMake takes compilers and options from {base}"},
      {R"(phpunit\.xml(\.dist)?|platformio\.ini|mkdocs\.ya?ml)", When::kBuild, "{base} may name programs of the repository that its tool runs"},
      {R"(dune(-project|-workspace)?|opam|.*\.opam)", When::kBuild, "{base} names what runs when the OCaml package is built"},
      {R"(build\.ninja|xmake\.lua|premake[45]\.lua|build\.sc|config\.nims|cabal\.project(\.local)?|.*\.(rockspec|proj|pro)|Makevars(\.\w+)?|install\.libs\.R)", When::kBuild, "{base} is a program, or names some, for the build"},
      {R"(.*\.tf)", When::kBuild, "Terraform runs what {base} says"},
      {R"(conftest\.py)", When::kBuild, "pytest runs {base}"},
      {R"(build\.rs)", When::kBuild, "cargo runs {base} at build"},
      {R"((GNU|BSD)?[mM]akefile)", When::kBuild, "make runs what {base} says"},
      {R"(CMakeLists\.txt)", When::kBuild, "CMake runs {base} at configure"},
      {R"(configure|autogen\.sh|bootstrap(\.sh)?)", When::kBuild, "{base} runs at build"},
      {R"(.*\.gradle(\.kts)?)", When::kBuild, "Gradle runs {base} at build"},
      {R"(.*\.(cs|vb|fs|vcx)proj|Directory\.Build\.(props|targets|rsp))", When::kBuild, "MSBuild runs what {base} says"},
      {R"([rR]akefile(\.rb)?|Podfile|.*\.podspec|Setup\.l?hs|.*\.nimble|rebar\.config(\.script)?|project\.clj|dub\.(json|sdl)|[jJ]ustfile|Taskfile\.ya?ml|(default|shell|flake)\.nix|project\.pbxproj|meson\.build|SConstruct|wscript|build\.(zig|sbt|xml)|mix\.exs|Package\.swift|WORKSPACE(\.bazel)?|MODULE\.bazel)", When::kBuild, "{base} is a program, or names some, for the build"},
  };
  for (const auto& program : kPrograms)
    if (MatchesWhole(BaseName(path), program.path)) return *when = program.when, program.runs;
  return nullptr;
}
std::span<const char* const> NameGlobs() { return kGlobs; }

int ProbeRank(std::string_view path) {
  if (path.starts_with(".git/") || path.find("/.git/") != std::string_view::npos) return 0;
  if (std::any_of(NameRules().begin(), NameRules().end(), [&](const NameRule& rule) { return rule.check && rule.severity >= kMedium && MatchesWhole(path, rule.path); })) return 2;
  // A line of it is to be cited.
  if (When when; ProgramByName(path, &when) != nullptr) return IsForeignPath(path) ? 0 : IsSidePath(path) ? kProgramRank + 1 : kProgramRank;
  // Extensions that don't tell what a file is, and none.
  if (!MatchesWhole(path, R"((?i)(.*/)?\.?[^./]+|.*\.(\d[\w-]*|x86[_-]?64|amd64|i?[36]86|arm64|aarch64|x64|linux|darwin|macos|out|dat|data|tool|prog|cgi|img))")) return 0;
  if (MatchesWhole(path, R"((?i)(.*/)?(\.\w*(rc|ignore|attributes|config|keep|version|modules|mailmap)|(readme|license|licence|copying|copyright|notice|authors|contributors|maintainers|owners|codeowners|changes|changelog|history|news|todo|thanks|credits|install|version|patents|contributing|security)\b[^/]*|(GNU|BSD)?makefile([.]\w+)?|dockerfile|containerfile|jenkinsfile|vagrantfile|procfile|gemfile|rakefile|podfile|brewfile|justfile|kconfig|kbuild|build|workspace|cname|py[.]typed))")) return 0;
  const bool folder = MatchesPart(path, R"((^|/)(s?bin|tools?|scripts?|libexec|helpers?|hooks|build|lib|dist)/)");
  return folder && !IsSidePath(path) ? 1 : folder ? 2 : PathDepth(path) == 0 ? 3 : IsSidePath(path) ? 5 : 4;
}

bool LeadsOut(const TriageLink& link) {
  if (link.target.starts_with('/')) return true;
  int depth = PathDepth(link.path);
  for (std::string_view rest = link.target; !rest.empty();) {
    size_t slash = rest.find('/');
    std::string_view part = rest.substr(0, slash);
    depth += part == ".." ? -1 : part.empty() || part == "." ? 0 : 1;
    if (depth < 0) return true;
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  return false;
}

bool LeadsToSecrets(const TriageLink& link) {
  return LeadsOut(link) && MatchesPart(link.target, R"((^|/)(\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pypirc|\.bashrc|\.zshrc|\.profile|\.config|\.docker|\.git-credentials|id_(rsa|ed25519|ecdsa))(/|$)|^/(etc|root|home|dev|proc|sys|var|Users)(/|$))");
}

}  // namespace paddock::subagents
