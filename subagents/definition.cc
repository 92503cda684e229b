#include "subagents/definition.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/nearest.h"
#include "base/text.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFileBytes = 256u << 10;
constexpr size_t kMaxPromptBytes = 64u << 10;
constexpr size_t kMaxPurposeBytes = 1024;
constexpr size_t kMaxTools = 64;
constexpr int64_t kMaxTurns = 1000;
constexpr int64_t kMaxSeconds = 86'400;

const std::vector<std::string> kKeys = {"name", "purpose", "tools", "profile", "model", "turns", "seconds", "may_ask_to_run"};

std::string Shown(std::string_view text) {
  return "\"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\"";
}

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool IsName(std::string_view text, bool underscore) {
  if (text.empty() || text.size() > 64) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (underscore && c == '_');
  });
}

bool HasInvisible(std::string_view text) {
  for (char32_t c; !text.empty();) {
    size_t n = DecodeUtf8(text, &c);
    if (n == 0 || (IsInvisible(c) && c != '\t')) return true;
    text.remove_prefix(n);
  }
  return false;
}

struct Entry {
  std::string value;
  int line = 0;
};

class DefinitionReader {
 public:
  DefinitionReader(std::string_view text, std::string_view file, const DefinitionNames& known)
      : rest_(text), file_(file), known_(known) {}

  Result<Definition> Read() {
    TRY(Frontmatter());
    Definition out;
    out.name = TRY(Name("name", "1 to 64 characters of a-z, 0-9 and -", {}));
    Entry purpose = TRY(Take("purpose", "one line of text"));
    if (purpose.value.size() > kMaxPurposeBytes)
      return At(purpose.line, "purpose: expected at most " + std::to_string(kMaxPurposeBytes) + " bytes");
    out.purpose = std::move(purpose.value);
    out.tools = TRY(Tools());
    out.profile = TRY(Name("profile", "the name of a profile", known_.profiles));
    if (auto model = entries_.find("model"); model != entries_.end()) out.model = model->second.value;
    out.budget.turns = TRY(Number("turns", kMaxTurns));
    out.budget.seconds = TRY(Number("seconds", kMaxSeconds));
    out.may_ask_to_run = TRY(Flag("may_ask_to_run"));
    out.prompt = TRY(Prompt());
    return out;
  }

 private:
  std::unexpected<Error> At(int line, std::string message, std::string hint = {}) const {
    return Fail(ErrorKind::kInvalid, VisibleText(file_, Newlines::kEscape) + ":" + std::to_string(line) + ": " + message,
                std::move(hint));
  }

