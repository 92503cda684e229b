// Rows of the tools that index symbols (outline, find_symbol): artifacts of kind "symbols".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agentcore/model/model.h"

namespace paddock::subagents {

struct Symbol {
  std::string path;
  int64_t line = 0, end = 0;  // end: 0 where it isn't known
  std::string kind, name, scope, signature;
};

// "a\tb" → {"a", "b"}; at least `least` fields, the missing ones empty.
std::vector<std::string> SplitTabs(std::string_view row, size_t least);

class Symbols {
 public:
  void Take(const agentcore::CallOutcome& outcome);
  // By file, each in the order it came.
  const std::map<std::string, std::vector<Symbol>>& files() const { return files_; }
  bool empty() const { return files_.empty(); }
  // The innermost function that holds the line; nullptr where none is known.
  const Symbol* FunctionAround(const std::string& path, int64_t line) const;
  // The symbol that begins in this line; nullptr where none is known.
  const Symbol* At(const std::string& path, int64_t line, const std::string& name) const;

 private:
  std::map<std::string, std::vector<Symbol>> files_;
  size_t count_ = 0;
};

// `language`: LanguageOf.
bool IsFunctionKind(std::string_view kind, std::string_view language);
// The index's word for a kind in plain ones: "member" of Python is a method.
std::string PlainKind(const std::string& kind, std::string_view language);

}  // namespace paddock::subagents
