#include "orchestrator/broker/broker.h"

#include <algorithm>

#include "base/text.h"
#include "orchestrator/broker/host.h"
#include "orchestrator/broker/rate.h"

namespace paddock::orchestrator {
namespace {

using agentcore::ConversationEnd;
using agentcore::WrapUp;
using subagents::TicketStatus;
using std::chrono::milliseconds;

// A model is not waited for when the cell has ended.
agentcore::ConversationSetup Watching(const ServeSetup& setup) {
  agentcore::ConversationSetup conversation = setup.conversation;
  conversation.abandon_fd = setup.link.end_fd;
  return conversation;
}

class Server {
 public:
  explicit Server(const ServeSetup& setup)
      : setup_(setup), redactor_(agentcore::OrCommonKinds(setup.conversation.redactor)), host_(setup, redactor_), conversation_(Watching(setup), setup.model, &host_),
        channel_(setup.link, setup.cancel_fd, subagents::kMaxFrameBytes, setup.pool),
        events_left_(setup.events_per_second, setup.event_burst) {
    if (setup.conversation.earlier) host_.CarryText(setup.conversation.earlier->shown_bytes());
    auto left = setup.deadline.left();
    milliseconds reserve = WrapUpReserve(setup.wall);
    if (left) {
      auto at = [&](milliseconds before) { return Deadline::After(std::max(std::chrono::nanoseconds(0), *left - before)); };
      soft_ = at(reserve);
      grace_ = at(reserve / 2);
      report_by_ = at(reserve / 4);
    }
  }

  ServeOutcome Run() {
    auto started = Deadline::Clock::now();
    auto wall = setup_.ledger->ReserveUpTo(Limit::kWallMs, INT64_MAX);
    channel_.Send(subagents::EncodeFrame("task", setup_.task));
    while (!done_ && !break_) Step();
    if (break_ && conversation_.end() == ConversationEnd::kOpen) SaveReport();
    ServeOutcome out{ConcludeConversation(conversation_, &host_, setup_, redactor_, std::move(break_), std::move(notes_)), {}, {}, got_result_};
    if (setup_.keep_history) out.history = conversation_.TakeHistory();
    auto spent = std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - started).count();
    wall.Settle(spent);
    FillUsage(spent, &out);
    setup_.events->Record("served", Json{{"status", NameOf(out.status)}, {"ending", ToJson(out.ending)}, {"report", out.report.has_value()}});
    setup_.events->Flush();
    return out;
  }

 private:
  void Fail(TicketStatus status, std::string kind, std::string detail, std::string hint = "") {
    break_ = Break{status, std::move(kind), std::move(detail), std::move(hint)};
  }
  void BadFrame(const std::string& detail) {
    Fail(TicketStatus::kCrashed, "protocol_error", Shown(detail), "the cell misbehaved: treat the repository as hostile");
  }

  Deadline NextDeadline() const {
    if (final_sent_) return result_by_.Earlier(setup_.deadline);
    return conversation_.wrap_up() == WrapUp::kNone ? soft_ : grace_;
  }

  // Waits for one thing to happen and deals with it.
  void Step() {
    auto arrival = channel_.Wait(NextDeadline());
    switch (arrival.event) {
      case CellChannel::Event::kFrame: return OnFrame(std::move(arrival.text));
      case CellChannel::Event::kTimeout: return OnTimeout();
      case CellChannel::Event::kCancelled: return Fail(TicketStatus::kCancelled, "cancelled", "told to stop");
      case CellChannel::Event::kEnded: return Fail(TicketStatus::kCrashed, "exit", "the cell ended before its result");
      case CellChannel::Event::kClosed: return Fail(TicketStatus::kCrashed, "closed_pipe", arrival.text);
      case CellChannel::Event::kBroken: return BadFrame(arrival.text);
    }
  }

  void OnTimeout() {
    if (final_sent_) return Fail(TicketStatus::kTimeout, "timeout", "the cell did not hand in its result in time");
    if (conversation_.wrap_up() == WrapUp::kNone && !setup_.deadline.passed()) {
      conversation_.StartWrapUp(WrapUp::kDeadline);
      channel_.Send(subagents::EncodeFrame("wrap_up", subagents::WrapUpFrame{"deadline"}));
      setup_.events->Record("wrap_up", Json{{"reason", "deadline"}});
      host_.Show({Progress::Kind::kWrapUp, conversation_.turns(), "", "deadline", 0});
      return;
    }
    Fail(TicketStatus::kTimeout, "timeout", "the cell did not answer before the deadline", "allow more time, or ask for less");
  }

