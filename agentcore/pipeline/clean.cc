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

std::string CleanText(std::string_view bytes, size_t max_bytes) {
  return HeadAndTail(VisibleText(HeadAndTail(bytes, max_bytes), Newlines::kKeep), max_bytes);
}

std::string CleanShort(std::string_view bytes, size_t max_bytes) {
  return std::string(TruncateUtf8(VisibleText(bytes.substr(0, max_bytes), Newlines::kEscape), max_bytes));
}

Json CleanJsonAt(const Json& value, int depth, size_t* bytes, size_t* values) {
  if (depth == 0 || *values == 0) return nullptr;
  --*values;
  auto clean = [&](const std::string& text) {
    std::string out(TruncateUtf8(VisibleText(std::string_view(text).substr(0, *bytes), Newlines::kEscape), *bytes));
    *bytes -= out.size();
    return out;
  };
  if (value.is_string()) return clean(value.get_ref<const std::string&>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) {
      if (*values == 0) break;
      out.push_back(CleanJsonAt(item, depth - 1, bytes, values));
    }
    return out;
  }
  if (value.is_object()) {
    Json out = Json::object();
    for (auto it = value.begin(); it != value.end() && *values > 0; ++it)
      out[clean(it.key())] = CleanJsonAt(it.value(), depth - 1, bytes, values);
    return out;
  }
  return value.is_binary() ? Json(nullptr) : value;
}

// One line or entry of a result, in order, with what it costs to show.
struct Unit {
  size_t artifact;
  size_t index;
  std::string shown;
  size_t raw_bytes;  // of a line: how much of it is shown
  bool cut;
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

std::vector<Unit> MakeUnits(const std::vector<Artifact>& artifacts, const CleanBounds& bounds) {
  std::vector<Unit> units;
  for (size_t a = 0; a < artifacts.size(); ++a) {
    const Artifact& artifact = artifacts[a];
    for (size_t i = 0; i < artifact.lines.size(); ++i) {
      std::string bytes = BytesFromWire(artifact.lines[i]);
      std::string shown = CleanLine(bytes);
      size_t raw_bytes = bytes.size();
      bool cut = IsUsableExcerpt(artifact) && std::binary_search(artifact.cut.begin(), artifact.cut.end(), artifact.line_start + static_cast<int64_t>(i));
      if (shown.size() > bounds.max_line_bytes) {
        raw_bytes = TruncateUtf8(bytes, bounds.max_line_bytes / kMaxExpansion).size();
        shown = CleanLine(std::string_view(bytes).substr(0, raw_bytes));
        cut = true;
      }
      size_t cost = shown.size() + kUnitBytes;
      units.push_back({a, i, std::move(shown), raw_bytes, cut, cost});
    }
    for (size_t i = 0; i < artifact.entries.size(); ++i) {
      std::string shown = CleanShort(artifact.entries[i], kMaxPathBytes);
      size_t cost = shown.size() + kUnitBytes;
      units.push_back({a, artifact.lines.size() + i, std::move(shown), 0, false, cost});
    }
  }
  return units;
}

// The artifacts that show `units` but for [head, tail): an excerpt with a hole becomes two.
class Builder {
 public:
  Builder(const std::vector<Artifact>& raw, CleanedResult* out) : raw_(raw), out_(out) {}

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
      int64_t number = source.line_start + static_cast<int64_t>(unit.index);
      if (unit.cut) artifact.cut.push_back(number);
      if (std::binary_search(source.matches.begin(), source.matches.end(), number))
        artifact.matches.push_back(number);
    }
    artifact.lines.push_back(std::move(unit.shown));
  }

  // An artifact without lines and entries still has its facts.
  void AddEmpty(size_t index) {
    Open(Unit{index, 0, {}, 0, false, 0}, raw_[index], false);
    open_ = false;
  }

 private:
  void Open(const Unit& unit, const Artifact& source, bool is_line) {
    Artifact artifact;
    artifact.kind = CleanShort(source.kind, 32);
    artifact.path = source.path;  // cleaned before, as the facts
    bool same = open_ && unit.artifact == last_artifact_;
    if (!same) artifact.facts = source.facts;
    if (is_line && IsUsableExcerpt(source)) {
      artifact.line_start = source.line_start + static_cast<int64_t>(unit.index);
      out_->seen.push_back({artifact.path, artifact.line_start, {}, {}});
    }
    out_->result.artifacts.push_back(std::move(artifact));
    open_ = true;
  }

  const std::vector<Artifact>& raw_;
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

Json CleanJson(const Json& value, size_t max_bytes) {
  size_t values = 2000;
  return CleanJsonAt(value, 8, &max_bytes, &values);
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

CleanedResult CleanResult(ToolResult raw, const CleanBounds& bounds) {
  CleanedResult out;
  ToolResult& result = out.result;
  result.success = raw.success;
  result.status = raw.status;
  result.retryable = raw.retryable;
  result.output = CleanText(raw.output, bounds.max_bytes / 4);
  result.error = CleanText(raw.error, std::min<size_t>(bounds.max_bytes, 4096));
  result.summary = CleanShort(raw.summary, std::min<size_t>(bounds.max_bytes, 1024));
  result.recovery_hint = CleanText(raw.recovery_hint, std::min<size_t>(bounds.max_bytes, 1024));
  for (size_t i = 0; i < raw.next_actions.size() && i < 16; ++i)
    result.next_actions.push_back(CleanShort(raw.next_actions[i], 512));

  size_t room = bounds.max_bytes - std::min(bounds.max_bytes, result.output.size());
  size_t lost_artifacts = 0;
  for (size_t a = 0; a < raw.artifacts.size(); ++a) {
    Artifact& artifact = raw.artifacts[a];
    artifact.facts = artifact.facts.is_object() ? CleanJson(artifact.facts, 4096) : Json::object();
    artifact.path = CleanShort(artifact.path, kMaxPathBytes);  // paid for as it is shown: up to six times its bytes
    size_t cost = kArtifactBytes + artifact.path.size() + DumpJson(artifact.facts).size();
    if (cost > room) {
      lost_artifacts = raw.artifacts.size() - a;
      raw.artifacts.resize(a);
      break;
    }
    room -= cost;
    std::sort(artifact.cut.begin(), artifact.cut.end());
    std::sort(artifact.matches.begin(), artifact.matches.end());
  }

  std::vector<Unit> units = MakeUnits(raw.artifacts, bounds);
  auto [head, tail] = ChooseMiddle(units, room);
  size_t lost_bytes = 0;
  for (size_t i = head; i < tail; ++i) lost_bytes += units[i].cost - kUnitBytes;
  Builder builder(raw.artifacts, &out);
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
