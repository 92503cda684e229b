// How formats of settings let a name be written: what the rules of a key have to take, and what hides the key from them.
#pragma once

#include "subagents/playbook/triage_rules.h"

namespace paddock::subagents {

// Around the keys of YAML that a rule wants: on a line of their own or within braces, as items, with an anchor or a tag, in quotes.
#define YAML_BEFORE R"(^(?:[^#]*\{(?:[^#]*,)?|\s*,)?\s*(?:[-?]\s+)*(?:[&!]\S*\s+)*["']?)"
#define YAML_BEHIND R"(["']?\s*:)"
// The same of TOML.
#define TOML_BEFORE R"((?:^|[.{,])\s*["']?)"
#define TOML_BEHIND R"(["']?\s*=)"

// Letters, digits and what else names are made of, as two hexadecimal digits.
#define NAME_HEX "(?:2[dDeEfF]|3[0-9aA]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])"

// A key that may be any: behind "? ", another's alias, one that goes on in the next line.
#define YAML_HIDDEN R"((^\s*(?:-\s+)*\?(?:\s+(?:[&!]\S*\s+)*\S+\s*(?:#.*)?$|\s*$)|^\s*(?:-\s+)*\*[\w.-]+\s+:(?:\s.*|$)|^\s*"[^":\s]*\\$))"
// Within braces its colon may stand on a line of its own.
#define YAML_HIDDEN_FLOW R"((^\s*(?:-\s+)*\?(?:\s+\S.*|\s*$)|(?:^\s*(?:-\s+)*|[{,]\s*)\*[\w.-]+\s+:(?:\s.*|$)|(?:^|[{,])\s*"[^":]*\\$|^\s*:(?:\s.*|$)))"
// Of XML a "-" before a word is written so by authors of documents, and where two may not stand, in a comment; not within a name.
#define XML_HEX "(?:2[eEfF]|3[0-9aA]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])"
#define XML_HIDDEN_DASH R"((&#(?:0*45|[xX]0*2[dD]);\w.*))"
// A character by its number, a word with a comment or a CDATA section within.
#define XML_HIDDEN R"re((&#(?:0*(?:4[6-9]|5[0-8]|6[5-9]|[78]\d|90|95|9[7-9]|1[01]\d|12[0-2])|[xX]0*)re" XML_HEX R"re();|[\w.]&#(?:0*45|[xX]0*2[dD]);\w|[\w.-]<!--.*?-->[\w.-]|[\w.-]<!\[CDATA\[|\]\]>[\w.-]))re"
// A quote or backslash within the name of an option, where words are read as a shell does.
#define OPTION_HIDDEN R"re(^(?:[^#]*\s)?(-[\w-]*["'\\](?:\w.*|\s*$)))re"

// What makes Python read its source as other letters than those that stand there.
#define ODD_ENCODING R"((?i)^\s*#.*?coding[:=]\s*((?:utf_?-?7|raw|unicode|punycode|idna|rot|hex|base64|zlib|bz2|uu|quopri)[\w-]*))"

// `until`: as in TriageRule.
constexpr TriageRule HiddenName(const char* line, const char* files, Severity severity = Severity::kHigh, int64_t until = 0) {
  return {"hidden-name", severity, line, "a name is spelt in a way that hides what it is: `{1}`", files, nullptr, nullptr, until};
}

}  // namespace paddock::subagents