  // One frame at a time in the whole process is taken apart. The model is asked, and people are shown things, afterwards.
  void OnFrame(std::string line) {
    std::optional<Progress> shown;
    bool ask = false;
    {
      std::unique_lock<std::mutex> gate;
      if (setup_.pool) gate = std::unique_lock(setup_.pool->gate());
      TakeFrame(line, &shown, &ask);
      std::string().swap(line);
      channel_.Done();
    }
    if (shown) host_.Show(*shown);
    if (ask && !break_) AskForTurn();
  }

  void TakeFrame(const std::string& line, std::optional<Progress>* shown, bool* ask) {
    auto frame = subagents::DecodeFrame(line);
    if (!frame) return BadFrame(frame.error().message);
    if (frame->type == "event") return OnEvent(line.size(), frame->body, shown);
    if (++other_frames_ > 2 * setup_.conversation.max_turns + 16) return BadFrame("too many frames");
    RecordFrame(*frame, line.size());
    if (frame->type == "next_turn" && !final_sent_) return *ask = true, TakeAnswers(frame->body);
    if (frame->type == "result" && final_sent_) return OnResult(line.size(), frame->body);
    if (frame->type == "fault") {
      auto fault = FromJson<subagents::FaultFrame>(frame->body);
      return fault ? Fail(TicketStatus::kCrashed, "exit", "the cell gave up: " + Shown(fault->message)) : BadFrame(fault.error().message);
    }
    BadFrame("a frame \"" + Shown(frame->type, 32) + "\" that was not asked for");
  }

  void OnEvent(size_t bytes, const Json& body, std::optional<Progress>* shown) {
    if (bytes > subagents::kMaxEventBytes) return BadFrame("an event of more than 64 KiB");
    if (!events_left_.Take()) return BadFrame("more than " + std::to_string(setup_.events_per_second) + " events a second");
    auto event = FromJson<subagents::EventFrame>(body);
    if (!event) return BadFrame(event.error().message);
    setup_.events->Record("frame_in", Json{{"type", "event"}, {"bytes", bytes}, {"body", agentcore::CleanJson(body, 4096, redactor_, nullptr)}});
    if (event->kind != "tool_started" && event->kind != "tool_finished") return BadFrame("an event of an unknown kind");
    auto kind = event->kind == "tool_started" ? Progress::Kind::kToolStarted : Progress::Kind::kToolFinished;
    *shown = Progress{kind, conversation_.turns(), ForTerminal(event->tool, redactor_), ForTerminal(event->subject, redactor_), event->ms};
  }

  void TakeAnswers(const Json& body) {
    auto next = FromJson<subagents::NextTurnFrame>(body);
    if (!next) return BadFrame(next.error().message);
    bool start = next->reason == subagents::NextReason::kStart;
    if (start != (conversation_.turns() == 0)) return BadFrame(start ? "a second start" : "results before the start");
    int64_t failed = 0;
    for (const auto& answer : next->answers) failed += !answer.result.success;
    int64_t answered = static_cast<int64_t>(next->answers.size());
    std::vector<agentcore::CallReply> replies;
    for (auto& answer : next->answers) replies.push_back({std::move(answer.id), std::move(answer.result)});
    if (auto taken = conversation_.Take(std::move(replies)); !taken) return BadFrame(taken.error().message);
    answers_ += answered;
    failed_answers_ += failed;
  }

  void AskForTurn() {
    const agentcore::CellTurn turn = conversation_.Ask(soft_, report_by_);
    if (channel_.cancelled()) return Fail(TicketStatus::kCancelled, "cancelled", "told to stop");
    std::string frame = subagents::EncodeFrame("turn", subagents::TurnFrame{turn.calls, turn.final});
    setup_.events->Record("frame_out", Json{{"type", "turn"}, {"body", redactor_.RedactJson(ToJson(subagents::TurnFrame{turn.calls, turn.final}))}});
    channel_.Send(std::move(frame));
    if (turn.final) {
      final_sent_ = true;
      result_by_ = Deadline::After(setup_.result_grace);
    }
  }

