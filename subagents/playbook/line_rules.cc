#include "subagents/playbook/line_rules.h"

#include <re2/re2.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>

#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxMatchedBytes = 4000;  // of a line
constexpr int kMaxGroups = 6;

std::vector<std::string>& Invalid() {
  static thread_local std::vector<std::string> patterns;
  return patterns;
}

thread_local int64_t patterns_tried = 0;

// Patterns are literals of this program: their addresses name them.
const RE2& Pattern(const char* text, bool any_case = false) {
  ++patterns_tried;
  static thread_local std::map<const char*, std::unique_ptr<RE2>> compiled[2];
  auto& slot = compiled[any_case][text];
  if (!slot) {
    RE2::Options options(RE2::Quiet);
    options.set_case_sensitive(!any_case);
    slot = std::make_unique<RE2>(text, options);
    if (!slot->ok()) Invalid().push_back(std::string(text) + ": " + slot->error());
  }
  assert(slot->pattern() == text);
  return *slot;
}

enum class Format { kNone, kToml, kJson, kXml, kGoMod };
Format FormatOf(std::string_view path) {
  if (path.ends_with(".toml") || path.ends_with(".cfg") || path.ends_with(".ini") || path.ends_with("/config")) return Format::kToml;
  if (path.ends_with(".json")) return Format::kJson;
  if (path.ends_with(".xml") || path.ends_with("proj")) return Format::kXml;
  if (BaseName(path) == "go.mod") return Format::kGoMod;
  return Format::kNone;
}

// Follows the section of a file, line by line. A gap between lines makes it unknown.
class Sections {
 public:
  explicit Sections(Format format) : format_(format) {}

  // The section that holds this line.
  std::string Of(std::string_view line, int64_t number) {
    if (number != last_ + 1) known_ = false;
    last_ = number;
    std::string_view text = Trim(line);
    std::string name;
    switch (format_) {
      case Format::kNone: return "";
      case Format::kToml:
        if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"(^\[\[?\s*([^\[\]]{1,200}?)\s*\]\]?\s*(?:#.*)?$)"), &name)) {
          stack_ = {name};
          known_ = true;
        } else if (stack_.size() > 1 && text.starts_with("]")) {
          stack_.pop_back();
        } else if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"(^([\w.-]+)\s*=\s*\[\s*(?:#.*)?$)"), &name)) {
          std::string here = Joined();
          if (stack_.size() < 8) stack_.push_back(name);
          return here;
        }
        return Joined();
      case Format::kJson:
        if (text.starts_with("}") || text.starts_with("]")) Pop();
        name = Joined();
        if (std::string key; RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"re(^"([^"]{1,200})"\s*:\s*[\[{]\s*$)re"), &key)) Push(key);
        else if (text == "{" || text == "[" || text.ends_with(", {") || text == "}, {") Push("");
        return name;
      case Format::kXml:
        if (text.starts_with("</")) Pop();
        name = Joined();
        if (!open_tag_.empty()) {  // "<project xmlns=..." goes on
          if (text.ends_with(">")) {
            if (!text.ends_with("/>")) Push(open_tag_);
            open_tag_.clear();
          }
          return name;
        }
        if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"(^<([\w.:-]+)(?:\s[^<>]*)?$)"), &open_tag_)) return name;
        if (std::string tag; RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"(^<([\w.:-]+)(?:\s[^<>]*)?>$)"), &tag) && !text.ends_with("/>")) Push(tag);
        return name;
      case Format::kGoMod:
        if (text.starts_with(")")) Pop();
        name = Joined();
        if (std::string key; RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(R"(^(\w+)\s*\($)"), &key)) Push(key);
        return name;
    }
    return "";
  }

 private:
  void Push(const std::string& name) {
    if (stack_.size() < 200) stack_.push_back(name);
  }
  void Pop() {
    if (!stack_.empty()) stack_.pop_back();
  }
  std::string Joined() const {
    if (!known_) return "?";
    std::string out;
    for (const auto& name : stack_)
      if (!name.empty()) out += (out.empty() ? "" : "/") + name;
    return out;
  }

  Format format_;
  std::vector<std::string> stack_;
  std::string open_tag_;
  int64_t last_ = 0;
  bool known_ = true;
};

}  // namespace

std::vector<std::string> InvalidPatterns() { return Invalid(); }
int64_t PatternsTried() { return patterns_tried; }

