#include "subagents/playbook/import_reach.h"

#include <algorithm>

#include "subagents/playbook/import_rules.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMatches = 700;
constexpr size_t kMaxBytes = 2u << 20;

// Of Ruby, what a file requires is a part only of what it reaches.
const ImportLanguage* LanguageAt(std::string_view path) {
  const ImportLanguage* language = ImportLanguageOf(path);
  return language != nullptr && std::string_view(language->name) == "Ruby" ? nullptr : language;
}

}  // namespace

void ImportReach::Ask(const RepoView& view, CallQueue* queue) {
  for (const std::string& path : view.files()) {
    const ImportLanguage* language = IsForeignPath(path) ? nullptr : LanguageAt(path);
    if (language && asked_.insert(language->name).second)
      queue->Add("search_text", Json{{"pattern", language->pattern}, {"glob", language->glob}, {"context", language->context}, {"limit", kMatches}});
  }
}

void ImportReach::Take(const agentcore::CallOutcome& outcome) {
  if (outcome.call.tool != "search_text") return;
  const std::string glob = outcome.call.arguments.value("glob", ""), pattern = outcome.call.arguments.value("pattern", "");
  const auto languages = ImportLanguages();
  const auto language = std::find_if(languages.begin(), languages.end(), [&](const ImportLanguage& one) { return glob == one.glob && pattern == one.pattern; });
  if (language == languages.end()) return;
  read_ = false;
  const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
  if (outcome.result.status != agentcore::ToolStatus::kOk || (facts.is_object() && facts.value("truncated", Json(false)) == Json(true))) cut_.insert(language->name);
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind != "excerpt") continue;
    Lines lines{artifact.path, artifact.line_start, artifact.lines};
    for (const std::string& text : lines.text) bytes_ += text.size();
    if (bytes_ > kMaxBytes) {
      cut_.insert(language->name);
      return;
    }
    lines_.push_back(std::move(lines));
  }
}

ImportReach::Answer ImportReach::Reaches(const std::set<std::string>& starts, const std::string& path, const RepoView& view) const {
  const ImportLanguage* language = LanguageAt(path);
  if (language == nullptr || !asked_.contains(language->name)) return Answer::kUnknown;
  if (!read_) {
    units_.clear();
    ImportIndex index;
    for (const std::string& file : view.files()) index.Add(file);
    for (const Lines& lines : lines_) {
      ImportReader reader(index, lines.path);
      for (size_t i = 0; i < lines.text.size(); ++i)
        for (const Import& import : reader.Read(lines.text[i], lines.first + static_cast<int64_t>(i))) units_[UnitOf(lines.path)].insert(import.unit);
    }
    read_ = true;
  }
  std::set<std::string> seen, now;
  for (const std::string& start : starts) now.insert(UnitOf(start));
  const std::string wanted = UnitOf(path);
  // A package of Java's is one name space.
  const bool by_folder = std::string_view(language->name).starts_with("Java");
  for (int hop = 0; hop <= kHops && !now.empty(); ++hop) {
    std::set<std::string> next;
    for (const std::string& unit : now) {
      if (unit == wanted || (by_folder && FolderOfUnit(unit) == FolderOfUnit(wanted))) return Answer::kYes;
      if (!seen.insert(unit).second) continue;
      if (const auto found = units_.find(unit); found != units_.end()) next.insert(found->second.begin(), found->second.end());
    }
    now = std::move(next);
  }
  return cut_.contains(language->name) ? Answer::kUnknown : Answer::kNo;
}

}  // namespace paddock::subagents
