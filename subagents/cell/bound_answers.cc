#include "subagents/cell/bound_answers.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::subagents {
namespace {

using agentcore::Artifact;
using agentcore::ToolResult;

// Bounds of the field tables in tool_result.h.
constexpr size_t kMaxOutput = 1u << 20, kMaxError = 8192, kMaxSummary = 2048, kMaxHint = 2048;
constexpr size_t kMaxArtifacts = 2000, kMaxItems = 20'000, kMaxActions = 16, kMaxPath = 32'768;
constexpr size_t kMaxActionBytes = 2048;
constexpr size_t kNoteBytes = 512;  // kept back for the words about a cut

struct Cost {
  size_t bytes = 0;
  size_t values = 0;
  void operator+=(const Cost& other) {
    bytes += other.bytes;
    values += other.values;
  }
  bool Fits(const Cost& room) const { return bytes <= room.bytes && values <= room.values; }
};

// As a JSON string with its comma: an upper bound.
Cost StringCost(std::string_view text) {
  size_t bytes = 3;
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r' || c == '\b' || c == '\f') bytes += 2;
    else bytes += c < 0x20 ? 6 : 1;
  }
  if (!IsValidUtf8(text)) bytes += 2 * text.size();  // an invalid byte becomes U+FFFD
  return {bytes, 1};
}

Cost JsonCost(const Json& value) {
  size_t values = 1;
  if (value.is_structured())
    for (const auto& item : value) values += JsonCost(item).values;
  return {DumpJson(value).size() + 1, values};
}

constexpr Cost kNumberCost{21, 1};

Cost NumbersCost(const std::vector<int64_t>& numbers) {
  return {numbers.size() * kNumberCost.bytes, numbers.size() * kNumberCost.values};
}

// Without lines, entries and their marks.
Cost FrameCost(const Artifact& artifact) {
  Cost cost{160, 8};
  cost += StringCost(artifact.kind);
  cost += StringCost(artifact.path);
  cost += JsonCost(artifact.facts);
  return cost;
}

Cost FullCost(const Artifact& artifact) {
  Cost cost = FrameCost(artifact);
  for (const auto& line : artifact.lines) cost += StringCost(line);
  for (const auto& entry : artifact.entries) cost += StringCost(entry);
  cost += NumbersCost(artifact.matches);
  cost += NumbersCost(artifact.cut);
  return cost;
}

Cost BaseCost(const ToolResult& result) {
  Cost cost{256, 16};
  for (const std::string* text : {&result.output, &result.error, &result.summary, &result.recovery_hint})
    cost += StringCost(*text);
  for (const auto& action : result.next_actions) cost += StringCost(action);
  return cost;
}

Cost FullCost(const CallAnswer& answer) {
  Cost cost = BaseCost(answer.result);
  cost += StringCost(answer.id);
  for (const auto& artifact : answer.result.artifacts) cost += FullCost(artifact);
  return cost;
}

void Clamp(std::string* text, size_t max) {
  if (text->size() > max) *text = std::string(TruncateUtf8(*text, max));
}

// Drops marks of lines that are no longer there.
void KeepMarks(const Artifact& artifact, std::vector<int64_t>* marks) {
  int64_t end = artifact.line_start + static_cast<int64_t>(artifact.lines.size());
  std::erase_if(*marks, [&](int64_t line) { return line >= end; });
}

void KeepLines(Artifact* artifact, size_t lines) {
  if (artifact->lines.size() <= lines) return;
  artifact->lines.resize(lines);
  KeepMarks(*artifact, &artifact->matches);
  KeepMarks(*artifact, &artifact->cut);
}

void SayCut(ToolResult* result, size_t lines, size_t entries, size_t artifacts) {
  std::string note = "\n[cut to fit one answer: " + std::to_string(lines) + " lines, " + std::to_string(entries) +
                     " entries and " + std::to_string(artifacts) + " artifacts were left out at the end; ask for less at a time]";
  Clamp(&result->output, kMaxOutput - kNoteBytes);
  result->output += note;
  if (result->status == agentcore::ToolStatus::kOk) result->status = agentcore::ToolStatus::kPartial;
  if (result->next_actions.size() < kMaxActions) result->next_actions.push_back("ask for fewer lines or files at a time");
}

