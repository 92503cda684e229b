// The architect: includes and imports of the whole tree, as a graph of its folders or files.
//
// All names of source files first, then the lines that import, language by language (import_searches.h).
#include <algorithm>
#include <optional>
#include <tuple>

#include "subagents/playbook/architect_report.h"
#include "subagents/playbook/entry_points.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/import_rules.h"
#include "subagents/playbook/import_searches.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/playbooks.h"
#include "subagents/playbook/python_brackets.h"
#include "subagents/playbook/test_helpers.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kPage = 2000, kPages = 8;
constexpr const char* kManifests = R"(^\s*module\s+\S+|^\s*"?name"?\s*[:=]\s*")";
constexpr const char *kBuildFiles = "{CMakeLists.txt,*.cmake,Makefile*,makefile,GNUmakefile,*.mk,configure.ac,configure.in,meson.build,SConstruct,BUILD*}", *kIncludePaths = R"((^|[\s"'=])-I|(?i:include_?dir)|_SOURCE_DIR\}|(?i:inc(lude)?s?\s*=))";
constexpr const char* kMains = R"(^\s*(static\s+)?(int|void|auto)\s+w?main\s*\(|^func main\(\)|^\s*(pub )?(async )?fn main\s*\(|\bstatic\s+(final\s+)?void\s+main\s*\(|^if __name__\s*==)";

class Architect : public PacedPlaybook {
  bool IsAside(const std::string& path) const {
    return IsForeignPath(path) || IsTestPath(path) || IsTypeTestPath(path) || IsTestHelperPath(path) || IsMadePath(path) || MatchesWhole(path, R"((?i)(.*/)?(examples?|samples?|bench(es|marks?)?|fuzz(ing|ers?)?|demos?|contrib|testdata|fixtures?|tutorials?|tests?|testing|spec)/.*)") ||
           (MatchesWhole(path, R"((?i)(.*/)?docs?/.*)") && !code_folders_.contains(std::string(FolderName(path))));
  }

  void Take(const agentcore::CallOutcome& outcome) override {
    const Json& arguments = outcome.call.arguments;
    const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
    if (outcome.call.tool == "list_files") return TakeListing(arguments, facts);
    for (const auto& artifact : brackets_.Take(outcome, &queue_)) TakeLines(artifact);
    if (outcome.call.tool != "search_text") return;
    const std::string glob = arguments.value("glob", "");
    if (glob == "{go.mod,Cargo.toml,package.json}") return TakeManifests(outcome);
    if (glob == kBuildFiles) return TakeIncludePaths(outcome);
    if (!searches_.Take(outcome)) return;
    for (const auto& artifact : outcome.result.artifacts)
      if (artifact.kind == "excerpt") TakeLines(artifact);
  }

  void TakeListing(const Json& arguments, const Json& facts) {
    if (!arguments.contains("pattern") || !facts.is_object()) return;
    const Json next = facts.value("next_offset", Json());
    if (!next.is_number_integer()) return;
    if (++pages_ >= kPages) seen_.listing_cut = true;
    else AskNames(next.get<int64_t>());
  }

