// What runs when a package is installed, language by language.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

// "^1.2.3-beta.1": blanks stand behind an operator alone, so that no program's arguments are taken for more of them.
#define VERSION R"((?:[<>=^~]+\s*)?v?(?:\d+\.\d+\.\d+[-+][\w.+-]+|\d+(?:\.[\dxX*]+){0,2}))"

constexpr TriageRule kNpm[] = {
    {"npm-script-unused", kInfo, R"re("((?:pre|post)?prepare|prepublish|dependencies)"\s*:\s*".+")re", "npm runs `{1}` of a package only in that package's own repository: not of one that is installed", R"((.*/)?node_modules/(.*/)?package\.json)"},
    {"npm-script", kLow, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"((?:npx |npm run |yarn |pnpm (?:run )?)?(?:husky|patch-package|node-gyp|prebuild-install|simple-git-hooks|lefthook|is-ci|tsc|lerna|build|compile|rimraf|opencollective|electron-builder|ngcc|allow-scripts|npm run|yarn|unbuild|tsup|rollup|webpack|vite)\b(?:[^"\\]|\\.)*)")re",
     "npm runs `{2}` ({1}): normal for npm projects", R"((.*/)?package\.json)", R"(https?://|\$\(|`)"},
    {"npm-script", kMedium, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish|dependencies)"\s*:\s*"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*|[^"\d^~*<>=](?:[^"\\]|\\.)*\.sh)")re",
     "npm runs `{2}` ({1})", R"((.*/)?package\.json)", R"re("dependencies"\s*:\s*\{|"(install|prepare)"\s*:\s*"[\^~<>=*]*\d)re"},
    {"npm-script", kLow, R"re("((?:pre|post)(?:install|prepare))"\s*:\s*"([A-Za-z_./][\w./@-]*)")re", "npm runs `{2}` ({1})", R"((.*/)?package\.json)", R"re("(latest|next|beta)")re"},
    {"npm-script", kMedium, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"((?:[^"\\]|\\.)+)")re", "npm runs `{2}` ({1})", R"((.*/)?package\.json)",
     // Versions of dependencies that are called so.
     R"re("(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"(?:)re" VERSION R"re((?:(?:\s*\|\|\s*|\s+-\s+))re" VERSION R"re(|\s+[<>=^~]+\s*)re" VERSION R"re()*|latest|next|beta|(?:workspace|npm):[\w./@:+~^*#-]*)")re"},
    {"npm-script", kMedium, R"re("(dependencies|pnpm:devPreinstall)"\s*:\s*"((?:[^"\\]|\\.)+)")re", "npm or pnpm runs `{2}` ({1})", R"((.*/)?package\.json)"},
    {"npm-pack-script", kInfo, R"re("((?:pre|post)pack)"\s*:\s*"((?:[^"\\]|\\.)+)")re", "npm runs `{2}` ({1}) when the package is packed, or installed from git", R"((.*/)?package\.json)"},
    {"package-manager-url", kHigh, R"re("packageManager"\s*:\s*"(?:[^"@]*@)?(https?:[^"]*)")re", "Corepack fetches its package manager from {1}, and runs it", R"((.*/)?package\.json)"},
    {"npm-foreign-dependency", kMedium, R"re("([@\w./-]+)"\s*:\s*"((?:git\+https?|git\+ssh|git|http|https)://[^"]+)")re", "dependency `{1}` comes from {2}", R"((.*/)?package\.json)",
     R"re("(url|homepage|repository|bugs|directory|author|web|email|\$schema|funding|docs|license|issues)"\s*:)re", nullptr, 0,
     R"((pnpm/)?((dev|optional|peer)?[dD]ependencies|overrides|resolutions)(/.*)?)", "an address in package.json: {2} ({1})"},
    {"npm-trusted", kLow, R"re("(trustedDependencies|onlyBuiltDependencies|allowScripts|gypfile)"\s*:)re", "`{1}`: install scripts of dependencies are let run", R"((.*/)?package\.json)"},
    {"npm", kInfo, R"re("(?:devD|d)ependencies"\s*:\s*\{)re", "npm installs dependencies, whose own install scripts may run: normal for npm projects", R"((packages/[^/]+/)?package\.json)"},
    HiddenName(R"re(((?:"[^"\n]*"|'[^'\n]*')\s*["'][^"']*["']\s*:.*|["'][^"']*\\[xuUN0-7][^"']*["']\s*:.*|["']\s*["']["'][^"']*["']{3}\s*:.*|^\s*:.*))re", R"((.*/)?(binding\.gyp|.*\.gypi))"),
    {"gyp-action", kLow, R"re(["']action["']\s*:\s*(.*))re", "node-gyp runs {1} at install: normal for native modules", R"((.*/)?(binding\.gyp|.*\.gypi))"},
    {"gyp-command", kLow, R"(<!@?\(([^)]*)\)?)", "node-gyp runs `{1}` at install: normal for native modules", R"((.*/)?(binding\.gyp|.*\.gypi))"},
    {"gyp", kInfo, R"re(["']targets["']\s*:)re", "npm install builds what {base} says: normal for native modules", R"((.*/)?binding\.gyp)"},
};

constexpr TriageRule kPython[] = {
    HiddenName(ODD_ENCODING, R"(.*\.py)", kHigh, 2),
    {"pth", kHigh, R"(^\s*import[\s;])", "Python executes this line each time that it starts", R"(.*\.pth)"},
    {"sitecustomize", kMedium, R"(^(import|from|def|class|exec|eval|open|print|try|with|os\.)\b)", "Python loads this file each time that it starts here", R"((.*/)?(sitecustomize|usercustomize)\.py)"},
    {"setup-py-decodes", kMedium, R"(\bexec\(|\beval\(|\bcompile\(|marshal|b64decode)", "setup.py executes text at install", R"((.*/)?setup\.py)", R"(exec\((open|compile|f\.read|fp\.read|read|about|code|version|ver|_?src|_?ns|contents?|init|source|file)\w*\b|re\.compile|read\(\))"},
    {"setup-py-network", kMedium, R"((urlopen|urlretrieve|requests\.(?:get|post)|socket\.\w+|http\.client|httpx?\.get)\b)", "setup.py reaches the network at install", R"((.*/)?setup\.py)"},
    {"setup-py-runs", kLow, R"((os\.system|os\.popen|subprocess\.\w+|Popen|check_output|check_call|os\.exec\w+)\()", "setup.py starts programs at install ({1})", R"((.*/)?setup\.py)"},
    {"setup-py-cmdclass", kLow, R"(\bcmdclass\b)", "setup.py has its own steps of install", R"((.*/)?setup\.py)"},
    {"setup-py", kInfo, R"(^\s*(?:setuptools\.)?setup\s*\()", "setup.py runs at pip install: normal for Python", R"((.*/)?setup\.py)"},
    {"build-backend-in-tree", kMedium, R"re((?:^|[.{,])\s*["']?backend-path["']?\s*=)re", "the build backend is in the tree: it runs at pip install", R"((.*/)?pyproject\.toml)"},
    {"build-backend", kInfo, R"re((?:^|[.{,])\s*["']?build-backend["']?\s*=\s*(.*))re", "pip builds it with {1}: normal for Python", R"((.*/)?pyproject\.toml)"},
    {"build-script", kLow, R"re((?:^|[.{,])\s*["']?(?:build|script)["']?\s*=\s*["']([\w./-]+\.py)["'])re", "the build of the package runs {1}", R"((.*/)?pyproject\.toml)"},
    {"build-script", kLow, R"re(^\s*\[(tool\.hatch\.[\w.-]*hooks\.custom|tool\.setuptools\.cmdclass)\s*\])re", "the build of the package runs code of the repository ({1})", R"((.*/)?pyproject\.toml)"},
    {"package-source", kLow, R"re(^\s*\[\[\s*(tool\.(?:poetry\.source|uv\.index|pdm\.source))\s*\]\])re", "packages are taken from another index than PyPI, or from more ({1})", R"((.*/)?pyproject\.toml)"},
    {"pip-index", kMedium, R"re(^\s*["']?url["']?\s*=\s*["'](https?://[^"']+))re", "requirements are taken from {1}", R"((.*/)?Pipfile)", R"(["']https://py[p]i\.org/simple/?["'])"},
    {"version-attribute", kInfo, R"re(\battr["']?\s*[:=]\s*["']?([\w.]+))re", "setuptools takes the version from {1}, and may load that at build: normal for Python", R"((.*/)?(pyproject\.toml|setup\.cfg))"},
    {"pip-index", kHigh, R"((?i)^\s*(?:--)?(?:(?:extra[-_])?index[-_]url|trusted[-_]host|find[-_]links)\s*[=:]\s*(.*))", "pip takes packages from {1}", R"((.*/)?(pip\.conf|pip\.ini))"},
    {"pip-index", kMedium, R"(^\s*(--(?:i|ex|f|t)[\w-]*[ =]|-[if])\s*(.*))", "requirements are taken from {2}", R"((.*/)?(.*requirements.*|requirements/.*)\.txt)"},
    HiddenName(R"(^\s*(-[\w-]*\\)\s*$)", R"((.*/)?(.*requirements.*|requirements/.*)\.txt)"),
    {"setup-class", kMedium, R"(^\s*["']?(cmdclass|build_py|build_ext|install_lib|sdist|bdist_wheel|develop)["']?\s*=\s*(.*))", "setuptools runs {2} ({1})", R"((.*/)?(setup\.cfg|pyproject\.toml))"},
    {"pip-foreign", kLow, R"(^\s*(?:-e\s+)?(?:[\w.-]+\s*@\s*)?((?:git\+\w+|https?)://\S+))", "a requirement comes from {1}", R"((.*/)?(.*requirements.*|requirements/.*)\.txt)"},
};

// What tools load that check or test.
constexpr TriageRule kConftest[] = {
    {"tool-loads", kLow, R"(^\s*["']?init-hook["']?\s*=\s*(.*))", "pylint runs {1} when it is started", R"((.*/)?(\.?pylintrc(\.toml)?|tox\.ini))"},
    {"tool-loads", kLow, R"(^\s*["']?load-plugins["']?\s*=\s*(\S.*))", "pylint loads {1}", R"((.*/)?(\.?pylintrc(\.toml)?|tox\.ini))"},
    {"tool-loads", kLow, R"(^\s*(?:addopts\s*=.*|-.*\s|)(-p\s*(?:[^\sn]|n[^\so]|no[^\s:])\S*))", "pytest loads a plugin: {1}", R"((.*/)?(\.?pytest\.ini|tox\.ini))"},
    {"tool-loads", kLow, R"(^\s*(pythonpath\s*=\s*\S.*))", "pytest finds modules elsewhere: {1}", R"((.*/)?(\.?pytest\.ini|tox\.ini))"},
    {"tool-loads", kLow, R"(^\s*plugins\s*=\s*(\S.*))", "its tool loads {1}", R"((.*/)?(\.?mypy\.ini|\.coveragerc))"},
    {"tool-loads", kLow, R"(^\s*\[(flake8:local-plugins)\])", "flake8 loads plugins of the repository", R"((.*/)?(\.flake8|tox\.ini))"},
    {"tox", kInfo, R"(^\s*(commands(?:_pre|_post)?)\s*=)", "tox runs what {base} says ({1}): normal for Python", R"((.*/)?tox\.ini)"},
    {"tool-loads", kLow, R"(<%(.*))", "RuboCop runs Ruby within {base}: {1}", R"((.*/)?\.rubocop\.yml)"},
    {"tool-loads", kInfo, R"(^\s*(require|plugins)\s*:)", "RuboCop loads what {base} names ({1})", R"((.*/)?\.rubocop\.yml)"},
    {"tool-loads", kInfo, R"(^\s*(custom)\s*:)", "golangci-lint loads plugins that {base} names", R"((.*/)?\.golangci\.ya?ml)"},
    {"tool-loads", kInfo, R"((?:^|["'\s,\[])(\.{1,2}/[^"'\s,\]]+))", "{base} names {1}, which its tool may load", R"((.*/)?(\.(prettier|eslint|stylelint|babel|mocha|nyc|swc|remark)rc(\.(json[5c]?|ya?ml|toml))?|babel\.config\.json|biome\.jsonc?))"},
    {"rspec-loads", kInfo, R"((?:^|\s)(?:-r|--require)[= ]?\s*(\S+))", "rspec loads {1} at each run: normal for Ruby", R"((.*/)?\.rspec)"},
    HiddenName(ODD_ENCODING, R"(.*\.py)", kHigh, 2),
    {"conftest", kMedium, R"(^(os\.system|subprocess\.\w+|exec|eval|urllib\.\w+|requests\.\w+|socket\.\w+|__import__)\b)", "conftest.py does this whenever pytest starts", R"((.*/)?conftest\.py)"},
    {"conftest", kLow, R"(\b(os\.system|subprocess\.(?:run|call|Popen|check_\w+)|urlopen|requests\.(?:get|post))\()", "conftest.py starts programs or reaches the network in tests ({1})", R"((.*/)?conftest\.py)"},
};

