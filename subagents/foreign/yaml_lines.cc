#include "subagents/foreign/yaml_lines.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "subagents/foreign/quoted_text.h"
#include "subagents/foreign/yaml_flow.h"

namespace paddock::subagents {
namespace {

struct Line {
  int number = 0;
  size_t indent = 0;
  std::string_view text;  // without indentation and trailing blanks
  std::string_view raw;
  bool blank() const { return text.empty(); }
};

bool IsItem(std::string_view text) { return text == "-" || text.starts_with("- "); }

// Where the key of `key: value` ends: its colon. npos: there is none.
size_t KeyEnd(std::string_view text) {
  if (text.starts_with('"') || text.starts_with('\'')) {
    const size_t quote = text.find(text.front(), 1);
    if (quote == text.npos) return text.npos;
    const size_t colon = text.find_first_not_of(' ', quote + 1);
    return colon != text.npos && text[colon] == ':' && (colon + 1 == text.size() || text[colon + 1] == ' ') ? colon : text.npos;
  }
  for (size_t at = text.find(':'); at != text.npos; at = text.find(':', at + 1))
    if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\t') return at;
  return text.npos;
}

class Reader {
 public:
  Reader(std::string_view text, int first) {
    for (int number = first; !text.empty(); ++number) {
      const size_t end = text.find('\n');
      const std::string_view raw = TrimEnd(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      const size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
      lines_.push_back({number, indent, raw.substr(indent), raw});
    }
  }

  std::expected<YamlNode, YamlFault> Read() {
    YamlNode top;
    top.kind = YamlNode::Kind::kMap;
    if (Skip()) {
      if (IsItem(Here().text)) Broken(Here().number, "expected `key: value`, got a list");
      else top = Map(Here().indent, 0);
    }
    if (!bounds_.fault && Skip()) Broken(Here().number, "expected `key: value` at the same indentation as the first key");
    if (bounds_.fault) return std::unexpected(*bounds_.fault);
    return top;
  }

 private:
  const Line& Here() const { return lines_[at_]; }
  // To the next line that says something. False: there is none.
  bool Skip() {
    while (at_ < lines_.size() && (Here().blank() || IsComment(Here().text))) ++at_;
    return at_ < lines_.size();
  }
  void Broken(int line, std::string message) { bounds_.Broken(line, std::move(message)); }
  bool Enough(int depth, int line) { return bounds_.Enough(depth, line); }

  YamlNode Text(int line, std::string text) {
    YamlNode node;
    node.text = std::move(text);
    node.line = line;
    return node;
  }

  YamlNode Map(size_t indent, int depth) {
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.line = Here().number;
    if (!Enough(depth, map.line)) return map;
    while (!bounds_.fault && Skip() && Here().indent == indent && !IsItem(Here().text)) {
      Entry(Here().text, indent, depth, &map);
    }
    if (!bounds_.fault && Skip() && Here().indent > indent) Broken(Here().number, "unexpected indentation");
    return map;
  }

  // `text` is the line's, or what stands behind its dash; the entry's own lines are deeper than `indent`.
  void Entry(std::string_view text, size_t indent, int depth, YamlNode* map) {
    const int line = Here().number;
    if (text.starts_with('\t')) return Broken(line, "a tab as indentation");
    const size_t colon = KeyEnd(text);
    if (colon == text.npos || colon == 0)
      return Broken(line, "expected `key: value`, got \"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\"");
    std::string key(Trim(text.substr(0, colon)));
    if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'')) key = key.substr(1, key.size() - 2);
    const std::string shown = "\"" + VisibleText(TruncateUtf8(key, 64), Newlines::kEscape) + "\"";
    for (const YamlEntry& earlier : map->map)
      if (earlier.key == key) return Broken(line, "duplicate key " + shown + ", first given in line " + std::to_string(earlier.value.line));
    YamlNode value = Value(Trim(text.substr(colon + 1)), indent, depth + 1);
    if (key == "<<") value = UnreadYaml(line, "merge keys are not followed");
    value.line = line;
    map->map.push_back({std::move(key), std::move(value)});
  }

  YamlNode List(size_t indent, int depth) {
    YamlNode list;
    list.kind = YamlNode::Kind::kList;
    list.line = Here().number;
    if (!Enough(depth, list.line)) return list;
    while (!bounds_.fault && Skip() && Here().indent == indent && IsItem(Here().text)) {
      const int line = Here().number;
      const std::string_view rest = Here().text.substr(1);
      const std::string_view item = Trim(rest);
      if (!item.empty() && !IsComment(item) && item.front() != '[' && item.front() != '{' && !IsAnchorLike(item) && KeyEnd(item) != item.npos) {
        // A map, whose first entry stands behind the dash: its keys are where that one begins.
        const size_t column = indent + 1 + std::min(rest.find_first_not_of(' '), rest.size());
        YamlNode map;
        map.kind = YamlNode::Kind::kMap;
        map.line = line;
        if (!Enough(depth + 1, line)) return list;
        Entry(item, column, depth + 1, &map);
        while (!bounds_.fault && Skip() && Here().indent == column && !IsItem(Here().text)) Entry(Here().text, column, depth + 1, &map);
        list.list.push_back(std::move(map));
      } else {
        list.list.push_back(Value(item, indent, depth + 1));
      }
    }
    if (!bounds_.fault && Skip() && Here().indent > indent) Broken(Here().number, "unexpected indentation");
    return list;
  }

