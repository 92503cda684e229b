#include "subagents/playbook/text_places.h"

#include <algorithm>

#include "subagents/playbook/counted.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostFiles = 5, kMostLines = 3, kMostListed = 30;

enum class FileKind { kSource, kTest, kDocument, kOther };

FileKind KindOf(const std::string& path) {
  if (IsProsePath(path)) return FileKind::kDocument;
  if (IsTestPath(path)) return FileKind::kTest;
  return LanguageOf(path).empty() ? FileKind::kOther : FileKind::kSource;
}

}  // namespace

TextPlaces PlacesOfText(const RepoView& view, const std::string& text) {
  TextPlaces out{text, {}, {}};
  for (const auto& path : view.ReadFiles()) {
    if (IsForeignPath(path) || IsMadePath(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path))
      if (!line.cut && line.text.find(text) != std::string::npos) out.lines[path].push_back(number);
    if (out.lines.contains(path)) out.files.push_back(path);
  }
  std::stable_sort(out.files.begin(), out.files.end(), [](const auto& a, const auto& b) { return KindOf(a) < KindOf(b); });
  return out;
}

std::vector<ClaimedFinding> FindingsOfText(const RepoView& view, const TextPlaces& places, const std::string& least) {
  std::vector<ClaimedFinding> out;
  for (const auto& path : places.files) {
    if (out.size() >= kMostFiles) break;
    const auto& lines = places.lines.at(path);
    std::vector<Citation> evidence;
    for (const int64_t line : lines)
      if (evidence.size() < kMostLines)
        if (auto citation = view.Cite(path, line, line, places.text)) evidence.push_back(*std::move(citation));
    if (!evidence.empty()) out.push_back({"The text `" + Short(places.text, 120) + "` stands in " + path + " (" + least + Count(lines.size(), "line", "lines") + ")", Severity::kInfo, "", Confidence::kHigh, std::move(evidence)});
  }
  return out;
}

std::string AnswerOfText(const TextPlaces& places, const std::string& least) {
  size_t lines = 0;
  std::string where;
  for (size_t i = 0; i < places.files.size(); ++i) {
    lines += places.lines.at(places.files[i]).size();
    if (i < kMostFiles) where += (where.empty() ? "" : ", ") + places.files[i];
  }
  return "The text `" + Short(places.text, 120) + "` stands in " + least + Count(lines, "line", "lines") + " of " + least + Count(places.files.size(), "file", "files") + ": " + where + (places.files.size() > kMostFiles ? ", ..." : "") + ".";
}

Json DataOfText(const TextPlaces& places) {
  Json out = {{"name", places.text}, {"is_text", true}, {"definitions", Json::array()}, {"declarations", Json::array()}, {"uses", Json::array()}, {"tests", Json::array()}, {"docs", Json::array()}, {"settings", Json::array()}};
  for (const auto& path : places.files) {
    const auto& lines = places.lines.at(path);
    const FileKind kind = KindOf(path);
    Json& list = out[kind == FileKind::kSource ? "uses" : kind == FileKind::kTest ? "tests" : kind == FileKind::kDocument ? "docs" : "settings"];
    if (list.size() >= kMostListed) continue;
    if (kind == FileKind::kSource) list.push_back(Json{{"path", path}, {"lines", lines.size()}, {"first", lines.front()}, {"in", Json::array()}, {"calls", 0}, {"references", 0}, {"unsure", lines.size()}});
    else list.push_back(path);
  }
  return out;
}

}  // namespace paddock::subagents