constexpr TriageRule kPackage[] = {
    {"composer-script", kLow, R"re("((?:pre|post)-[\w-]+-(?:cmd|dump|install|update|uninstall))"\s*:)re", "Composer runs scripts ({1})", R"((.*/)?composer\.json)"},
    {"composer-script", kLow, R"re("((?:pre|post)-command-run|command|init)"\s*:\s*["\[])re", "Composer runs scripts ({1})", R"((.*/)?composer\.json)"},
    {"composer-plugin", kLow, R"re("(allow-plugins|composer-plugin)")re", "Composer plugins run at install", R"((.*/)?composer\.json)"},
    {"composer-script", kLow, R"re(^\s*"((?:@?php|bash|sh|curl|wget|\\?[A-Z]\w+[\\\x02]+).*)",?\s*$)re", "Composer runs `{1}`", R"((.*/)?composer\.json)"},
    {"gemspec-runs", kMedium, R"((\bsystem\(|%x[({\[]|\bopen-uri\b|Net::HTTP|URI\.open|\beval\b|\bexec\b\s*[("']))", "the gemspec runs code when it is loaded", R"(.*\.gemspec)"},
    {"gemspec-runs", kInfo, "`([^`]+)`", "the gemspec runs `{1}` when it is loaded: normal for gems", R"(.*\.gemspec)"},
    {"gemspec", kInfo, R"(\bGem::Specification\.new)", "{base} is Ruby that runs when the gem is built or bundled: normal for gems", R"(.*\.gemspec)"},
    {"extconf", kMedium, R"((\bsystem[ (]|%x[({\[]|open-uri|Net::HTTP|URI\.open|`[^`]+`))", "extconf.rb starts programs or reaches the network at gem install", R"((.*/)?extconf\.rb)"},
    {"extconf", kInfo, R"(\bmkmf\b)", "extconf.rb runs at gem install: normal for native gems", R"((.*/)?extconf\.rb)"},
    {"gemfile-runs", kLow, R"re(^\s*source\s+['"](http://[^'"]+))re", "gems are fetched from {1}, unencrypted", R"((.*/)?Gemfile)"},
    {"gemfile-runs", kMedium, R"((\bsystem[ (]|%x[({\[]|\bopen-uri\b|Net::HTTP|URI\.open))", "the Gemfile starts programs or reaches the network whenever Bundler reads it", R"((.*/)?(Gemfile|gems\.rb))"},
    {"gemfile", kInfo, R"(^\s*(?:source|gemspec|gem|eval_gemfile)\b)", "{base} is Ruby that runs at bundle install: normal for Ruby", R"((.*/)?(Gemfile|gems\.rb))"},
    {"makefile-pl", kMedium, R"(\b(system|qx|exec)\b\s*[({\["'/]|LWP|HTTP::Tiny|\beval\s+["$])", "Makefile.PL starts programs or reaches the network", R"((.*/)?(Makefile|Build)\.PL)"},
    {"makefile-pl", kInfo, R"(^\s*use\s+(ExtUtils::MakeMaker|Module::\w+))", "{base} runs at install: normal for Perl", R"((.*/)?(Makefile|Build)\.PL)"},
    {"pnpm-runs", kMedium, YAML_BEFORE R"((scriptShell|pnpmfile|globalPnpmfile|nodeOptions|dangerouslyAllowAllBuilds|configDependencies))" YAML_BEHIND R"(\s*(\S.*|$))", "pnpm is told {1}: {2}", R"((.*/)?pnpm-workspace\.ya?ml)", R"(:\s*["']?false["']?\s*$)"},
    {"pnpm-trusted", kLow, YAML_BEFORE R"((onlyBuiltDependencies|allowBuilds|neverBuiltDependencies))" YAML_BEHIND, "`{1}`: it is said of which dependencies install scripts run", R"((.*/)?pnpm-workspace\.ya?ml)"},
    HiddenName(YAML_HIDDEN_FLOW, R"((.*/)?pnpm-workspace\.ya?ml)"),
    HiddenName(R"(^\s*([^#;=/\s][^=]*\$\{.*?=.*|\$\{.*?=.*|["'][^=]*\\.*?=.*))", R"((.*/)?\.npmrc)"),
    HiddenName(YAML_HIDDEN_FLOW, R"((.*/)?(\.yarnrc\.yml|\.bundle/config))"),
    {"npmrc-runs", kHigh, R"((?i)^\s*["']?(node[-_]options|script[-_]shell|shell|onload[-_]script|git|init[-_]module|prefix|globalconfig|userconfig|pnpmfile|global[-_]pnpmfile|python|node[-_]gyp|node[-_]mirror\S*)(?:["']|\[\])?\s*=\s*(\S.*))", "npm is told to use `{2}` ({1})", R"((.*/)?\.npmrc)"},
    {"npmrc-weak", kMedium, R"re(^\s*["']?(strict-ssl["']?\s*=\s*["']?false|(?:https?-)?proxy["']?\s*=.*|ignore-scripts["']?\s*=\s*["']?false|unsafe-perm["']?\s*=\s*["']?true|cafile["']?\s*=.*))re", "npm is weakened: {1}", R"((.*/)?\.npmrc)"},
    {"npm-registry", kHigh, R"re(^\s*["']?(?:@[\w-]+:)?registry["']?\s*[= ]\s*["']?(http://[^"'\s]+|https?://\d[^"'\s]*))re", "packages are taken from {1}", R"((.*/)?\.(npmrc|yarnrc))", nullptr, R"(https?://(localhost|127\.\d+\.\d+\.\d+)(:\d+)?(/.*)?)"},
    {"npm-registry", kMedium, YAML_BEFORE R"re((?:@[\w-]+:)?(?:registry|npmRegistryServer)["']?\s*[=: ]\s*["']?(https?://[^"'\s,}]+))re", "packages are taken from {1}", R"((.*/)?\.(npmrc|yarnrc|yarnrc\.yml))", nullptr, R"(https://registry\.(npm[j]s\.org|yarn[p]kg\.com)(/.*)?)"},
    {"yarn-path", kLow, YAML_BEFORE R"re((?:yarnPath["']?\s*:|yarn-path["']?)\s*["']?(\.?/?\.yarn/releases/[\w.-]+))re", "yarn is {1} of the repository: normal for newer yarn", R"((.*/)?\.yarnrc(\.yml)?)"},
    {"yarn-path", kHigh, YAML_BEFORE R"re((?:yarnPath["']?\s*:|yarn-path["']?|--use-yarnrc["']?)\s*(.*))re", "each yarn command runs {1}", R"((.*/)?\.yarnrc(\.yml)?)"},
    {"yarn-plugin", kLow, YAML_BEFORE "path" YAML_BEHIND R"(\s*(.*))", "yarn loads {1}", R"((.*/)?\.yarnrc\.yml)"},
    {"yarn-plugin", kLow, R"re((?:^\s*-|\bplugins["']?\s*:\s*\[)\s*["']?([^\s"':,\]]+\.[cm]?js)["']?)re", "yarn loads {1}", R"((.*/)?\.yarnrc\.yml)"},
    {"bunfig", kMedium, R"re((?:^|[.{,])\s*["']?(preload)["']?\s*=\s*(.*))re", "bun loads {2} before anything it runs", R"((.*/)?bunfig\.toml)"},
    {"bunfig", kMedium, R"re((?:^|[.{,])\s*["']?registry["']?\s*=\s*(.*))re", "bun takes packages from {1}", R"((.*/)?bunfig\.toml)"},
    {"deno", kLow, R"re("(allowScripts|nodeModulesDir|unstable|tasks)"\s*:)re", "Deno: `{1}`", R"((.*/)?deno\.jsonc?)"},
    {"bundle-config", kMedium, YAML_BEFORE R"((BUNDLE_\w+))" YAML_BEHIND R"(\s*(.*))", "Bundler is told {1} = {2}", R"((.*/)?\.bundle/config)"},
};

