// outline: what is defined in a file or folder. Its artifacts and facts are described in symbol_tools.h.
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/symbol_tools.h"
#include "agentcore/tools/symbols.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxFiles = 1500;

struct OutlineArguments {
  std::string path = ".";
  int64_t limit = 300;
  std::string kind;
};
auto Fields(FieldsOf<OutlineArguments>) {
  using A = OutlineArguments;
  return std::make_tuple(Optional("path", &A::path, "file or folder, relative to the workspace").MaxLength(32768),
                         Optional("limit", &A::limit, "symbols in this result").Min(1).Max(5000),
                         Optional("kind", &A::kind, "only symbols of this kind, for example function, class, struct, method, macro; empty: all").MaxLength(64));
}

using OutlineRequest = PathRequest<OutlineArguments>;

class Outline : public PathTool<OutlineRequest> {
 public:
  Outline()
      : PathTool(ToolSpecOf<OutlineArguments>(
            "outline",
            "list what is defined in a file, or in the files of a folder: functions, classes, macros and so on, each with its line, the line where it ends, scope and signature.",
            "finding where one name is defined (use find_symbol), where it is used (use search_text), reading code (use read_file).",
            Json{{"path", "src"}, {"kind", "function"}, {"limit", 100}})) {}

  ToolOutcome<ToolResult> Look(const OutlineRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const SourceFiles files = TRY(FilesForSymbols(context, path, nullptr));
    std::vector<Artifact> artifacts;
    int64_t given = 0;
    size_t bytes = 0;
    bool truncated = false;
    const SymbolSearch search = TRY(FindSymbols(context, files.paths, [&](Symbol symbol) {
      if (!asked.kind.empty() && symbol.kind != asked.kind) return true;
      std::string row = SymbolRow(symbol);
      const std::string shown = PathToText(symbol.path);
      const bool next = artifacts.empty() || artifacts.back().path != shown;
      truncated = given == asked.limit || bytes + row.size() > context.max_output_bytes || (next && artifacts.size() == kMaxFiles);
      if (truncated) return false;
      if (next) {
        artifacts.emplace_back();
        artifacts.back().kind = "symbols";
        artifacts.back().path = shown;
        artifacts.back().facts["language"] = WireFromBytes(symbol.language);
        bytes += shown.size() + 64;
      }
      bytes += row.size() + 1;
      artifacts.back().lines.push_back(std::move(row));
      ++given;
      return true;
    }));
    return Assemble(asked, path, files, search, given, truncated, std::move(artifacts));
  }

 private:
  static ToolResult Assemble(const OutlineArguments& asked, const std::string& path, const SourceFiles& files, const SymbolSearch& search, int64_t given, bool truncated,
                             std::vector<Artifact> artifacts) {
    const bool complete = files.complete && !search.deadline_passed && !search.cut && search.crashed.empty();
    ToolResult result;
    result.success = true;
    result.status = complete ? ToolStatus::kOk : ToolStatus::kPartial;
    result.summary = std::to_string(given) + (given == 1 ? " symbol" : " symbols") + " in " + std::to_string(artifacts.size()) + (artifacts.size() == 1 ? " file" : " files") +
                     " of " + QuotedPath(path) + (truncated ? ", and there are more" : "");
    result.output = result.summary + ".";
    if (given == 0) result.output += "\nctags knows no symbols there" + std::string(asked.kind.empty() ? "." : " of that kind; leave kind out to see which there are.");
    if (truncated) result.next_actions.push_back("narrow it with path or kind, or raise limit (at most 5000)");
    if (!complete) {
      result.output += "\nNot complete: " + (search.crashed.empty() ? "the deadline passed, or there were too many files." : CrashNote(search));
      result.recovery_hint = "what is given is right; ask for one folder at a time";
    }
    if (!artifacts.empty()) {
      Json& facts = artifacts.front().facts;
      facts["files"] = search.files;
      facts["symbols"] = given;
      facts["truncated"] = truncated;
      facts["complete"] = complete;
    }
    result.artifacts = std::move(artifacts);
    return result;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeOutline() { return std::make_unique<Outline>(); }

}  // namespace paddock::agentcore
