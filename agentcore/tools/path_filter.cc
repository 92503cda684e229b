#include "agentcore/tools/path_filter.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxAlternatives = 64;
constexpr std::string_view kAnyCase = ":(icase)";

// Letters of ASCII in lower case, and the two beyond it that file systems take for such: the Kelvin sign and the long s.
std::string Folded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "\u212A") out += 'k', i += 2;
    else if (text.substr(i, 2) == "\u017F") out += 's', i += 1;
    else out += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  return out;
}

// Position of the next `wanted` character that no backslash protects, or npos.
size_t FindPlain(std::string_view text, char wanted, size_t from) {
  for (size_t i = from; i < text.size(); ++i) {
    if (text[i] == wanted) return i;
    if (text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

// Takes the first brace group apart: "a{b,c}d" gives "abd", "acd". False when there is none.
bool ExpandFirst(const std::string& text, std::vector<std::string>* out) {
  size_t open = FindPlain(text, '{', 0);
  if (open == std::string::npos) return false;
  size_t close = open;
  int depth = 0;
  std::vector<size_t> cuts = {open};
  for (; close < text.size(); ++close) {
    char c = text[close];
    if (c == '\\') ++close;
    else if (c == '{') ++depth;
    else if (c == ',' && depth == 1) cuts.push_back(close);
    else if (c == '}' && --depth == 0) break;
  }
  if (close >= text.size() || cuts.size() < 2) return false;
  cuts.push_back(close);
  for (size_t i = 0; i + 1 < cuts.size(); ++i)
    out->push_back(text.substr(0, open) + text.substr(cuts[i] + 1, cuts[i + 1] - cuts[i] - 1) + text.substr(close + 1));
  return true;
}

}  // namespace

Result<PathFilter> PathFilter::Parse(std::string_view text) {
  PathFilter filter;
  filter.any_case_ = text.starts_with(kAnyCase);
  if (filter.any_case_) text.remove_prefix(kAnyCase.size());
  if (text.empty()) return filter;
  std::vector<std::string> pending = {filter.any_case_ ? Folded(text) : std::string(text)}, plain;
  while (!pending.empty()) {
    std::string one = std::move(pending.back());
    pending.pop_back();
    if (!ExpandFirst(one, &pending)) plain.push_back(std::move(one));
    if (pending.size() + plain.size() > kMaxAlternatives)
      return Fail(ErrorKind::kInvalid, "more than " + std::to_string(kMaxAlternatives) + " alternatives in braces", "use a wider pattern");
  }
  filter.on_name_ = text.find('/') == std::string_view::npos;
  for (std::string_view one : plain) {
    if (one.starts_with("./")) one.remove_prefix(2);
    if (one.starts_with('/')) one.remove_prefix(1);
    if (one.ends_with('/')) one.remove_suffix(1);
    Glob glob(one, filter.on_name_ ? GlobMode::kName : GlobMode::kPath);
    if (!glob.well_formed())
      return Fail(ErrorKind::kInvalid, "a glob with an open \"[\", an unknown [:class:] or a backslash at its end",
                  "globs: *, ?, [a-z], [!a], ** between slashes, {a,b}; a special character is written with a backslash before it");
    filter.globs_.push_back(std::move(glob));
  }
  return filter;
}

bool PathFilter::Wants(std::string_view path, GlobCost* cost) const {
  if (globs_.empty()) return true;
  size_t slash = path.rfind('/');
  std::string_view text = on_name_ && slash != std::string_view::npos ? path.substr(slash + 1) : path;
  const std::string folded = any_case_ ? Folded(text) : std::string();
  if (any_case_) text = folded;
  for (const Glob& glob : globs_)
    if (glob.Match(text, cost)) return true;
  return false;
}

}  // namespace paddock::agentcore
