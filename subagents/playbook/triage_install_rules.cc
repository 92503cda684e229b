// What runs when a package is installed, language by language.
#include "subagents/playbook/triage_spellings.h"

namespace paddock::subagents {
namespace {

using enum Severity;

// "^1.2.3-beta.1": blanks stand behind an operator alone, so that no program's arguments are taken for more of them.
#define VERSION R"((?:[<>=^~]+\s*)?v?(?:\d+\.\d+\.\d+[-+][\w.+-]+|\d+(?:\.[\dxX*]+){0,2}|\*))"

constexpr TriageRule kNpm[] = {
    {"npm-script-unused", kInfo, R"re("((?:pre|post)?prepare|prepublish|dependencies)"\s*:\s*".+")re", "npm runs `{1}` of a package only in that package's own repository: not of one that is installed", R"((.*/)?node_modules/(.*/)?package\.json)"},
    {"npm-script", kLow, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"((?:npx |npm run |yarn |pnpm (?:run )?)?(?:husky|patch-package|node-gyp|prebuild-install|simple-git-hooks|lefthook|is-ci|tsc|lerna|build|compile|rimraf|opencollective|electron-builder|ngcc|allow-scripts|npm run|yarn|unbuild|tsup|rollup|webpack|vite)\b(?:[^"\\]|\\.)*)")re",
     "npm runs `{2}` ({1}): normal for npm projects", R"((.*/)?package\.json)", R"(https?://|\$\(|`)"},
    {"npm-script", kMedium, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish|dependencies)"\s*:\s*"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*|[^"\d^~*<>=](?:[^"\\]|\\.)*\.sh)")re",
     "npm runs `{2}` ({1})", R"((.*/)?package\.json)", R"re("dependencies"\s*:\s*\{|"(install|prepare)"\s*:\s*"[\^~<>=*]*\d)re"},
    {"npm-script", kLow, R"re("((?:pre|post)(?:install|prepare))"\s*:\s*"([A-Za-z_./][\w./@-]*)")re", "npm runs `{2}` ({1})", R"((.*/)?package\.json)", R"re("(latest|next|beta)")re"},
    {"npm-script", kMedium, R"re("((?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"((?:[^"\\]|\\.)+)")re", "npm runs `{2}` ({1})", R"((.*/)?package\.json)",
     // Versions of dependencies that are called so.
     R"re("(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish)"\s*:\s*"(?:)re" VERSION R"re((?:(?:\s*\|\|\s*|\s+-\s+))re" VERSION R"re(|\s+[<>=^~]+\s*)re" VERSION R"re()*|latest|next|beta|(?:workspace|npm|file|link|git\+?\w*|https?):[\w./@:+~^*#-]*)")re"},
    {"npm-foreign-dependency", kMedium, R"re("([@\w./-]+)"\s*:\s*"((?:git\+https?|git\+ssh|git|http|https)://[^"]+)")re", "dependency `{1}` comes from {2}", R"((.*/)?package\.json)",
     R"re("(url|homepage|repository|bugs|directory|author|web|email|\$schema|funding|docs|license|issues)"\s*:)re"},
    {"npm-trusted", kLow, R"re("(trustedDependencies|onlyBuiltDependencies|allowScripts|gypfile)"\s*:)re", "`{1}`: install scripts of dependencies are let run", R"((.*/)?package\.json)"},
    {"npm", kInfo, R"re("(?:devD|d)ependencies"\s*:\s*\{)re", "npm installs dependencies, whose own install scripts may run: normal for npm projects", R"((packages/[^/]+/)?package\.json)"},
    HiddenName(R"re(((?:"[^"\n]*"|'[^'\n]*')\s*["'][^"']*["']\s*:.*|["'][^"']*\\[xuUN0-7][^"']*["']\s*:.*|["']\s*["']["'][^"']*["']{3}\s*:.*|^\s*:.*))re", R"((.*/)?(binding\.gyp|.*\.gypi))"),
    {"gyp-action", kLow, R"re(["']action["']\s*:\s*(.*))re", "node-gyp runs {1} at install: normal for native modules", R"((.*/)?(binding\.gyp|.*\.gypi))"},
    {"gyp-command", kLow, R"(<!@?\(([^)]*)\)?)", "node-gyp runs `{1}` at install: normal for native modules", R"((.*/)?(binding\.gyp|.*\.gypi))"},
    {"gyp", kInfo, R"re(["']targets["']\s*:)re", "npm install builds what {base} says: normal for native modules", R"((.*/)?binding\.gyp)"},
};

constexpr TriageRule kPython[] = {
    HiddenName(R"((?i)^\s*#.*?coding[:=]\s*((?:utf_?-?7|raw|unicode|punycode|idna|rot|hex|base64|zlib|bz2|uu|quopri)[\w-]*))", R"(.*\.py)", kHigh, 2),
    {"pth", kHigh, R"(^\s*import[\s;])", "Python executes this line each time that it starts", R"(.*\.pth)"},
    {"sitecustomize", kMedium, R"(^(import|from|def|class|exec|eval|open|print|try|with|os\.)\b)", "Python loads this file each time that it starts here", R"((.*/)?(sitecustomize|usercustomize)\.py)"},
    {"setup-py-decodes", kMedium, R"(\bexec\(|\beval\(|\bcompile\(|marshal|b64decode)", "setup.py executes text at install", R"((.*/)?setup\.py)", R"(exec\((open|compile|f\.read|fp\.read|read|about|code|version|ver|_?src|_?ns|contents?|init|source|file)\w*\b|re\.compile|read\(\))"},
    {"setup-py-network", kMedium, R"((urlopen|urlretrieve|requests\.(?:get|post)|socket\.\w+|http\.client|httpx?\.get)\b)", "setup.py reaches the network at install", R"((.*/)?setup\.py)"},
    {"setup-py-runs", kLow, R"((os\.system|os\.popen|subprocess\.\w+|Popen|check_output|check_call|os\.exec\w+)\()", "setup.py starts programs at install ({1})", R"((.*/)?setup\.py)"},
    {"setup-py-cmdclass", kLow, R"(\bcmdclass\b)", "setup.py has its own steps of install", R"((.*/)?setup\.py)"},
    {"setup-py", kInfo, R"(^\s*(?:setuptools\.)?setup\s*\()", "setup.py runs at pip install: normal for Python", R"((.*/)?setup\.py)"},
    {"build-backend-in-tree", kMedium, R"re((?:^|[.{,])\s*["']?backend-path["']?\s*=)re", "the build backend is in the tree: it runs at pip install", R"((.*/)?pyproject\.toml)"},
    {"build-backend", kInfo, R"re((?:^|[.{,])\s*["']?build-backend["']?\s*=\s*(.*))re", "pip builds it with {1}: normal for Python", R"((.*/)?pyproject\.toml)"},
    {"pip-index", kHigh, R"((?i)^\s*(?:--)?(?:(?:extra[-_])?index[-_]url|trusted[-_]host|find[-_]links)\s*[=:]\s*(.*))", "pip takes packages from {1}", R"((.*/)?(pip\.conf|pip\.ini))"},
    {"pip-index", kMedium, R"(^\s*(--(?:i|ex|f|t)[\w-]*[ =]|-[if])\s*(.*))", "requirements are taken from {2}", R"((.*/)?.*requirements.*\.txt)"},
    HiddenName(R"(^\s*(-[\w-]*\\)\s*$)", R"((.*/)?.*requirements.*\.txt)"),
    {"pip-foreign", kLow, R"(^\s*(?:-e\s+)?(?:[\w.-]+\s*@\s*)?((?:git\+\w+|https?)://\S+))", "a requirement comes from {1}", R"((.*/)?.*requirements.*\.txt)"},
};

