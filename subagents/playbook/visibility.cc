#include "subagents/playbook/visibility.h"

#include <re2/re2.h>

#include "subagents/playbook/bodies.h"
#include "subagents/playbook/class_parts.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/import_text.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/repo_view.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostLinesOfAll = 2000;
constexpr char kAll[] = R"(^\s*__all__\s*(?:(?::[^=]*)?\+?=|\.(?:append|extend)\s*\()\s*(.*)$)";

// Takes a line of the list: its names, and how many brackets are open behind it. False: something else than names in quotes stands there.
bool TakeNames(std::string_view text, int* open, bool* any_bracket, std::set<std::string>* names) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') break;
    if (c == '\'' || c == '"') {
      const size_t end = text.find(c, i + 1);
      if (end == std::string_view::npos) return false;
      names->emplace(text.substr(i + 1, end - i - 1));
      i = end;
    } else if (c == '[' || c == '(') {
      ++*open;
      *any_bracket = true;
    } else if (c == ']' || c == ')') {
      --*open;
    } else if (c != ',' && c != ' ' && c != '\t' && c != '\r') {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string VisibilityPattern(std::string_view language) {
  if (language == "Ruby") return R"(^\s*(class|module)\s+[A-Z<]|^\s*(private|protected|public|private_class_method)\b)";
  if (language == "Python") return R"(^\s*__all__\b|^\s*from\s+[\w.]*\b_[A-Za-z]\w*(\.\w+)*\s+import\b)";
  if (language == "Rust") return R"(^\s*(pub(\([^)]*\))?\s+)?mod\s+\w+\s*;|^\s*pub\s+use\b)";
  return "";
}

bool IsMarkedPrivate(std::string_view path, const SeenLines& lines, int64_t number) {
  constexpr int64_t kMostLines = 30;
  if (MatchesPart(lines.at(number).text, R"(#\s*:nodoc:)")) return true;
  for (int64_t n = number - 1; n > number - kMostLines; --n) {
    const auto line = lines.find(n);
    if (line == lines.end()) continue;
    const std::string& text = line->second.text;
    const bool is_attribute = MatchesPart(text, R"(^\s*(@\w|#\[))");
    if ((is_attribute || IsCommentLine(path, text)) && MatchesPart(text, kPrivateTags)) return true;
    if (MatchesPart(text, R"(^\s*/\*)") || !(is_attribute || IsCommentLine(path, text) || Trim(text).empty())) return false;
  }
  return false;
}

void RubyVisibility::Close(size_t indent, bool same_too) {
  while (!open_.empty() && (open_.back().indent > indent || (same_too && open_.back().indent == indent))) open_.pop_back();
}

bool RubyVisibility::Hides(std::string_view line) {
  const size_t indent = IndentOf(line);
  if (MatchesPart(line, R"(^\s*(class|module)\s+[A-Z<])")) {
    Close(indent, true);
    open_.push_back({indent});
    return false;
  }
  if (const auto word = FirstGroup(line, R"(^\s*(private|protected|public)\s*(?:#.*)?$)")) {
    Close(indent, false);  // it may stand as deep as its class does
    if (open_.empty()) open_.push_back({indent > 0 ? indent - 1 : 0});
    open_.back().hidden_from = *word == "public" ? std::string::npos : indent;
    return false;
  }
  if (const auto list = FirstGroup(line, R"(^\s*(?:private|protected|private_class_method)[\s(]+(\*?%i\[.*|:.*|\[.*)$)")) {
    static const RE2 kName(R"(([A-Za-z_]\w*[?!=]?))");
    re2::StringPiece rest(*list);
    if (rest.starts_with("*")) rest.remove_prefix(1);
    if (rest.starts_with("%i")) rest.remove_prefix(2);
    for (std::string name; RE2::FindAndConsume(&rest, kName, &name);) named_.insert(name);
    return false;
  }
  if (!MatchesPart(line, R"(^\s*def\s)")) return false;
  Close(indent, true);
  if (open_.empty() || MatchesPart(line, R"(^\s*def\s+self\.)")) return false;  // "private" is not about methods of the class itself
  return open_.back().hidden_from != std::string::npos && indent >= open_.back().hidden_from;
}

std::optional<std::set<std::string>> ExportedByAll(const SeenLines& lines) {
  std::set<std::string> names;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (!MatchesPart(line->second.text, R"(^\s*__all__\b)")) continue;
    auto rest = FirstGroup(line->second.text, kAll);
    if (!rest || line->second.cut) return std::nullopt;
    // ".extend(" has opened one already.
    int open = MatchesPart(line->second.text, R"(^\s*__all__\s*\.)") ? 1 : 0;
    bool any_bracket = open > 0;
    if (!TakeNames(*rest, &open, &any_bracket, &names) || !any_bracket) return std::nullopt;
    for (int64_t next = line->first + 1; open > 0; ++next) {
      const auto found = lines.find(next);
      if (found == lines.end() || found->second.cut || names.size() > kMostLinesOfAll || !TakeNames(found->second.text, &open, &any_bracket, &names)) return std::nullopt;
    }
  }
  if (names.empty()) return std::nullopt;
  return names;
}

