#include "agentcore/pipeline/redact_assignment.h"

#include <array>
#include <string>

#include "agentcore/pipeline/secret_name.h"
#include "agentcore/pipeline/secret_shape.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxName = 96;
constexpr size_t kMaxGap = 80;     // blanks between a name and its value
constexpr size_t kMaxValue = 65536;
constexpr size_t kJudged = 256;    // of a value, to tell whether it is a secret
constexpr int kMaxInOne = 16;      // names in one unbroken word; with more, all of it goes, unjudged

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsName(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '.'; }
bool IsQuote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Is `value` fit for a name of this class? `quoted`: it stood in quotes.
bool IsSecretValue(NameClass name, std::string_view value, bool quoted) {
  if (value.find("://") != std::string_view::npos) return false;
  if (name != NameClass::kNone && name != NameClass::kWeak && HasManySigns(value)) return true;
  bool code = !quoted && value.find_first_of("()[]{}") != std::string_view::npos;
  switch (name) {
    case NameClass::kNone:
      return false;
    case NameClass::kPassword:
      if (code) return false;
      return LooksLikePassword(value) || (value.size() >= 12 && LooksRandom(value, 12));
    case NameClass::kStrong:
      if (code || value.size() < 12 || value.find_first_of("0123456789") == std::string_view::npos) {
        // Letters alone, made by chance.
        return !code && value.size() >= 24 && LooksRandom(value, 24);
      }
      if (IsUuid(value)) return true;
      if (value.size() < 16) return LooksLikePassword(value) && Roughness(value) >= 3;
      return LooksRandom(value, 16) || (LooksLikePassword(value) && Roughness(value) >= 3 && value.find_first_of("!@#$%^*") != std::string_view::npos);
    case NameClass::kWeak:
      if (value.size() < 24 || code || IsUuid(value) || IsHex(value)) return false;
      return CountClasses(value) >= 3 && Roughness(value) * 5 >= std::min<size_t>(value.size(), 160) && LooksRandom(value, 24);
  }
  return false;
}

// Reads on from `at`; never past `end`.
class Cursor {
 public:
  Cursor(std::string_view text, size_t at) : text_(text), at_(at) {}
  size_t at() const { return at_; }
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void Skip(size_t n) { at_ = std::min(text_.size(), at_ + n); }
  void Blanks() {
    for (size_t i = 0; i < kMaxGap && IsBlank(Peek()); ++i) ++at_;
  }
  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  // Backslashes before a quote, and the quote.
  bool TakeQuote() {
    size_t slashes = 0;
    while (slashes < 4 && Peek(slashes) == '\\') ++slashes;
    if (!IsQuote(Peek(slashes))) return false;
    quote_ = Peek(slashes);
    at_ += slashes + 1;
    return true;
  }
  char quote() const { return quote_; }

 private:
  std::string_view text_;
  size_t at_;
  char quote_ = 0;
};

// `=`, `:`, `=>`, `:=`, `==`, `?=`: true when one was taken.
bool TakeSeparator(Cursor* in) {
  size_t n = 0;
  bool any = false;
  while (n < 3) {
    char c = in->Peek(n);
    if (c == '=' || c == ':') any = true;
    else if (!(c == '>' && any) && !(c == '?' || c == '|' || c == '+' || c == '!')) break;
    ++n;
  }
  if (!any) {
    if (in->Take("%3D") || in->Take("%3d") || in->Take("%3A") || in->Take("%3a")) return true;
    return in->Take("&#61;") || in->Take("\\u003d");
  }
  in->Skip(n);
  return true;
}

struct Value {
  size_t begin = 0, end = 0;
  bool quoted = false;
};

Value ReadValue(std::string_view text, Cursor in, size_t most) {
  in.Blanks();
  for (int i = 0; i < 2; ++i)  // b"", @"", r'', $''
    if ((IsLetter(in.Peek()) || in.Peek() == '@' || in.Peek() == '$') && IsQuote(in.Peek(1))) in.Skip(1);
  Value out;
  out.quoted = in.TakeQuote();
  size_t limit = std::min(text.size(), in.at() + most);
  out.begin = out.end = in.at();
  if (out.quoted) {
    while (out.end < limit && text[out.end] != in.quote() && text[out.end] != '\n') ++out.end;
    while (out.end > out.begin && text[out.end - 1] == '\\') --out.end;
    return out;
  }
  static constexpr auto kStops = [] {
    std::array<bool, 256> stops{};
    for (char c : std::string_view(" \t\r\n\"'`<>,;&|")) stops[static_cast<unsigned char>(c)] = true;
    return stops;
  }();
  while (out.end < limit && !kStops[static_cast<unsigned char>(text[out.end])]) {
    if (text[out.end] == '\\' && out.end + 1 < limit && std::string_view("\"'nrtu").find(text[out.end + 1]) != std::string_view::npos) break;
    if (text[out.end] == '%' && (text.substr(out.end).starts_with("%26") || text.substr(out.end).starts_with("%0A"))) break;
    ++out.end;
  }
  while (out.end > out.begin && std::string_view(").]}:").find(text[out.end - 1]) != std::string_view::npos &&
         text.substr(out.begin, out.end - out.begin).find_first_of("([{") == std::string_view::npos)
    --out.end;
  return out;
}

