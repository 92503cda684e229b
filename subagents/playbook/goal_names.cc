#include "subagents/playbook/goal_names.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxNames = 6, kMaxStems = 6, kMaxWords = 10, kMaxAsked = 3, kMaxGoal = 8000;
constexpr size_t kMostWords = 4;  // of a text that may be a name in words

// Words of questions and of talk about code.
constexpr char kStopWords[] =
    "a|about|across|actually|add|all|also|an|and|any|are|as|at|be|been|before|between|but|by|call|called|can|class|code|codebase|come|comes|could|defined|describe|did|do|does|doesn|done|each|"
    "every|explain|file|files|find|first|for|from|function|get|gets|give|go|goes|happen|happens|has|have|here|how|i|if|implement|implemented|implementation|in|inside|into|investigate|is|it|its|like|"
    "look|made|make|makes|mean|means|method|most|much|need|new|no|not|of|on|one|or|other|our|out|over|part|please|program|project|put|repo|repository|run|see|set|should|show|so|some|source|stand|stands|take|than|that|"
    "the|their|them|then|there|these|they|thing|things|this|those|through|to|under|up|us|use|used|uses|using|via|was|way|we|were|what|when|where|whether|which|while|who|why|will|with|within|work|"
    "works|working|would|you|your|understand|tell|me|my|let|both|same|exactly|logic|module|package|library|end|start";

// Words of what is wrong: functions of these names are seldom meant.
constexpr char kSymptomWords[] =
    "fail\\w*|tests?|testing|wrong\\w*|errors?|bugs?|bad|broken|breaks?|crash\\w*|logs?|commands?|results?|values?|returns?|returned|returning|instead|expect\\w*|got|should|always|never|sometimes|"
    "build\\w*|compil\\w*|hangs?|slow\\w*|stops?|suite|output|input|line|number|name|type|list|main|init|setup|check|checks|cause\\w*|reason|debug|problem|issue|throws?|raises?|exception|assert\\w*|null|none|true|false|zero|one|"
    "two|data|object|string|after|since|during|only|just|every|correct\\w*|incorrect\\w*|missing";

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::string Joined(const std::vector<std::string>& words, const char* between, bool first_upper, bool rest_upper) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if ((i == 0 ? first_upper : rest_upper) && !word.empty()) word[0] = Upper(word[0]);
    out += (i > 0 ? between : "") + word;
  }
  return out;
}

std::vector<std::string> Spellings(const std::string& name) {
  std::vector<std::string> out = {name};
  const auto words = WordsOfName(name);
  std::string upper = Joined(words, "_", false, false);
  std::transform(upper.begin(), upper.end(), upper.begin(), Upper);
  std::vector<std::string> more = {Joined(words, "_", false, false), Joined(words, "", false, true), Joined(words, "", true, true), upper};
  if (words.size() > 1) more.push_back(Joined(words, "-", false, false));
  for (const auto& spelling : more)
    if (std::find(out.begin(), out.end(), spelling) == out.end()) out.push_back(spelling);
  return out;
}

std::string Stem(const std::string& word) {
  for (const char* end : {"ation", "ing", "ers", "er", "ies", "ed", "es", "s", "e"})
    if (word.size() >= std::string_view(end).size() + 4 && word.ends_with(end)) {
      std::string stem = word.substr(0, word.size() - std::string_view(end).size());
      if (stem.size() > 3 && stem[stem.size() - 1] == stem[stem.size() - 2]) stem.pop_back();  // "logging" → "log"
      return stem;
    }
  return word;
}

// Takes out of `text` what matches; capture 1 of each.
std::vector<std::string> TakeAll(std::string* text, const char* pattern) {
  static constexpr size_t kMost = 40;
  std::vector<std::string> out;
  const RE2 compiled(pattern, RE2::Quiet);
  re2::StringPiece found[2];
  while (out.size() < kMost && compiled.Match(*text, 0, text->size(), RE2::UNANCHORED, found, 2)) {
    out.emplace_back(found[1]);
    const size_t at = static_cast<size_t>(found[0].data() - text->data());
    text->replace(at, found[0].size(), " ");
  }
  return out;
}

