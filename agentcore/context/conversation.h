// The parent's transcript of one ticket. It never leaves the trusted side.
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

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agentcore/model/model.h"
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

enum class WrapUp { kNone, kTurns, kDeadline, kBudget, kCellLost };

enum class ConversationEnd {
  kOpen,
  kReport,      // report() holds it
  kStuck,       // text without calls, twice; or other tools when only the report was on offer
  kBadReport,   // a report that was not accepted, twice
  kNoReport,    // turns or budget ran out before there was one
  kRefused,     // the model would not answer
  kModelError,  // error() says how
};

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
  virtual void OnTurn(const TranscriptTurn& turn) = 0;
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
  const std::optional<Json>& report() const { return report_; }
  const Error& error() const { return error_; }  // of every end but kReport: why
  WrapUp wrap_up() const { return wrap_up_; }
  int turns() const { return turn_; }
  size_t calls_open() const { return sent_.size(); }
  const std::vector<TranscriptTurn>& transcript() const { return transcript_; }
  // Secrets that were taken out before the model could see them.
  const RedactionTally& redactions() const { return tally_; }

 private:
  bool Judge(ModelTurn answer, bool wrap_up);
  void JudgeReport(const ToolCall& call);
  void SortCalls(std::vector<ToolCall> calls);
  std::string Refusal(const ToolCall& call) const;
  void Nudge(const std::string& text, const std::string& failure);
  void End(ConversationEnd end, Error error);
  std::string OfferedNames() const;
  std::string Shown(const std::string& text) const;
  void RenderRefusals();

  ConversationSetup setup_;
  const Redactor& redactor_;
  RedactionTally tally_;
  Model* model_;
  ConversationHost* host_;

  int turn_ = 0;                       // model calls made
  size_t past_bytes_ = 0;              // of transcript_, as a model is sent it
  WrapUp wrap_up_ = WrapUp::kNone;
  bool repairing_ = false;             // a report was refused once
  bool nudged_ = false;
  std::string notice_;                 // for the next request
  std::vector<CallOutcome> latest_;    // of the last turn's calls, in order; results of sent_ still to come
  std::vector<size_t> sent_;           // indices into latest_ of the calls that the cell runs
  std::vector<TranscriptTurn> transcript_;
  ConversationEnd end_ = ConversationEnd::kOpen;
  std::optional<Json> report_;
  Error error_;
};

}  // namespace paddock::agentcore