namespace {

bool IsPrivateModule(std::string_view name) { return name.starts_with("_") && !name.starts_with("__"); }

// The names of a path's folders and of its file, or the parts of "pkg._core.oven".
std::vector<std::string> Parts(std::string_view text, char between) {
  std::vector<std::string> out;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), out.back().size() + 1))) out.emplace_back(text.substr(0, text.find(between)));
  return out;
}

std::vector<std::string> ModulesOfPython(std::string_view path) {
  auto parts = Parts(path, '/');
  if (!parts.empty()) parts.back() = parts.back().substr(0, parts.back().find('.'));
  return parts;
}

bool AnyPrivate(const std::vector<std::string>& parts) { return std::any_of(parts.begin(), parts.end(), IsPrivateModule); }

// What stands behind "import", with the lines that a bracket takes with it; nothing where the end of these wasn't seen.
std::optional<std::string> ImportedIn(const SeenLines& lines, int64_t number) {
  constexpr int64_t kMostLines = 200;
  std::string text = FirstGroup(lines.at(number).text, R"(\bimport\s+(.*)$)").value_or("");
  if (!text.starts_with("(")) return text;
  for (int64_t n = number + 1; text.find(')') == std::string::npos; ++n) {
    if (n > number + kMostLines || !lines.contains(n) || lines.at(n).cut) return std::nullopt;
    text += " " + lines.at(n).text.substr(0, lines.at(n).text.find('#'));
  }
  return text;
}

}  // namespace

PythonModules::PythonModules(const RepoView& view) {
  static const RE2 kName(R"(([A-Za-z_]\w*)(?:\s+as\s+\w+)?)");
  for (const auto& path : view.ReadFiles()) {
    if (!path.ends_with(".py") || !IsOwnSource(path) || AnyPrivate(ModulesOfPython(path))) continue;
    const SeenLines& lines = *view.LinesOf(path);
    const auto of_all = ExportedByAll(lines);
    for (const auto& [number, line] : lines) {
      const auto module = FirstGroup(line.text, R"(^\s*from\s+([\w.]*\b_[A-Za-z]\w*(?:\.\w+)*)\s+import\b)");
      if (!module) continue;
      const auto imported = ImportedIn(lines, number);
      const auto parts = Parts(*module, '.');
      if (!imported || imported->starts_with("*")) whole_.insert(parts.begin(), parts.end());
      const std::string list = imported.value_or("");
      re2::StringPiece rest(list);
      for (std::string name; RE2::FindAndConsume(&rest, kName, &name);)
        if (BaseName(path) == "__init__.py" || (of_all && of_all->contains(name))) names_.insert(name);
    }
  }
}

std::optional<std::set<std::string>> PythonModules::HandedOn(std::string_view path) const {
  const auto parts = ModulesOfPython(path);
  const auto is_whole = [&](const std::string& part) { return (IsPrivateModule(part) || part == parts.back()) && whole_.contains(part); };
  if (!AnyPrivate(parts) || std::any_of(parts.begin(), parts.end(), is_whole)) return std::nullopt;
  return names_;
}

