#include "subagents/playbook/compared_words.h"

#include <algorithm>
#include <map>
#include <set>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/file_kinds.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxWords = 4, kMaxExtensions = 12;
constexpr int64_t kMatches = 300;
constexpr double kPoints = 50;

// A pattern of the sources' names.
std::string GlobOfSources(const RepoView& view) {
  std::set<std::string> extensions;
  for (const std::string& path : view.files())
    if (const size_t dot = BaseName(path).rfind('.'); IsOwnSource(path) && dot != std::string_view::npos && extensions.size() < kMaxExtensions) extensions.insert(std::string(BaseName(path).substr(dot + 1)));
  std::string glob;
  for (const std::string& extension : extensions) glob += (glob.empty() ? "" : ",") + extension;
  // Braces around one alone stand for themselves.
  return glob.empty() ? "" : extensions.size() == 1 ? "*." + glob : "*.{" + glob + "}";
}

}  // namespace

void ComparedWords::Ask(const std::vector<std::string>& words, const RepoView& view, CallQueue* queue) {
  const std::string glob = GlobOfSources(view);
  for (const std::string& word : words) {
    if (words_.size() >= kMaxWords || glob.empty()) return;
    if (std::any_of(words_.begin(), words_.end(), [&](const Word& one) { return one.text == word; })) continue;
    words_.push_back({word});
    queue->Add("search_text", Json{{"pattern", word}, {"literal", true}, {"glob", glob}, {"limit", kMatches}});
  }
}

void ComparedWords::Take(const agentcore::CallOutcome& outcome) {
  if (outcome.call.tool != "search_text" || !outcome.call.arguments.contains("literal") || outcome.result.status != agentcore::ToolStatus::kOk) return;
  const Json facts = outcome.result.artifacts.empty() ? Json::object() : outcome.result.artifacts[0].facts;
  if (facts.is_object() && facts.value("truncated", Json(false)) == Json(true)) return;
  for (Word& word : words_)
    if (outcome.call.arguments.value("pattern", "") == word.text && outcome.call.arguments.contains("glob")) word.searched = true;
}

void ComparedWords::AddTo(const RepoView& view, Suspects* suspects) const {
  for (const Word& word : words_) {
    std::map<std::string, int64_t> first;  // file → line
    for (const std::string& path : view.ReadFiles()) {
      if (!word.searched || !IsOwnSource(path) || IsSidePath(path)) continue;
      const SeenLines& lines = *view.LinesOf(path);
      for (const int64_t number : WorkingLines(path, lines))
        if (lines.at(number).text.find(word.text) != std::string::npos) {
          first.emplace(path, number);
          break;
        }
    }
    if (first.size() == 1) suspects->Add(first.begin()->first, first.begin()->second, "", kPoints, "the compared values differ at the word `" + word.text + "`, which, beside tests, examples and tools, stands in this file's code alone, as far as was searched");
  }
}

}  // namespace paddock::subagents
