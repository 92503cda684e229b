#include "agentcore/pipeline/redact.h"

#include <algorithm>
#include <functional>

#include "agentcore/pipeline/redact_finders.h"

namespace paddock::agentcore {
namespace {

constexpr int kMaxPasses = 4;
constexpr size_t kMaxTallied = 10'000;
constexpr size_t kStep = 256u << 10;      // a stream is worked on in pieces of this size
constexpr size_t kLookAhead = 32u << 10;  // of which the end waits for the next
constexpr size_t kMaxHeld = 1u << 20;
constexpr std::string_view kMark = "[redacted ";
constexpr size_t kMaxKind = 24;
// Looks like the middle of any token.
constexpr std::string_view kFiller =
    "7a3f9c1e5b8d2046a1c7e9034f6b8d25c3a0e71f9b4d6825e0c7a3914f8b6d2059e1c3a7f04b8d6923c5e7a10f9b4d8625e3c7a1904f6b8d";

struct Mark {
  size_t begin, end;
};

// Where "[redacted some-kind]" stands in the text already.
std::vector<Mark> MarksIn(std::string_view text) {
  std::vector<Mark> marks;
  auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  for (size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    size_t kind = at + kMark.size(), end = kind;
    while (end < text.size() && end - kind < kMaxKind && fits(text[end])) ++end;
    if (end > kind && end < text.size() && text[end] == ']') marks.push_back({at, end + 1});
  }
  return marks;
}

// `spans` without what is marked already, so that a second pass finds nothing more to do.
std::vector<RedactSpan> Without(const std::vector<Mark>& marks, const std::vector<RedactSpan>& spans) {
  std::vector<RedactSpan> out;
  for (RedactSpan span : spans) {
    auto mark = std::partition_point(marks.begin(), marks.end(), [&](const Mark& one) { return one.end <= span.begin; });
    for (; mark != marks.end() && mark->begin < span.end; ++mark) {
      if (span.begin < mark->begin) {
        out.push_back({span.begin, mark->begin, span.kind, span.context, span.counts});
        span.counts = false;
      }
      span.begin = mark->end;
    }
    if (span.begin < span.end) out.push_back(span);
  }
  return out;
}

// A kind that says no more than that it stood where secrets stand.
bool IsGeneric(std::string_view kind) { return kind == "secret" || kind == "password" || kind == "authorization" || kind == "bearer-token"; }

bool AreApart(const std::vector<RedactSpan>& spans) {
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i].begin < spans[i - 1].end) return false;
  return true;
}

// In the text's order. Where two overlap they become one, of the kind that says more; else of the one that begins
// first, or is longer.
std::vector<RedactSpan> Apart(std::vector<RedactSpan> spans) {
  if (AreApart(spans)) return spans;
  std::stable_sort(spans.begin(), spans.end(), [](const RedactSpan& a, const RedactSpan& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::vector<RedactSpan> apart;
  for (const RedactSpan& span : spans) {
    if (apart.empty() || span.begin >= apart.back().end) {
      apart.push_back(span);
      continue;
    }
    RedactSpan& last = apart.back();
    if (IsGeneric(last.kind) && !IsGeneric(span.kind)) last.kind = span.kind;
    last.end = std::max(last.end, span.end);
    last.context = std::min(last.context, span.context);
  }
  return apart;
}

}  // namespace

void RedactionTally::Add(std::string_view kind, std::string_view value) {
  if (seen_.size() < kMaxTallied && !seen_.emplace(std::string(kind), std::hash<std::string_view>{}(value)).second) return;
  ++by_kind_[std::string(kind)];
  ++total_;
}

std::string RedactionTally::Sentence() const {
  if (total_ == 0) return "";
  std::string kinds;
  for (const auto& [kind, count] : by_kind_) kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  return std::to_string(total_) + (total_ == 1 ? " secret was" : " secrets were") + " redacted (" + kinds + ")";
}

std::vector<RedactSpan> Redactor::Find(std::string_view text, const BlockOptions& options) const {
  std::vector<RedactSpan> found;
  known_.Find(text, &found);
  FindCommonKinds(text, options, &found);
  FindInBase64(text, &found);
  if (found.empty()) return found;
  return Apart(Without(MarksIn(text), found));
}

std::string Redactor::Replace(std::string_view text, std::vector<RedactSpan> spans, RedactionTally* tally) {
  spans = Apart(std::move(spans));
  std::string out;
  out.reserve(text.size());
  size_t at = 0;
  for (const RedactSpan& span : spans) {
    out.append(text, at, span.begin - at);
    out.append(kMark).append(span.kind) += ']';
    if (tally && span.counts) tally->Add(span.kind, text.substr(span.begin, span.end - span.begin));
    at = span.end;
  }
  out.append(text.substr(at));
  return out;
}

std::string Redactor::Redact(std::string_view text, RedactionTally* tally, const BlockOptions& options) const {
  std::string out(text);
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    std::vector<RedactSpan> spans = Find(out, options);
    if (spans.empty()) break;
    out = Replace(out, spans, tally);
  }
  return out;
}

