#include "base/json_line.h"

#include <charconv>
#include <optional>
#include <string>

#include "base/json.h"

namespace paddock {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t line() const { return line_; }
  // The byte here, 0 at the end. (A NUL in the text ends nothing but is no JSON either.)
  char Here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool AtEnd() const { return at_ >= text_.size(); }

  void Step() {
    if (Here() == '\n') ++line_;
    ++at_;
  }

  void SkipSpace() {
    while (!AtEnd()) {
      if (Here() == ' ' || Here() == '\t' || Here() == '\r' || Here() == '\n') {
        Step();
      } else if (text_.substr(at_, 2) == "//") {
        while (!AtEnd() && Here() != '\n' && Here() != '\r') Step();  // as the parser has it
      } else if (text_.substr(at_, 2) == "/*") {
        Step(), Step();
        while (!AtEnd() && text_.substr(at_, 2) != "*/") Step();
        Step(), Step();
      } else {
        return;
      }
    }
  }

  // The string that begins here, with its quotes; empty when there is none.
  std::string_view String() {
    if (Here() != '"') return {};
    const size_t begin = at_;
    for (Step(); !AtEnd() && Here() != '"'; Step())
      if (Here() == '\\') Step();
    Step();
    return text_.substr(begin, at_ - begin);
  }

  // Past the value that begins here, up to the comma or the bracket after it.
  void SkipValue() {
    for (size_t depth = 0; !AtEnd();) {
      SkipSpace();
      const char c = Here();
      if (depth == 0 && (c == ',' || c == '}' || c == ']')) return;
      if (c == '"') {
        String();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      Step();
    }
  }

 private:
  std::string_view text_;
  size_t at_ = 0, line_ = 1;
};

std::optional<std::string> KeyOf(std::string_view token) {
  if (token.size() < 2 || token.back() != '"') return std::nullopt;
  if (token.find('\\') == token.npos) return std::string(token.substr(1, token.size() - 2));
  auto key = ParseJson(token);
  return key && key->is_string() ? std::optional(key->get<std::string>()) : std::nullopt;
}

// From the brace of an object to the value of the member that `path` goes on with, of which the key is taken off.
bool IntoMember(Scanner* scanner, std::string_view* path, size_t* line) {
  const std::string_view wanted = path->substr(1);
  std::optional<Scanner> best;
  size_t best_length = 0;
  scanner->Step();
  for (;;) {
    scanner->SkipSpace();
    const size_t key_line = scanner->line();
    const auto key = KeyOf(scanner->String());
    scanner->SkipSpace();
    if (!key || scanner->Here() != ':') break;
    scanner->Step();
    const bool fits = wanted.starts_with(*key) && (wanted.size() == key->size() || wanted[key->size()] == '.' || wanted[key->size()] == '[');
    if (fits && (!best || key->size() >= best_length)) {
      best = *scanner;
      best_length = key->size();
      *line = key_line;
    }
    scanner->SkipValue();
    if (scanner->Here() != ',') break;
    scanner->Step();
  }
  if (!best) return false;
  *scanner = *best;
  *path = wanted.substr(best_length);
  return true;
}

bool IntoItem(Scanner* scanner, std::string_view* path, size_t* line) {
  size_t index = 0;
  const char* end = path->data() + path->size();
  auto [rest, fault] = std::from_chars(path->data() + 1, end, index);
  if (fault != std::errc() || rest == end || *rest != ']') return false;
  scanner->Step();
  for (scanner->SkipSpace(); scanner->Here() != ']' && !scanner->AtEnd(); scanner->SkipSpace()) {
    if (index-- == 0) {
      *line = scanner->line();
      path->remove_prefix(static_cast<size_t>(rest + 1 - path->data()));
      return true;
    }
    scanner->SkipValue();
    if (scanner->Here() != ',') return false;
    scanner->Step();
  }
  return false;
}

}  // namespace

JsonPlace PlaceInJson(std::string_view text, std::string_view path) {
  Scanner scanner(text);
  scanner.SkipSpace();
  JsonPlace place{scanner.line(), false};
  if (!path.starts_with("$")) return place;
  path.remove_prefix(1);
  while (!path.empty()) {
    scanner.SkipSpace();
    const bool member = scanner.Here() == '{' && path[0] == '.', item = scanner.Here() == '[' && path[0] == '[';
    if (!(member && IntoMember(&scanner, &path, &place.line)) && !(item && IntoItem(&scanner, &path, &place.line))) return place;
  }
  place.found = true;
  return place;
}

}  // namespace paddock
