// What the repository is, in its own words.
#include <re2/re2.h>

#include <algorithm>

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

bool IsReadme(const std::string& path) {
  if (PathDepth(path) > 1 || IsForeignPath(path) || !MatchesWhole(BaseName(path), R"((?i)README[^/]*)")) return false;
  return PathDepth(path) == 0 || MatchesPart(path, R"(^(\.github|docs?)/)");
}

// The last line of the paragraph that holds this one.
int64_t EndOfParagraph(const SeenLines& lines, int64_t number) {
  for (auto next = lines.find(number + 1); next != lines.end() && !Trim(next->second.text).empty(); next = lines.find(number + 1)) ++number;
  return number;
}

// What a paragraph that begins at `number` says first, without emphasis and badges; `last`: the line of it that was read last.
std::string BeginningOf(const SeenLines& lines, int64_t number, int64_t* last) {
  // A list, a heading, a fence or HTML: "*stressed* words" or "`code`" go on with the sentence.
  static constexpr const char* kMarkup = R"(^\s*([=#~<]|```|[*+-]\s|[*_-]{2,}\s*$))";
  const auto next_line = [&]() -> const SeenLine* {
    const auto next = lines.find(*last + 1);
    return next == lines.end() || Trim(next->second.text).empty() || MatchesPart(next->second.text, kMarkup) ? nullptr : &next->second;
  };
  *last = number;
  std::string all = WithoutEmphasis(WithoutBadges(Trim(lines.at(number).text)));
  // Three lines of it, or as many more as its first sentence has.
  while (*last < number + 2 || (*last < number + 9 && !MatchesPart(all, R"(^.{40,}[.!?] )"))) {
    const SeenLine* next = next_line();
    if (next == nullptr || next->cut || all.ends_with(".")) break;
    all += " " + std::string(Trim(next->text));
    ++*last;
  }
  // Where the paragraph goes on, its last whole sentence ends it.
  return next_line() != nullptr && !MatchesPart(all, "[.!?:]$") ? WholeSentences(all + " …", all.size()) : all;
}

struct ReadmeText {
  int score = -100;
  std::string text;
  std::optional<Citation> citation;
};

// Of the paragraphs of a README's beginning the one that says best what this is; the first of equals.
ReadmeText BestParagraph(const RepoView& view, const std::string& path, std::string_view name) {
  const SeenLines& lines = *view.LinesOf(path);
  bool fenced = false, comment = false;
  int paragraphs = 0;
  int64_t skip_to = 0;
  ReadmeText best;
  for (const auto& [number, line] : lines) {
    const std::string text = WithoutBadges(Trim(line.text));
    if (text.starts_with("```") || text.starts_with("~~~")) fenced = !fenced;
    if (text.find("<!--") != std::string::npos) comment = true;
    const bool prose = !fenced && !comment && !line.cut && !line.text.starts_with("    ") && !line.text.starts_with("\t") && IsProse(text);
    if (text.find("-->") != std::string::npos) comment = false;
    if (number > 120 || paragraphs >= 12) break;
    if (!prose || number <= skip_to) continue;
    int64_t last = number;
    const std::string all = WithoutStory(WithoutHeadword(BeginningOf(lines, number, &last)));
    auto citation = view.Cite(path, number, last);
    if (!citation) citation = view.Cite(path, number, number);
    if (!citation) continue;
    skip_to = EndOfParagraph(lines, last);
    if (all.empty()) continue;
    const int score = DescribingScore(all, name) + (paragraphs++ == 0 ? 1 : 0);
    if (score > best.score) best = {score, all, citation};
  }
  return best;
}

// What the README says that this is.
void DescribeByReadme(const RepoView& view, Description* out) {
  for (const auto& path : view.ReadFiles()) {
    if (!IsReadme(path)) continue;
    ReadmeText best = BestParagraph(view, path, out->name);
    if (best.score < 3) {
      if (auto title = TellingTitle(view, path)) best = {3, title->text, title->evidence[0]};
    }
    // Nothing that says what it is: then what it is called.
    if (!best.citation || best.score < -1) {
      if (auto heading = Heading(view, path)) best.citation = heading->evidence[0], best.text = heading->text;
    }
    if (!best.citation) continue;
    out->readme_score = best.score;
    if (out->fact.text.empty()) out->fact.text = WholeSentences(best.text, kMaxText);
    out->fact.evidence.push_back(*best.citation);
    return;
  }
}

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
      DescribeByReadme(view, &out);
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
  if (out.from_manifest || out.fact.evidence.empty()) DescribeByReadme(view, &out);
  if (out.from_manifest && out.fact.evidence.size() > 1 && !SharesAWord(out.fact.text, out.fact.evidence.back().quote)) out.fact.evidence.pop_back();
  for (const auto& path : view.ReadFiles())
    if (out.heading.empty() && MatchesWhole(path, R"((?i)README[^/]*)"))
      if (auto heading = Heading(view, path)) out.heading = heading->text;
  return out;
}

}  // namespace paddock::subagents
