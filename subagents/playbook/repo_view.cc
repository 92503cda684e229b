#include "subagents/playbook/repo_view.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "subagents/playbook/code_mask.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxPaths = 60'000;
constexpr size_t kMaxPathBytes = 4096;
constexpr size_t kMaxLineBytes = 24u << 20;  // of all lines together
constexpr size_t kMaxWholeQuote = 600;       // bytes of one line that is quoted whole
constexpr size_t kMaxPartQuote = 300;
constexpr std::string_view kVisibleReturn = "\\u{D}";

bool AnyFolder(std::string_view path, auto&& is_match) {
  while (true) {
    size_t slash = path.find('/');
    if (slash == std::string_view::npos) return false;
    if (is_match(path.substr(0, slash))) return true;
    path.remove_prefix(slash + 1);
  }
}

int64_t CountOf(const Json& value) { return value.is_number_unsigned() || value.is_number_integer() ? value.get<int64_t>() : 0; }

}  // namespace

std::string_view BaseName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view FolderName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

int PathDepth(std::string_view path) { return static_cast<int>(std::count(path.begin(), path.end(), '/')); }

int NameAffinity(std::string_view path, std::string_view project) {
  std::string name = Lower(BaseName(project)), stem = Lower(BaseName(path));
  stem = stem.substr(0, stem.rfind('.'));
  if (stem.size() < 2 || name.empty()) return 0;
  if (stem == name) return 2;
  return stem.size() >= 3 && name.find(stem) != std::string::npos ? 1 : 0;
}

bool IsForeignPath(std::string_view path) {
  static constexpr std::array<std::string_view, 19> kNames = {
      ".git", ".pc", "vendor", "vendored", "bundled", "_vendor", "third_party", "thirdparty", "third-party", "3rdparty", "node_modules",
      "external", "extern", "deps", "debian", "bower_components", "subprojects", "target", ".yarn"};
  return AnyFolder(path, [](std::string_view name) { return std::find(kNames.begin(), kNames.end(), Lower(name)) != kNames.end(); });
}

bool IsHelperPath(std::string_view path) {
  return AnyFolder(path, [](std::string_view name) {
    const std::string lower = Lower(name.starts_with('_') ? name.substr(1) : name);  // Go leaves folders of such names out
    return lower == "tools" || lower == "scripts" || lower.find("doc") != std::string::npos;
  });
}

bool IsTrialPath(std::string_view path) {
  static constexpr std::array<std::string_view, 12> kParts = {"test", "example", "sample", "bench", "fuzz", "demo",
                                                              "contrib", "fixture", "tutorial", "template", "spec", "mock"};
  auto is_side = [](std::string_view name) {
    std::string lower = Lower(name);
    if (lower == "t" || lower == "ci" || lower == "misc" || lower == "support") return true;
    return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return lower.find(part) != std::string::npos; });
  };
  if (AnyFolder(path, is_side)) return true;
  std::string base = Lower(BaseName(path));
  return base.find("test") != std::string::npos || base.find("fuzz") != std::string::npos || base.find("bench") != std::string::npos ||
         base.find("example") != std::string::npos;
}

bool IsSidePath(std::string_view path) { return IsTrialPath(path) || IsHelperPath(path); }

void RepoView::Take(const agentcore::CallOutcome& outcome) {
  // That there is no history, or no program to read it with, is nothing that failed.
  // That a tool isn't on offer here is no failure.
  if (!outcome.result.success && outcome.result.status != agentcore::ToolStatus::kUnsupported && !outcome.result.error.starts_with("there is no tool ")) ++failed_calls_;
  const Json& arguments = outcome.call.arguments;
  auto asked = [&](const char* key) { return arguments.is_object() && arguments.contains(key); };
  bool whole_tree = outcome.call.tool == "list_files" && !asked("path") && !asked("depth") && !asked("pattern") && !asked("offset");
  for (const auto& artifact : outcome.result.artifacts) {
    // A search that broke off is a part of the tree that wasn't seen, too.
    if (outcome.call.tool == "search_text" && artifact.facts.is_object() && artifact.facts.value("complete", Json(true)) == Json(false)) tree_incomplete_ = true;
    if (artifact.kind == "listing") TakeListing(artifact, whole_tree, outcome.result.status == agentcore::ToolStatus::kPartial);
    if (artifact.kind == "excerpt") TakeExcerpt(artifact);
  }
}

