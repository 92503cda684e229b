#include "agentcore/model/intent.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace paddock::agentcore {
namespace {

constexpr size_t kLookedAt = 600;  // bytes at the end
using Words = std::span<const std::string_view>;

// "I will" and a word for looking, in this order. `last`: the language puts them the other way, or in one word.
constexpr std::string_view kEnglishOpeners[] = {"i'll ", "i\xE2\x80\x99ll ", "i will ", "i am going to ", "i'm going to ", "i\xE2\x80\x99m going to ", "i need to ", "i want to ", "i should ", "i have to ", "let me ", "let's ",
                                                "let\xE2\x80\x99s ", "let us ", "we'll ", "we will ", "we need to ", "we should ", "i'd like to ", "i can start by ", "i'm now going to ", "i am now going to "};
constexpr std::string_view kEnglishActs[] = {"read", "look", "check", "search", "list", "open", "examine", "explore", "inspect", "find", "see", "start", "begin", "run", "view", "grep", "scan", "investigate", "continue",
                                             "verify", "use", "call", "dig", "gather", "get", "fetch", "analyze", "analyse", "review", "try", "first", "now", "take a", "trace", "locate", "load", "confirm", "hand in",
                                             "submit", "also", "quickly", "then", "examining", "reading", "proceed", "go through", "go ahead", "browse", "query", "retrieve", "walk", "report"};
constexpr std::string_view kGermanOpeners[] = {"ich werde ", "lass mich ", "lassen sie mich ", "ich will ", "ich muss ", "ich m\xC3\xB6" "chte ", "ich schaue ", "ich sehe mir ", "ich lese ", "ich suche ", "ich pr\xC3\xBC" "fe ", "ich \xC3\xB6" "ffne ",
                                               "werde ich ", "schaue ich ", "sehe ich mir ", "lese ich ", "suche ich ", "pr\xC3\xBC" "fe ich ", "lasst uns ", "schauen wir ", "sehen wir uns "};
constexpr std::string_view kGermanActs[] = {"lese", "ansehen", "anschauen", "schaue", "sehe", "pr\xC3\xBC" "fe", "suche", "\xC3\xB6" "ffne", "auflisten", "untersuche", "durchsuche", "nachsehen", "starte", "beginne", "ermittle"};
constexpr std::string_view kFrenchOpeners[] = {"je vais ", "laissez-moi ", "laisse-moi ", "commen\xC3\xA7ons ", "regardons ", "voyons ", "examinons ", "nous allons ", "je dois ", "v\xC3\xA9rifions "};
constexpr std::string_view kFrenchActs[] = {"lire", "regard", "v\xC3\xA9rifi", "cherch", "recherch", "examin", "ouvr", "list", "explor", "consult", "commenc", "voir", "voyons", "parcourir", "analys", "inspect", "lance"};
constexpr std::string_view kSpanishOpeners[] = {"voy a ", "d\xC3\xA9jame ", "d\xC3\xA9jeme ", "perm\xC3\xADteme ", "vamos a ", "veamos ", "necesito ", "vou ", "deixe-me ", "deixa-me ", "vamos ", "preciso ", "fammi ", "lasciami ", "vediamo ", "devo ", "andr\xC3\xB2 a ", "ora leggo ", "ora controllo ", "ora cerco ", "ora esamino "};
constexpr std::string_view kSpanishActs[] = {"leer", "mirar", "ver", "buscar", "revisar", "comprobar", "abrir", "examinar", "listar", "explorar", "inspeccionar", "empezar", "consultar", "analizar", "ler", "procurar", "analisar",
                                             "olhar", "come\xC3\xA7" "ar", "legg", "controll", "cerca", "cerco", "esamin", "guard", "apri", "aprire", "veamos", "vediamo", "dare un'occhiata"};
constexpr std::string_view kRussianOpeners[] = {"\xD0\xAF ", "\xD1\x8F ", "\xD0\xA1\xD0\xB5\xD0\xB9\xD1\x87\xD0\xB0\xD1\x81 ", "\xD1\x81\xD0\xB5\xD0\xB9\xD1\x87\xD0\xB0\xD1\x81 ", "\xD0\x94\xD0\xB0\xD0\xB2\xD0\xB0\xD0\xB9\xD1\x82\xD0\xB5 ", "\xD0\xA2\xD0\xB5\xD0\xBF\xD0\xB5\xD1\x80\xD1\x8C ", "\xD0\x9F\xD0\xBE\xD0\xB7\xD0\xB2\xD0\xBE\xD0\xBB\xD1\x8C\xD1\x82\xD0\xB5 "};
constexpr std::string_view kRussianActs[] = {"\xD0\xBF\xD1\x80\xD0\xBE\xD1\x87\xD0\xB8\xD1\x82\xD0\xB0\xD1\x8E", "\xD0\xBF\xD1\x80\xD0\xBE\xD0\xB2\xD0\xB5\xD1\x80\xD1\x8E", "\xD0\xBF\xD0\xBE\xD1\x81\xD0\xBC\xD0\xBE\xD1\x82\xD1\x80", "\xD0\xBD\xD0\xB0\xD0\xB9\xD0\xB4\xD1\x83", "\xD0\xBE\xD1\x82\xD0\xBA\xD1\x80\xD0\xBE\xD1\x8E", "\xD0\xB8\xD0\xB7\xD1\x83\xD1\x87\xD1\x83", "\xD0\xBF\xD1\x80\xD0\xBE\xD1\x87\xD0\xB8\xD1\x82\xD0\xB0\xD1\x82\xD1\x8C", "\xD0\xBF\xD1\x80\xD0\xBE\xD0\xB2\xD0\xB5\xD1\x80\xD0\xB8\xD1\x82\xD1\x8C", "\xD0\xBF\xD0\xBE\xD0\xB8\xD1\x89\xD1\x83"};
constexpr std::string_view kChineseOpeners[] = {"让我", "我来", "我将", "我会", "我先", "我要", "接下来", "现在我", "我需要", "我们来", "讓我", "我來", "我將", "我先", "接下來"};
constexpr std::string_view kChineseActs[] = {"看", "查", "读", "搜", "检", "分析", "列出", "打开", "运行", "找", "浏览", "调用", "讀", "檢", "開", "瀏覽"};
constexpr std::string_view kJapaneseActs[] = {"確認します", "調べます", "読みます", "見てみます", "検索します", "見てみましょう", "確認しましょう", "調べてみます", "確認してみます", "開きます", "読んでみます"};

struct Language {
  Words openers, acts;
};
constexpr Language kLanguages[] = {{kEnglishOpeners, kEnglishActs}, {kGermanOpeners, kGermanActs}, {kFrenchOpeners, kFrenchActs}, {kSpanishOpeners, kSpanishActs}, {kRussianOpeners, kRussianActs}, {kChineseOpeners, kChineseActs}};

// What may stand before "I will": little, or a clause that a comma ends.
constexpr std::string_view kConnectives[] = {"now", "next", "first", "then", "so", "okay", "ok", "great", "good", "alright", "well", "and", "sure", "certainly", "finally", "also", "but", "right", "step", "1", "nun", "jetzt", "zuerst",
                                             "dann", "als", "n\xC3\xA4" "chstes", "maintenant", "d'abord", "ensuite", "ahora", "primero", "agora", "primeiro", "adesso", "ora", "prima", "let's see", "here", "hmm", "yes", "perfect"};
// An offer, or a word about later.
constexpr std::string_view kConditions[] = {"if you", "would you", "once you", "when you", "should you", "do you want", "let me know", "as you wish", "whenever", "wenn sie", "wenn du", "falls", "si vous", "si tu", "si quieres",
                                            "si lo desea", "se quiser", "se vuoi", "\xD0\xB5\xD1\x81\xD0\xBB\xD0\xB8", "如果", "もし", "unless", "i would", "i cannot", "i can't", "i will not", "i won't", "need to know", "you can", "you could"};

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return out;
}