// What lies between a name that ends at `end` and its value: where the value may begin, npos for none.
size_t AfterName(std::string_view text, size_t begin, size_t end) {
  Cursor in(text, end);
  char before = begin > 0 ? text[begin - 1] : '\n';
  if (before == '<' && in.Take(">")) return in.at();  // <Password>...
  bool quoted = in.TakeQuote();
  for (int i = 0; i < 3 && (in.Peek() == ']' || in.Peek() == ')' || in.Peek() == '['); ++i) in.Skip(1);
  Cursor after = in;
  in.Blanks();
  if (TakeSeparator(&in)) {
    // `name: Type = value`
    Cursor type = in;
    type.Blanks();
    size_t letters = 0;
    while (letters < 40 && (IsName(type.Peek()) || type.Peek() == '<' || type.Peek() == '>' || type.Peek() == '?' || type.Peek() == '[' || type.Peek() == ']')) {
      type.Skip(1);
      ++letters;
    }
    Cursor equals = type;
    equals.Blanks();
    if (letters > 0 && equals.at() > type.at() && equals.Peek() == '=' && equals.Peek(1) != '=') {
      equals.Skip(1);
      return equals.at();
    }
    return in.at();
  }
  if (quoted) {
    // "NAME", "value"
    if (in.Take(",")) {
      in.Blanks();
      Cursor look = in;
      if (look.TakeQuote()) return in.at();
    }
    // key="Password" value="..."
    if (in.Take("value") || in.Take("Value") || in.Take("content"))
      if (in.Blanks(); TakeSeparator(&in)) return in.at();
  }
  // --token value; PASSWORD 'value'
  std::string_view name = text.substr(begin, end - begin);
  if (!quoted && IsBlank(after.Peek())) {
    if (name.starts_with("--") || (name.starts_with("-") && name.size() > 3)) return after.at();
    const size_t back = std::min<size_t>(begin, 64);
    std::string_view start = text.substr(begin - back, back);
    size_t newline = start.rfind('\n');
    if (newline != std::string_view::npos || back == begin) {
      start.remove_prefix(newline == std::string_view::npos ? 0 : newline + 1);
      size_t first = start.find_first_not_of(" \t");
      start = first == std::string_view::npos ? std::string_view() : start.substr(first);
      for (std::string_view command : {"ENV ", "ARG ", "setx ", "setenv ", "SETX ", "set -x "})
        if (start == command || (start.starts_with(command) && command == "ENV ")) return after.at();
    }
  }
  // The name itself is a value (`name: API_TOKEN`), and the next line says what of.
  std::string_view rest = text.substr(after.at());
  size_t n = rest.find_first_not_of(" \t\r,;>");
  if (n != std::string_view::npos && n < 8 && rest[n] == '\n') {
    Cursor next(text, after.at() + n + 1);
    next.Blanks();
    next.TakeQuote();
    if (next.Take("value") || next.Take("Value") || next.Take("stringValue")) {
      next.TakeQuote();
      next.Blanks();
      if (TakeSeparator(&next)) return next.at();
      if (next.Take(">")) return next.at();
    }
    if (next.Take("<string>")) return next.at();
  }
  return std::string_view::npos;
}

// Where a value that is not in the line of its name begins: `secret: |` and `password:` with one word in the next line,
// `"key": [ "..." ]`. `at` where there is none.
size_t IntoNextLine(std::string_view text, size_t at) {
  Cursor in(text, at);
  in.Blanks();
  const bool list = in.Take("[");
  const bool block = !list && (in.Take("|") || in.Take(">"));
  if (block && (in.Peek() == '-' || in.Peek() == '+')) in.Skip(1);
  in.Blanks();
  if (list && IsQuote(in.Peek())) return in.at();
  if (in.Peek() == '\r') in.Skip(1);
  if (in.Peek() != '\n') return at;
  in.Skip(1);
  const size_t line = in.at();
  in.Blanks();
  if (in.at() == line && !list) return at;  // not indented: another thing
  size_t end = text.substr(0, std::min(text.size(), line + kMaxGap + kJudged)).find('\n', line);
  if (end == std::string_view::npos) end = std::min(text.size(), line + kMaxGap + kJudged);
  std::string_view word = text.substr(in.at(), std::max(end, in.at()) - in.at());
  while (!word.empty() && (IsBlank(word.back()) || word.back() == '\r' || word.back() == ',')) word.remove_suffix(1);
  const bool one = !word.empty() && word.find_first_of(" \t") == std::string_view::npos && !word.ends_with(':');
  return one ? in.at() : at;
}

