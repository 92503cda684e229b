#include "agentcore/tools/gitignore.h"

namespace paddock::agentcore {
namespace {

constexpr char kWildcards[] = "*?[\\";

// Spaces at the end go, but not one that a backslash protects.
std::string_view WithoutTrailingSpaces(std::string_view line) {
  size_t keep = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') continue;
    if (line[i] == '\\' && ++i == line.size()) return line;
    keep = i + 1;
  }
  return line.substr(0, keep);
}

}  // namespace

IgnoreRules::IgnoreRules(std::string_view text, size_t max_rules) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line[0] == '#') continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = line.substr(0, line.find('\0'));  // git keeps lines as C strings
    line = WithoutTrailingSpaces(line);
    if (rules_.size() >= max_rules) {
      truncated_ = true;
      return;
    }
    AddLine(line);
  }
}

void IgnoreRules::AddLine(std::string_view line) {
  Rule rule;
  if (line.starts_with('!')) {
    rule.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    rule.folders_only = true;
    line.remove_suffix(1);
  }
  rule.on_name = line.find('/') == std::string_view::npos;
  if (!rule.on_name && line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;  // matches no name
  const size_t plain = std::min(line.find_first_of(kWildcards), line.size());
  if (plain == line.size()) {
    rule.literal = line;
  } else if (rule.on_name && line[0] == '*' && line.find_first_of(kWildcards, 1) == std::string_view::npos) {
    rule.shape = Rule::Shape::kSuffix;
    rule.literal = line.substr(1);
  } else {
    rule.shape = Rule::Shape::kGlob;
    // On paths git matches the literal beginning by itself and gives the glob only the rest, so that "a**/b"
    // acts as "a" followed by "**/b" (git 2.39; changed in later versions).
    if (!rule.on_name) {
      rule.literal = line.substr(0, plain);
      line.remove_prefix(plain);
    }
    Glob glob(line, rule.on_name ? GlobMode::kName : GlobMode::kPath);
    if (!glob.well_formed()) return;
    rule.glob.push_back(std::move(glob));
  }
  rules_.push_back(std::move(rule));
}

bool IgnoreRules::Matches(const Rule& rule, std::string_view path, std::string_view name, GlobCost* cost) {
  std::string_view text = rule.on_name ? name : path;
  switch (rule.shape) {
    case Rule::Shape::kWhole: return text == rule.literal;
    case Rule::Shape::kSuffix: return text.ends_with(rule.literal);
    case Rule::Shape::kGlob: break;
  }
  if (!text.starts_with(rule.literal)) return false;
  return rule.glob[0].Match(text.substr(rule.literal.size()), cost);
}

IgnoreVerdict IgnoreRules::Check(std::string_view path, bool is_folder, GlobCost* cost) const {
  size_t slash = path.rfind('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (!cost->Spend(rules_.size())) return IgnoreVerdict::kNoRule;
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only && !is_folder) continue;
    if (Matches(*rule, path, name, cost)) return rule->negated ? IgnoreVerdict::kKept : IgnoreVerdict::kIgnored;
    if (cost->exhausted) return IgnoreVerdict::kNoRule;
  }
  return IgnoreVerdict::kNoRule;
}

}  // namespace paddock::agentcore