// A word without an article in the place of a name, or with a capital within a sentence; as it is written, and no other spelling.
// `rest`: the goal without what is a name by its form.
std::vector<GoalName> AskedAbout(std::string_view goal, std::string_view rest) {
  std::vector<GoalName> out;
  constexpr char kWord[] = R"(^[A-Za-z_]\w+$)";
  auto add = [&](const std::string& word) {
    static constexpr char kNever[] = "(?i)a|an|the|it|this|that|they|we|you|i|one|all|everything|code|program|project|repository|repo|API|JSON|HTTP|URL|SQL|XML|YAML|CLI|UI";
    if (out.size() >= kMaxAsked || !MatchesPart(word, kWord) || MatchesWhole(word, kNever)) return;
    if (std::none_of(out.begin(), out.end(), [&](const auto& have) { return have.name == word; })) out.push_back({word, {word}, false, ""});
  };
  for (const char* form : {R"((?i)\b(?:how|what|where|when|why|who)\s+(?:does|do|is|are|did|was|calls?|uses?)\s+([A-Za-z_]\w*)\s*(?:\?|$|(?:work|works|do|does|mean|for|used|called|defined|implemented|declared|handled|tested|return|get|behave)\b))", R"((?i)\b(?:explain|describe|investigate|understand|who\s+(?:calls|uses))\s+([A-Za-z_]\w*)\s*[.?!]?\s*$)"}) {
    std::string text(goal);
    for (const auto& word : TakeAll(&text, form)) add(word);
  }
  for (const char* form : {R"(^\s*([A-Z][a-z]\w*)\s+(?:and|or)\s+[A-Z][a-z]\w*\b)", R"([a-z,]\s+([A-Z][a-z]\w*)\b)"}) {
    std::string text(rest);
    for (const auto& word : TakeAll(&text, form)) add(word);
  }
  return out;
}

// Plain words that "and", "or" or a comma joins to a name: "baseTemp and bake".
std::vector<GoalName> BesideNames(std::string_view goal, const std::vector<GoalName>& names) {
  std::vector<GoalName> out;
  for (const auto& name : names) {
    if (name.is_file || name.is_text) continue;
    const std::string written = "\\W*\\b" + RE2::QuoteMeta(name.name) + "\\W*?", joint = R"((?:,|,?\s(?:and|or))\s+)";
    std::string text(goal);
    for (const std::string& form : {R"(\b([A-Za-z]\w+))" + joint + written, written + joint + R"(([A-Za-z]\w+))"})
      for (auto& word : TakeAll(&text, form.c_str())) out.push_back({word, {word}, false, ""});
  }
  return out;
}

// Those that are no words of the question itself.
void AddAsked(const std::vector<GoalName>& words, GoalWords* out) {
  for (const auto& word : words) {
    const auto is_same = [&](const GoalName& have) { return have.name == word.name; };
    if (MatchesWhole(Lower(word.name), kStopWords) || std::any_of(out->asked.begin(), out->asked.end(), is_same) || std::any_of(out->names.begin(), out->names.end(), is_same)) continue;
    if (out->asked.size() < kMaxAsked) out->asked.push_back(word);
  }
}

bool LooksLikeFile(const std::string& text) { return MatchesWhole(text, R"([\w.-]*(?:/[\w.-]+)*\.[A-Za-z][A-Za-z0-9]{0,4}|[\w.-]+(?:/[\w.-]+)+)") && (!LanguageOf(text).empty() || text.find('/') != std::string::npos); }

void Add(GoalName name, GoalWords* out) {
  for (const auto& have : out->names)
    if (have.name == name.name) return;
  if (out->names.size() < kMaxNames) out->names.push_back(std::move(name));
  else if (out->left_out.size() < kMaxNames) out->left_out.push_back(name.name);
}

