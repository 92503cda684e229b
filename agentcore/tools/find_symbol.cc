// find_symbol: where a name is defined. Its artifacts and facts are described in symbol_tools.h.
#include <algorithm>
#include <map>

#include "agentcore/tools/line_range.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/symbol_tools.h"
#include "agentcore/tools/symbols.h"
#include "agentcore/tools/workspace_file.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMostRange = 64u << 10;

struct FindSymbolArguments {
  std::string name;
  std::string path = ".";
  bool prefix = false;
  int64_t limit = 50;
};
auto Fields(FieldsOf<FindSymbolArguments>) {
  using A = FindSymbolArguments;
  return std::make_tuple(Required("name", &A::name, "of a function, class, macro and so on, as it is written; with its scope before it (Class::name, module.name) only those of that scope").NonEmpty().MaxLength(512),
                         Optional("path", &A::path, "file or folder to look in, relative to the workspace").MaxLength(32768),
                         Optional("prefix", &A::prefix, "true: also names that begin with it"),
                         Optional("limit", &A::limit, "definitions in this result").Min(1).Max(500));
}

// "ns::Class::f" as scope "ns::Class" and name "f"; "a.b" likewise.
struct Wanted {
  std::string scope, name;
  bool prefix = false;

  bool Fits(const Symbol& symbol) const {
    if (prefix ? !symbol.name.starts_with(name) : symbol.name != name) return false;
    if (scope.empty() || symbol.scope == scope) return true;
    return symbol.scope.ends_with("::" + scope) || symbol.scope.ends_with("." + scope);
  }
};
Wanted WantedOf(const FindSymbolArguments& asked) {
  size_t at = asked.name.rfind("::");
  const size_t dot = asked.name.rfind('.');
  const bool dotted = dot != std::string::npos && (at == std::string::npos || dot > at);
  if (dotted) at = dot;
  const size_t after = at + (dotted ? 1 : 2);
  if (at == std::string::npos || at == 0 || after >= asked.name.size()) return {"", asked.name, asked.prefix};
  return {asked.name.substr(0, at), asked.name.substr(after), asked.prefix};
}

// Most files don't hold the name at all: ctags need not see them.
bool Holds(int root_fd, const std::string& path, const std::string& name) {
  auto file = OpenRegularFile(root_fd, path, Links::kNever);
  if (!file) return false;
  std::string text(std::min<uint64_t>(file->size, kMaxSearchedBytes), '\0');
  size_t have = 0;
  while (have < text.size()) {
    const ssize_t n = ::read(file->fd.get(), text.data() + have, text.size() - have);
    if (n <= 0) break;
    have += static_cast<size_t>(n);
  }
  return std::string_view(text).substr(0, have).find(name) != std::string_view::npos;
}

using FindSymbolRequest = PathRequest<FindSymbolArguments>;

class FindSymbol : public PathTool<FindSymbolRequest> {
 public:
  FindSymbol()
      : PathTool(ToolSpecOf<FindSymbolArguments>(
            "find_symbol",
            "find where a function, class, macro or other name is defined: file, line, kind, scope and signature, and the first line of each definition.",
            "where a name is used (use search_text), everything in a file (use outline).",
            Json{{"name", "main"}, {"path", "src"}})) {}

  ToolOutcome<ToolResult> Look(const FindSymbolRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const Wanted wanted = WantedOf(asked);
    const SourceFiles files = TRY(FilesForSymbols(context, path, [&](const std::string& one) { return Holds(context.root_fd, one, wanted.name); }));
    std::vector<Symbol> found;
    bool truncated = false;
    const SymbolSearch search = TRY(FindSymbols(context, files.paths, [&](Symbol symbol) {
      if (!wanted.Fits(symbol)) return true;
      truncated = std::ssize(found) == asked.limit;
      if (!truncated) found.push_back(std::move(symbol));
      return !truncated;
    }));
    return Assemble(asked, files, search, truncated, found, context);
  }

 private:
  ToolOutcome<void> Complete(FindSymbolRequest* request) const override {
    if (request->asked.name.find_first_of("\t\n\r") != std::string::npos) return Bad("$.name: holds a tab or a line end, which no name has");
    return {};
  }

  static ToolResult Assemble(const FindSymbolArguments& asked, const SourceFiles& files, const SymbolSearch& search, bool truncated, const std::vector<Symbol>& found,
                             const ToolContext& context) {
    const bool complete = files.complete && !search.deadline_passed && !search.cut && search.crashed.empty();
    std::vector<Artifact> symbols;
    for (const Symbol& symbol : found) {
      const std::string shown = PathToText(symbol.path);
      if (symbols.empty() || symbols.back().path != shown) {
        symbols.emplace_back();
        symbols.back().kind = "symbols";
        symbols.back().path = shown;
        symbols.back().facts["language"] = WireFromBytes(symbol.language);
      }
      symbols.back().lines.push_back(SymbolRow(symbol));
    }
    ToolResult result;
    result.success = true;
    result.status = complete ? ToolStatus::kOk : ToolStatus::kPartial;
    result.summary = std::to_string(found.size()) + (found.size() == 1 ? " definition" : " definitions") + " in " + std::to_string(symbols.size()) +
                     (symbols.size() == 1 ? " file" : " files") + (truncated ? ", and there are more" : "");
    result.output = result.summary + ".";
    if (!symbols.empty()) {
      Json& facts = symbols.front().facts;
      facts["files"] = search.files;
      facts["symbols"] = found.size();
      facts["truncated"] = truncated;
      facts["complete"] = complete;
    }
    if (found.empty()) {
      result.output += "\nctags finds no definition of that name; it may be made by a macro, or be written in a language that ctags does not know.";
      result.next_actions.push_back("see where it is written: " + CallText("search_text", Json{{"pattern", asked.name}, {"literal", true}}));
      if (!asked.prefix) result.next_actions.push_back("try prefix");
    }
    if (truncated) result.next_actions.push_back("narrow it with path, or raise limit (at most 500)");
    if (!complete) {
      result.output += "\nNot complete: " + (search.crashed.empty() ? "the deadline passed, or there were too many files." : CrashNote(search));
      result.recovery_hint = "what is given is right; look in one folder at a time";
    }
    result.artifacts = std::move(symbols);
    AddFirstLines(found, context, &result);
    return result;
  }

  static void AddFirstLines(const std::vector<Symbol>& found, const ToolContext& context, ToolResult* result) {
    size_t bytes = 0;
    const Symbol* before = nullptr;
    for (const Symbol& symbol : found) {
      const bool again = before && before->path == symbol.path && before->line == symbol.line;
      before = &symbol;
      if (again) continue;
      auto range = ReadLineRange(context.root_fd, PathToText(symbol.path), symbol.line, symbol.line, kMostRange, context.deadline);
      if (!range || range->lines.empty()) continue;
      Artifact excerpt;
      excerpt.kind = "excerpt";
      excerpt.path = PathToText(symbol.path);
      excerpt.line_start = symbol.line;
      excerpt.lines = {WireFromBytes(TruncateUtf8(range->lines.front(), kMaxLineBytes))};
      if (range->lines.front().size() > kMaxLineBytes) excerpt.cut = {symbol.line};
      if ((bytes += excerpt.lines.front().size()) > context.max_output_bytes) return;
      result->artifacts.push_back(std::move(excerpt));
    }
  }
};

}  // namespace

std::unique_ptr<Tool> MakeFindSymbol() { return std::make_unique<FindSymbol>(); }

}  // namespace paddock::agentcore