  // What stands behind a colon or dash of the line at hand; takes that line, and those that belong to it.
  YamlNode Value(std::string_view text, size_t indent, int depth) {
    const int line = Here().number;
    if (!Enough(depth, line)) return {};
    if (text.empty() || IsComment(text)) {
      ++at_;
      if (!Skip() || Here().indent < indent || (Here().indent == indent && !IsItem(Here().text))) return Text(line, "");
      if (Here().text.starts_with('\t')) return Broken(Here().number, "a tab as indentation"), YamlNode{};
      if (IsItem(Here().text)) return List(Here().indent, depth);
      if (KeyEnd(Here().text) == std::string_view::npos) return --at_, Plain("", indent);
      return Map(Here().indent, depth);
    }
    switch (text.front()) {
      case '|':
      case '>':
        if (auto block = Block(text, indent)) return *std::move(block);
        return Plain(text, indent);
      case '"':
      case '\'': return Quoted(text, indent);
      case '[':
      case '{': return Bracketed(text, indent, depth);
      default: break;
    }
    if (IsAnchorLike(text)) {
      Plain(text, indent);
      return UnreadYaml(line, "anchors, aliases and tags are not followed");
    }
    return Plain(text, indent);
  }

  // Text with the lines that follow deeper, joined by spaces.
  YamlNode Plain(std::string_view text, size_t indent) {
    const int line = Here().number;
    std::string out(WithoutComment(text));
    for (++at_; at_ < lines_.size(); ++at_) {
      if (Here().blank()) {
        size_t next = at_;
        while (next < lines_.size() && lines_[next].blank()) ++next;
        if (next == lines_.size() || lines_[next].indent <= indent) break;
        out += '\n';
        continue;
      }
      if (Here().indent <= indent) break;
      if (!out.empty() && out.back() != '\n') out += ' ';
      out += WithoutComment(Here().text);
    }
    return Text(line, std::move(out));
  }

  // `|` or `>` with what may stand behind it. Nothing: it is plain text after all.
  std::optional<YamlNode> Block(std::string_view head, size_t indent) {
    head = WithoutComment(head);
    if (head.find_first_not_of("+-123456789", 1) != head.npos) return std::nullopt;
    const bool folded = head.front() == '>';
    const int line = Here().number;
    std::string out;
    std::optional<size_t> margin;
    bool broke = true;  // the line before was blank, or there is none
    for (++at_; at_ < lines_.size(); ++at_) {
      if (!Here().blank() && Here().indent <= indent) break;
      if (!Here().blank() && !margin) margin = Here().indent;
      const std::string_view content = Here().blank() ? std::string_view() : Here().raw.substr(std::min(*margin, Here().indent));
      if (folded && !content.empty() && !broke) out += ' ';
      else if (!folded && !out.empty()) out += '\n';
      if (folded && content.empty()) out += '\n';
      out += content;
      broke = content.empty();
    }
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return Text(line, std::move(out));
  }

  // In one pair of quotes, over as many lines as it takes.
  YamlNode Quoted(std::string_view text, size_t indent) {
    const int line = Here().number;
    const char quote = text.front();
    std::string all(text);
    for (bool closed = Closes(text.substr(1), quote); !closed; all += Here().text) {
      ++at_;
      if (at_ == lines_.size() || (!Here().blank() && Here().indent <= indent && indent > 0)) return Broken(line, "the quotes do not end"), YamlNode{};
      all += Here().blank() ? "\n" : all.ends_with('\n') ? "" : " ";
      closed = Closes(Here().text, quote);
    }
    ++at_;
    QuotedText read = ReadQuoted(all);
    if (read.fault || read.length == 0) return Broken(line, read.fault ? read.fault : "the quotes do not end"), YamlNode{};
    const std::string_view rest = Trim(std::string_view(all).substr(read.length));
    if (!rest.empty() && !IsComment(rest)) return Broken(line, "text behind the closing quote"), YamlNode{};
    return Text(line, std::move(read.text));
  }

  static bool Closes(std::string_view text, char quote) {
    for (size_t at = 0; at < text.size(); ++at) {
      if (quote == '"' && text[at] == '\\') ++at;
      else if (text[at] == quote && quote == '\'' && at + 1 < text.size() && text[at + 1] == quote) ++at;
      else if (text[at] == quote) return true;
    }
    return false;
  }

  // [a, "b"] or {a: b}, over as many lines as it takes.
  YamlNode Bracketed(std::string_view text, size_t indent, int depth) {
    const int line = Here().number;
    std::string all(WithoutComment(text));
    YamlBrackets brackets;
    bool closed = brackets.Close(all);
    for (++at_; at_ < lines_.size() && !closed; ++at_) {
      const Line& next = Here();
      if (!next.blank() && next.indent <= indent && !next.text.starts_with(']') && !next.text.starts_with('}')) break;
      if (IsComment(next.text)) continue;
      all += " " + std::string(WithoutComment(next.text));
      closed = brackets.Close(WithoutComment(next.text));
    }
    std::string_view rest = all;
    YamlNode node = ReadYamlFlow(&rest, line, depth, &bounds_);
    if (!bounds_.fault && !Trim(rest).empty()) Broken(line, "text behind the closing bracket");
    return node;
  }

  std::vector<Line> lines_;
  size_t at_ = 0;
  YamlBounds bounds_;
};

}  // namespace

std::expected<YamlNode, YamlFault> ReadYamlLines(std::string_view text, int first) { return Reader(text, first).Read(); }

}  // namespace paddock::subagents
