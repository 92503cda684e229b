// What of a line is code: comments, docstrings and strings that go on for many lines.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "subagents/playbook/code_lines.h"

namespace paddock::subagents {
namespace {

std::string Code(const std::string& path, const std::vector<std::string>& lines) {
  CodeReader reader(path);
  std::string out;
  for (const std::string& line : lines) out += CodeOf(&reader, line) + "|";
  return out;
}

TEST(CodeLines, BlanksAndCommentsOfTheCFamilyAreNone) {
  EXPECT_EQ(Code("a.c", {"int  a = 1;  // one", "/** long", "   text", " * more */ int b;", "s = \"/* a  b\";"}), "inta=1;|||intb;|s=\"/* a  b\";|");
  EXPECT_EQ(Code("a.js", {"x = y.replace(/[/*]\"/g, ''); // z", "t = `a", "  // b`;", "d = a / b; /* c */ e"}), "x=y.replace(/[/*]\"/g,'');|t=`a|  // b`;|d=a/b;e|");
  EXPECT_EQ(Code("a.rs", {"fn f<'a>(x: &'a str) {} // c"}), "fnf<'a>(x: &'astr){}|");
}

TEST(CodeLines, ADocstringIsAComment) {
  EXPECT_EQ(Code("a.py", {"def f(a):  # why", "    \"\"\"Text", "    more.", "    \"\"\"", "    return a + 1"}), "deff(a):||||    returna+1|");
  EXPECT_EQ(Code("a.py", {"x = \"\"\"a  b", "c # d", "\"\"\"", "f(", "  '''v'''", ")"}), "x=\"\"\"a  b|c # d|\"\"\"|f(|'''v'''|)|");
}

}  // namespace
}  // namespace paddock::subagents