std::string Redactor::RedactNamed(std::string_view name, std::string_view value, RedactionTally* tally) const {
  if (name.empty() || name.size() > 256) return Redact(value, tally);
  std::string before = std::string(name) + "=\"";
  std::string whole = Redact(before + std::string(value), tally);
  if (whole.starts_with(before)) return Redact(std::string_view(whole).substr(before.size()), tally);
  return Redact(value, tally);
}

Json Redactor::RedactJson(const Json& value, RedactionTally* tally) const { return RedactJsonAt(value, "", 64, tally); }

Json Redactor::RedactJsonAt(const Json& value, std::string_view name, int depth, RedactionTally* tally) const {
  if (depth == 0) return nullptr;
  if (value.is_string()) return RedactNamed(name, value.get_ref<const std::string&>(), tally);
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(RedactJsonAt(item, name, depth - 1, tally));
    return out;
  }
  if (value.is_object()) {
    Json out = Json::object();
    for (auto it = value.begin(); it != value.end(); ++it) out[Redact(it.key(), tally)] = RedactJsonAt(it.value(), it.key(), depth - 1, tally);
    return out;
  }
  return value;
}

Json Redactor::RedactKnown(const Json& value) const {
  if (known_.empty()) return value;
  const auto redact = [&](const std::string& text) {
    std::vector<RedactSpan> spans;
    known_.Find(text, &spans);
    return spans.empty() ? text : Replace(text, std::move(spans), nullptr);
  };
  if (value.is_string()) return redact(value.get_ref<const std::string&>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(RedactKnown(item));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (auto it = value.begin(); it != value.end(); ++it) out[redact(it.key())] = RedactKnown(it.value());
  return out;
}

std::vector<std::string> Redactor::RedactLines(const std::vector<std::string>& lines, int64_t first_line, const std::vector<bool>& cut,
                                               RedactionTally* tally) const {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (i < cut.size() && cut[i]) text += kFiller;
    text += '\n';
  }
  if (!text.empty()) text.pop_back();
  std::string redacted = Redact(text, tally, {.may_begin_inside = first_line > 1});
  std::vector<std::string> out;
  std::string_view rest = redacted;
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
    if (i < cut.size() && cut[i]) {
      if (line.ends_with(kFiller)) line.remove_suffix(kFiller.size());
      else if (size_t mark = line.rfind(']'); mark != std::string_view::npos) line = line.substr(0, mark + 1);
    }
    out.emplace_back(line);
  }
  return out;
}

const Redactor& OrCommonKinds(const Redactor* redactor) {
  static const Redactor common;
  return redactor ? *redactor : common;
}

std::string RedactStream::Feed(std::string_view piece) {
  std::string out;
  while (!piece.empty()) {
    size_t take = std::min(piece.size(), kStep);
    held_.append(piece.substr(0, take));
    piece.remove_prefix(take);
    if (held_.size() < kStep) continue;
    std::vector<RedactSpan> spans = redactor_->Find(held_);
    size_t newline = held_.rfind('\n', held_.size() - kLookAhead);
    size_t cut = newline == std::string::npos ? 0 : newline + 1;
    // Not through a secret, nor between it and what gives it away.
    for (size_t i = spans.size(); i-- > 0;)
      if (spans[i].end > cut && spans[i].context < cut) {
        newline = spans[i].context == 0 ? std::string::npos : held_.rfind('\n', spans[i].context - 1);
        cut = newline == std::string::npos ? 0 : newline + 1;
      }
    if (cut == 0) {
      if (held_.size() < kMaxHeld) continue;
      cut = held_.size() - kLookAhead;
      for (size_t i = spans.size(); i-- > 0;)
        if (spans[i].end > cut && spans[i].context < cut) cut = spans[i].context;
      // A secret as long as that is cut; else what is held would grow without end.
      if (cut == 0 || held_.size() - cut > kMaxHeld) cut = held_.size() - kLookAhead;
    }
    std::erase_if(spans, [&](const RedactSpan& span) { return span.end > cut; });
    out += redactor_->Redact(Redactor::Replace(std::string_view(held_).substr(0, cut), spans, tally_), tally_);
    held_.erase(0, cut);
  }
  return out;
}

std::string RedactStream::Finish() {
  std::string out = redactor_->Redact(held_, tally_);
  held_.clear();
  return out;
}

}  // namespace paddock::agentcore
