#include "agentcore/context/memory.h"

#include <algorithm>

#include "agentcore/context/token_estimate.h"
#include "agentcore/pipeline/wrap.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kSaidBytes = 400, kArgumentBytes = 160, kSummaryBytes = 200, kNoteBytes = 600;
constexpr char kSaid[] = "said: ";

std::string OneLine(std::string_view text, size_t max) {
  std::string line = VisibleText(text, Newlines::kKeep);
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (line.size() <= max) return line;
  return std::string(TruncateUtf8(line, max)) + "...";
}

void AddList(std::string* text, const char* heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  *text += std::string(heading) + "\n";
  for (const std::string& line : lines) *text += "- " + line + "\n";
}

int64_t Tokens(const std::vector<std::string>& lines) {
  int64_t tokens = 0;
  for (const std::string& line : lines) tokens += EstimateTokens(line) + 2;
  return tokens;
}

}  // namespace

TurnDigest DigestOf(const TranscriptTurn& turn, const std::vector<CallOutcome>& results) {
  TurnDigest digest{turn.turn, ""};
  if (!turn.answer.text.empty()) digest.text += kSaid + OneLine(turn.answer.text, kSaidBytes) + "\n";
  for (const ToolCall& call : turn.answer.calls) {
    digest.text += call.tool + " " + OneLine(DumpJson(call.arguments), kArgumentBytes);
    for (const CallOutcome& one : results)
      if (one.call.id == call.id) digest.text += ": " + std::string(NameOf(one.result.status)) + ", " + OneLine(one.result.success ? one.result.summary : one.result.error, kSummaryBytes);
    digest.text += "\n";
  }
  return digest;
}

std::string CallsOf(const TurnDigest& digest) {
  std::string calls = digest.text;
  if (calls.starts_with(kSaid)) calls.erase(0, calls.find('\n') + 1);
  while (calls.ends_with('\n')) calls.pop_back();
  std::replace(calls.begin(), calls.end(), '\n', ';');
  return calls;
}

std::vector<TurnDigest> Memory::TakeDigests(int turn) {
  std::vector<TurnDigest> taken;
  for (; !digests_.empty() && digests_.front().turn <= turn; digests_.pop_front()) taken.push_back(std::move(digests_.front()));
  return taken;
}

void Memory::Add(Notes notes) {
  const auto append = [](std::vector<std::string>* to, const std::vector<std::string>& from) {
    for (const std::string& one : from) {
      std::string line = OneLine(one, kNoteBytes);
      if (!line.empty() && std::find(to->begin(), to->end(), line) == to->end()) to->push_back(std::move(line));
    }
  };
  append(&notes_.facts, notes.facts);
  notes_.open_questions.clear();
  append(&notes_.open_questions, notes.open_questions);
  append(&notes_.done, notes.done);
  Bound();
}

void Memory::AddDone(const std::vector<TurnDigest>& digests) {
  for (const TurnDigest& digest : digests)
    if (std::string calls = CallsOf(digest); !calls.empty()) notes_.done.push_back(OneLine(calls, kNoteBytes));
  Bound();
}

// Facts have half of the room to themselves; what was done gives way first.
void Memory::Bound() {
  const auto drop = [&](std::vector<std::string>* lines, int64_t room) {
    size_t n = 0;
    for (int64_t tokens = Tokens(*lines); tokens > room && n < lines->size(); ++n) tokens -= EstimateTokens((*lines)[n]) + 2;
    lines->erase(lines->begin(), lines->begin() + static_cast<ptrdiff_t>(n));
    forgotten_ += static_cast<int64_t>(n);
  };
  drop(&notes_.open_questions, max_tokens_ / 8);
  drop(&notes_.facts, std::max(max_tokens_ / 2, max_tokens_ - Tokens(notes_.open_questions) - Tokens(notes_.done)));
  drop(&notes_.done, max_tokens_ - Tokens(notes_.open_questions) - Tokens(notes_.facts));
}

std::string Memory::Text() const {
  if (empty()) return "";
  std::string text;
  AddList(&text, "Facts that were found:", notes_.facts);
  AddList(&text, "Open questions:", notes_.open_questions);
  AddList(&text, "Done, and not to be done again:", notes_.done);
  if (forgotten_ > 0) text += "(" + std::to_string(forgotten_) + " older notes were left out to save room)\n";
  for (const TurnDigest& digest : digests_) text += "Turn " + std::to_string(digest.turn) + ":\n" + digest.text;
  return "Your earlier turns are not shown any more. This is what is left of them:\n" + Wrap(text, "notes", "");
}

}  // namespace paddock::agentcore
