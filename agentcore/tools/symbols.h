// What ctags finds in files: definitions by line, kind and name. It reads no settings (--options=NONE), of the repository's
// least of all, and its output is taken apart as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agentcore/tools/tool.h"
#include "agentcore/tools/tool_error.h"

namespace paddock::agentcore {

struct Symbol {
  std::string path, name;  // bytes
  int64_t line = 0, end = 0;  // end: 0 where it isn't known
  std::string kind, scope, signature, language;  // bytes; scope without its kind
};

// Lines of --output-format=u-ctags, with number, kind, scope, signature, end and language. Other lines are left out.
std::vector<Symbol> ParseTags(std::string_view output);

inline constexpr size_t kMaxCrashed = 5;
struct SymbolSearch {
  int64_t files = 0;           // that ctags was given
  bool deadline_passed = false;
  bool cut = false;            // some batch wrote too much
  std::vector<std::string> crashed;  // files at which ctags was ended by a signal; the first kMaxCrashed of them
};
// In each of `files` (bytes, relative to the workspace), in order, until `take` returns false. kUnsupported: no ctags.
ToolOutcome<SymbolSearch> FindSymbols(const ToolContext& context, const std::vector<std::string>& files, const std::function<bool(Symbol)>& take);

// "ctags crashed at a.c: ...", or "".
std::string CrashNote(const SymbolSearch& search);

// The files that may hold symbols, from `start`: a file itself, else those of the walk that are not too large; no more than
// `most`. `wanted`: nullptr, or asked for each.
struct SourceFiles {
  std::vector<std::string> paths;
  bool complete = true;
  int64_t hidden = 0;
};
ToolOutcome<SourceFiles> FilesForSymbols(const ToolContext& context, const std::string& start, const std::function<bool(const std::string&)>& wanted);

// "line \t end \t kind \t name \t scope \t signature".
std::string SymbolRow(const Symbol& symbol);

}  // namespace paddock::agentcore