bool IsTrim(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '*' || c == '_' || c == '#'; }
std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsTrim(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsTrim(text.back())) text.remove_suffix(1);
  return text;
}
bool HasOneOf(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Only connectives, or a clause that a comma, a colon or a dash ends.
bool MayStandBefore(std::string_view before) {
  before = Trim(before);
  if (before.empty() || before.ends_with(',') || before.ends_with(':') || before.ends_with('-') || before.ends_with("\xE2\x80\x94") || before.ends_with("，")) return true;
  while (!before.empty()) {
    const size_t end = std::min(before.find(' '), before.size());
    if (std::find(std::begin(kConnectives), std::end(kConnectives), before.substr(0, end)) == std::end(kConnectives)) return false;
    before = Trim(before.substr(end));
  }
  return true;
}

bool Announces(std::string_view sentence) {
  if (sentence.starts_with('>') || sentence.starts_with('"') || sentence.ends_with('?') || sentence.ends_with("？") || HasOneOf(sentence, kConditions)) return false;
  if (HasOneOf(sentence, kJapaneseActs)) return true;
  for (const Language& language : kLanguages)
    for (std::string_view opener : language.openers) {
      const size_t at = sentence.find(opener);
      if (at == std::string_view::npos || !MayStandBefore(sentence.substr(0, at))) continue;
      // In the same breath; the opener itself may be the word for it.
      const std::string_view act = sentence.substr(at);
      const bool english = language.openers.data() == kEnglishOpeners;
      for (std::string_view word : language.acts) {
        const size_t found = act.find(word);
        if (found == std::string_view::npos) continue;
        if (!english || found == opener.size()) return true;
      }
    }
  return false;
}

// Cuts off the last sentence of `text`.
std::string_view TakeLastSentence(std::string_view* text) {
  *text = Trim(*text);
  std::string_view rest = *text;
  while (!rest.empty() && std::string_view(".!?:").find(rest.back()) != std::string_view::npos) rest.remove_suffix(1);
  for (std::string_view wide : {"。", "！", "？", "："})
    if (rest.ends_with(wide)) rest.remove_suffix(wide.size());
  size_t begin = 0;
  for (std::string_view end : {". ", "! ", "? ", "\n", "。", "！", "？"})
    if (const size_t at = rest.rfind(end); at != std::string_view::npos) begin = std::max(begin, at + end.size());
  const std::string_view sentence = Trim(text->substr(begin));
  *text = text->substr(0, begin);
  return sentence;
}

}  // namespace

bool AnnouncesCall(std::string_view text) {
  text = Trim(text);
  if (text.empty() || text.ends_with("```")) return false;
  if (text.ends_with(':') || text.ends_with("：")) return true;
  if (text.size() > kLookedAt) text.remove_prefix(text.size() - kLookedAt);
  // Of the last paragraph, without quotation marks that are typed in two ways.
  if (const size_t at = text.rfind("\n\n"); at != std::string_view::npos) text.remove_prefix(at + 2);
  const std::string lower = Lower(text);
  std::string_view rest = lower;
  for (int i = 0; i < 2 && !Trim(rest).empty(); ++i) {
    const std::string_view sentence = TakeLastSentence(&rest);
    if (sentence.ends_with('?') || HasOneOf(sentence, kConditions)) return false;
    if (Announces(sentence)) return true;
  }
  return false;
}

}  // namespace paddock::agentcore