void RepoView::TakeListing(const agentcore::Artifact& artifact, bool whole_tree, bool partial) {
  for (const auto& entry : artifact.entries) {
    if (entry.empty() || entry.size() > kMaxPathBytes || files_.size() + folders_.size() >= kMaxPaths) continue;
    if (entry.back() == '/') {
      folders_.insert(entry.substr(0, entry.size() - 1));
    } else {
      files_.insert(entry);
      for (auto folder = FolderName(entry); !folder.empty(); folder = FolderName(folder))
        if (!folders_.insert(std::string(folder)).second) break;
    }
  }
  if (!whole_tree || !artifact.facts.is_object()) return;
  const Json& facts = artifact.facts;
  listing_cut_ = partial;
  if (auto it = facts.find("truncated"); it != facts.end() && it->is_boolean()) listing_cut_ = listing_cut_ || it->get<bool>();
  if (auto it = facts.find("complete"); it != facts.end() && it->is_boolean()) tree_incomplete_ = tree_incomplete_ || !it->get<bool>();
  if (auto it = facts.find("files"); it != facts.end()) total_files_ = std::max<int64_t>(0, CountOf(*it));
  if (total_files_ == 0) total_files_ = static_cast<int64_t>(files_.size());
  auto it = facts.find("by_extension");  // [[".py", 120], ...]
  if (it == facts.end() || !it->is_array()) return;
  for (size_t i = 0; i < it->size() && i < 200; ++i) {
    const Json& pair = (*it)[i];
    if (pair.is_array() && pair.size() == 2 && pair[0].is_string()) by_extension_[Lower(pair[0].get_ref<const std::string&>())] += std::max<int64_t>(0, CountOf(pair[1]));
  }
}

void RepoView::TakeExcerpt(const agentcore::Artifact& artifact) {
  constexpr int64_t kMaxLine = int64_t{1} << 40;
  if (artifact.path.empty() || artifact.path.size() > kMaxPathBytes || artifact.line_start < 1 || artifact.line_start > kMaxLine) return;
  if (!lines_.contains(artifact.path) && lines_.size() >= 2000) return;
  std::set<int64_t> cut(artifact.cut.begin(), artifact.cut.end());
  SeenLines& lines = lines_[artifact.path];
  masks_.erase(artifact.path);
  int64_t number = artifact.line_start - 1;
  for (const auto& text : artifact.lines) {
    ++number;
    if (bytes_ + text.size() > kMaxLineBytes || text.find('\n') != std::string::npos) continue;
    SeenLine line{text, false, cut.contains(number)};
    if (!line.cut && (line.text.ends_with(kVisibleReturn) || line.text.ends_with('\r'))) {
      line.text.resize(line.text.size() - (line.text.back() == '\r' ? 1 : kVisibleReturn.size()));
      line.cr = true;
    }
    if (lines.insert_or_assign(number, std::move(line)).second) bytes_ += text.size();
  }
  files_.insert(artifact.path);
  if (artifact.facts.is_object() && artifact.facts.contains("next_offset")) next_line_[artifact.path] = CountOf(artifact.facts["next_offset"]);
}

int64_t RepoView::NextLine(std::string_view path) const {
  auto found = next_line_.find(std::string(path));
  return found == next_line_.end() ? 0 : found->second;
}

std::vector<std::string> RepoView::ReadFiles() const {
  std::vector<std::string> out;
  for (const auto& [path, lines] : lines_)
    if (!lines.empty()) out.push_back(path);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return PathDepth(a) < PathDepth(b); });
  return out;
}

const SeenLines* RepoView::LinesOf(std::string_view path) const {
  auto found = lines_.find(std::string(path));
  return found == lines_.end() || found->second.empty() ? nullptr : &found->second;
}

const MaskedLines& RepoView::MaskOf(const std::string& path) const {
  auto& mask = masks_[path];
  if (!mask) mask = std::make_shared<const MaskedLines>(subagents::MaskOf(path, lines_.at(path)));
  return *mask;
}

std::optional<Citation> RepoView::Cite(std::string_view path, int64_t first, int64_t last, std::string_view part) const {
  const SeenLines* lines = LinesOf(path);
  if (lines == nullptr || first < 1 || last < first || last - first > 8) return std::nullopt;
  Citation citation{std::string(path), first, last, {}};
  for (int64_t n = first; n <= last; ++n) {
    auto line = lines->find(n);
    if (line == lines->end() || line->second.cut) return std::nullopt;
    std::string_view text = line->second.text;
    if (text.size() > kMaxWholeQuote) {  // a part of one line is all that can be quoted of it
      if (first != last) return std::nullopt;
      size_t at = part.empty() ? 0 : text.find(part);
      text = TruncateUtf8(text.substr(at == std::string_view::npos ? 0 : at), kMaxPartQuote);
      citation.quote = text;
      break;
    }
    if (n > first) citation.quote += (*lines).at(n - 1).cr ? std::string(kVisibleReturn) + "\n" : "\n";
    citation.quote += text;
  }
  if (citation.quote.find_first_not_of(" \t\n") == std::string::npos) return std::nullopt;
  return citation;
}

}  // namespace paddock::subagents
