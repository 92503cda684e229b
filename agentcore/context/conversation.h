// The parent's transcript of one ticket, and every decision about what comes next. It never leaves the trusted side.
//
// What is decided is a state machine (agentcore/loop/phase.h); each step of it is told to the host with its reason. A model that
// gets nowhere (loop/progress.h) is told so and asked what it will change; the second time it is asked for its report. What does not
// fit into the model's window any more is left out, oldest first, or written down in a Memory (room.cc).
//
// The cell hands in answers and gets calls; everything between is decided here: the answers must be exactly
// those that were asked for, they are cleaned, redacted, bounded and rendered, the model is asked, and what it says is checked.
// A call of a tool that is not on offer, or with arguments that are no object, never reaches the cell: the
// model gets it back as a failed outcome. The report is the model's own `report` call, so a cell that has
// been taken over can neither alter nor invent it.
//
//   host (the broker)  admits and charges turns and calls, checks reports, is shown what happens
//   model              asked with a deadline, answers with text and calls
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/context/history.h"
#include "agentcore/context/memory.h"
#include "agentcore/context/transcript.h"
#include "agentcore/context/window.h"
#include "agentcore/loop/phase.h"
#include "agentcore/loop/progress.h"
#include "agentcore/model/model.h"
#include "agentcore/model/shown_calls.h"
#include "agentcore/pipeline/clean.h"
#include "agentcore/pipeline/redact.h"
#include "base/deadline.h"
#include "base/result.h"

namespace paddock::agentcore {

inline constexpr char kReportTool[] = "report";
inline constexpr size_t kMaxCallsPerTurn = 64;

struct ConversationSetup {
  std::string system;            // pinned: sent with every request
  std::string goal;
  std::string context;
  std::vector<ToolSpec> tools;   // on offer, `report` not among them
  ToolSpec report{kReportTool, "Hands in the report.", Json::object()};
  bool text_is_final = false;    // an answer in plain words ends the conversation, as its report would
  int max_turns = 1;             // model calls, the report and every repair included
  int abandon_fd = -1;           // readable: the cell is gone, so that a model needn't be waited for
  CleanBounds bounds;            // of one result
  size_t max_turn_bytes = 2u << 20;  // of all results of one turn together
  // Of a language model: goes on from here; goal and context are a further question then. Null: it begins.
  std::shared_ptr<const ConversationHistory> earlier = nullptr;
  // Takes secrets out of goal, context, results and what the model says; borrowed. Null: of the common kinds.
  const Redactor* redactor = nullptr;
};

// What a call gave, as the cell tells it. Hostile.
struct CallReply {
  std::string id;
  ToolResult result;
};

// What goes to the cell.
struct CellTurn {
  std::vector<ToolCall> calls;
  bool final = false;  // the conversation is over, see end()
};

enum class WrapUp { kNone, kTurns, kDeadline, kBudget, kCellLost, kNoProgress, kWindow };

enum class ConversationEnd {
  kOpen,
  kReport,      // report() holds it
  kAnswer,      // answer() holds it: plain words, where they are enough
  kStuck,       // text without calls, twice; nothing said, three times; other tools when only the report was on offer
  kBadReport,   // a report that was not accepted, twice
  kNoReport,    // turns or budget ran out before there was one
  kRefused,     // the model would not answer
  kModelError,  // error() says how
};

// The window filled up, and what was done about it.
enum class RoomStep { kWarning, kPruned, kNoted, kForgotten, kFull };
inline auto EnumNames(FieldsOf<RoomStep>) {
  return std::array{EnumName{RoomStep::kWarning, "warning"}, EnumName{RoomStep::kPruned, "pruned"}, EnumName{RoomStep::kNoted, "noted"},
                    EnumName{RoomStep::kForgotten, "forgotten"}, EnumName{RoomStep::kFull, "full"}};
}

class ConversationHost {
 public:
  virtual ~ConversationHost() = default;
  // May the model be asked? `report`: it may draw on the allowance held back for the report. Gives back how many
  // tokens its answer may have (0: no bound). Every admitted turn is settled, with what it cost (nothing known of
  // a turn that failed).
  virtual Result<int64_t> AdmitTurn(bool report, size_t request_bytes) = 0;
  virtual void SettleTurn(const ModelUsage& usage) = 0;
  // How many bytes of results the next question may hold besides these, so that it, and the report, can be paid.
  virtual size_t RoomForResults(size_t request_bytes) = 0;
  // How many of `wanted` calls the budget has room for; those are charged.
  virtual size_t AdmitCalls(size_t wanted) = 0;
  // Charges output of tools; gives back how many of these bytes may be shown.
  virtual size_t ChargeOutput(size_t bytes) = 0;
  virtual Status CheckReport(const Json& arguments) = 0;
  // Outcomes of a turn, cleaned, and the lines of files that they show.
  virtual void OnOutcomes(const std::vector<CallOutcome>& outcomes, const std::vector<SeenExcerpt>& seen) = 0;
  // `mended`: what was put right in the answer before it was taken, in sentences.
  virtual void OnTurn(const TranscriptTurn& turn, const std::vector<std::string>& mended) = 0;
  // May the model be asked to write down older turns? As AdmitTurn, but no turn; settled with SettleNotes.
  virtual Result<int64_t> AdmitNotes(size_t /*request_bytes*/) { return Fail(ErrorKind::kLimit, "no budget for notes"); }
  virtual void SettleNotes(const ModelUsage& /*usage*/) {}
  virtual void OnPhase(Phase /*phase*/, const std::string& /*reason*/) {}
  // `tokens`: of the next question, as the server would count them, after the step; `budget`: what it may have.
  virtual void OnRoom(RoomStep /*step*/, int64_t /*tokens*/, int64_t /*budget*/, const std::string& /*text*/) {}
  // Texts of results that were kept for the model are gone.
  virtual void OnTextFreed(size_t /*bytes*/) {}
};

class TicketConversation {
 public:
  // `model` and `host` are borrowed and must outlive this.
  TicketConversation(ConversationSetup setup, Model* model, ConversationHost* host);