  void TakeManifests(const agentcore::CallOutcome& outcome) {
    static constexpr const char* kGo = R"(^\s*module\s+"?([^\s"]+))";
    static constexpr const char* kName = R"re(^\s*"?name"?\s*[:=]\s*"([^"]+)")re";
    for (const auto& artifact : outcome.result.artifacts)
      for (const auto& line : artifact.lines) {
        const std::string folder(FolderName(artifact.path));
        if (auto name = FirstGroup(line, kGo); name && artifact.path.ends_with("go.mod")) index_.go_modules.try_emplace(*name, folder);
        else if (name = FirstGroup(line, kName); name) index_.packages.try_emplace(*name, folder);
      }
  }

  void TakeIncludePaths(const agentcore::CallOutcome& outcome) {
    for (const auto& artifact : outcome.result.artifacts)
      for (const auto& line : artifact.lines) index_.AddIncludeLine(line);
  }

  void TakeLines(const agentcore::Artifact& artifact) {
    if (IsAside(artifact.path)) return;
    if (!index_.Has(artifact.path)) AddFile(artifact.path);
    pending_.push_back(artifact);
  }

  // Once all names are known. A file's lines in their order, as what is around a line decides what it means.
  void ReadLines() {
    std::stable_sort(pending_.begin(), pending_.end(), [](const auto& a, const auto& b) { return std::tie(a.path, a.line_start) < std::tie(b.path, b.line_start); });
    LeaveTestHelpersAside();
    aside_.go_modules = index_.go_modules, aside_.packages = index_.packages, aside_.package_imports = index_.package_imports;
    for (const auto& unit : known_) seen_.units.AddModule(unit), seen_.folders.AddModule(FolderOfUnit(unit));
    std::optional<ImportReader> reader;
    std::string_view path;
    for (const auto& artifact : pending_) {
      if (helpers_.contains(artifact.path)) continue;
      if (!reader || path != artifact.path) reader.emplace(index_, artifact.path);
      path = artifact.path;
      for (size_t i = 0; i < artifact.lines.size(); ++i) {
        const int64_t number = artifact.line_start + static_cast<int64_t>(i);
        if (std::binary_search(artifact.cut.begin(), artifact.cut.end(), number)) {
          seen_.not_searched.insert(artifact.path);
          continue;
        }
        if (!read_.insert(artifact.path + ":" + std::to_string(number)).second) continue;
        std::string line = artifact.lines[i];
        for (std::string_view end : {"\\u{D}", "\r"})
          if (line.ends_with(end)) line.resize(line.size() - end.size());
        std::vector<Import> imports = reader->Read(line, number);
        seen_.missed = seen_.missed || reader->missed();
        if (imports.empty()) imports = ImportReader(aside_, artifact.path).Read(line, number);
        if (line.size() <= 400 && line.find_first_not_of(" \t") != std::string::npos) AddLine(imports, {artifact.path, number, number, line});
      }
    }
    pending_.clear();
  }

  // What takes in a framework of tests is for tests, and so is the source of such a header; that the framework is of this repository is another matter.
  void LeaveTestHelpersAside() {
    for (const auto& artifact : pending_) {
      for (const auto& line : artifact.lines)
        if (TakesInTestFramework(line, artifact.path) && ImportReader(index_, artifact.path).Read(line, artifact.line_start).empty()) helpers_.insert(artifact.path);
    }
    for (auto unit = seen_.files_of.begin(); unit != seen_.files_of.end();) {
      auto& [name, files] = *unit;
      if (helpers_.contains(seen_.file_of[name]) && !name.ends_with('/')) helpers_.insert(files.begin(), files.end());
      seen_.left_aside += static_cast<int64_t>(std::erase_if(files, [&](const std::string& file) { return helpers_.contains(file); }));
      if (!files.empty()) {
        ++unit;
        continue;
      }
      aside_units_.insert(name);
      known_.erase(name);
      seen_.file_of.erase(name);
      unit = seen_.files_of.erase(unit);
    }
  }

  // One line counts once, however many names of one module stands on it.
  void AddLine(const std::vector<Import>& imports, const Citation& citation) {
    std::map<std::string, bool> units, folders, paths;  // → deferred
    auto add = [](std::map<std::string, bool>& to, const std::string& name, bool deferred) {
      auto [known, fresh] = to.try_emplace(name, deferred);
      known->second = known->second && deferred;
    };
    for (const auto& import : imports) {
      if (!known_.contains(import.unit)) {
        if (aside_units_.contains(import.unit)) UsesAside(citation.path, import.unit);
        continue;
      }
      add(units, import.unit, import.deferred);
      add(folders, FolderOfUnit(import.unit), import.deferred);
      if (!import.path.ends_with('/')) add(paths, import.path, import.deferred);
    }
    const std::string from = UnitOf(citation.path);
    for (const auto& [to, deferred] : units) seen_.units.AddLine(from, to, citation, deferred);
    for (const auto& [to, deferred] : folders) seen_.folders.AddLine(FolderOfUnit(from), to, citation, deferred);
    for (const auto& [to, deferred] : paths) seen_.paths.AddLine(citation.path, to, citation, deferred);
  }

  // What that uses in turn isn't known: how low this stands can't be told.
  void UsesAside(const std::string& path, const std::string& unit) {
    const std::string folder = FolderOfUnit(UnitOf(path));
    seen_.use_aside.insert(UnitOf(path));
    if (FolderOfUnit(unit) != folder) seen_.folders_use_aside.insert(folder);
  }

  void AddFile(const std::string& path) {
    if (ImportLanguageOf(path) == nullptr) return;
    ++seen_.files;
    if (IsAside(path)) {
      ++seen_.left_aside;
      if (!IsForeignPath(path)) aside_.Add(path), aside_units_.insert(UnitOf(path));
      return;
    }
    const ImportLanguage* language = ImportLanguageOf(path);
    index_.Add(path);
    searches_.AddFile(path, *language);
    seen_.languages.insert(language->name);
    const std::string unit = UnitOf(path);
    known_.insert(unit);
    seen_.files_of[unit].insert(path);
    std::string& file = seen_.file_of[unit];
    // What others include stands for a header and its source.
    if (file.empty() || MatchesWhole(path, R"(.*\.(h|hh|hpp|hxx))")) file = unit.ends_with('/') ? FolderOfUnit(unit) : path;
  }

  void AskNames(int64_t offset) {
    queue_.Add("list_files", Json{{"pattern", "*.{c,cc,cpp,cxx,C,h,hh,hpp,hxx,inc,inl,ipp,m,mm,py,pyx,pyi,js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte,go,rs,java,kt,kts,scala,groovy,rb,rake,ru}"}, {"limit", kPage}, {"offset", offset}});
  }

  void Plan(const ModelRequestFrame& /*request*/) override {
    if (!queue_.empty()) return;
    if (stage_ == 0) {
      ++stage_;
      queue_.Add("list_files", Json{{"limit", 200}});
      AskNames(0);
      queue_.Add("search_text", Json{{"pattern", kManifests}, {"glob", "{go.mod,Cargo.toml,package.json}"}, {"limit", 300}});
      queue_.Add("search_text", Json{{"pattern", kMains}, {"glob", "*.{c,cc,cpp,cxx,go,rs,java,kt,py}"}, {"limit", 100}});
      queue_.Add("search_text", Json{{"pattern", kIncludePaths}, {"glob", kBuildFiles}, {"limit", 300}});
      for (const char* manifest : {"pyproject.toml", "setup.cfg", "package.json", "CMakeLists.txt", "meson.build", "configure.ac"}) queue_.Read(manifest, 300);
      return;
    }
    if (stage_ == 1) {
      ++stage_;
      code_folders_ = CodeFolders(view_);
      index_.package_imports = ReadPackageImports(view_);
      for (const auto& path : view_.files())
        if (ImportLanguageOf(path) != nullptr) AddFile(path);
      for (const auto& path : FilesWithMain(view_)) queue_.Add("search_text", Json{{"pattern", kConditionals}, {"path", path}, {"limit", 400}});
      searches_.Plan();
    }
    searches_.Ask(&queue_);
    if (queue_.empty()) brackets_.Ask(index_, &queue_);
    if (queue_.empty()) ReadLines();
  }

  Report Write(const PlaybookRun& run) override {
    ReadLines();
    const auto unseen = searches_.NotSearched();
    seen_.not_searched.insert(unseen.begin(), unseen.end());
    seen_.not_searched.insert(brackets_.not_searched().begin(), brackets_.not_searched().end());
    return WriteArchitectReport(view_, seen_, run);
  }

  int stage_ = 0;
  int64_t pages_ = 0;
  PythonBrackets brackets_;
  ImportIndex index_, aside_;  // aside_: tests, examples and the like
  ArchitectSeen seen_;
  std::set<std::string> known_, read_, code_folders_, helpers_, aside_units_;
  ImportSearches searches_;
  std::vector<agentcore::Artifact> pending_;
};

}  // namespace

std::unique_ptr<Playbook> MakeArchitect() { return std::make_unique<Architect>(); }

}  // namespace paddock::subagents
