#include "subagents/playbook/import_searches.h"

#include <algorithm>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kMatches = 700;
constexpr size_t kAsked = 14;  // searches in one turn
constexpr size_t kFilesOfASearch = 110;
constexpr size_t kMostCounted = 2 * kFilesOfASearch;  // half of what is cut goes into one search at the most

}  // namespace

void ImportSearches::Plan() {
  for (const ImportLanguage& language : ImportLanguages())
    if (FilesBelow(".", language) > 0) PlanFolder(".", language);
}

bool ImportSearches::Take(const agentcore::CallOutcome& outcome) {
  const Json& arguments = outcome.call.arguments;
  const std::string glob = arguments.value("glob", "");
  const auto task = tasks_.find({arguments.value("path", "."), glob});
  if (task == tasks_.end()) return false;
  const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
  if (outcome.result.status == agentcore::ToolStatus::kOk && facts.value("truncated", Json(false)) != Json(true)) return true;
  // The last pieces that there are: what one folder holds of a few letters.
  if (const auto group = groups_.find(task->first); group != groups_.end())
    for (const auto& folder : group->second) Want(folder, *task->second, task->second->glob);
  else if (glob.find('[') == std::string::npos) Divide(task->first.first, *task->second);
  else not_searched_.insert(task->first.first);
  return true;
}

std::set<std::string> ImportSearches::NotSearched() const {
  std::set<std::string> out = not_searched_;
  for (const auto& each : waiting_) {
    const auto group = groups_.find(each);
    if (group == groups_.end()) out.insert(each.first);
    else out.insert(group->second.begin(), group->second.end());
  }
  return out;
}

bool ImportSearches::Want(const std::string& path, const ImportLanguage& language, const std::string& glob) {
  const bool fresh = tasks_.emplace(std::pair(path, glob), &language).second;
  if (fresh) waiting_.push_back({path, glob});
  return fresh;
}

size_t ImportSearches::FilesBelow(const std::string& path, const ImportLanguage& language) const {
  const auto found = files_of_.find(&language);
  if (found == files_of_.end()) return 0;
  const std::string prefix = path == "." ? "" : path + "/";
  size_t count = 0;
  for (auto file = found->second.lower_bound(prefix); file != found->second.end() && count < kMostCounted && file->starts_with(prefix); ++file) ++count;
  names_passed_ += static_cast<int64_t>(count);
  return count;
}

// In one search where that is likely to be enough.
void ImportSearches::PlanFolder(const std::string& path, const ImportLanguage& language) {
  if (FilesBelow(path, language) <= kFilesOfASearch) Want(path, language, language.glob);
  else Divide(path, language);
}

// The folder's own files, then each folder in it.
void ImportSearches::Divide(const std::string& path, const ImportLanguage& language) {
  const std::string prefix = path == "." ? "" : path + "/";
  std::set<std::string> folders;
  size_t files = 0;
  const std::set<std::string>& all = files_of_.at(&language);
  for (auto at = all.lower_bound(prefix); at != all.end() && at->starts_with(prefix);) {
    ++names_passed_;
    const size_t slash = at->find('/', prefix.size());
    if (slash == std::string::npos) {
      ++files, ++at;
      continue;
    }
    const std::string folder = at->substr(0, slash);
    folders.insert(folder);
    at = all.lower_bound(folder + static_cast<char>('/' + 1));  // past what is in it
  }
  const std::string own = "/" + prefix;
  if (files > kFilesOfASearch || (files > 0 && tasks_.contains({path, own + language.glob}))) Alphabet(path, own, language);
  else if (files > 0) Want(path, language, own + language.glob);
  PlanFolders(path, folders, language);
}

// Small folders together, several to a search; half of what was cut at the most.
void ImportSearches::PlanFolders(const std::string& path, const std::set<std::string>& folders, const ImportLanguage& language) {
  constexpr size_t kMostAlternatives = 60, kMostNames = 800;  // of one glob; of its bytes
  const std::string_view glob = language.glob;
  const size_t endings = 1 + static_cast<size_t>(std::count(glob.begin(), glob.end(), ',')), most = std::min(kFilesOfASearch, FilesBelow(path, language) / 2);
  std::vector<std::string> group;
  size_t files = 0, bytes = 0;
  const auto flush = [&] {
    if (group.size() == 1) PlanFolder(group[0], language);
    if (group.size() > 1) WantGroup(path, group, language);
    group.clear();
    files = bytes = 0;
  };
  for (const auto& folder : folders) {
    const size_t below = FilesBelow(folder, language);
    if (below > most || !MatchesWhole(BaseName(folder), R"([\w.+-]+)")) {
      PlanFolder(folder, language);
      continue;
    }
    if (files + below > most || bytes + folder.size() > kMostNames || (group.size() + 1) * endings > kMostAlternatives) flush();
    group.push_back(folder);
    files += below;
    bytes += BaseName(folder).size() + 1;
  }
  flush();
}

void ImportSearches::WantGroup(const std::string& path, const std::vector<std::string>& group, const ImportLanguage& language) {
  std::string names;
  for (const auto& folder : group) names += (names.empty() ? "" : ",") + std::string(BaseName(folder));
  const std::string glob = (path == "." ? "/{" : "/" + path + "/{") + names + "}/**/" + language.glob;
  if (Want(path, language, glob)) groups_[{path, glob}] = group;
}

// A folder with very many files of its own.
void ImportSearches::Alphabet(const std::string& path, const std::string& own, const ImportLanguage& language) {
  bool any = false;
  for (const char* letters : {"[a-dA-D]", "[e-kE-K]", "[l-pL-P]", "[q-sQ-S]", "[t-zT-Z]", "[!a-zA-Z]"}) any = Want(path, language, own + letters + language.glob) || any;
  if (!any) not_searched_.insert(path);
}

void ImportSearches::Ask(CallQueue* queue) {
  for (size_t i = 0; i < kAsked && !waiting_.empty(); ++i) {
    const auto [path, glob] = waiting_.front();
    waiting_.pop_front();
    const ImportLanguage& language = *tasks_.at({path, glob});
    queue->Add("search_text", Json{{"pattern", language.pattern}, {"path", path}, {"glob", glob}, {"context", language.context}, {"limit", kMatches}});
  }
}

}  // namespace paddock::subagents
