#include "subagents/playbook/triage_settings.h"

#include <algorithm>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/fit_report.h"
#include "subagents/playbook/telling_line.h"
#include "subagents/playbook/triage_heeded.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostHeld = 2000;  // names that are held against the tables
constexpr size_t kNamed = 5, kSearched = 40;

constexpr const char* kGlobs[] = {
    "/*",
    "{**/.*,**/.*/*}",
    "{*.config.*,*rc.*,*.conf.*,*file,*.ini,*.cfg,*.conf}",
};

// Names of what no rule has to know, and why.
struct HarmlessName {
  const char* path;  // RE2, the whole path, in any case
  const char* why;
};
constexpr HarmlessName kHarmless[] = {
    {R"(.*\.(md|mdx|txt|rst|adoc|png|jpe?g|gif|ico|icns|svg|webp|html?|css|sum|po|pot|csv|pdf|patch|diff|iml))", "text and pictures"},
    {R"(.*\.(pem|key|crt|cer|der|p12|pfx|jks|keystore|asc|gpg|pub|sig)|(.*/)?[^/]*(service[-_]?account|credentials|secrets?)[^/]*\.json|(.*/)?\.?(id_(rsa|dsa|ecdsa|ed25519)))", "keys"},
    {R"((.*/)?\.?(data|datasets?|i18n|locales?|assets|static)/.*)", "data"},
    {R"((.*/)?\.[\w-]*ignore)", "says what is left out"},
    {R"((.*/)?\.(git-?keep|keep|empty|placeholder|nojekyll|nomedia|ds_store|directory|mailmap|gitmessage|git-blame-ignore-revs|all-contributorsrc|editorconfig|browserslistrc|dir_colors))", "nothing of it is run"},
    {R"((.*/)?([._]clang-(format|tidy)|\.clangd|\.cmake-format(\.(ya?ml|json))?|\.?(rustfmt|clippy|ruff|taplo|deny)\.toml|[._]?typos\.toml|\.style\.yapf|\.isort\.cfg|\.scalafmt\.conf|\.swift(format|lint\.ya?ml)|\.ocamlformat|\.yamllint(\.ya?ml)?|\.markdownlint(\.(jsonc?|ya?ml))?|\.astylerc|\.uncrustify\.cfg|uncrustify\.cfg|\.gersemirc|\.codespellrc|\.jshintrc|\.htmlhintrc|\.csslintrc))",
     "style of a checker or formatter that loads no code it names"},
    {R"((.*/)?\.(nvmrc|[a-z]+-version))", "a version"},
    {R"((.*/)?\.?(codecov|coveralls|readthedocs|codacy|codeclimate|lgtm|mergify|stickler|hound|scrutinizer|landscape|fossa|pyup|sourcery|deepsource|styleci|release-please-config|\.release-please-manifest|renovate|renovaterc|zenodo|codemeta|dependabot|vercel|sonar-project|sonarcloud|snyk|allstar)(\.(ya?ml|json5?|toml|properties))?|(.*/)?\.?(travis|appveyor|cirrus|drone|woodpecker|gitlab-ci|azure-pipelines|bitbucket-pipelines|asf)\.ya?ml|(.*/)?\.build\.yml|(.*/)?(netlify|fly)\.toml|(.*/)?action\.ya?ml|(.*/)?citation\.cff)", "a service reads it, not this machine"},
    {R"((.*/)?(tsconfig[\w.-]*|jsconfig|bower|component|vcpkg)\.json|(.*/)?(pubspec|environment)\.ya?ml|(.*/)?(project|manifest)\.toml|(.*/)?compile_flags\.txt|(.*/)?component\.json)", "names options or packages only"},
    {R"((.*/)?(docker|container|proc)file|(.*/)?(docker-)?compose[\w.-]*\.ya?ml)", "runs in a container or on a server, when somebody asks for that"},
    {R"((.*/)?\.(github|gitlab|circleci|buildkite|woodpecker|semaphore|changeset|svn|bzr|reuse|tx|well-known)/.*)", "of a service, or the version control's own"},
};

