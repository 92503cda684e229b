#include "subagents/foreign/toml_text.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "subagents/foreign/quoted_text.h"

namespace paddock::subagents {
namespace {

bool IsBare(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::expected<YamlNode, YamlFault> Read() {
    YamlNode top;
    top.kind = YamlNode::Kind::kMap;
    bool in_table = false;
    while (!fault_) {
      Blank(true);
      if (at_ == text_.size()) return top;
      if (Peek() == '[') {
        in_table = true;
        Table(&top);
      } else {
        Entry(in_table ? nullptr : &top);
      }
      if (fault_) break;
      Blank(false);
      if (at_ < text_.size() && Peek() != '\n') Broken("expected the end of the line");
    }
    return std::unexpected(*fault_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void Next() {
    if (text_[at_++] == '\n') ++line_;
  }
  void Broken(std::string message) {
    if (!fault_) fault_ = YamlFault{line_, std::move(message)};
  }
  // Over blanks and comments, and ends of lines where wanted.
  void Blank(bool lines) {
    while (at_ < text_.size()) {
      const char c = Peek();
      if (c == '#') {
        while (at_ < text_.size() && Peek() != '\n') Next();
      } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
        Next();
      } else {
        return;
      }
    }
  }

  // a, "a b", a.b: the first part is what counts.
  std::string Key() {
    std::string first;
    for (bool begun = false;; begun = true) {
      Blank(false);
      std::string part;
      if (Peek() == '"' || Peek() == '\'') {
        part = OneLine();
      } else {
        while (IsBare(Peek())) part += Peek(), Next();
      }
      if (fault_) return first;
      if (part.empty()) return Broken("expected `key = value`"), first;
      if (!begun) first = std::move(part);
      Blank(false);
      if (Peek() != '.') return first;
      dotted_ = true;
      Next();
    }
  }

  void Table(YamlNode* top) {
    const int line = line_;
    const bool list = Peek(1) == '[';
    Next();
    if (list) Next();
    const std::string name = Key();
    if (fault_) return;
    for (int i = 0; i <= list; ++i) {
      if (Peek() != ']') return Broken("expected the end of a table's name: ]");
      Next();
    }
    AddUnread(top, name, line);
  }

  // Once for all tables of one name.
  void AddUnread(YamlNode* top, const std::string& name, int line) {
    YamlNode node;
    node.kind = YamlNode::Kind::kUnread;
    node.text = "a table";
    node.line = line;
    for (const YamlEntry& earlier : top->map)
      if (earlier.key == name) return;
    Count();
    top->map.push_back({name, std::move(node)});
  }

  // `top`: null in a table, whose keys are passed over.
  void Entry(YamlNode* top) {
    const int line = line_;
    dotted_ = false;
    std::string key = Key();
    const bool dotted = dotted_;
    if (fault_) return;
    if (Peek() != '=') return Broken("expected `key = value`, got \"" + VisibleText(TruncateUtf8(key, 64), Newlines::kEscape) + "\"");
    Next();
    Blank(false);
    YamlNode value = Value(0);
    value.line = line;
    if (fault_ || top == nullptr) return;
    if (dotted) return AddUnread(top, key, line);
    for (const YamlEntry& earlier : top->map)
      if (earlier.key == key)
        return Broken("duplicate key \"" + VisibleText(TruncateUtf8(key, 64), Newlines::kEscape) + "\", first given in line " + std::to_string(earlier.value.line));
    top->map.push_back({std::move(key), std::move(value)});
  }

  void Count() {
    if (++values_ > kMaxYamlNodes) Broken("more than " + std::to_string(kMaxYamlNodes) + " values");
  }

  YamlNode Value(int depth) {
    YamlNode node;
    node.line = line_;
    Count();
    if (depth > kMaxYamlDepth) Broken("nested deeper than " + std::to_string(kMaxYamlDepth) + " levels");
    if (fault_) return node;
    const char c = Peek();
    if (c == '"' || c == '\'') {
      node.text = Peek(1) == c && Peek(2) == c ? ManyLines() : OneLine();
    } else if (c == '[') {
      node.kind = YamlNode::Kind::kList;
      Next();
      for (Blank(true); !fault_ && Peek() != ']'; Blank(true)) {
        if (at_ == text_.size()) return Broken("the list does not end"), node;
        node.list.push_back(Value(depth + 1));
        Blank(true);
        if (Peek() == ',') Next();
        else if (Peek() != ']') Broken("expected , or ] in a list");
      }
      if (!fault_) Next();
    } else if (c == '{') {
      node.kind = YamlNode::Kind::kUnread;
      node.text = "a table";
      Next();
      for (Blank(true); !fault_ && Peek() != '}'; Blank(true)) {
        Key();
        if (fault_) break;
        if (Peek() != '=') return Broken("expected `key = value` in braces"), node;
        Next();
        Blank(false);
        Value(depth + 1);
        Blank(true);
        if (Peek() == ',') Next();
        else if (Peek() != '}') Broken("expected , or } in braces");
      }
      if (!fault_) Next();
    } else {
      while (IsBare(Peek()) || Peek() == '.' || Peek() == '+' || Peek() == ':') node.text += Peek(), Next();
      if (node.text.empty()) Broken("expected a value");
    }
    return node;
  }

  std::string OneLine() {
    const std::string_view rest = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
    QuotedText read = ReadQuoted(rest, false);
    if (read.fault || read.length == 0) return Broken(read.fault ? read.fault : "the quotes do not end in their line"), std::string();
    at_ += read.length;
    return std::move(read.text);
  }

  // """...""" or '''...'''
  std::string ManyLines() {
    const char quote = Peek();
    const int begun = line_;
    at_ += 3;
    if (Peek() == '\r' && Peek(1) == '\n') ++at_;
    if (Peek() == '\n') Next();
    std::string out;
    while (at_ < text_.size()) {
      if (Peek() == quote && Peek(1) == quote && Peek(2) == quote) {
        // Up to two quotes may stand before the three.
        for (int more = 0; more < 2 && Peek(3) == quote; ++more) out += quote, ++at_;
        at_ += 3;
        return out;
      }
      if (quote == '"' && Peek() == '\\') {
        // At the end of a line: that and the blanks that follow are nothing.
        size_t after = text_.find_first_not_of(" \t\r", at_ + 1);
        if (after != text_.npos && text_[after] == '\n') {
          Next();
          while (at_ < text_.size() && (Peek() == ' ' || Peek() == '\t' || Peek() == '\r' || Peek() == '\n')) Next();
          continue;
        }
        const size_t length = ReadEscape(text_.substr(at_), &out);
        if (length == 0) return Broken("a backslash in quotes that begins no escape"), out;
        at_ += length;
        continue;
      }
      out += Peek();
      Next();
    }
    line_ = begun;
    return Broken("the quotes do not end"), out;
  }

  std::string_view text_;
  size_t at_ = 0, values_ = 0;
  int line_ = 1;
  bool dotted_ = false;
  std::optional<YamlFault> fault_;
};

}  // namespace

std::expected<YamlNode, YamlFault> ReadTomlText(std::string_view text) { return Reader(text).Read(); }

}  // namespace paddock::subagents
