// What the conversation asks of the broker: the ledger's word on turns, calls and output, the check of a
// report, and that everything is recorded and shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agentcore/context/conversation.h"
#include "agentcore/tools/oddities.h"
#include "orchestrator/broker/host_setup.h"
#include "subagents/report.h"

namespace paddock::orchestrator {

// At most 200 bytes, on one line, nothing invisible, no secrets.
std::string ForTerminal(std::string_view text, const agentcore::Redactor& redactor);

class BrokerHost : public agentcore::ConversationHost {
 public:
  BrokerHost(const HostSetup& setup, const agentcore::Redactor& redactor) : setup_(setup), redactor_(redactor) {}
  ~BrokerHost() override { if (setup_.pool) setup_.pool->DropText(kept_text_); }

  Result<int64_t> AdmitTurn(bool report, size_t request_bytes) override;
  size_t RoomForResults(size_t request_bytes) override;
  void SettleTurn(const agentcore::ModelUsage& usage) override;
  size_t AdmitCalls(size_t wanted) override;
  size_t ChargeOutput(size_t bytes) override;
  Status CheckReport(const Json& arguments) override;
  void OnOutcomes(const std::vector<agentcore::CallOutcome>& outcomes, const std::vector<agentcore::SeenExcerpt>& seen) override;
  void OnTurn(const agentcore::TranscriptTurn& turn, const std::vector<std::string>& mended) override;
  Result<int64_t> AdmitNotes(size_t request_bytes) override;
  void SettleNotes(const agentcore::ModelUsage& usage) override;
  void OnPhase(agentcore::Phase phase, const std::string& reason) override;
  void OnRoom(agentcore::RoomStep step, int64_t tokens, int64_t budget, const std::string& text) override;
  void OnTextFreed(size_t bytes) override;

  // Texts of results that a conversation goes on from: they count as its own.
  void CarryText(size_t bytes);
  void Show(Progress progress) const {
    if (setup_.watcher) setup_.watcher(progress);
  }
  // The report that was accepted; else one of which only `data` did not fit the caller's schema, without that.
  std::optional<subagents::Report> TakeReport() { return std::move(report_); }
  // What of its data did not fit, or empty.
  const std::string& data_fault() const { return data_fault_; }
  int64_t input_tokens() const { return input_tokens_; }
  int64_t output_tokens() const { return output_tokens_; }
  std::optional<int64_t> cached_tokens() const { return spent_.cached_tokens; }
  int64_t output_bytes() const { return output_bytes_; }
  // Null where no price is known.
  std::optional<int64_t> cost_nanos() const;
  // What tools found odd in the repository, for the notes of the ticket. The cell's word.
  std::vector<std::string> OddNotes() const;

 private:
  std::string SubjectOf(const Json& arguments) const;
  // For a question and its answer; the answer is made smaller where money is short.
  Result<Ledger::Reservation> ReserveMoney(int64_t question, int64_t* answer, Purpose purpose);
  void SettleMoney(agentcore::ModelUsage spent);

  const HostSetup& setup_;
  const agentcore::Redactor& redactor_;
  size_t kept_text_ = 0;  // bytes, of the pool's
  Ledger::Reservation turn_, tokens_, notes_;
  Ledger::Reservation money_;  // of the question that is open: a turn's, or that for notes
  int64_t notes_tokens_ = 0;  // that notes of older turns have cost
  std::optional<subagents::Report> report_;
  std::string data_fault_;
  bool report_refused_ = false;  // once; the next one is the last
  agentcore::Oddities odd_;
  agentcore::ModelUsage spent_;
  int64_t input_tokens_ = 0, output_tokens_ = 0, output_bytes_ = 0;
};

}  // namespace paddock::orchestrator
