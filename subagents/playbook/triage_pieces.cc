#include "subagents/playbook/triage_pieces.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "subagents/playbook/git_settings.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

// Of a string, in LinePiece::rule. No text that is shown has them: control characters are made visible before.
constexpr char kInnerQuote = '\x01', kInnerBackslash = '\x02';
constexpr size_t kMaxPieces = 20'000;  // of a line or file

size_t SkipSpace(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\n", at), text.size());
}

// Past the string that begins at `at`.
size_t EndOfString(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
  }
  return text.size();
}

// Past the comment that begins at `at`, or `at`.
size_t EndOfComment(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) != "/*") return at;
  size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Past blanks and comments.
size_t SkipIdle(std::string_view text, size_t at) {
  for (size_t end = SkipSpace(text, at);; end = SkipSpace(text, at)) {
    at = EndOfComment(text, end);
    if (at == end) return at;
  }
}

bool BeginsMember(std::string_view text, size_t at) {
  at = SkipIdle(text, at);
  if (at >= text.size()) return false;
  if (text[at] != '"') return text[at] == '{' || text[at] == '[';
  at = SkipIdle(text, EndOfString(text, at));
  return at < text.size() && text[at] == ':';
}

std::vector<std::string_view> CutJson(std::string_view line) {
  std::vector<std::string_view> out;
  size_t from = 0;
  for (size_t i = 0; i < line.size() && out.size() < kMaxPieces;) {
    if (line[i] == '"') {
      i = EndOfString(line, i);
    } else if (size_t end = EndOfComment(line, i); end != i) {
      i = end;
    } else if (const char c = line[i++]; c == '{' || (c == ',' && BeginsMember(line, i))) {
      out.push_back(line.substr(from, i - from));
      from = i;
    }
  }
  if (from < line.size() || out.empty()) out.push_back(line.substr(from));
  return out;
}

std::vector<std::string_view> CutXml(std::string_view line) {
  std::vector<std::string_view> out;
  size_t from = 0;
  for (size_t i = 1; i + 1 < line.size() && out.size() < kMaxPieces; ++i) {
    if (line[i] != '<' || line[i + 1] == '/' || line[i + 1] == '!' || line.find_first_not_of(" \t", from) >= i) continue;
    out.push_back(line.substr(from, i - from));
    from = i;
  }
  out.push_back(line.substr(from));
  return out;
}

// The character of an escape ("u0063rl": c), and how many bytes it takes. Zero bytes: none that says more when it is read.
std::pair<char, size_t> Escape(std::string_view rest) {
  switch (rest.empty() ? '\0' : rest[0]) {
    case '"': return {kInnerQuote, 1};
    case '\\': return {kInnerBackslash, 1};
    case '/': return {'/', 1};
    case 'n': case 't': case 'r': return {' ', 1};
    default: break;
  }
  unsigned code = 0;
  if (rest.size() < 5 || rest[0] != 'u') return {'\0', 0};
  auto read = std::from_chars(rest.data() + 1, rest.data() + 5, code, 16);
  if (read.ptr != rest.data() + 5 || code < 0x20 || code > 0x7e) return {'\0', 0};
  return {code == '"' ? kInnerQuote : code == '\\' ? kInnerBackslash : static_cast<char>(code), 5};
}

LinePiece JsonPiece(std::string_view raw) {
  LinePiece piece{std::string(raw), {}, {}, {}};
  bool in_string = false;
  for (size_t i = 0; i < raw.size(); ++i) {
    // What tools leave out; "//" before a piece's text stays, for who looks whether it is a comment only.
    if (const size_t end = in_string ? i : EndOfComment(raw, i); end != i && piece.rule.find_first_not_of(" \t") != std::string::npos) {
      piece.rule += ' ';
      i = end - 1;
      continue;
    }
    if (!in_string && raw[i] == '\n') {
      piece.rule += ' ';
      continue;
    }
    if (raw[i] == '"') in_string = !in_string;
    if (in_string && raw[i] == '\\') {
      if (auto [c, bytes] = Escape(raw.substr(i + 1)); bytes > 0) {
        piece.rule += c;
        i += bytes;
        continue;
      }
    }
    piece.rule += raw[i];
  }
  // What follows the value belongs to what is around it.
  while (!piece.rule.empty() && std::string_view(" \t,}").find(piece.rule.back()) != std::string_view::npos) piece.rule.pop_back();
  piece.plain = ShownPiece(piece.rule);
  return piece;
}

// Is every string, comment and bracket closed?
bool IsClosedJson(std::string_view text) {
  std::string open;
  bool any = false;
  for (size_t i = SkipIdle(text, 0); i < text.size(); i = SkipIdle(text, i)) {
    const char c = text[i];
    if (any && open.empty()) return false;
    any = true;
    if (c == '"') {
      const size_t end = EndOfString(text, i);
      if (text[end - 1] != '"' || end - i < 2 || text.substr(i, end - i).find('\n') != std::string_view::npos) return false;
      i = end;
      continue;
    }
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
    }
    ++i;
  }
  return any && open.empty();
}

// All lines as one text, and where each begins. A return is as good as a blank.
struct WholeText {
  std::string text;
  std::vector<std::pair<size_t, int64_t>> lines;

  explicit WholeText(const SeenLines& seen) {
    constexpr std::string_view kReturn = "\\u{D}";
    for (const auto& [number, line] : seen) {
      lines.push_back({text.size(), number});
      text += line.text + "\n";
    }
    for (size_t at = text.find(kReturn); at != std::string::npos; at = text.find(kReturn, at)) text.replace(at, kReturn.size(), kReturn.size(), ' ');
  }
  int64_t LineAt(size_t at) const { return std::prev(std::upper_bound(lines.begin(), lines.end(), std::pair(at, INT64_MAX)))->second; }
  std::string RestOfLine(size_t at) const { return text.substr(at, text.find('\n', at) - at); }
};