constexpr TriageRule kConftest[] = {
    HiddenName(R"((?i)^\s*#.*?coding[:=]\s*((?:utf_?-?7|raw|unicode|punycode|idna|rot|hex|base64|zlib|bz2|uu|quopri)[\w-]*))", R"(.*\.py)", kHigh, 2),
    {"conftest", kMedium, R"(^(os\.system|subprocess\.\w+|exec|eval|urllib\.\w+|requests\.\w+|socket\.\w+|__import__)\b)", "conftest.py does this whenever pytest starts", R"((.*/)?conftest\.py)"},
    {"conftest", kLow, R"(\b(os\.system|subprocess\.(?:run|call|Popen|check_\w+)|urlopen|requests\.(?:get|post))\()", "conftest.py starts programs or reaches the network in tests ({1})", R"((.*/)?conftest\.py)"},
};

constexpr TriageRule kPackage[] = {
    {"composer-script", kLow, R"re("((?:pre|post)-[\w-]+-(?:cmd|dump|install|update|uninstall))"\s*:)re", "Composer runs scripts ({1})", R"((.*/)?composer\.json)"},
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
    HiddenName(R"(^\s*([^#;=/\s][^=]*\$\{.*?=.*|\$\{.*?=.*|["'][^=]*\\.*?=.*))", R"((.*/)?\.npmrc)"),
    HiddenName(YAML_HIDDEN_FLOW, R"((.*/)?(\.yarnrc\.yml|\.bundle/config))"),
    {"npmrc-runs", kHigh, R"(^\s*["']?(node-options|script-shell|shell|onload-script|git|init-module|prefix|globalconfig|userconfig)(?:["']|\[\])?\s*=\s*(\S.*))", "npm is told to use `{2}` ({1})", R"((.*/)?\.npmrc)"},
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

}  // namespace

std::span<const TriageRule> NpmRules() { return kNpm; }
std::span<const TriageRule> PythonRules() { return kPython; }
std::span<const TriageRule> ConftestRules() { return kConftest; }
std::span<const TriageRule> PackageRules() { return kPackage; }

}  // namespace paddock::subagents
