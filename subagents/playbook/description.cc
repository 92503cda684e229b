// What the repository is, in its own words.
#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "subagents/playbook/facts.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/sentences.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxText = 400;

// Captures: 1 is the description.
constexpr LineRule kDescriptions[] = {
    {"package\\.json", R"re(^\s*"description"\s*:\s*"((?:[^"\\]|\\.){8,}?)")re", ""},
    {"pyproject\\.toml", R"(^description\s*=\s*["'](.{8,})["'])", "project|tool\\.poetry"},
    {"setup\\.cfg", R"(^description\s*=\s*(.{8,}))", "metadata"},
    {"setup\\.py", R"(^\s*(?:description|DESCRIPTION)\s*=\s*["'](.{8,}?)["'])"},
    {"Cargo\\.toml", R"re(^description\s*=\s*"((?:[^"\\]|\\.){8,})")re"},
    {"META\\.json", R"re(^\s*"abstract"\s*:\s*"(.{8,}?)")re"},
    {"Makefile\\.PL", R"(ABSTRACT\s*=>\s*['"](.{8,}?)['"])"},
    {"[\\w.-]+\\.gemspec", R"(\.summary\s*=\s*["'](.{8,}?)["'])"},
    {"composer\\.json", R"re(^\s*"description"\s*:\s*"(.{8,}?)")re"},
    {"pom\\.xml", R"(^\s*<description>\s*(.{8,}?)\s*(?:</description>)?$)", "project"},
    {"[\\w.-]+\\.cabal", R"((?i)^synopsis\s*:\s*(.{8,}))"},
    {"mix\\.exs", R"re(\bdescription:\s*"(.{8,}?)")re"},
    {"CMakeLists\\.txt", R"re(\bDESCRIPTION\s+"(.{8,}?)")re"},
    {"debian/control", R"(^Description:\s*(.{8,}))"},
};
constexpr LineRule kNames[] = {
    {"package\\.json|composer\\.json|META\\.json", R"re(^\s*"name"\s*:\s*"([^"]{1,80})")re", ""},
    {"pyproject\\.toml|Cargo\\.toml", R"re(^name\s*=\s*"([^"]{1,80})")re", "project|tool\\.poetry|package"},
    {"setup\\.cfg", R"(^name\s*=\s*([\w.-]+))", "metadata"},
    {"configure\\.(ac|in)", R"(^\s*AC_INIT\(\[?([\w.+ -]{1,80}?)\]?,)"},
    {"meson\\.build", R"(^\s*project\s*\(\s*'([^']{1,80})')"},
    {"CMakeLists\\.txt", R"((?i)^\s*project\s*\(\s*([\w.+-]{1,80}))"},
    {"go\\.mod", R"(^module\s+(\S{1,120}))"},
    {"pom\\.xml", R"(^\s*<name>([^<]{1,80})</name>)", "project"},
    {"Makefile\\.PL", R"(^\s*NAME\s*=>\s*['"]([\w:-]+)['"])"},
    {"[\\w.-]+\\.gemspec", R"(\.name\s*=\s*["']([\w-]+)["'])"},
};

// "**name** is ..." → "name is ...": emphasis at the beginning is no list.
std::string WithoutEmphasis(std::string_view text) {
  static const RE2 kEmphasis(R"(^(?:\*{1,3}|_{1,3})([^*_\s](?:[^*_]{0,60}[^*_\s])?)(?:\*{1,3}|_{1,3})([\s,.:]))");
  std::string out(text);
  RE2::Replace(&out, kEmphasis, R"(\1\2)");
  return out;
}

// "TL;DR: This is a shop" → "This is a shop".
std::string WithoutHeadword(const std::string& text) {
  return FirstGroup(text, R"((?is)^(?:TL;?DR|In short|Summary|Description|Synopsis|About|Abstract)\s*:\s*(.+)$)").value_or(text);
}

// Badges behind a sentence are none of it.
std::string WithoutBadges(std::string_view text) {
  static const RE2 kBadge(R"((?:\s|&nbsp;)*(?:\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\))\s*$)");
  std::string out(text);
  for (int i = 0; i < 16 && RE2::Replace(&out, kBadge, ""); ++i) continue;
  return out;
}

bool IsProse(std::string_view whole) {
  const std::string plain = WithoutEmphasis(Trim(whole));
  // A name in braces or the like is no markup either.
  std::string_view text = plain;
  if (text.size() < 20 || MatchesPart(text, R"(^([#=*~^|<:>+$%\-]|\.\. |\d+[.)] |!?\[!?\[|!\[|```|https?://|\[[^\]]*\]:)|^\[[^\]]+\]\([^)]*\)\s*$)")) return false;
  size_t letters = static_cast<size_t>(std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }));
  return letters * 10 >= text.size() * 6 && text.find(' ') != std::string_view::npos && !MatchesPart(text, R"((?i)(badge|shields\.io|travis-ci|copyright \(c\)|licensed under|all rights reserved))");
}

// "Hiss is a library" names "hiss".
bool Names(std::string_view text, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c; };
  return std::search(text.begin(), text.end(), name.begin(), name.end(), [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

// Of how it came to be, or of who made it: no word of what it is.
constexpr char kStory[] =
    R"((?i)^(yesterday|today|recently|(some|a (long|short)) (time|while) (ago|back)|long ago|(a|a few|a couple of|many|several|some|\d+|two|three|ten) (day|week|month|year)s? (ago|back)|(last|this) (week|weekend|month|year|summer|winter|spring|fall|autumn)|back in|ever since|the other day|once upon|one day|my|but|and then)\b|)"
    R"(\b(I|I've|I'd|I'm|my (friends?|colleagues?|wife|husband|son|daughter|boss|work|job|own))\b|\bwe (were|was|had|wanted|needed|started|decided|got|found|thought)\b)";

// "X is a ...", "This is just an ...".
constexpr char kDefinition[] = R"((?i)\b(is|are) ((just|simply|basically|only|really) )?(an?|the)\b)";

// Where a paragraph tells a story, its first sentence that says what the thing is; "" where it has none.
std::string WithoutStory(const std::string& paragraph) {
  const auto sentences = SentencesOf(paragraph);
  if (std::none_of(sentences.begin(), sentences.end(), [](const auto& one) { return MatchesPart(one, kStory); })) return paragraph;
  for (const auto& one : sentences)
    if (!MatchesPart(one, kStory) && !one.ends_with("?") && MatchesPart(one, kDefinition) && !MatchesPart(one, R"((?i)\b(there|that|it) (is|are)\b)")) return one;
  return "";
}

// What it can't do, or does in one way alone: true of it, and no word of what it is.
constexpr char kLimit[] = R"((?i)\bonly (supports?|works?|allows?|accepts?|handles?|runs?|reads?)\b|\b(does|do|is|are|can|will)(n't| not) (yet |currently )?(support|work|allow|handle|able|possible|supported|recommended)\b|\b(cannot|limitations?|caveats?|known issues?)\b)";

// How much a paragraph reads as if it said what the project is.
int DescribingScore(std::string_view text, std::string_view name) {
  int score = 0;
  if (MatchesPart(text, kDefinition) && !MatchesPart(text, R"((?i)\bthere (is|are) (an?|the)\b)")) score += 3;
  if (MatchesPart(text, R"((?i)^an? [\w-]+[ ,])")) score += 3;  // "A small oven, for breads"
  else if (MatchesPart(text, R"((?i)^the [\w-]+ )")) score += 1;
  if (MatchesPart(text, R"((?i)^(the|this) (result|problem|reason|goal|idea|aim|point|following|first|next|rest|only|best|main) )")) score -= 4;
  if (!MatchesPart(text, kDefinition) && MatchesPart(FirstGroup(text, R"((?s)^(.*?[.!?])(?:\s|$))").value_or(std::string(text)), kLimit)) score -= 6;
  // Of another project.
  if (const auto link = FirstGroup(text, R"(^\[([^\]]{1,80})\]\(https?://)"); link && !(name.size() > 1 && Names(*link, name))) score -= 6;
  if (name.size() > 1 && Names(text, name)) score += 2;
  if (MatchesPart(text, R"((?i)^(see|for|if|please|to|you|your|this (file|document|section|directory)|note|all|in|when|first|thanks?|here|how|these|we|there|more|visit|once)\b)")) score -= 3;
  if (MatchesPart(text, R"((?i)^(discuss|submit|report|join|ask|subscribe|contact|follow|download|get|read|check|use|run|install|clone|send|file|open|add|support|copy|include|build|compile|put|place|move|set|create|start|try|link|import)\s)")) score -= 3;
  if (MatchesPart(text, R"(\]\[|\]\()")) score -= 1;
  if (text.ends_with(":")) score -= 2;
  if (MatchesPart(text, R"((?i)^(tests?|build(ing)?|run(ning)?|usage|install(ation)?|start|lint|format)\b[^.]{0,20}[:`])")) score -= 3;
  return score;
}

// "# LibX - A library for y" → that, where it is among the first lines: a title that says what it is.
std::optional<Fact> TellingTitle(const RepoView& view, const std::string& path) {
  const SeenLines& lines = *view.LinesOf(path);
  int seen = 0;
  for (auto at = lines.begin(); at != lines.end() && seen < 4; ++at) {
    const std::string_view text = Trim(at->second.text);
    if (text.empty()) continue;
    ++seen;
    const auto below = lines.find(at->first + 1);
    const bool underlined = below != lines.end() && MatchesWhole(Trim(below->second.text), R"(={4,}|-{4,})");
    auto title = FirstGroup(text, underlined ? R"(^([\w.+-]{2,40}(?: \(\d\))?(?: -{1,2} | [–—] |: )[A-Za-z][^\[\]<>`]{11,160}?)\s*$)" : R"(^#{1,2}\s+([\w.+-]{2,40}(?: \(\d\))?(?: -{1,2} | [–—] |: )[A-Za-z][^\[\]<>`]{11,160}?)\s*#*\s*$)");
    auto citation = view.Cite(path, at->first, at->first);
    if (title && citation && std::count(title->begin(), title->end(), ' ') >= 4) return Fact{*title, {*citation}};
  }
  return std::nullopt;
}

// "# shop" → "shop", where it stands first.
std::optional<Fact> Heading(const RepoView& view, const std::string& path) {
  for (const auto& [number, line] : *view.LinesOf(path)) {
    if (Trim(line.text).empty()) continue;
    auto name = FirstGroup(line.text, R"(^#\s+([^\[\]<>!#]{2,80}?)\s*#*\s*$)");
    auto citation = view.Cite(path, number, number);
    return !name || !citation ? std::nullopt : std::optional(Fact{*name, {*citation}});
  }
  return std::nullopt;
}

// The paragraph of a README's beginning that says best what this is; the first of equals.
void ReadmeParagraph(const RepoView& view, Description* out) {
  for (const auto& path : view.ReadFiles()) {
    if (PathDepth(path) > 1 || IsForeignPath(path) || !MatchesWhole(BaseName(path), R"((?i)README[^/]*)")) continue;
    if (PathDepth(path) == 1 && !MatchesPart(path, R"(^(\.github|docs?)/)")) continue;
    // A list, a heading, a fence or HTML: "*stressed* words" or "`code`" go on with the sentence.
    static constexpr const char* kMarkup = R"(^\s*([=#~<]|```|[*+-]\s|[*_-]{2,}\s*$))";
    bool fenced = false, comment = false;
    int paragraphs = 0, best = -100;
    std::optional<Citation> chosen;
    std::string chosen_text;
    int64_t skip_to = 0;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      const std::string plain = WithoutBadges(Trim(line.text));
      std::string_view text = plain;
      if (text.starts_with("```") || text.starts_with("~~~")) fenced = !fenced;
      if (text.find("<!--") != std::string_view::npos) comment = true;
      bool prose = !fenced && !comment && !line.cut && !line.text.starts_with("    ") && !line.text.starts_with("\t") && IsProse(text);
      if (text.find("-->") != std::string_view::npos) comment = false;
      if (number > 120 || paragraphs >= 12) break;
      if (!prose || number <= skip_to) continue;
      int64_t last = number;
      std::string all = WithoutEmphasis(text);
      // Three lines of it, or as many more as its first sentence has.
      while (last < number + 2 || (last < number + 9 && !MatchesPart(all, R"(^.{40,}[.!?] )"))) {
        auto next = view.LinesOf(path)->find(last + 1);
        if (next == view.LinesOf(path)->end() || next->second.cut || Trim(next->second.text).empty() || all.ends_with(".") ||
            MatchesPart(next->second.text, kMarkup))
          break;
        all += " " + std::string(Trim(next->second.text));
        ++last;
      }
      // Where the paragraph goes on, its last whole sentence ends it.
      if (auto next = view.LinesOf(path)->find(last + 1); next != view.LinesOf(path)->end() && !Trim(next->second.text).empty() && !MatchesPart(all, "[.!?:]$") && !MatchesPart(next->second.text, kMarkup)) {
        all = WholeSentences(all + " …", all.size());
      }
      all = WithoutStory(WithoutHeadword(all));
      auto citation = view.Cite(path, number, last);
      if (!citation) citation = view.Cite(path, number, number);
      if (!citation) continue;
      skip_to = last;
      if (all.empty()) {
        while (view.LinesOf(path)->contains(skip_to + 1) && !Trim(view.LinesOf(path)->at(skip_to + 1).text).empty()) ++skip_to;
        continue;
      }
      while (view.LinesOf(path)->contains(skip_to + 1) && !Trim(view.LinesOf(path)->at(skip_to + 1).text).empty()) ++skip_to;
      int score = DescribingScore(all, out->name) + (paragraphs++ == 0 ? 1 : 0);
      if (score <= best) continue;
      best = score;
      chosen = citation;
      chosen_text = all;
    }
    if (best < 3) {
      if (auto title = TellingTitle(view, path)) best = 3, chosen = title->evidence[0], chosen_text = title->text;
    }
    // Nothing that says what it is: then what it is called.
    if (!chosen || best < -1) {
      if (auto heading = Heading(view, path)) {
        chosen = heading->evidence[0];
        chosen_text = heading->text;
      }
    }
    if (!chosen) continue;
    out->readme_score = best;
    if (out->fact.text.empty()) out->fact.text = WholeSentences(chosen_text, kMaxText);
    out->fact.evidence.push_back(*chosen);
    return;
  }
}

}  // namespace

namespace {

// One tells more of what the other says: a word of both, whatever its ending.
bool SharesAWord(std::string_view a, std::string_view b) {
  static constexpr size_t kBeginning = 5;
  static const RE2 kWord(R"(([A-Za-z]{5,}))");
  re2::StringPiece rest(a.data(), a.size());
  for (std::string word; RE2::FindAndConsume(&rest, kWord, &word);)
    if (Names(b, std::string_view(word).substr(0, kBeginning))) return true;
  return false;
}

}  // namespace

Description DescribeRepository(const RepoView& view) {
  Description out;
  for (const auto& rule : kNames) {
    auto hits = FindLines(view, rule, 1);
    if (hits.empty() || hits[0].groups.empty()) continue;
    out.name = Trim(hits[0].groups[0]);
    break;
  }
  for (const auto& rule : kDescriptions) {
    auto hits = FindLines(view, rule, 1);
    if (hits.empty()) continue;
    auto citation = CiteHit(view, hits[0]);
    if (!citation) continue;
    bool debian = hits[0].path.starts_with("debian/");
    if (debian) {  // the packager's word: only where the project has none of its own
      ReadmeParagraph(view, &out);
      if (!out.fact.evidence.empty() && out.readme_score >= 2) break;
      out.fact.evidence.clear();
    }
    out.fact.text = WholeSentences(Trim(hits[0].groups[0]), kMaxText);
    size_t escape = 0;
    while ((escape = out.fact.text.find("\\n", escape)) != std::string::npos) out.fact.text.replace(escape, 2, " ");
    out.fact.evidence.push_back(*citation);
    if (debian) return out;
    out.from_manifest = true;
    break;
  }
  if (out.from_manifest || out.fact.evidence.empty()) ReadmeParagraph(view, &out);
  if (out.from_manifest && out.fact.evidence.size() > 1 && !SharesAWord(out.fact.text, out.fact.evidence.back().quote)) out.fact.evidence.pop_back();
  for (const auto& path : view.ReadFiles())
    if (out.heading.empty() && MatchesWhole(path, R"((?i)README[^/]*)"))
      if (auto heading = Heading(view, path)) out.heading = heading->text;
  return out;
}

}  // namespace paddock::subagents