// A host that isn't the usual registry: RE2 can't say "not", so its letters are told.
#define OTHER_HOST R"((?:[^r"'/\s]|r[^e"'/\s]|re[^g"'/\s]|reg[^i"'/\s]|regi[^s"'/\s]|regis[^t"'/\s]|regist[^r"'/\s]|registr[^y"'/\s]|registry[^."'/\s]|registry\.(?:[^ny"'/\s]|n[^p"'/\s]|np[^m"'/\s]|npm[^j"'/\s]|npmj[^s"'/\s]|npmjs[^."'/\s]|npmjs\.[^o"'/\s]|npmjs\.o[^r"'/\s]|npmjs\.or[^g"'/\s]|npmjs\.org[^/]|y[^a"'/\s]|ya[^r"'/\s]|yar[^n"'/\s]|yarn[^p"'/\s]|yarnp[^k"'/\s]|yarnpk[^g"'/\s]|yarnpkg[^."'/\s]|yarnpkg\.[^c"'/\s]|yarnpkg\.c[^o"'/\s]|yarnpkg\.co[^m"'/\s]|yarnpkg\.com[^/]))[^"'#\s]*)"
constexpr TriageRule kLock[] = {
    {"locked-elsewhere", kLow, R"re(\b(?:resolved|tarball)\b["']?\s*:?\s*["']?((?:git\+)?(?:https?|git|ssh|git\+ssh)://)re" OTHER_HOST ")", "locked packages come from another place than the usual registry: {1}"},
};

}  // namespace

std::span<const TriageRule> NpmRules() { return kNpm; }
std::span<const TriageRule> PythonRules() { return kPython; }
std::span<const TriageRule> ConftestRules() { return kConftest; }
std::span<const TriageRule> LockRules() { return kLock; }
std::span<const TriageRule> PackageRules() { return kPackage; }

}  // namespace paddock::subagents
