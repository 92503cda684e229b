#include "agentcore/tools/glob.h"

#include <algorithm>
#include <array>

namespace paddock::agentcore {
namespace {

bool InNamedClass(std::string_view name, unsigned c, bool* known) {
  const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
  const bool print = c >= 0x20 && c <= 0x7e;
  *known = true;
  if (name == "alnum") return lower || upper || digit;
  if (name == "alpha") return lower || upper;
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "cntrl") return c < 0x20 || c == 0x7f;
  if (name == "digit") return digit;
  if (name == "graph") return print && c != ' ';
  if (name == "lower") return lower;
  if (name == "print") return print;
  if (name == "punct") return print && c != ' ' && !lower && !upper && !digit;
  if (name == "space") return c == ' ' || c == '\t' || c == '\n' || c == '\r';  // git's isspace: no \v, no \f
  if (name == "upper") return upper;
  if (name == "xdigit") return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  *known = false;
  return false;
}

}  // namespace

Glob::Glob(std::string_view pattern, GlobMode mode) : mode_(mode) {
  for (size_t at = 0; at < pattern.size() && well_formed_;) {
    char c = pattern[at];
    if (c == '*') {
      AddStars(pattern, &at);
    } else if (c == '?') {
      tokens_.push_back({Kind::kAny});
      ++at, ++least_;
    } else if (c == '[') {
      well_formed_ = AddClass(pattern, &at);
      ++least_;
    } else {
      if (c == '\\' && ++at == pattern.size()) {
        well_formed_ = false;
        break;
      }
      tokens_.push_back({Kind::kByte, static_cast<uint8_t>(pattern[at])});
      ++at, ++least_;
    }
  }
  if (!well_formed_) {
    tokens_ = {};
    classes_ = {};
  }
}

void Glob::AddStars(std::string_view pattern, size_t* at) {
  const size_t first = *at;
  while (*at < pattern.size() && pattern[*at] == '*') ++*at;
  const std::string_view rest = pattern.substr(*at);
  const bool whole_part = *at - first >= 2 && (first == 0 || pattern[first - 1] == '/') &&
                          (rest.empty() || rest[0] == '/' || rest.starts_with("\\/"));
  if (mode_ == GlobMode::kName || (whole_part && !rest.starts_with('/'))) {
    tokens_.push_back({Kind::kStarStar});
  } else if (whole_part) {
    // "**/": nothing, or anything that ends in "/".
    ++*at;
    if (tokens_.empty() || tokens_.back().kind != Kind::kAnyThenSlash) {
      tokens_.push_back({Kind::kOptionalFolders});
      tokens_.push_back({Kind::kAnyThenSlash});
    }
  } else {
    tokens_.push_back({Kind::kStar});
  }
}

bool Glob::AddClass(std::string_view pattern, size_t* at) {
  std::bitset<256> set;
  size_t i = *at + 1;
  const auto byte = [&](size_t k) -> unsigned { return static_cast<uint8_t>(pattern[k]); };
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  unsigned previous = 0;  // start of a possible range; 0: none
  for (bool first = true; first || i >= pattern.size() || pattern[i] != ']'; first = false) {
    if (i >= pattern.size()) return false;
    unsigned c = byte(i);
    if (c == '\\') {
      if (++i >= pattern.size()) return false;
      c = byte(i);
      set.set(c);
    } else if (c == '-' && previous != 0 && i + 1 < pattern.size() && pattern[i + 1] != ']') {
      c = byte(++i);
      if (c == '\\') {
        if (++i >= pattern.size()) return false;
        c = byte(i);
      }
      for (unsigned k = previous; k <= c; ++k) set.set(k);
      c = 0;
    } else if (c == '[' && i + 1 < pattern.size() && pattern[i + 1] == ':') {
      const size_t name = i + 2;
      const size_t close = pattern.find(']', name);
      if (close == std::string_view::npos) return false;
      if (close == name || pattern[close - 1] != ':') {
        set.set('[');
      } else {
        for (unsigned k = 0; k < 256; ++k) {
          bool known;
          if (InNamedClass(pattern.substr(name, close - 1 - name), k, &known)) set.set(k);
          if (!known) return false;
        }
        i = close;
        c = 0;
      }
    } else {
      set.set(c);
    }
    previous = c;
    ++i;
  }
  if (negated) set.flip();
  if (mode_ == GlobMode::kPath) set.reset('/');
  tokens_.push_back({Kind::kClass, 0, static_cast<uint32_t>(classes_.size())});
  classes_.push_back(set);
  *at = i + 1;
  return true;
}

// Marks `state` and every state that is reached from it without a byte of text. Gives back the last of them.
size_t Glob::Reach(size_t state, uint8_t* states) const {
  for (;; ++state) {
    states[state] = 1;
    if (state == tokens_.size()) return state;
    Kind kind = tokens_[state].kind;
    if (kind == Kind::kOptionalFolders) {
      states[state + 1] = 1;  // kAnyThenSlash: waits for a slash
      ++state;                // and the loop goes on behind it
    } else if (kind != Kind::kStar && kind != Kind::kStarStar) {
      return state;
    }
  }
}

bool Glob::Match(std::string_view text, GlobCost* cost) const {
  if (!well_formed_ || text.size() < least_) return false;
  const size_t count = tokens_.size() + 1;
  std::array<uint8_t, 256> small = {};
  std::vector<uint8_t> large;
  uint8_t* now = small.data();
  if (2 * count > small.size()) {
    large.resize(2 * count);
    now = large.data();
  }
  uint8_t* next = now + count;
  size_t low = 0, high = Reach(0, now);  // only states from low to high are alive
  for (unsigned char c : text) {
    if (!cost->Spend(high - low + 1)) return false;
    size_t lowest = count, highest = 0;
    for (size_t i = low; i <= high; ++i) {
      if (!now[i]) continue;
      now[i] = 0;
      if (i == tokens_.size()) continue;
      const Token& token = tokens_[i];
      size_t to = count;  // count: nowhere
      switch (token.kind) {
        case Kind::kByte: if (c == token.byte) to = i + 1; break;
        case Kind::kAny: if (mode_ == GlobMode::kName || c != '/') to = i + 1; break;
        case Kind::kClass: if (classes_[token.index][c]) to = i + 1; break;
        case Kind::kStar: if (c != '/') to = i; break;
        case Kind::kStarStar: to = i; break;
        case Kind::kOptionalFolders: break;
        case Kind::kAnyThenSlash:
          next[i] = 1;
          lowest = std::min(lowest, i);
          highest = std::max(highest, c == '/' ? Reach(i + 1, next) : i);
          break;
      }
      if (to == count) continue;
      lowest = std::min(lowest, to);
      highest = std::max(highest, Reach(to, next));
    }
    if (lowest == count) return false;
    low = lowest, high = highest;
    std::swap(now, next);
  }
  return now[tokens_.size()] != 0;
}

}  // namespace paddock::agentcore
