#include "subagents/playbook/dependency_notes.h"

namespace paddock::subagents {
namespace {

// Of one manifest: a line that is always there, and one that names what it needs, or may.
struct Manifest {
  const char* path;
  const char* name;
  const char* needs;
};
constexpr Manifest kManifests[] = {
    {"package.json", R"re(^\s*"name"\s*:)re", R"re("(d|peerD|optionalD|bundleD|bundledD)ependencies")re"},
    {"Cargo.toml", R"(^\[package\])", R"(^\s*(\[\s*)?(.*\.\s*)?["']?(build-)?dependencies\b|^\s*\[\s*["']?workspace)"},
    {"pyproject.toml", R"(^\[project\])", R"(^\s*((project\s*\.\s*)?["']?dependencies["']?\s*=\s*([^\[]|\[\s*[^\]\s#])|(project\s*\.\s*)?["']?dependencies["']?\s*=\s*\[\s*(#.*)?$|dynamic\b.*dependencies|dynamic\s*=\s*\[\s*$)|^\[tool\.poetry\.)"},
    {"go.mod", R"(^module\s)", R"(^\s*require\b)"},
};

}  // namespace

std::string NoteOfDependency(const RepoView& view, const CMakeOptions& cmake, const LineHit& hit) {
  if (MatchesPart(hit.text, R"(\boptional\s*=\s*true\b|\brequired\s*:\s*false\b)")) return " (optional)";
  if (hit.path.ends_with("CMakeLists.txt")) {
    const auto option = cmake.Of(hit.path, hit.line);
    return option ? " (optional: with " + *option + "=ON)" : "";
  }
  const bool table = MatchesPart(hit.text, R"(^\[.*\]\s*$)"), maven = hit.path.ends_with("pom.xml");
  if (!table && !maven) return "";
  // What follows says more, up to the next.
  const SeenLines& lines = *view.LinesOf(hit.path);
  for (auto at = lines.upper_bound(hit.line); at != lines.end() && at->first < hit.line + 8; ++at) {
    const std::string& text = at->second.text;
    if (table ? MatchesPart(text, R"(^\[)") : MatchesPart(text, "</dependency>")) break;
    if (MatchesPart(text, R"(^\s*optional\s*=\s*true|<optional>\s*true)")) return " (optional)";
    if (MatchesPart(text, R"(<scope>\s*test)")) return " (for tests)";
  }
  return "";
}

std::optional<Fact> NoDependencies(const RepoView& view) {
  std::optional<Fact> out;
  for (const Manifest& manifest : kManifests) {
    const SeenLines* lines = view.LinesOf(manifest.path);
    if (lines == nullptr) continue;
    // Two manifests, or one whose end wasn't seen: not known.
    if (out || view.NextLine(manifest.path) > 0) return std::nullopt;
    std::optional<Citation> named;
    for (const auto& [number, line] : *lines) {
      if (line.cut || MatchesPart(line.text, manifest.needs)) return std::nullopt;
      if (!named && MatchesPart(line.text, manifest.name)) named = view.Cite(manifest.path, number, number);
    }
    if (!named) return std::nullopt;
    out = Fact{std::string("No runtime dependencies: ") + manifest.path + " names none", {*named}};
  }
  // A setup.py may name some at will.
  return view.HasFile("setup.py") || view.HasFile("setup.cfg") ? std::nullopt : out;
}

}  // namespace paddock::subagents
