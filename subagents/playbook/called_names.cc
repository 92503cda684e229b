#include "subagents/playbook/called_names.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr char kNoFunctions[] =
    R"((?i)if|for|while|switch|return|sizeof|catch|function|def|fn|func|lambda|defined|assert\w*|static_assert|expect\w*|should\w*|ck_assert\w*|cu_assert\w*|test_?assert\w*|describe|it|test|tests|suite|context|before\w*|after\w*|setup|teardown|print\w*|f?printf|s?n?printf|puts|fputs|console|log|require|import|len|range|str|int|float|list|dict|set|tuple|super|isinstance|type|repr|free|malloc|calloc|memset|memcpy|memcmp|strlen|strcmp|strncmp|strcpy|exit|abort|main|errorf?|fatalf?|t\.run|run|fail\w*|ok|equal\w*|notequal\w*|deepequal\w*|strictequal\w*|throws|not_?equal\w*|true|false|null|new|not|and|or|in|with|append|push|map|filter|foreach|tobe\w*|toequal\w*|tothrow\w*|is_?null|is_?not_?null|assert_eq|vec|some|none|unwrap|to_string|string|raises|mark|parametrize|fixture)";

bool IsTestBegin(std::string_view path, std::string_view line) {
  if (line.ends_with(';') || line.ends_with(',')) return false;  // a check's macro, mostly
  if (MatchesPart(line, R"(^\s*([A-Z_]*TEST[A-Z_\d]*|START_TEST|BOOST_AUTO_TEST_CASE|SCENARIO|DOCTEST_TEST_CASE|CASE)\s*\(|^\s*(it|test|describe|specify)(\.\w+)?\s*\(|\bt\.Run\(|\bt\.test\(\s*["'`]|^\s*(test|subtest)\s+["']|^\s*x?(it|its|specify|example|scenario|test|describe|context|feature)\b[^=]*\bdo(\s*\|[^|]*\|)?\s*$|^\s*@Test\b|^\s*#\[(\w+::)?test\b)")) return true;
  const auto defined = DefinedOn(path, line);
  return defined && defined->kind == "function";
}

}  // namespace

std::vector<std::string> AllNamesCalled(std::string_view line) {
  static const RE2 call(R"(([A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*)(?:<[\w, :*&]*>)?\s*[!]?\()");
  std::vector<std::string> names;
  re2::StringPiece rest(line.data(), line.size()), found;
  while (names.size() < 16 && RE2::FindAndConsume(&rest, call, &found)) {
    std::string name(found.data(), found.size());
    const size_t last = name.find_last_of(".:>");
    if (last != name.npos) name.erase(0, last + 1);
    if (name.size() < 2 || name.size() > 100) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> NamesCalled(std::string_view line) {
  auto names = AllNamesCalled(line);
  std::erase_if(names, [](const std::string& name) { return MatchesWhole(name, kNoFunctions); });
  return names;
}

std::vector<std::string> NamesOfMembers(std::string_view line) {
  static const RE2 member(R"([\w$)\]]\s?(?:\.|->)([A-Za-z_$][\w$]*))");
  std::vector<std::string> names;
  re2::StringPiece rest(line.data(), line.size()), found;
  while (names.size() < 12 && RE2::FindAndConsume(&rest, member, &found)) {
    std::string name(found.data(), found.size());
    if (name.size() >= 3 && name.size() <= 100 && !MatchesWhole(name, kNoFunctions)) names.push_back(std::move(name));
  }
  return names;
}

bool BeginsTestNamed(const std::string& path, const std::string& line, const std::string& name) {
  const auto defined = DefinedOn(path, line);
  return defined && defined->kind == "function" ? defined->name == name : IsTestBegin(path, line);
}

bool MayBeginTest(const RepoView& view, const std::string& path, int64_t line) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr || !lines->contains(line)) return false;
  const std::string& text = lines->at(line).text;
  return IsTestBegin(path, text) || MatchesPart(text, R"([{(]\s*$|=>\s*$|:\s*$)");
}

int64_t BeginOfTest(const RepoView& view, const std::string& path, int64_t line, int64_t reach) {
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr) return line;
  for (int64_t n = line; n > 0 && n > line - reach; --n) {
    const auto found = lines->find(n);
    if (found == lines->end()) return n + 1;
    if (IsTestBegin(path, found->second.text)) return n;
  }
  return std::max<int64_t>(1, line - reach);
}

std::map<std::string, NearCall> CalledBefore(const RepoView& view, const std::string& path, int64_t first, int64_t last) {
  std::map<std::string, NearCall> called;
  const SeenLines* lines = view.LinesOf(path);
  if (lines == nullptr || last < first) return called;
  const auto add = [&](const std::string& name, double near, int64_t line) {
    NearCall& one = called[name];
    if (near > one.near) one = {near, line};
  };
  const auto begin = lines->lower_bound(first);
  for (auto at = lines->upper_bound(last); at != begin;) {
    --at;
    const auto& [n, line] = *at;
    if (IsCommentLine(path, line.text)) continue;
    const double near = last - n == 0 ? 1.0 : last - n <= 3 ? 0.8 : last - n <= 10 ? 0.6 : 0.4;
    // What a message says is called isn't.
    CodeReader reader(path);
    const std::string code = BareCode(&reader, line.text);
    for (const std::string& name : NamesCalled(code)) add(name, near, n);
    for (const std::string& name : NamesOfMembers(code)) add(name, 0.7 * near, n);
  }
  return called;
}

}  // namespace paddock::subagents