  void OnResult(size_t bytes, const Json& body) {
    if (bytes > subagents::kMaxResultBytes) return BadFrame("a result of more than 1 MiB");
    auto result = FromJson<subagents::ResultFrame>(body);
    if (!result) return BadFrame(result.error().message);
    // Calls that were skipped because wrap-up was asked for are answered as failed and not counted as run.
    int64_t skipped = answers_ - result->tool_calls;
    bool may_skip = conversation_.wrap_up() == WrapUp::kDeadline;
    if (skipped < 0 || (skipped > 0 && !may_skip) || result->failed_calls != failed_answers_ - skipped) {
      notes_.push_back("the cell says that it ran " + std::to_string(result->tool_calls) + " calls (" + std::to_string(result->failed_calls) +
                       " failed); the parent saw answers of " + std::to_string(answers_) + " (" + std::to_string(failed_answers_) + " failed)");
      return BadFrame("the facts of the result don't agree with what the parent saw");
    }
    got_result_ = true;
    done_ = true;
  }

  // The cell is of no more use: ask the model for what it has.
  void SaveReport() {
    if (break_->status == TicketStatus::kCancelled) {
      notes_.push_back("stopped before the report: the model was not asked for one");
      return;
    }
    // Nothing was found yet; and a language model that has seen nothing could only make something up.
    if (conversation_.turns() == 0 || (answers_ == 0 && setup_.model->is_language_model())) return;
    WrapUp reason = break_->status == TicketStatus::kTimeout ? WrapUp::kDeadline : WrapUp::kCellLost;
    conversation_.ReportWithoutCell(reason, report_by_);
    if (conversation_.report()) notes_.push_back("the report was made without the cell, from what was seen until then");
  }

  void FillUsage(int64_t spent_ms, ServeOutcome* out) const {
    out->usage.turns = conversation_.turns();
    out->usage.tool_calls = answers_;
    out->usage.input_tokens = host_.input_tokens();
    out->usage.output_tokens = host_.output_tokens();
    out->usage.cached_tokens = host_.cached_tokens();
    out->usage.output_bytes = host_.output_bytes();
    out->usage.wall_ms = spent_ms;
    out->usage.cost_nanos = host_.cost_nanos();
  }

  std::string Shown(std::string_view text, size_t max = 1024) const { return ShownText(text, redactor_, max); }

  // Of a frame only what says nothing of the repository: what became of its contents is recorded with the outcomes.
  void RecordFrame(const subagents::RawFrame& frame, size_t bytes) {
    Json fields{{"type", Shown(frame.type, 32)}, {"bytes", bytes}};
    if (auto answers = frame.body.find("answers"); frame.type == "next_turn" && answers != frame.body.end() && answers->is_array()) {
      Json ids = Json::array();
      for (const Json& answer : *answers)
        if (ids.size() < agentcore::kMaxCallsPerTurn && answer.is_object() && answer.contains("id") && answer["id"].is_string())
          ids.push_back(Shown(answer["id"].get_ref<const std::string&>(), 64));
      fields["ids"] = std::move(ids);
    }
    if (frame.type == "result" || frame.type == "fault") fields["body"] = agentcore::CleanJson(frame.body, 4096, redactor_, nullptr);
    setup_.events->Record("frame_in", std::move(fields));
  }

  const ServeSetup& setup_;
  const agentcore::Redactor& redactor_;
  BrokerHost host_;
  agentcore::TicketConversation conversation_;
  CellChannel channel_;
  TokenBucket events_left_;
  Deadline soft_ = Deadline::Never();       // wrap up
  Deadline grace_ = Deadline::Never();      // the cell has answered the wrap-up
  Deadline report_by_ = Deadline::Never();  // the model has reported
  Deadline result_by_ = Deadline::Never();
  bool final_sent_ = false;
  bool done_ = false;
  bool got_result_ = false;
  int other_frames_ = 0;
  int64_t answers_ = 0, failed_answers_ = 0;
  std::optional<Break> break_;
  std::vector<std::string> notes_;
};

}  // namespace

milliseconds WrapUpReserve(milliseconds wall) {
  return std::min(std::max(wall / 10, milliseconds(2000)), wall / 2);
}

ServeOutcome ServeCell(const ServeSetup& setup) { return Server(setup).Run(); }

}  // namespace paddock::orchestrator
