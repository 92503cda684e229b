#include "subagents/playbook/git_settings.h"

#include <algorithm>
#include <utility>

namespace paddock::subagents {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsKeyChar(char c) { return IsLetter(c) || (c >= '0' && c <= '9') || c == '-'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  GitSettings Read() {
    while (SkipToNext()) {
      const size_t at = at_;
      const bool head = text_[at] == '[';
      if (head ? !Head() : !IsLetter(text_[at])) return Stopped();
      GitSetting setting{at, section_, {}, {}};
      if (!head && !(Key(&setting.key), Value(&setting.value))) return Stopped();
      out_.list.push_back(std::move(setting));
    }
    return std::move(out_);
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }

  GitSettings Stopped() {
    out_.understood = false;
    return std::move(out_);
  }

  bool SkipToNext() {
    for (; !AtEnd(); ++at_) {
      if (text_[at_] == '#' || text_[at_] == ';') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      else if (!IsBlank(text_[at_]) && text_[at_] != '\n') return true;
    }
    return false;
  }

  bool Head() {
    const size_t from = at_;
    bool quoted = false;
    for (++at_; !AtEnd() && text_[at_] != '\n'; ++at_) {
      if (quoted && text_[at_] == '\\') ++at_;
      else if (text_[at_] == '"') quoted = !quoted;
      else if (text_[at_] == ']' && !quoted) {
        section_ = text_.substr(from, ++at_ - from);
        return true;
      }
    }
    return false;
  }

  void Key(std::string* key) {
    while (!AtEnd() && IsKeyChar(text_[at_])) *key += text_[at_++];
    while (!AtEnd() && IsBlank(text_[at_])) ++at_;
  }

  // Of a key alone, which is true, the value stays empty.
  bool Value(std::string* value) {
    if (AtEnd() || text_[at_] == '\n') return true;
    if (text_[at_] == '#' || text_[at_] == ';') return true;
    if (text_[at_++] != '=') return false;
    bool quoted = false;
    size_t kept = 0;  // of `value`: blanks at its end are none of it
    for (; !AtEnd() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (!quoted && (c == '#' || c == ';')) break;
      if (!quoted && IsBlank(c)) {
        if (!value->empty()) *value += ' ';
        continue;
      }
      if (c == '"') quoted = !quoted;
      else if (c != '\\') *value += c;
      else if (!Escape(value)) return false;
      kept = value->size();
    }
    value->resize(kept);
    return !quoted;
  }

  bool Escape(std::string* value) {
    if (++at_ >= text_.size()) return true;
    if (text_[at_] == '\r' && text_.substr(at_ + 1, 1) == "\n") ++at_;
    const char c = text_[at_];
    if (c == '\n') return true;
    if (c == 'n' || c == 't' || c == 'b') *value += ' ';
    else if (c == '\\' || c == '"') *value += c;
    else return false;
    return true;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::string section_;
  GitSettings out_;
};

}  // namespace

GitSettings ReadGitSettings(std::string_view text) { return Reader(text).Read(); }

}  // namespace paddock::subagents
