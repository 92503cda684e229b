#include "agentcore/pipeline/clean.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr int64_t kMaxLineNumber = int64_t{1} << 40;
constexpr size_t kMaxPathBytes = 32768;
constexpr size_t kMaxExpansion = 6;  // one control byte becomes \u{1F}: the worst that CleanLine does to a byte
constexpr size_t kUnitBytes = 8;     // what a line or an entry costs besides its text
constexpr size_t kArtifactBytes = 64;

// Cleans and redacts texts that are no lines of files.
class Texts {
 public:
  Texts(const Redactor& redactor, RedactionTally* tally) : redactor_(redactor), tally_(tally) {}

  std::string Long(std::string_view bytes, size_t max_bytes) const {
    return HeadAndTail(redactor_.Redact(VisibleText(bytes, Newlines::kKeep), tally_), max_bytes);
  }
  std::string Short(std::string_view bytes, size_t max_bytes) const {
    return std::string(TruncateUtf8(redactor_.Redact(VisibleText(bytes, Newlines::kEscape), tally_), max_bytes));
  }

  Json Value(const Json& value, std::string_view name, int depth, size_t* bytes, size_t* values) const {
    if (depth == 0 || *values == 0) return nullptr;
    --*values;
    if (value.is_string()) return Part(redactor_.RedactNamed(name, VisibleText(value.get_ref<const std::string&>(), Newlines::kEscape), tally_), bytes);
    if (value.is_array()) {
      Json out = Json::array();
      for (const Json& item : value) {
        if (*values == 0) break;
        out.push_back(Value(item, name, depth - 1, bytes, values));
      }
      return out;
    }
    if (value.is_object()) {
      Json out = Json::object();
      for (auto it = value.begin(); it != value.end() && *values > 0; ++it)
        out[Part(redactor_.Redact(VisibleText(it.key(), Newlines::kEscape), tally_), bytes)] = Value(it.value(), it.key(), depth - 1, bytes, values);
      return out;
    }
    return value.is_binary() ? Json(nullptr) : value;
  }

 private:
  static std::string Part(const std::string& text, size_t* bytes) {
    std::string out(TruncateUtf8(text, *bytes));
    *bytes -= out.size();
    return out;
  }

  const Redactor& redactor_;
  RedactionTally* tally_;
};

// One line or entry of a result, in order, with what it costs to show.
struct Unit {
  size_t artifact;
  size_t index;
  std::string shown;
  size_t raw_bytes;  // of a line: how much of it is shown
  bool cut;
  bool redacted;     // of a line: secrets were taken out
  size_t cost;
};

// Which of `units` to show: from the front for two thirds of the room, from the back for the rest.
std::pair<size_t, size_t> ChooseMiddle(const std::vector<Unit>& units, size_t room) {
  size_t total = 0;
  for (const Unit& unit : units) total += unit.cost;
  if (total <= room) return {units.size(), units.size()};
  size_t head = 0, tail = units.size();
  size_t head_left = room / 3 * 2;
  while (head < units.size() && units[head].cost <= head_left) head_left -= units[head++].cost;
  size_t tail_left = room / 3 + head_left;
  while (tail > head && units[tail - 1].cost <= tail_left) tail_left -= units[--tail].cost;
  return {head, tail};
}

bool IsUsableExcerpt(const Artifact& artifact) {
  return artifact.kind == "excerpt" && artifact.line_start >= 1 && artifact.line_start < kMaxLineNumber;
}

// Whether the tool gave only the beginning of line `i`.
bool WasCut(const Artifact& artifact, size_t i) {
  return IsUsableExcerpt(artifact) && std::binary_search(artifact.cut.begin(), artifact.cut.end(), artifact.line_start + static_cast<int64_t>(i));
}

void AddLines(const Artifact& artifact, size_t index, const CleanBounds& bounds, const Redactor& redactor, RedactionTally* tally, std::vector<Unit>* units) {
  std::vector<std::string> clean;
  std::vector<bool> cut;
  for (size_t i = 0; i < artifact.lines.size(); ++i) {
    clean.push_back(CleanLine(BytesFromWire(artifact.lines[i])));
    cut.push_back(WasCut(artifact, i));
  }
  std::vector<std::string> shown = redactor.RedactLines(clean, artifact.line_start, cut, tally);
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool redacted = shown[i] != clean[i];
    std::string bytes = BytesFromWire(artifact.lines[i]);
    size_t raw_bytes = bytes.size();
    if (shown[i].size() > bounds.max_line_bytes) {
      cut[i] = true;
      if (redacted) {
        shown[i] = TruncateUtf8(shown[i], bounds.max_line_bytes);
      } else {
        raw_bytes = TruncateUtf8(bytes, bounds.max_line_bytes / kMaxExpansion).size();
        shown[i] = CleanLine(std::string_view(bytes).substr(0, raw_bytes));
      }
    }
    size_t cost = shown[i].size() + kUnitBytes;
    units->push_back({index, i, std::move(shown[i]), raw_bytes, cut[i], redacted, cost});
  }
}