// The seed of one-time passwords: base32, and few digits by chance.
bool IsOneTimeSecret(std::string_view name, std::string_view value) {
  while (value.ends_with('=')) value.remove_suffix(1);
  if (value.size() < 16 || value.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != std::string_view::npos) return false;
  bool one_time = false;
  for (const std::string& word : WordsOfName(name)) one_time = one_time || word == "totp" || word == "otp" || word == "hotp" || word == "mfa" || word == "fa";
  return (one_time || value.find_first_of("234567") != std::string_view::npos) && Entropy(value) >= 2.7 && !IsPlaceholder(value);
}

}  // namespace

std::optional<RedactSpan> FindAssignment(std::string_view text, size_t at, AssignmentsSeen* seen) {
  size_t begin = at, end = at;
  while (begin > 0 && at - begin < kMaxName && IsName(text[begin - 1])) --begin;
  while (end < text.size() && end - at < kMaxName && IsName(text[end])) ++end;
  // An escape before it is not a part of the name: \nTOKEN, %26token
  if (begin > 0 && text[begin - 1] == '\\' && end - begin > 1 && std::string_view("nrt").find(text[begin]) != std::string_view::npos) ++begin;
  if (begin > 0 && text[begin - 1] == '%' && end - begin > 2) begin += 2;
  // "file.yml:3" and "a.b.token" are names; a full stop at the end is none.
  while (end > begin && (text[end - 1] == '.' || text[end - 1] == '-')) --end;
  if (end <= at) return std::nullopt;
  seen->looked = end;
  std::string_view before = text.substr(0, begin);
  if (before.ends_with("[redacted ") || before.ends_with("//")) return std::nullopt;  // a URL's user is the URL's matter
  if (before.ends_with(':') && before.substr(before.size() - std::min<size_t>(before.size(), 96)).find("arn:") != std::string_view::npos) return std::nullopt;
  size_t start = AfterName(text, begin, end);
  if (start == std::string_view::npos) return std::nullopt;
  // `token=token=token=...`: the same once more, and judged there.
  if (text.substr(start).starts_with(text.substr(begin, start - begin))) return std::nullopt;
  const NameClass name = ClassifyName(text.substr(begin, end - begin));
  if (name == NameClass::kNone) return std::nullopt;
  if (name != NameClass::kWeak) start = IntoNextLine(text, start);
  Value value = ReadValue(text, Cursor(text, start), kJudged);
  if (!value.quoted && value.end > value.begin) {
    // `key=pass=key=pass=...`: each value is the rest of the word. No file has that; judging all would take long.
    const bool same = value.begin < seen->run_end;
    if (!same) {
      *seen = {end, value.end, 0};
      if (value.end - value.begin >= kJudged) seen->run_end = ReadValue(text, Cursor(text, start), kMaxValue).end;
    }
    if (++seen->judged > kMaxInOne) {
      seen->looked = std::max(seen->run_end, value.end);
      return RedactSpan{value.begin, seen->looked, "secret", begin, true};
    }
  }
  std::string_view shown = text.substr(value.begin, value.end - value.begin);
  // `token: Bearer abc`
  for (std::string_view scheme : {"Bearer ", "bearer ", "Token ", "token ", "Basic "})
    if (shown.starts_with(scheme)) value.begin += scheme.size(), shown.remove_prefix(scheme.size());
  if (value.quoted && shown.find_first_of(" \t") != std::string_view::npos) return std::nullopt;  // words for people
  if (!IsSecretValue(name, shown, value.quoted) && !(name == NameClass::kStrong && IsOneTimeSecret(text.substr(begin, end - begin), shown))) return std::nullopt;
  if (shown.size() + 16 > kJudged) value.end = std::max(value.end, ReadValue(text, Cursor(text, start), kMaxValue).end);
  return RedactSpan{value.begin, value.end, name == NameClass::kPassword ? "password" : "secret", begin, true};
}

}  // namespace paddock::agentcore