void AddName(std::string text, GoalWords* out, const std::string& kind = "") {
  // "valid?" and "save!" are names in Ruby and others; no form of a word takes the end of a sentence with it.
  while (!text.empty() && std::string_view(".,:;()[]{}<>*&/").find(text.back()) != std::string_view::npos) text.pop_back();
  while (!text.empty() && std::string_view("-(<*&.:@$").find(text.front()) != std::string_view::npos) text.erase(0, 1);
  const bool file = LooksLikeFile(text);
  std::string owner;
  if (!file) {
    if (auto before = FirstGroup(text, R"(^(?:[\w$]+(?:::|->|\.|#))*?([A-Za-z_$][\w$]*(?:::|->|\.|#))[\w$]+[!?]?$)")) owner = *before;
    if (auto first = FirstGroup(text, R"(^([A-Za-z_]\w+)(?:::|->|\.|#)[A-Za-z_])"); first && out->words.size() < kMaxWords) out->words.push_back(*first);
    // Of "Class::method" and "module.function" the last part is what is defined.
    if (auto last = FirstGroup(text, R"(^[\w$]+(?:(?:::|->|\.|#)[\w$]+)*(?:::|->|\.|#)([\w$]+[!?]?)$)")) text = *last;
  }
  if (text.size() < 2 || text.size() > 120 || (!file && !MatchesWhole(text, R"([\w$-]+[!?]?)"))) return;
  const bool marked = text.back() == '!' || text.back() == '?';
  Add({text, file || marked || !kind.empty() ? std::vector<std::string>{text} : Spellings(text), file, owner, kind}, out);
}

// "struct cart", "async def pay(x)" and "func (c *Cart) Pay()" are names of a kind; other words with blanks between them are a text.
void AddQuoted(const std::string& text, GoalWords* out) {
  static const RE2 kOfKind(
      R"(^\s*(?:(?:pub(?:\([^)]*\))?|public|private|protected|internal|export|default|declare|abstract|final|async|static|inline|unsafe|virtual|open|sealed|data)\s+)*#?)"
      R"((struct|union|enum|class|interface|trait|type|typedef|protocol|record|object|module|namespace|package|mod|func|function|fn|fun|defp?|defmacro|defmodule|sub|method|macro|define|const|constant|var|variable|let|val)\s+)"
      R"((?:\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*)?(?:self\.)?([A-Za-z_$][\w$]*(?:(?:::|\.|#)[A-Za-z_$][\w$]*)*)\s*(?:[^\w\s].*|struct|interface)?$)");
  std::string kind, receiver, name;
  if (!MatchesPart(text, R"(\S\s+\S)")) return AddName(text, out);
  if (RE2::PartialMatch(text, kOfKind, &kind, &receiver, &name)) return AddName(receiver.empty() ? name : receiver + "." + name, out, kind);
  GoalName phrase{text, {text}, false, "", "", true};
  const auto words = WordsOfName(text);
  for (auto& spelling : words.size() < 2 || words.size() > kMostWords ? std::vector<std::string>() : Spellings(Joined(words, "_", false, false))) phrase.spellings.push_back(std::move(spelling));
  Add(std::move(phrase), out);
}

}  // namespace

std::vector<std::string> WordsOfName(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  auto flush = [&] {
    if (!word.empty()) words.push_back(Lower(word));
    word.clear();
  };
  auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  auto lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!upper(c) && !lower(c)) {
      flush();
      continue;
    }
    if (upper(c) && i > 0 && (lower(name[i - 1]) || (upper(name[i - 1]) && i + 1 < name.size() && lower(name[i + 1])))) flush();
    word += c;
  }
  flush();
  return words;
}

std::string AnyOf(const std::vector<std::string>& names) {
  // "empty?" and "name=" of Ruby end in no word: nothing of a word may follow, or what is set.
  std::string out, others;
  bool words = true;
  for (const auto& name : names) {
    const char last = name.empty() ? 'x' : name.back();
    if (name.size() > 1 && (last == '?' || last == '!' || last == '=')) {
      others += "|" + RE2::QuoteMeta(name.substr(0, name.size() - 1)) + (last == '=' ? R"(\s*=)" : std::string(1, '\\') + last);
      continue;
    }
    out += (out.empty() ? "" : "|") + RE2::QuoteMeta(name);
    words = words && name.find('$') == std::string::npos;
  }
  if (!out.empty()) out = words ? R"(\b(?:)" + out + R"()\b)" : "(?:" + out + ")";
  if (others.empty()) return out.empty() ? "(?:)" : out;
  return out.empty() ? R"(\b(?:)" + others.substr(1) + ")" : "(?:" + out + R"(|\b(?:)" + others.substr(1) + "))";
}