std::optional<ExportedObject> ExportedObjectAt(const SeenLines& lines, int64_t number) {
  if (!MatchesPart(lines.at(number).text, R"(^(?:(?:const|let|var)\s+[\w$]+\s*=\s*)?(?:(?:module\.)?exports\s*=|export\s+default)\s*\{\s*(?://.*)?$)")) return std::nullopt;
  ExportedObject out{EndOfBody(lines, number)};
  for (int64_t n = number + 1; n <= out.last && out.indent == 0; ++n)
    if (IndentOf(lines.at(n).text) != std::string::npos) out.indent = IndentOf(lines.at(n).text);
  return out;
}

bool IsFunctionOfObject(std::string_view line) {
  return MatchesPart(line, R"(^\s+(?:(?:async|get|set)\s+)*\*?[A-Za-z_$][\w$]*\s*(?::\s*(?:async\s*)?(?:function\b.*|\(.*\)\s*=>.*)|\([^()]*\)\s*)\{)");
}

namespace {

// The names of modules between a library's root and a file: "a", "b" of "a/b.rs" and of "a/b/mod.rs".
std::vector<std::string> ModulesOf(std::string_view rest) {
  std::vector<std::string> out;
  rest.remove_suffix(std::string_view(".rs").size());
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    out.emplace_back(rest.substr(0, slash));
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  }
  if (!out.empty() && out.back() == "mod") out.pop_back();
  return out;
}

}  // namespace

RustModules::RustModules(const RepoView& view) {
  static const RE2 kWord(R"((\w+))");
  for (const auto& path : view.files())
    if (BaseName(path) == "lib.rs") handed_on_[std::string(FolderName(path))];
  for (const auto& path : view.ReadFiles()) {
    if (!path.ends_with(".rs")) continue;
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (const auto name = FirstGroup(line.text, R"(^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;)")) {
        bool& is_public = declared_[path][*name];
        is_public = is_public || MatchesPart(line.text, R"(^\s*pub\s)");
      }
      if (!MatchesPart(line.text, R"(^\s*pub\s+use\b)")) continue;
      for (auto& [folder, words] : handed_on_) {
        if (!folder.empty() && !path.starts_with(folder + "/")) continue;
        re2::StringPiece rest(line.text);
        for (std::string word; RE2::FindAndConsume(&rest, kWord, &word);) words.insert(word);
        if (MatchesPart(line.text, R"(\buse\s+(::|crate::|self::|super::)*\{\s*$)")) words.insert("{");  // what it hands on stands below
      }
    }
  }
}

bool RustModules::Hides(std::string_view path) const {
  std::string folder(FolderName(path));
  while (!handed_on_.contains(folder) && !folder.empty()) folder = std::string(FolderName(folder));
  const auto root = handed_on_.find(folder);
  if (root == handed_on_.end() || root->second.contains("{")) return false;
  const auto modules = ModulesOf(path.substr(folder.empty() ? 0 : folder.size() + 1));
  std::string parent = imports::InFolder(folder, "lib.rs"), inside = folder;
  for (const auto& module : modules) {
    auto file = declared_.find(parent);
    if (file == declared_.end()) file = declared_.find(imports::InFolder(inside, "mod.rs"));
    if (file == declared_.end() || !file->second.contains(module)) return false;
    if (!file->second.at(module) && !root->second.contains(module)) return true;
    inside = imports::InFolder(inside, module);
    parent = inside + ".rs";
  }
  return false;
}

bool IsHeader(std::string_view path) { return MatchesPart(path, R"(\.(h|hh|hpp|hxx|h\.in|hpp\.in)$)"); }

bool IsOffered(const SeenLines& header, int64_t number) {
  auto line = header.find(number);
  if (line == header.end()) return false;
  size_t depth = IndentOf(line->second.text);
  for (int64_t above = number - 1; depth > 0; --above) {
    line = header.find(above);
    if (line == header.end()) return false;
    const std::string& text = line->second.text;
    if (Trim(text).empty() || IndentOf(text) >= depth || Trim(text).starts_with('#')) continue;
    if (const auto part = PartBegunIn(text)) return *part;
    if (MatchesPart(text, R"(^\s*(template\s*<.*>\s*)?(struct|union)\b)")) return true;
    if (!MatchesPart(text, R"(^\s*(inline\s+)?namespace\s+\w|^\s*extern\s+"C")") || MatchesPart(text, R"((?i)\b(detail|details|internal|impl|private)\b)")) return false;
    depth = IndentOf(text);
  }
  return true;
}

}  // namespace paddock::subagents
