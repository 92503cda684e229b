#include "subagents/playbook/code_lines.h"

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/languages.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLine = 4000;
constexpr int64_t kMostBefore = 3000;  // lines

// Words behind which a value stands, so that "/" is no division.
constexpr char kBeforePattern[] = R"((^|[^\w.$])(return|typeof|case|in|of|void|delete|else|do|throw|yield|await)\s*$)";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The last byte of code; 0 where there is none.
char LastCode(std::string_view line, const std::string& mask) {
  for (size_t i = mask.size(); i-- > 0;)
    if (mask[i] != '/' && !IsBlank(line[i])) return line[i];
  return 0;
}

// Where the regular expression that begins at `at` ends; npos: it is a division.
size_t EndOfPattern(std::string_view line, size_t at) {
  bool set = false;
  for (size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\') ++i;
    else if (line[i] == '[') set = true;
    else if (line[i] == ']') set = false;
    else if (line[i] == '/' && !set) return i;
  }
  return std::string_view::npos;
}

}  // namespace

CodeReader::CodeReader(std::string_view path) { Begin(LanguageOf(path)); }

CodeReader CodeReader::OfLanguage(std::string_view language) {
  CodeReader reader;
  reader.Begin(language);
  return reader;
}

void CodeReader::Begin(std::string_view language) {
  hashes_ = language.empty() || MatchesWhole(language, "Python|Cython|Ruby|Perl|Shell|Make|Docker|CI|YAML|Elixir|R|Julia|Nim|Crystal|Tcl|PHP");
  dashes_ = MatchesWhole(language, "Lua|Haskell|Ada|SQL|Elm");
  slashes_ = language == "PHP" || !(hashes_ || dashes_ || language == "OCaml");
  triples_ = MatchesWhole(language, "Python|Cython|Elixir|Julia|Nim");
  indents_ = MatchesWhole(language, "Python|Cython|Nim|Haskell|Elm");
  backquotes_ = MatchesWhole(language, "Go|JavaScript|TypeScript");
  patterns_ = MatchesWhole(language, "JavaScript|TypeScript");
  ruby_ = language == "Ruby";
}