std::vector<Unit> MakeUnits(const std::vector<Artifact>& artifacts, const CleanBounds& bounds, const Redactor& redactor, RedactionTally* tally) {
  std::vector<Unit> units;
  for (size_t a = 0; a < artifacts.size(); ++a) {
    const Artifact& artifact = artifacts[a];
    AddLines(artifact, a, bounds, redactor, tally, &units);
    std::vector<std::string> entries;
    for (const std::string& entry : artifact.entries) entries.push_back(VisibleText(entry, Newlines::kEscape));
    entries = redactor.RedactLines(entries, 1, {}, tally);
    for (size_t i = 0; i < entries.size(); ++i) {
      std::string shown(TruncateUtf8(entries[i], kMaxPathBytes));
      size_t cost = shown.size() + kUnitBytes;
      units.push_back({a, artifact.lines.size() + i, std::move(shown), 0, false, false, cost});
    }
  }
  return units;
}

// The artifacts that show `units` but for [head, tail): an excerpt with a hole becomes two.
class Builder {
 public:
  Builder(const std::vector<Artifact>& raw, const std::vector<std::string>& paths, const Texts& texts, CleanedResult* out)
      : raw_(raw), paths_(paths), texts_(texts), out_(out) {}

  void Add(Unit unit) {
    const Artifact& source = raw_[unit.artifact];
    bool is_line = unit.index < source.lines.size();
    bool follows = open_ && unit.artifact == last_artifact_ && (!is_line || unit.index == last_index_ + 1);
    if (!follows) Open(unit, source, is_line);
    last_artifact_ = unit.artifact;
    last_index_ = unit.index;
    Artifact& artifact = out_->result.artifacts.back();
    if (!is_line) {
      artifact.entries.push_back(std::move(unit.shown));
      return;
    }
    if (IsUsableExcerpt(source)) {
      SeenExcerpt& seen = out_->seen.back();
      seen.lines.push_back(BytesFromWire(source.lines[unit.index]).substr(0, unit.raw_bytes));
      seen.cut.push_back(unit.cut);
      if (unit.redacted) {
        seen.redacted.resize(seen.lines.size());
        seen.redacted.back() = unit.shown;
      } else if (!seen.redacted.empty()) {
        seen.redacted.emplace_back();
      }
      int64_t number = source.line_start + static_cast<int64_t>(unit.index);
      if (unit.cut) artifact.cut.push_back(number);
      if (std::binary_search(source.matches.begin(), source.matches.end(), number))
        artifact.matches.push_back(number);
    }
    artifact.lines.push_back(std::move(unit.shown));
  }

  // An artifact without lines and entries still has its facts.
  void AddEmpty(size_t index) {
    Open(Unit{index, 0, {}, 0, false, false, 0}, raw_[index], false);
    open_ = false;
  }

 private:
  void Open(const Unit& unit, const Artifact& source, bool is_line) {
    Artifact artifact;
    artifact.kind = texts_.Short(source.kind, 32);
    artifact.path = paths_[unit.artifact];
    bool same = open_ && unit.artifact == last_artifact_;
    if (!same) artifact.facts = source.facts;  // cleaned before, as the path
    if (is_line && IsUsableExcerpt(source)) {
      artifact.line_start = source.line_start + static_cast<int64_t>(unit.index);
      out_->seen.push_back({source.path, artifact.line_start, {}, {}});
    }
    out_->result.artifacts.push_back(std::move(artifact));
    open_ = true;
  }

  const std::vector<Artifact>& raw_;
  const std::vector<std::string>& paths_;
  const Texts& texts_;
  CleanedResult* out_;
  bool open_ = false;
  size_t last_artifact_ = 0;
  size_t last_index_ = 0;
};

}  // namespace

std::string CleanLine(std::string_view bytes) {
  std::string visible = VisibleText(bytes, Newlines::kKeep);
  if (visible.find('\n') == std::string::npos) return visible;
  std::string out;
  for (char c : visible) {
    if (c == '\n') out += "\\u{A}";
    else out += c;
  }
  return out;
}

Json CleanJson(const Json& value, size_t max_bytes, const Redactor& redactor, RedactionTally* tally) {
  size_t values = 2000;
  return Texts(redactor, tally).Value(value, "", 8, &max_bytes, &values);
}