  // The next line without its ending; a return before the newline belongs to the ending.
  std::optional<std::string_view> Line() {
    if (rest_.empty()) return std::nullopt;
    ++line_;
    size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  Status Frontmatter() {
    if (rest_.size() > kMaxFileBytes)
      return At(1, "expected at most " + std::to_string(kMaxFileBytes) + " bytes, got " + std::to_string(rest_.size()));
    auto first = Line();
    if (!first || *first != "---") return At(1, "expected a line of three dashes: the start of the frontmatter");
    while (auto line = Line()) {
      if (*line == "---") return {};
      if (HasInvisible(*line)) return At(line_, "a control or invisible character, or invalid UTF-8");
      std::string_view text = Trim(*line);
      if (text.empty() || text.front() == '#') continue;
      TRY(KeyLine(*line));
    }
    return At(line_, "the frontmatter does not end; expected a line of three dashes");
  }

  Status KeyLine(std::string_view line) {
    size_t colon = line.find(':');
    if (line.front() == ' ' || line.front() == '\t' || line.front() == '-' || colon == line.npos)
      return At(line_, "expected `key: value`, got " + Shown(line), "a list is written on one line: tools: [a, b]");
    std::string key(Trim(line.substr(0, colon)));
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      return At(line_, "unknown key " + Shown(key) + "; expected one of " + Joined(kKeys), NearestHint(key, kKeys));
    if (auto earlier = entries_.find(key); earlier != entries_.end())
      return At(line_, "duplicate key \"" + key + "\", first given in line " + std::to_string(earlier->second.line));
    entries_[key] = {TRY(Value(key, Trim(line.substr(colon + 1)))), line_};
    return {};
  }

  Result<std::string> Value(const std::string& key, std::string_view value) {
    if (value.empty()) return At(line_, key + ": expected a value on the same line");
    if (value.front() == '"') {
      std::string_view inside = value.substr(1, value.size() < 2 ? 0 : value.size() - 2);
      if (value.size() < 2 || value.back() != '"' || inside.find_first_of("\"\\") != inside.npos)
        return At(line_, key + ": expected text in one pair of double quotes, without quotes or backslashes inside");
      if (inside.empty()) return At(line_, key + ": expected a value that is not empty");
      return std::string(inside);
    }
    if (value.find(" #") != value.npos) return At(line_, key + ": expected a comment on a line of its own, or text in quotes");
    return std::string(value);
  }

  Result<Entry> Take(const char* key, const char* expected) {
    auto found = entries_.find(key);
    if (found == entries_.end()) return At(1, std::string("missing key \"") + key + "\"; expected " + expected);
    return found->second;
  }

  Status Known(const char* key, const std::string& name, int line, const std::vector<std::string>& known) {
    if (known.empty() || std::find(known.begin(), known.end(), name) != known.end()) return {};
    return At(line, std::string(key) + ": unknown name " + Shown(name) + "; expected one of " + Joined(known),
              NearestHint(name, known));
  }

  Result<std::string> Name(const char* key, const char* expected, const std::vector<std::string>& known) {
    Entry entry = TRY(Take(key, expected));
    if (!IsName(entry.value, false))
      return At(entry.line, std::string(key) + ": expected 1 to 64 characters of a-z, 0-9 and -, got " + Shown(entry.value));
    TRY(Known(key, entry.value, entry.line, known));
    return entry.value;
  }

  Result<std::vector<std::string>> Tools() {
    Entry entry = TRY(Take("tools", "a list such as [read_file, search_text]"));
    std::string_view list = entry.value;
    if ((list.front() == '[') != (list.back() == ']'))
      return At(entry.line, "tools: expected a list such as [read_file, search_text], got " + Shown(list));
    if (list.front() == '[') list = Trim(list.substr(1, list.size() - 2));
    std::vector<std::string> tools;
    while (!list.empty()) {
      size_t comma = list.find(',');
      std::string tool(Trim(list.substr(0, comma)));
      list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
      if (!IsName(tool, true)) return At(entry.line, "tools: expected names of a-z, 0-9, - and _, got " + Shown(tool));
      TRY(Known("tools", tool, entry.line, known_.tools));
      if (std::find(tools.begin(), tools.end(), tool) != tools.end())
        return At(entry.line, "tools: " + Shown(tool) + " is given twice");
      tools.push_back(std::move(tool));
      if (tools.size() > kMaxTools) return At(entry.line, "tools: expected at most " + std::to_string(kMaxTools) + " names");
      if (comma != list.npos && list.empty() && entry.value.back() == ',') break;
    }
    if (tools.empty()) return At(entry.line, "tools: expected at least one name");
    return tools;
  }

  Result<int64_t> Number(const char* key, int64_t max) {
    Entry entry = TRY(Take(key, ("a whole number from 1 to " + std::to_string(max)).c_str()));
    int64_t value = 0;
    const char* end = entry.value.data() + entry.value.size();
    auto [stop, error] = std::from_chars(entry.value.data(), end, value);
    if (error != std::errc() || stop != end || value < 1 || value > max)
      return At(entry.line, std::string(key) + ": expected a whole number from 1 to " + std::to_string(max) + ", got " + Shown(entry.value));
    return value;
  }

  Result<bool> Flag(const char* key) {
    auto found = entries_.find(key);
    if (found == entries_.end()) return false;
    if (found->second.value == "true" || found->second.value == "false") return found->second.value == "true";
    return At(found->second.line, std::string(key) + ": expected true or false, got " + Shown(found->second.value));
  }

  Result<std::string> Prompt() {
    int start = line_ + 1;
    std::string prompt;
    while (auto line = Line()) {
      // What a reviewer of the definition can't see must not reach a model.
      if (HasInvisible(*line)) return At(line_, "a control or invisible character, or invalid UTF-8");
      if (prompt.empty() && Trim(*line).empty()) continue;
      prompt.append(*line);
      prompt += '\n';
    }
    while (!prompt.empty() && (prompt.back() == '\n' || prompt.back() == ' ')) prompt.pop_back();
    if (prompt.empty()) return At(start, "expected the system prompt after the frontmatter");
    if (prompt.size() > kMaxPromptBytes)
      return At(start, "prompt: expected at most " + std::to_string(kMaxPromptBytes) + " bytes, got " + std::to_string(prompt.size()));
    return prompt + "\n";
  }

  std::string_view rest_;
  std::string_view file_;
  const DefinitionNames& known_;
  int line_ = 0;
  std::map<std::string, Entry> entries_;
};

}  // namespace

Result<Definition> ParseDefinition(std::string_view text, std::string_view file, const DefinitionNames& known) {
  return DefinitionReader(text, file, known).Read();
}

}  // namespace paddock::subagents