GoalWords ReadGoal(std::string_view goal) {
  GoalWords out;
  std::string text(goal.substr(0, kMaxGoal));
  for (const char* quoted : {"`([^`\n]{1,120})`", R"re("([^"\n]{1,120})")re", R"((?:^|[\s(])'([^'\n]{1,120})'(?:[\s).,:;?!]|$))", "“([^”\n]{1,120})”"})
    for (auto& name : TakeAll(&text, quoted)) AddQuoted(name, &out);
  // Options, paths, calls, qualified, snake, camel and capital names.
  for (const char* form : {R"((?:^|\s)--([A-Za-z][\w-]+))", R"(\b((?:[A-Z]\w*(?:::\w+)*#)?[a-z]\w*_\w+!)(?:\W|$))", R"(\b([A-Z]\w*(?:::\w+)*#\w+))", R"(([\w.-]+(?:/[\w.-]+)+|\b[\w-]+\.(?:[a-z]{1,4}|c\+\+)\b))", R"(([A-Za-z_$][\w$.:]*)\((?:\)|[^\ss)]|s[^)]))", R"(([A-Za-z_]\w*(?:::\w+)+|[A-Za-z_]\w+(?:\.[A-Za-z_]\w*)+))",
                           R"(\b([A-Za-z0-9]*[a-z0-9]_\w+|[a-z]\w*_|_\w+|[A-Z]+_[A-Z_0-9]+|[A-Z][A-Za-z]+_\w+)\b)", R"(\b([a-z0-9]+[A-Z]\w*|[A-Z]+[a-z0-9]+[A-Z]\w*)\b)"})
    for (auto& name : TakeAll(&text, form)) AddName(name, &out);
  if (out.names.empty()) {
    out.asked = AskedAbout(text, text);
  } else {
    AddAsked(BesideNames(goal.substr(0, kMaxGoal), out.names), &out);
    AddAsked(AskedAbout(goal.substr(0, kMaxGoal), text), &out);  // where a name was taken out, a verb would stand in its place
  }
  for (auto& word : TakeAll(&text, R"((?:^|[^\w'])([A-Za-z][A-Za-z0-9]+))")) {
    const std::string lower = Lower(word), stem = Stem(lower);
    if (word.size() >= 3 && !MatchesWhole(lower, kStopWords) && !MatchesWhole(lower, kSymptomWords) && out.words.size() < kMaxWords && std::find(out.words.begin(), out.words.end(), word) == out.words.end())
      out.words.push_back(word);
    if (lower.size() < 3 || MatchesWhole(lower, kStopWords) || out.stems.size() >= kMaxStems) continue;
    if (std::find(out.stems.begin(), out.stems.end(), stem) == out.stems.end()) out.stems.push_back(stem);
    if (MatchesWhole(lower, kSymptomWords)) out.symptoms.push_back(stem);
  }
  return out;
}

bool IsTelling(const GoalWords& goal, const std::string& stem) {
  return stem.size() >= 4 && std::find(goal.symptoms.begin(), goal.symptoms.end(), stem) == goal.symptoms.end();
}

std::vector<std::string> FilesOfGoal(const RepoView& view, const GoalWords& goal) {
  constexpr size_t kMost = 3;
  size_t best = 1;
  std::vector<std::string> files;
  for (const auto& path : view.files()) {
    if (!IsOwnSource(path) || IsSidePath(path)) continue;
    const auto words = WordsOfName(BaseName(path).substr(0, BaseName(path).rfind('.')));
    const auto holds = [&](const std::string& stem) { return IsTelling(goal, stem) && std::any_of(words.begin(), words.end(), [&](const auto& word) { return word.starts_with(stem); }); };
    const auto held = static_cast<size_t>(std::count_if(goal.stems.begin(), goal.stems.end(), holds));
    if (held < best) continue;
    if (held > best) files.clear();
    best = held;
    files.push_back(path);
  }
  return files.size() > kMost ? std::vector<std::string>() : files;
}

}  // namespace paddock::subagents
