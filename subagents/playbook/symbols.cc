#include "subagents/playbook/symbols.h"

#include <charconv>

#include "subagents/playbook/languages.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxSymbols = 40'000;

int64_t NumberOf(const std::string& text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number < 0 ? 0 : number;
}

// Elsewhere a "member" is a field.
bool IsMethodAsMember(std::string_view kind, std::string_view language) { return kind == "member" && (language == "Python" || language == "Cython"); }

}  // namespace

std::vector<std::string> SplitTabs(std::string_view row, size_t least) {
  std::vector<std::string> fields;
  while (true) {
    const size_t tab = row.find('\t');
    fields.emplace_back(row.substr(0, tab));
    if (tab == std::string_view::npos) break;
    row.remove_prefix(tab + 1);
  }
  if (fields.size() < least) fields.resize(least);
  return fields;
}

bool IsFunctionKind(std::string_view kind, std::string_view language) {
  return IsMethodAsMember(kind, language) || kind == "function" || kind == "method" || kind == "func" || kind == "subroutine" || kind == "singletonMethod" || kind == "generator" || kind == "procedure" || kind == "constructor";
}

std::string PlainKind(const std::string& kind, std::string_view language) {
  static const std::map<std::string, std::string> kPlain = {
      {"func", "function"},        {"subroutine", "function"},       {"singletonMethod", "method of the class itself"}, {"generator", "generator function"}, {"methodSpec", "method of an interface"},
      {"enumerator", "value of an enumeration"}, {"enumConstant", "value of an enumeration"}, {"enum", "enumeration"}, {"struct", "structure"}, {"typedef", "type"},
      {"alias", "other name"},     {"packageName", "package"},       {"anonMember", "embedded field"},                  {"externvar", "variable"},           {"define", "macro"},
      {"getter", "property that is read"}, {"setter", "property that is set"}, {"var", "variable"},                     {"val", "constant"},                 {"const", "constant"},
      {"annotation", "annotation type"}, {"talias", "type"},                               {"prototype", "declaration"}};
  if (kind == "member") return IsMethodAsMember(kind, language) ? "method" : "field";
  const auto found = kPlain.find(kind);
  return found == kPlain.end() ? kind : found->second;
}

void Symbols::Take(const agentcore::CallOutcome& outcome) {
  for (const auto& artifact : outcome.result.artifacts) {
    if (artifact.kind != "symbols" || artifact.path.empty()) continue;
    for (const auto& row : artifact.lines) {
      auto fields = SplitTabs(row, 6);
      Symbol symbol{artifact.path, NumberOf(fields[0]), NumberOf(fields[1]), fields[2], fields[3], fields[4], fields[5]};
      if (symbol.line < 1 || symbol.name.empty() || count_ >= kMaxSymbols || At(symbol.path, symbol.line, symbol.name) != nullptr) continue;
      files_[artifact.path].push_back(std::move(symbol));
      ++count_;
    }
  }
}

const Symbol* Symbols::FunctionAround(const std::string& path, int64_t line) const {
  const Symbol* best = nullptr;
  const auto file = files_.find(path);
  if (file == files_.end()) return nullptr;
  const std::string language = LanguageOf(path);
  for (const auto& symbol : file->second)
    if (IsFunctionKind(symbol.kind, language) && symbol.line <= line && line <= symbol.end && (best == nullptr || symbol.line > best->line)) best = &symbol;
  return best;
}

const Symbol* Symbols::At(const std::string& path, int64_t line, const std::string& name) const {
  const auto file = files_.find(path);
  if (file == files_.end()) return nullptr;
  for (const auto& symbol : file->second)
    if (symbol.line == line && symbol.name == name) return &symbol;
  return nullptr;
}

}  // namespace paddock::subagents
