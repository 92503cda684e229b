#include "subagents/playbook/names_by_words.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/fields.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/goal_names.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostNames = 4;
constexpr int kFarBehind = 6, kOfSidePath = 8, kOfField = 3;

struct Candidate {
  std::string name;
  int score = 0;
  std::vector<size_t> held;  // which stems
};

std::string Any(const std::vector<std::string>& stems) {
  std::string any;
  for (const auto& stem : stems) any += (any.empty() ? "" : "|") + stem;
  return R"(\w*(?:)" + any + R"()\w*)";
}

std::vector<size_t> HeldBy(const std::string& name, const std::vector<std::string>& stems) {
  std::vector<size_t> held;
  const auto words = WordsOfName(name);
  for (size_t i = 0; i < stems.size(); ++i)
    if (std::any_of(words.begin(), words.end(), [&](const auto& word) { return word.starts_with(stems[i]); })) held.push_back(i);
  return held;
}

// The word of the line that holds one of the stems and is a field's name by the form of the line; "" where there is none.
std::string FieldOn(std::string_view path, std::string_view text, const std::vector<std::string>& stems) {
  static const RE2 kWord(R"(([A-Za-z_]\w+))");
  re2::StringPiece rest(text.data(), text.size());
  for (std::string word; RE2::FindAndConsume(&rest, kWord, &word);)
    if (!HeldBy(word, stems).empty() && LooksLikeField(path, text, word)) return word;
  return "";
}

class Candidates {
 public:
  explicit Candidates(const std::vector<std::string>& stems) : stems_(stems), holders_(stems.size()) {}

  // `bonus`: what its definition says for it.
  void Add(const std::string& name, int bonus) {
    auto held = HeldBy(name, stems_);
    if (held.empty()) return;
    const int score = bonus - 2 * static_cast<int>(WordsOfName(name).size());
    auto have = std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each.name == name; });
    if (have != all_.end()) {
      have->score = std::max(have->score, score);
      return;
    }
    for (size_t i : held) ++holders_[i];
    all_.push_back({name, score, std::move(held)});
  }

  std::vector<std::string> Best() {
    // A word that few names hold says more.
    for (auto& candidate : all_)
      for (size_t i : candidate.held) candidate.score += std::clamp(80 / holders_[i], 5, 16);
    std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    std::vector<std::string> out;
    for (size_t i = 0; i < all_.size() && i < kMostNames; ++i)
      if (all_[i].score + kFarBehind >= all_[0].score) out.push_back(all_[i].name);
    return out;
  }

 private:
  const std::vector<std::string>& stems_;
  std::vector<int> holders_;
  std::vector<Candidate> all_;
};

}  // namespace

std::string DefinitionsByWords(const std::vector<std::string>& stems) { return DefinitionPattern(Any(stems)); }

std::string FieldsByWords(const std::vector<std::string>& stems) { return R"(^\s+(?:[\w:<>*&]+[\s,*&]+)*)" + Any(stems) + R"((?:\s*[:;,\[]|\s+[\w*\[(]))"; }

std::vector<std::pair<std::string, int64_t>> LikelyFields(const RepoView& view, const std::vector<std::string>& stems) {
  std::vector<std::pair<std::string, int64_t>> out;
  for (const auto& path : view.ReadFiles()) {
    if (!IsOwnSource(path)) continue;
    for (const auto& [number, line] : *view.LinesOf(path))
      if (!line.cut && !FieldOn(path, line.text, stems).empty()) out.emplace_back(path, number);
  }
  return out;
}

std::vector<std::string> NamesByWords(const RepoView& view, const std::vector<std::string>& stems) {
  Candidates candidates(stems);
  for (const auto& path : view.ReadFiles()) {
    if (!IsOwnSource(path)) continue;
    const int of_path = IsSidePath(path) ? -kOfSidePath : 0;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const auto defined = DefinedOn(path, line.text);
      if (!defined || defined->kind == "declaration" || defined->kind == "variable") continue;
      candidates.Add(defined->name, (defined->is_public ? 2 : 0) + (defined->kind != "macro" ? 2 : 0) + of_path);
    }
  }
  for (const auto& [path, number] : LikelyFields(view, stems)) {
    const SeenLines& lines = *view.LinesOf(path);
    if (StructureAround(path, lines, number)) candidates.Add(FieldOn(path, lines.at(number).text, stems), (IsSidePath(path) ? -kOfSidePath : 0) - kOfField);
  }
  return candidates.Best();
}

}  // namespace paddock::subagents