  // Takes the answers of the last turn's calls: cleans them and keeps what a model is shown. kProtocol when they are
  // not exactly the last calls' in their order: then nothing of them is taken.
  Status Take(std::vector<CallReply> answers);
  // Asks for the next turn; waits for the model. `turn_deadline` bounds an ordinary turn; when it passes, the report
  // is asked for, by `report_deadline`.
  CellTurn Ask(const Deadline& turn_deadline, const Deadline& report_deadline);
  // Both.
  Result<CellTurn> Next(std::vector<CallReply> answers, const Deadline& turn_deadline, const Deadline& report_deadline);

  // From now on only the report is on offer. The first reason stays.
  void StartWrapUp(WrapUp reason);

  // For a cell that is gone: the open calls are given up, and the model is asked for its report with what
  // was seen so far.
  void ReportWithoutCell(WrapUp reason, const Deadline& report_deadline);

  ConversationEnd end() const { return end_; }
  Phase phase() const { return phase_; }
  const std::optional<Json>& report() const { return report_; }
  const std::string& answer() const { return answer_; }
  const Error& error() const { return error_; }  // of every end but kReport and kAnswer: why
  WrapUp wrap_up() const { return wrap_up_; }
  NoProgress no_progress() const { return sign_; }  // the last sign of it
  int turns() const { return turn_; }  // of this one, without those that it goes on from
  size_t calls_open() const { return sent_.size(); }
  // Those that a model is still shown.
  std::span<const TranscriptTurn> transcript() const { return past_.turns(); }
  const Memory& memory() const { return memory_; }
  // What a later conversation can go on from: nothing where there is no answer of a language model. Whatever the end was.
  std::optional<ConversationHistory> TakeHistory();
  // Secrets that were taken out before the model could see them.
  const RedactionTally& redactions() const { return tally_; }

 private:
  // What the model is asked for.
  enum class Question { kWork, kReflection, kReport };

