// A made-up repository that counts words, for the debugger's tests.
#pragma once

#include <map>
#include <string>

#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {

inline std::map<std::string, std::string> Words() {
  return {{"Makefile", "check:\n\t./run\n"},
          {"README.md", "# Words\n\nRun `make check`.\n"},
          {"src/words.c", "#include \"words.h\"\n\nint count_words(const char *text) {\n  int n = 0;\n  while (*text) n += is_gap(*text++);\n  return n;\n}\n"},
          {"src/gap.c", "#include \"words.h\"\n\nint is_gap(int c) {\n  return c == ' ';\n}\n"},
          {"src/other.c", "int other(void) {\n  return 1;\n}\n"},
          {"src/words.h", "int count_words(const char *text);\nint is_gap(int c);\n"},
          {"tests/check_all.c", "#include \"words.h\"\n\nvoid test_empty(void) {\n  assert(other() == 1);\n}\n\nvoid test_two(void) {\n  int n = count_words(\"a b\");\n  assert(n == 2);\n}\n"}};
}

// Of the n-th suspect; "" where there are fewer.
inline std::string Path(const Report& report, size_t n) { return report.data["suspects"].size() > n ? report.data["suspects"][n]["path"].get<std::string>() : ""; }

}  // namespace paddock::subagents