bool MatchesWhole(std::string_view text, const char* pattern) {
  return text.size() <= kMaxMatchedBytes * 2 && RE2::FullMatch(re2::StringPiece(text.data(), text.size()), Pattern(pattern));
}
bool MatchesWholeAnyCase(std::string_view path, const char* pattern) {
  return path.size() <= kMaxMatchedBytes * 2 && RE2::FullMatch(re2::StringPiece(path.data(), path.size()), Pattern(pattern, true));
}
bool MatchesPart(std::string_view text, const char* pattern) {
  text = text.substr(0, kMaxMatchedBytes);
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), Pattern(pattern));
}

std::optional<std::string> FirstGroup(std::string_view text, const char* pattern) {
  text = text.substr(0, kMaxMatchedBytes);
  const RE2& compiled = Pattern(pattern);
  re2::StringPiece found[2];
  const int groups = compiled.NumberOfCapturingGroups() > 0 ? 2 : 1;
  if (!compiled.ok() || !compiled.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, found, groups)) return std::nullopt;
  const re2::StringPiece& wanted = found[groups - 1];
  return wanted.data() == nullptr ? std::nullopt : std::optional(std::string(wanted));
}
std::vector<std::string> GroupsOf(std::string_view text, const char* pattern) {
  text = text.substr(0, kMaxMatchedBytes);
  const RE2& compiled = Pattern(pattern);
  std::vector<re2::StringPiece> found(static_cast<size_t>(std::clamp(compiled.NumberOfCapturingGroups(), 0, kMaxGroups)) + 1);
  std::vector<std::string> groups;
  if (!compiled.ok() || !compiled.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, found.data(), static_cast<int>(found.size()))) return groups;
  for (size_t i = 1; i < found.size(); ++i) groups.emplace_back(found[i].data(), found[i].size());
  return groups;
}
std::optional<size_t> MatchAt(std::string_view text, const char* pattern) {
  text = text.substr(0, kMaxMatchedBytes);
  const RE2& compiled = Pattern(pattern);
  re2::StringPiece found;
  if (!compiled.ok() || !compiled.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, &found, 1)) return std::nullopt;
  return static_cast<size_t>(found.data() - text.data());
}

std::vector<LineHit> FindLines(const RepoView& view, const LineRule& rule, size_t limit) {
  std::vector<LineHit> hits;
  const RE2& line_pattern = Pattern(rule.line);
  if (!line_pattern.ok()) return hits;
  int groups = std::min(line_pattern.NumberOfCapturingGroups(), kMaxGroups);
  bool debian = std::string_view(rule.file).find("debian") != std::string_view::npos;
  for (const auto& path : view.ReadFiles()) {
    if (hits.size() >= limit) break;
    if (!MatchesWhole(path, rule.file) || (!debian && IsForeignPath(path))) continue;
    Sections sections(rule.section != nullptr ? FormatOf(path) : Format::kNone);
    for (const auto& [number, line] : *view.LinesOf(path)) {
      if (hits.size() >= limit) break;
      std::string_view text = std::string_view(line.text).substr(0, kMaxMatchedBytes);
      std::string section = rule.section != nullptr ? sections.Of(text, number) : "";
      if (line.cut) continue;
      std::vector<re2::StringPiece> found(static_cast<size_t>(groups) + 1);
      if (!line_pattern.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED, found.data(), groups + 1)) continue;
      if (rule.section != nullptr && !MatchesWhole(section, rule.section)) continue;
      if (rule.unless != nullptr && MatchesPart(text, rule.unless)) continue;
      LineHit hit{path, number, line.text, {}};
      for (int i = 1; i <= groups; ++i) hit.groups.emplace_back(found[static_cast<size_t>(i)].data() ? std::string(found[static_cast<size_t>(i)]) : std::string());
      hits.push_back(std::move(hit));
    }
  }
  return hits;
}

std::optional<Citation> CiteHit(const RepoView& view, const LineHit& hit) {
  std::string part;
  for (const auto& group : hit.groups)
    if (part.empty()) part = group;
  return view.Cite(hit.path, hit.line, hit.line, part);
}

std::string FillTemplate(const char* text, const LineHit& hit) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    size_t close = rest.front() == '{' ? rest.find('}') : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    std::string_view name = rest.substr(1, close - 1);
    std::string_view base = BaseName(hit.path);
    if (name == "file") out += hit.path;
    else if (name == "base") out += base;
    else if (name == "dir") out += FolderName(hit.path);
    else if (name == "stem") out += base.substr(0, base.rfind('.'));
    else if (name.size() == 1 && name[0] >= '1' && static_cast<size_t>(name[0] - '1') < hit.groups.size()) out += hit.groups[static_cast<size_t>(name[0] - '1')];
    else out += rest.substr(0, close + 1);
    rest.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace paddock::subagents