// What the tables demand of every result, whatever its size.
void KeepTables(ToolResult* result) {
  Clamp(&result->output, kMaxOutput);
  Clamp(&result->error, kMaxError);
  Clamp(&result->summary, kMaxSummary);
  Clamp(&result->recovery_hint, kMaxHint);
  if (result->next_actions.size() > kMaxActions) result->next_actions.resize(kMaxActions);
  for (auto& action : result->next_actions) Clamp(&action, kMaxActionBytes);
  size_t lines = 0, entries = 0, artifacts = 0;
  if (result->artifacts.size() > kMaxArtifacts) {
    artifacts = result->artifacts.size() - kMaxArtifacts;
    result->artifacts.resize(kMaxArtifacts);
  }
  for (Artifact& artifact : result->artifacts) {
    Clamp(&artifact.path, kMaxPath);
    if (artifact.lines.size() > kMaxItems) lines += artifact.lines.size() - kMaxItems;
    KeepLines(&artifact, kMaxItems);
    if (artifact.matches.size() > kMaxItems) artifact.matches.resize(kMaxItems);
    if (artifact.cut.size() > kMaxItems) artifact.cut.resize(kMaxItems);
    if (artifact.entries.size() > kMaxItems) {
      entries += artifact.entries.size() - kMaxItems;
      artifact.entries.resize(kMaxItems);
    }
  }
  if (lines + entries + artifacts > 0) SayCut(result, lines, entries, artifacts);
}

// Takes lines, entries and whole artifacts off the end until the rest fits `room`.
void CutTo(ToolResult* result, Cost room) {
  size_t lines = 0, entries = 0, artifacts = 0;
  // Words first: they are bounded by the tables, but a share may be smaller.
  Clamp(&result->output, room.bytes / 8);
  Cost used = BaseCost(*result);
  used += {kNoteBytes, 4};
  size_t kept = 0;
  for (Artifact& artifact : result->artifacts) {
    Cost frame = FrameCost(artifact);
    frame += used;
    if (!frame.Fits(room)) break;
    used = frame;
    size_t n = 0;
    // A line may carry a match and a cut mark: counted with it, so that marks never break the bound.
    for (; n < artifact.lines.size(); ++n) {
      Cost next = StringCost(artifact.lines[n]);
      next += kNumberCost;
      next += kNumberCost;
      next += used;
      if (!next.Fits(room)) break;
      used = next;
    }
    bool whole = n == artifact.lines.size();
    lines += artifact.lines.size() - n;
    KeepLines(&artifact, n);
    for (n = 0; n < artifact.entries.size(); ++n) {
      Cost next = StringCost(artifact.entries[n]);
      next += used;
      if (!next.Fits(room)) break;
      used = next;
    }
    whole = whole && n == artifact.entries.size();
    entries += artifact.entries.size() - n;
    artifact.entries.resize(std::min(n, artifact.entries.size()));
    ++kept;
    if (!whole) {
      artifact.facts = Json{{"cut_to_fit", true}};  // facts about the end of the artifact are no longer true
      break;
    }
  }
  artifacts = result->artifacts.size() - kept;
  result->artifacts.resize(kept);
  SayCut(result, lines, entries, artifacts);
}

}  // namespace

void BoundAnswers(std::vector<CallAnswer>* answers, const AnswerBounds& bounds) {
  if (answers->empty()) return;
  Cost total;
  std::vector<Cost> costs;
  for (CallAnswer& answer : *answers) {
    KeepTables(&answer.result);
    costs.push_back(FullCost(answer));
    total += costs.back();
  }
  if (total.Fits({bounds.max_bytes, bounds.max_values})) return;
  const Cost share{bounds.max_bytes / answers->size(), bounds.max_values / answers->size()};
  for (size_t i = 0; i < answers->size(); ++i)
    if (!costs[i].Fits(share)) CutTo(&(*answers)[i].result, share);
}

}  // namespace paddock::subagents