std::string HeadAndTail(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::string note = "\n[" + std::to_string(text.size() - max_bytes) + " bytes or more left out here]\n";
  if (max_bytes < 2 * note.size()) return std::string(TruncateUtf8(text, max_bytes));
  size_t room = max_bytes - note.size();
  std::string_view head = TruncateUtf8(text, room / 3 * 2);
  size_t start = text.size() - (room - head.size());
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) ++start;
  // Nor what only joins or marks the character before it.
  for (char32_t c; size_t n = DecodeUtf8(text.substr(start), &c); start += n)
    if (!(c == 0x200C || c == 0x200D || c == 0xFE0E || c == 0xFE0F || (c >= 0xE0020 && c <= 0xE007F))) break;
  return std::string(head) + note + std::string(text.substr(start));
}

CleanedResult CleanResult(ToolResult raw, const CleanBounds& bounds, const Redactor& redactor, RedactionTally* tally) {
  CleanedResult out;
  const Texts texts(redactor, tally);
  ToolResult& result = out.result;
  result.success = raw.success;
  result.status = raw.status;
  result.retryable = raw.retryable;
  result.output = texts.Long(raw.output, bounds.max_bytes / 4);
  result.error = texts.Long(raw.error, std::min<size_t>(bounds.max_bytes, 4096));
  result.summary = texts.Short(raw.summary, std::min<size_t>(bounds.max_bytes, 1024));
  result.recovery_hint = texts.Long(raw.recovery_hint, std::min<size_t>(bounds.max_bytes, 1024));
  for (size_t i = 0; i < raw.next_actions.size() && i < 16; ++i)
    result.next_actions.push_back(texts.Short(raw.next_actions[i], 512));

  size_t room = bounds.max_bytes - std::min(bounds.max_bytes, result.output.size());
  size_t lost_artifacts = 0;
  std::vector<std::string> paths;  // of the artifacts, as they are shown
  for (size_t a = 0; a < raw.artifacts.size(); ++a) {
    Artifact& artifact = raw.artifacts[a];
    artifact.facts = artifact.facts.is_object() ? CleanJson(artifact.facts, 4096, redactor, tally) : Json::object();
    artifact.path = VisibleText(artifact.path, Newlines::kEscape);
    paths.push_back(texts.Short(artifact.path, kMaxPathBytes));
    artifact.path = TruncateUtf8(artifact.path, kMaxPathBytes);
    size_t cost = kArtifactBytes + paths.back().size() + DumpJson(artifact.facts).size();  // paid for as it is shown: up to six times its bytes
    if (cost > room) {
      lost_artifacts = raw.artifacts.size() - a;
      raw.artifacts.resize(a);
      break;
    }
    room -= cost;
    std::sort(artifact.cut.begin(), artifact.cut.end());
    std::sort(artifact.matches.begin(), artifact.matches.end());
  }

  std::vector<Unit> units = MakeUnits(raw.artifacts, bounds, redactor, tally);
  auto [head, tail] = ChooseMiddle(units, room);
  size_t lost_bytes = 0;
  for (size_t i = head; i < tail; ++i) lost_bytes += units[i].cost - kUnitBytes;
  Builder builder(raw.artifacts, paths, texts, &out);
  size_t next_artifact = 0;
  auto pass_empty = [&](size_t until) {
    for (; next_artifact < until; ++next_artifact)
      if (raw.artifacts[next_artifact].lines.empty() && raw.artifacts[next_artifact].entries.empty())
        builder.AddEmpty(next_artifact);
  };
  for (size_t i = 0; i < units.size(); ++i) {
    if (i >= head && i < tail) continue;
    pass_empty(units[i].artifact);
    builder.Add(std::move(units[i]));
  }
  pass_empty(raw.artifacts.size());
  if (tail > head || lost_artifacts > 0) {
    if (!result.output.empty()) result.output += '\n';
    result.output += "[left out for length: " + std::to_string(tail - head) + " lines or entries (" + std::to_string(lost_bytes) +
                     " bytes) from the middle";
    if (lost_artifacts > 0) result.output += ", and " + std::to_string(lost_artifacts) + " whole artifacts";
    result.output += "; ask for a smaller range]";
    if (result.status == ToolStatus::kOk) result.status = ToolStatus::kPartial;
  }
  return out;
}

size_t ResultBytes(const ToolResult& result) {
  size_t bytes = result.output.size() + result.error.size() + result.summary.size() + result.recovery_hint.size();
  for (const std::string& action : result.next_actions) bytes += action.size();
  for (const Artifact& artifact : result.artifacts) {
    bytes += artifact.path.size();
    for (const std::string& line : artifact.lines) bytes += line.size() + 1;
    for (const std::string& entry : artifact.entries) bytes += entry.size() + 1;
  }
  return bytes;
}

}  // namespace paddock::agentcore