// Bytes of what begins a comment or a string here, which until_ then ends, or of a whole regular expression; 0: it is code.
size_t CodeReader::Opens(std::string_view line, size_t at, const std::string& mask) {
  const std::string_view rest = line.substr(at);
  const auto begin = [&](std::string_view until, bool comment, bool one_line, size_t size) {
    until_ = until;
    comment_ = comment;
    one_line_ = one_line;
    return size;
  };
  const bool apart = at == 0 || IsBlank(line[at - 1]) || line[at - 1] == ';';
  if ((slashes_ && rest.starts_with("//")) || (hashes_ && rest[0] == '#' && (apart || triples_)) || (dashes_ && rest.starts_with("--"))) return begin("\n", true, true, 1);
  if (slashes_ && rest.starts_with("/*")) return begin("*/", true, false, 2);
  if (ruby_ && at == 0 && rest.starts_with("=begin")) return begin("=end", true, false, 6);
  const char last = LastCode(line.substr(0, at), mask);
  if (triples_)
    for (const char* quote : {R"(""")", "'''"})
      if (rest.starts_with(quote)) {
        // By itself, or behind its prefix, it documents; behind other code, or where that goes on, it is a value.
        const bool alone = (last == 0 || MatchesWhole(line.substr(0, at), R"(\s*[rRuU])")) && !awaits_ && brackets_ == 0;
        return begin(quote, alone, false, 3);
      }
  if (patterns_ && rest[0] == '/' && (last == 0 || std::string_view("(,=:[!&|?{};+<>").find(last) != std::string_view::npos || (IsWordByte(last) && MatchesPart(line.substr(0, at), kBeforePattern))))
    if (const size_t end = EndOfPattern(line, at); end != std::string_view::npos) {
      comment_ = false;
      return end + 1 - at;
    }
  if (rest[0] == '"' || (backquotes_ && rest[0] == '`')) return begin(rest.substr(0, 1), false, rest[0] == '"', 1);
  // One byte, a lifetime, a prime or a string.
  if (rest[0] == '\'' && rest.find('\'', 1) != rest.npos && !(at > 0 && IsWordByte(line[at - 1]) && slashes_)) return begin("'", false, true, 1);
  return 0;
}

// The next byte, or all of what goes together.
void CodeReader::Step(std::string_view line, std::string* mask) {
  const size_t at = mask->size();
  const std::string_view rest = line.substr(at);
  if (within()) {
    const char as = comment_ ? '/' : 's';
    if (rest.starts_with(until_)) {
      mask->append(until_.size(), as);
      until_.clear();
    } else {
      mask->append(!comment_ && rest[0] == '\\' && rest.size() > 1 ? 2 : 1, as);
    }
    return;
  }
  if (IsBlank(rest[0])) {
    *mask += '/';
    return;
  }
  if (const size_t opened = Opens(line, at, *mask)) {
    mask->append(opened, comment_ ? '/' : 's');
    return;
  }
  if (std::string_view("([{").find(rest[0]) != std::string_view::npos) ++brackets_;
  if (std::string_view(")]}").find(rest[0]) != std::string_view::npos) brackets_ = std::max(0, brackets_ - 1);
  *mask += 'c';
}

bool CodeReader::IsCodeAt(std::string_view line, size_t at) const {
  if (at >= kMaxLine) return true;  // nothing is known of it
  CodeReader reader = *this;
  std::string mask;
  while (mask.size() < std::min(at, line.size())) reader.Step(line.substr(0, kMaxLine), &mask);
  return mask.size() == at && !reader.within();
}

std::string CodeReader::Take(std::string_view line) {
  line = line.substr(0, kMaxLine);
  std::string mask;
  while (mask.size() < line.size()) Step(line, &mask);
  if (within() && one_line_) until_.clear();
  if (const char last = LastCode(line, mask)) awaits_ = std::string_view("([{,=+\\%").find(last) != std::string_view::npos;
  return mask;
}

std::string CodeOf(CodeReader* reader, std::string_view line) {
  const bool in_text = reader->within(), indent = reader->indent_counts();
  const std::string mask = reader->Take(line);
  std::string code;
  for (size_t i = 0; i < mask.size(); ++i)
    if (mask[i] != '/') code += line[i];
  // What is behind the bytes that are looked at is code.
  if (line.size() > mask.size()) code += line.substr(mask.size());
  if (!code.empty() && indent && !in_text) {
    size_t blanks = 0;
    for (const char c : line.substr(0, line.find_first_not_of(" \t"))) blanks += c == '\t' ? 8 : 1;
    code.insert(0, blanks, ' ');
  }
  return code;
}

std::string BareCode(CodeReader* reader, std::string_view line) {
  const std::string mask = reader->Take(line);
  std::string code(line.substr(0, mask.size()));
  for (size_t i = 0; i < mask.size(); ++i)
    if (mask[i] != 'c') code[i] = ' ';
  return code;
}

bool IsImportLine(std::string_view path, std::string_view line) {
  if (path.ends_with(".go") && MatchesPart(line, R"re(^\s*([\w.]+\s+)?"[^"]*"\s*(//.*)?$)re")) return true;
  return MatchesPart(line, R"re(^\s*(#\s*(include|import)\b|(import|from|package|require|require_relative)\s+[\w"'{*<:@./]|(pub(\([^)]*\))?\s+)?use\s+[\w:{]|using\s+[\w.:\s]+;|(const|let|var)\s+[\w{}\s,:$]+=\s*require\([^()]*\);?\s*$|\}?\s*from\s+['"]|export\s.*\sfrom\s+['"]))re");
}

bool IsIdleLine(std::string_view path, std::string_view line, const std::string& code) {
  return code.empty() || MatchesWhole(code, R"([\s{}()\[\];:,]*(else|end|fi|done|esac|then|do|begin|try|finally|#(else|endif))?[\s{}()\[\];:,]*)") || IsImportLine(path, line);
}

std::set<int64_t> WorkingLines(std::string_view path, const SeenLines& lines) {
  std::set<int64_t> working;
  CodeReaders readers(path, &lines);
  for (const auto& [number, line] : lines) {
    bool whole = false;
    CodeReader reader = readers.At(number, &whole);
    const std::string code = !whole && IsCommentLine(path, line.text) ? std::string() : CodeOf(&reader, line.text);
    if (!IsIdleLine(path, line.text, code)) working.insert(number);
  }
  return working;
}

CodeReader CodeReaders::At(int64_t number, bool* whole) {
  *whole = number <= 1;
  if (lines_ == nullptr) return CodeReader(path_);
  int64_t first = number;
  while (first > 1 && first != next_ && number - first < kMostBefore && lines_->contains(first - 1)) --first;
  if (first != next_ || next_ == 0) {
    reader_ = CodeReader(path_);
    whole_ = first <= 1;
  }
  for (auto at = lines_->lower_bound(first); at != lines_->end() && at->first < number; ++at) (void)reader_.Take(at->second.text);
  next_ = number;
  *whole = whole_;
  return reader_;
}

}  // namespace paddock::subagents