// The keys of the objects and lists that are open, from one piece to the next.
class OpenKeys {
 public:
  std::string Joined() const {
    std::string out;
    for (const auto& key : keys_)
      if (!key.empty()) out += (out.empty() ? "" : "/") + key;
    return out;
  }
  void Take(std::string_view raw, std::string_view plain) {
    std::string key = FirstGroup(plain, R"re(^\s*"((?:[^"\\]|\\.)*)"\s*:)re").value_or("");
    for (size_t i = SkipIdle(raw, 0); i < raw.size(); i = SkipIdle(raw, i)) {
      const char c = raw[i];
      if (c == '{' || c == '[') keys_.push_back(std::exchange(key, ""));
      else if ((c == '}' || c == ']') && !keys_.empty()) keys_.pop_back();
      i = c == '"' ? EndOfString(raw, i) : i + 1;
    }
  }

 private:
  std::vector<std::string> keys_;
};

FilePieces JsonOfFile(const SeenLines& lines) {
  const WholeText whole(lines);
  FilePieces out;
  const auto pieces = CutJson(whole.text);
  out.understood = pieces.size() < kMaxPieces && IsClosedJson(whole.text);
  OpenKeys open;
  for (const auto raw : pieces) {
    const size_t at = SkipIdle(raw, 0);
    if (at >= raw.size()) continue;
    LinePiece piece = JsonPiece(raw.substr(at));
    if (out.understood) piece.within = open.Joined();
    open.Take(raw, piece.plain);
    piece.raw = piece.raw.substr(0, piece.raw.find('\n'));
    out.of[whole.LineAt(static_cast<size_t>(raw.data() - whole.text.data()) + at)].push_back(std::move(piece));
  }
  return out;
}

std::string Settled(const GitSetting& setting) {
  // Of "[pager]" each key is a command of git's, and its value what shows that.
  const bool pager = MatchesPart(setting.section, R"((?i)^\[pager\])");
  std::string out = setting.key.empty() ? setting.section : (pager ? "pager" : setting.key) + " = " + setting.value;
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

FilePieces SettingsOfFile(const SeenLines& lines) {
  const WholeText whole(lines);
  FilePieces out;
  const GitSettings settings = ReadGitSettings(whole.text);
  for (const auto& setting : settings.list) out.of[whole.LineAt(setting.at)].push_back({whole.RestOfLine(setting.at), Settled(setting), Settled(setting), {}});
  out.understood = settings.understood;
  return out;
}

// Without the texts that make prints; what stands in them for the shell stays.
std::string WithoutPrints(std::string_view line) {
  std::string out(line);
  for (size_t from = 0;;) {
    const auto at_print = MatchAt(std::string_view(out).substr(from), R"(\$[({](warning|info|error)\s)");
    if (!at_print) return out;
    const size_t at = from + *at_print;
    size_t end = at + 2;
    const char open = out[at + 1], close = open == '(' ? ')' : '}';
    for (int depth = 1; end < out.size() && depth > 0; ++end) depth += out[end] == open ? 1 : out[end] == close ? -1 : 0;
    from = at + 2;
    if (MatchesPart(std::string_view(out).substr(at, end - at), R"(\$[({]shell)")) continue;
    out.erase(at, end - at);
    from = at;
  }
}

}  // namespace

bool IsJson(std::string_view path) { return MatchesWhole(path, R"((?i).*\.(json[c5]?|code-workspace|sublime-project))"); }

bool IsGitSettings(std::string_view path) { return MatchesWhole(path, R"((?i)(.*/)?(config(\.worktree)?|\.gitmodules))") && !MatchesWhole(path, R"((?i)(.*/)?\.(cargo|bundle)/config)"); }

bool HasFilePieces(std::string_view path) { return IsJson(path) || IsGitSettings(path); }

FilePieces PiecesOfFile(std::string_view path, const SeenLines& lines) { return IsJson(path) ? JsonOfFile(lines) : SettingsOfFile(lines); }

std::vector<LinePiece> PiecesOf(std::string_view path, std::string_view line) {
  std::vector<LinePiece> out;
  if (IsJson(path)) {
    for (auto raw : CutJson(line)) out.push_back(JsonPiece(raw));
  } else if (MatchesWhole(path, R"((?i).*\.(xml|\w*proj|props|targets))")) {
    for (auto raw : CutXml(line)) out.push_back({std::string(raw), std::string(raw), std::string(raw), {}});
  } else {
    const bool make = MatchesWhole(path, R"((?i)(.*/)?((gnu)?makefile(\.\w+)?|.*\.mk))");
    std::string text = make ? WithoutPrints(line) : std::string(line);
    out.push_back({text, text, text, {}});
  }
  return out;
}

std::string ShownPiece(std::string text) {
  std::replace(text.begin(), text.end(), kInnerQuote, '"');
  std::replace(text.begin(), text.end(), kInnerBackslash, '\\');
  return text;
}

std::string UpToClosing(std::string text) {
  int depth = 0;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') ++i;
    else if (quote != '\0') quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"') quote = c;
    else if (c == '(' || c == '{') ++depth;
    else if ((c == ')' || c == '}') && --depth < 0) return text.substr(0, i);
  }
  return text;
}

}  // namespace paddock::subagents
