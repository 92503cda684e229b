// A conversation that grows past its share of the model's window: what is left out, in which order. Always between turns.
//
//   1. results that are older than three turns become a line each, oldest first
//   2. turns before the last three leave: the last ten as a digest each, older ones as notes that the model writes (or, where it
//      can't, as what was called)
//   3. results of the last turns, but never the latest
//   4. the report is asked for
//
// The system prompt, the goal and the tools stay.
#include <algorithm>

#include "agentcore/context/compaction.h"
#include "agentcore/context/conversation.h"
#include "agentcore/context/token_estimate.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kWholeTurns = 3;    // with the results of the latest
constexpr int kDigestedTurns = 10;
constexpr int kNotesTries = 2;       // for one piece
constexpr int kNotesFailures = 2;    // pieces in a row; then the model is not asked any more

}  // namespace

void TicketConversation::TellRoom(RoomStep step, const std::string& text) { host_->OnRoom(step, Tokens(), window_.budget(), text); }

// Results shown in the turns before `end`, oldest first, until the question has no more than `tokens`. True when something went.
bool TicketConversation::PruneUntil(size_t end, int64_t tokens) {
  size_t freed = 0;
  for (size_t i = 0; i < std::min(end, past_.size()) && Tokens() > tokens; ++i) freed += past_.Prune(i);
  if (freed == 0) return false;
  host_->OnTextFreed(freed);
  progress_.ForgetWhatWasSeen();
  return true;
}

void TicketConversation::MakeRoom(const Deadline& deadline) {
  if (!window_.bounded()) return;
  if (Tokens() <= window_.budget()) {
    if (Tokens() > window_.warning() && !std::exchange(warned_, true)) TellRoom(RoomStep::kWarning, "the conversation fills four fifths of its share of the window");
    return;
  }
  warned_ = false;
  // The results of the third turn from the end are shown in the second from the end.
  const size_t whole = kWholeTurns - 1;
  if (past_.size() > whole && PruneUntil(past_.size() - whole, window_.low())) TellRoom(RoomStep::kPruned, "old results were left out");
  if (Tokens() > window_.budget() && past_.size() > kWholeTurns) NoteOlderTurns(deadline);
  if (Tokens() > window_.budget() && PruneUntil(past_.size(), window_.budget())) TellRoom(RoomStep::kPruned, "results of the last turns were left out");
  if (Tokens() <= window_.budget()) return;
  TellRoom(RoomStep::kFull, "the conversation fills its share of the window");
  if (Tokens() > window_.tokens() / 10 * 9) WrapUpNow(WrapUp::kWindow, "the conversation fills the model's window");
}

void TicketConversation::NoteOlderTurns(const Deadline& deadline) {
  Transcript::Taken left = past_.TakeFirst(past_.size() - kWholeTurns);
  size_t freed = 0;
  for (size_t i = 0; i < left.turns.size(); ++i) {
    const auto& results = i + 1 < left.turns.size() ? left.turns[i + 1].shown : left.last_results;
    for (const CallOutcome& outcome : results) freed += outcome.text.size();
    memory_.AddDigest(DigestOf(left.turns[i], results));
  }
  host_->OnTextFreed(freed);
  progress_.ForgetWhatWasSeen();
  const std::vector<TurnDigest> old = memory_.TakeDigests(turns_before_ + turn_ - kDigestedTurns);
  // In pieces, so that the question is never too long itself.
  for (size_t begin = 0; begin < old.size();) {
    int64_t tokens = 0;
    size_t end = begin;
    do tokens += EstimateTokens(old[end++].text);
    while (end < old.size() && tokens + EstimateTokens(old[end].text) <= window_.Estimated(window_.notes_share()));
    const std::vector<TurnDigest> piece(old.begin() + static_cast<ptrdiff_t>(begin), old.begin() + static_cast<ptrdiff_t>(end));
    const bool noted = AskForNotes(piece, deadline);
    if (!noted) memory_.AddDone(piece);
    ShowMemory();
    TellRoom(noted ? RoomStep::kNoted : RoomStep::kForgotten, std::to_string(piece.size()) + (piece.size() == 1 ? " older turn was" : " older turns were") + (noted ? " summed up by the model" : " summed up without the model"));
    begin = end;
  }
  ShowMemory();
}

void TicketConversation::ShowMemory() {
  memory_text_ = memory_.Text();
  // A further question stood in a turn that may have left.
  if (!question_.empty() && turn_ > 0 && past_.size() > 0 && past_.turns().front().turn > turns_before_ + 1) memory_text_ += "\n\n" + question_;
  memory_size_ = SizeOf(memory_text_);
}

// True when the model wrote them down. Its answer costs tokens, but no turn.
bool TicketConversation::AskForNotes(const std::vector<TurnDigest>& turns, const Deadline& deadline) {
  if (notes_failed_ >= kNotesFailures || !model_->is_language_model()) return false;
  std::string why;
  for (int attempt = 0; attempt < kNotesTries; ++attempt) {
    ModelRequest request = NotesRequest(question_.empty() ? setup_.goal : setup_.goal + "\n\n" + question_, memory_, turns, why);
    request.abandon_fd = setup_.abandon_fd;
    request.max_output_tokens = std::min(request.max_output_tokens, window_.tokens() / 8);
    const TextSize size = SizeOf(request.context + request.memory + request.goal + request.system);
    auto admitted = host_->AdmitNotes(size.bytes);
    if (!admitted) return false;
    if (*admitted > 0) request.max_output_tokens = std::min(*admitted, request.max_output_tokens);
    auto answer = model_->Next(request, deadline);
    host_->SettleNotes(answer ? answer->usage : model_->TakeLostUsage());
    if (!answer) break;  // it was asked again already where that helps
    auto notes = ReadNotes(*answer, turns);
    if (notes) {
      for (auto* list : {&notes->facts, &notes->open_questions, &notes->done})
        for (std::string& line : *list) line = redactor_.Redact(line);
      memory_.Add(*std::move(notes));
      notes_failed_ = 0;
      return true;
    }
    why = Shown(notes.error().message);
  }
  ++notes_failed_;
  return false;
}

}  // namespace paddock::agentcore