  void GoOnFrom(const ConversationHistory& earlier);  // history.cc
  void Enter(Phase phase, const std::string& reason);
  void WrapUpNow(WrapUp reason, const std::string& why);
  void End(ConversationEnd end, Error error);
  bool ended() const { return end_ != ConversationEnd::kOpen; }

  // Taking results (conversation.cc).
  CleanBounds BoundsFor(const ToolResult& result, size_t calls_left, size_t* room_bytes, int64_t* room_tokens) const;
  void Observe();

  // Asking (conversation.cc).
  Question NextQuestion();
  ModelRequest MakeRequest(Question question) const;
  TextSize RequestSize() const;
  Result<ModelTurn> AskModel(const ModelRequest& request, const TextSize& size, const Deadline& deadline);

  // Why a call is not run, and what to do instead; `why` is empty for one that is.
  struct Refusal {
    std::string why, hint;
    ToolStatus status = ToolStatus::kInvalidArguments;
  };

  // Judging what was said (judge.cc). True when there are calls for the cell.
  bool Judge(ModelTurn raw, Question question);
  void TakeCallsFromText(ModelTurn* answer, std::vector<std::string>* mended, std::string* misunderstood) const;
  ModelTurn Cleaned(ModelTurn answer, size_t* dropped);
  void Remember(ModelTurn answer, bool wrap_up, const std::vector<std::string>& mended);
  void Answer(const std::string& text);
  void JudgeWords(const std::string& text, Finish finish, const std::string& misunderstood);
  void JudgeReport(const ToolCall& call);
  void RefuseAll(std::vector<ToolCall> calls, const std::string& why, const std::string& hint);
  void SortCalls(std::vector<ToolCall> calls, std::vector<Refusal> refusals);
  Refusal Check(ToolCall* call, std::vector<std::string>* mended) const;
  const ToolSpec* Offered(const std::string& name) const;
  void Nudge(const std::string& text, const std::string& failure);
  std::string OfferedNames() const;
  std::string OfferedSchemas() const;
  std::string Shown(const std::string& text) const;
  void RenderRefusals();

  // Keeping it in the window (room.cc).
  void MakeRoom(const Deadline& deadline);
  int64_t Tokens() const { return window_.Corrected(RequestSize().tokens); }
  bool PruneUntil(size_t end, int64_t tokens);
  void NoteOlderTurns(const Deadline& deadline);
  void ShowMemory();
  bool AskForNotes(const std::vector<TurnDigest>& turns, const Deadline& deadline);
  void TellRoom(RoomStep step, const std::string& text);

  ConversationSetup setup_;
  const Redactor& redactor_;
  RedactionTally tally_;
  Model* model_;
  ConversationHost* host_;

  int turn_ = 0;                       // model calls made
  int turns_before_ = 0;               // by the conversations that this one goes on from
  int first_max_turns_ = 1;            // as the first question said
  std::string question_;               // the further one; empty where this begins
  TextSize fixed_;                     // of system prompt, goal, context and tools
  Transcript past_;
  ContextWindow window_;
  Memory memory_;
  std::string memory_text_;            // as it is shown: made when the memory changes
  TextSize memory_size_;
  int notes_failed_ = 0;               // times in a row that a model's notes were of no use
  bool warned_ = false;

  ShownCalls shown_calls_;             // of a language model only

  Phase phase_ = Phase::kPlan;
  ProgressDetector progress_;
  NoProgress sign_ = NoProgress::kNone;
  bool warned_of_no_progress_ = false;
  bool reflect_ = false;               // the next question is for words only

  WrapUp wrap_up_ = WrapUp::kNone;
  bool repairing_ = false;             // a report was refused once
  bool nudged_ = false;
  int empty_answers_ = 0;              // in a row
  std::string notice_;                 // for the next request
  std::string said_;                   // with the calls that are open
  std::vector<CallOutcome> latest_;    // of the last turn's calls, in order; results of sent_ still to come
  TextSize latest_size_;
  std::vector<size_t> sent_;           // indices into latest_ of the calls that the cell runs
  ConversationEnd end_ = ConversationEnd::kOpen;
  std::optional<Json> report_;
  std::string answer_;
  Error error_;
};

}  // namespace paddock::agentcore