// In the root, or beside the manifest of a package.
constexpr const char* kByKind = R"((?i)[^/]*\.(toml|ya?ml|json[5c]?|cfg|ini|conf|config|properties|xml|plist|kdl|hcl)|[\w.-]*(conf(ig)?|settings|setup|rc|file|build|hooks?|plugins?|tasks|options)\.(rb|py|lua|el|jl|[cm]?[jt]s|exs|pl|ps1|nix|star|groovy|clj)|[a-z]\w*file)";
constexpr const char* kManifest = R"(package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|composer\.json|Gemfile|.*\.gemspec|mix\.exs|Project\.toml)";

bool IsHarmless(const std::string& path) {
  return std::any_of(std::begin(kHarmless), std::end(kHarmless), [&](const HarmlessName& name) { return MatchesWholeAnyCase(path, name.path); });
}

// A dot file, or one that lies in a dot folder.
bool IsDotted(const std::string& path) { return path.starts_with('.') || path.find("/.") != std::string::npos; }

bool IsKnown(const RepoView& view, const std::string& path) {
  When when;
  const auto names = NameRules();
  return ProgramByName(path, &when) != nullptr || std::any_of(names.begin(), names.end(), [&](const NameRule& rule) { return MatchesWhole(path, rule.path); }) || !AreasHeeding(view, path).empty();
}

std::string NamesOf(const std::set<std::string>& paths) {
  std::string out;
  size_t shown = 0;
  for (const auto& path : paths)
    if (++shown <= kNamed) out += (shown == 1 ? "" : ", ") + ShortenWords(path, 80);
  return out + (paths.size() > kNamed ? ", ..." : "");
}

}  // namespace

std::span<const char* const> SettingsGlobs() { return kGlobs; }

bool IsSettingsGlob(std::string_view glob) { return std::find(std::begin(kGlobs), std::end(kGlobs), glob) != std::end(kGlobs); }

std::vector<std::string> UnknownSettings(const RepoView& view) {
  std::set<std::string> packages = {""};
  for (const auto& path : view.files())
    if (MatchesWhole(BaseName(path), kManifest)) packages.emplace(FolderName(path));
  std::vector<std::string> out;
  size_t held = 0;
  for (const auto& path : view.files()) {
    if (IsForeignPath(path) || IsTrialPath(std::string(FolderName(path)) + "/")) continue;
    if (!IsDotted(path) && !(packages.contains(std::string(FolderName(path))) && MatchesWhole(BaseName(path), kByKind))) continue;
    if (!IsHarmless(path) && ++held <= kMostHeld && !IsKnown(view, path)) out.push_back(path);
  }
  return out;
}

std::string GlobOfSettings(const std::vector<std::string>& paths) {
  std::string out;
  size_t taken = 0;
  for (const auto& path : paths)
    if (taken < kSearched && MatchesWhole(path, R"([\w./@+ -]+)")) out += (taken++ == 0 ? "" : ",") + path;
  return taken < 2 ? (out.empty() ? "" : "/" + out) : "/{" + out + "}";
}

std::optional<TriageFinding> UnknownSettingsFinding(const RepoView& view) {
  const auto paths = UnknownSettings(view);
  if (paths.empty()) return std::nullopt;
  TriageFinding finding;
  finding.label = kUnknownSettings;
  finding.path = paths[0];
  finding.files = {paths.begin(), paths.end()};
  finding.count = static_cast<int64_t>(paths.size());
  finding.title = Count(paths.size(), "settings file", "settings files") + " that no rule of triage knows: " + NamesOf(finding.files);
  for (const auto& path : paths)
    if (auto line = TellingLine(view, path); line) finding.places.push_back(*std::move(line));
  return finding;
}

std::string UnknownSettingsSaid(const std::vector<TriageFinding>& findings) {
  for (const auto& finding : findings)
    if (finding.label == kUnknownSettings) return Count(finding.files.size(), "settings file is", "settings files are") + " unknown to triage: " + NamesOf(finding.files);
  return "";
}

}  // namespace paddock::subagents
