#include "orchestrator/broker/host.h"

#include <algorithm>

#include "base/text.h"
#include "orchestrator/broker/least_budget.h"
#include "orchestrator/providers/price.h"
#include "subagents/data_schema.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kBytesPerToken = kSafeBytesPerToken;
constexpr int64_t kNotesShare = 5;

int64_t TokensOf(size_t bytes) { return SafeTokensOf(bytes); }

// Most tokens of an answer where `rest` are left for it and, unless it is the report, for that: where that is tight, both are shorter.
int64_t AnswerWithin(int64_t rest, int64_t most, Purpose purpose) {
  if (purpose == Purpose::kReport) return std::min(rest, most);
  const int64_t report = std::clamp(rest / 2, std::min(most, kLeastReportTokens), most);
  return std::min(rest - report, most);
}
// What is kept of `rest` for the next answer and the report, before what tools may show.
int64_t AnswersKept(int64_t rest, int64_t most) { return 2 * std::clamp(rest / 4, std::min(most, kLeastReportTokens), most); }

std::optional<int64_t> CachedOf(const agentcore::ModelUsage& usage, int64_t input) {
  return usage.cached_tokens ? std::optional(std::clamp<int64_t>(*usage.cached_tokens, 0, input)) : std::nullopt;
}

const char* AQuestion(const Ledger& ledger) { return ledger.Get(Limit::kTurns).used == 0 ? "a question" : "another question"; }

}  // namespace

std::string ForTerminal(std::string_view text, const agentcore::Redactor& redactor) {
  return std::string(TruncateUtf8(redactor.Redact(VisibleText(text, Newlines::kEscape)), 200));
}

std::string BrokerHost::SubjectOf(const Json& arguments) const {
  constexpr size_t kMaxSubject = 60;  // a search of a playbook may be a long expression
  for (const char* key : {"path", "pattern", "query"})
    if (arguments.is_object() && arguments.contains(key) && arguments[key].is_string()) {
      // Cut only then: half a secret is known to no redactor.
      const std::string text = ForTerminal(arguments[key].get_ref<const std::string&>(), redactor_);
      const bool cut = text.size() > kMaxSubject && std::string_view(key) != "path";
      return cut ? std::string(TruncateUtf8(text, kMaxSubject)) + "..." : text;
    }
  return "";
}

Result<int64_t> BrokerHost::AdmitTurn(bool report, size_t request_bytes) {
  Purpose purpose = report ? Purpose::kReport : Purpose::kWork;
  Ledger& ledger = *setup_.ledger;
  auto turn = TRY(ledger.Reserve(Limit::kTurns, 1, purpose));
  int64_t max_answer = 0;
  if (setup_.model->is_language_model()) {
    const int64_t question = TokensOf(request_bytes), answer = setup_.model->max_answer_tokens();
    // The report must still be affordable after a turn of work: the same question again, and its answer.
    const int64_t rest = ledger.Available(Limit::kTokens, Purpose::kReport) - (report ? 1 : 2) * question;
    max_answer = std::min(AnswerWithin(rest, answer, purpose), ledger.Available(Limit::kTokens, purpose) - question);
    if (max_answer < kLeastAnswerTokens)
      return Fail(ErrorKind::kLimit, "the budget of tokens (" + std::to_string(ledger.Get(Limit::kTokens).limit) + ") has no room for " + AQuestion(ledger) + " of " + std::to_string(question) + " and its answer",
                  "allow more tokens");
    auto money = TRY(ReserveMoney(question, &max_answer, purpose));
    tokens_ = TRY(ledger.Reserve(Limit::kTokens, question + max_answer, purpose));
    money_ = std::move(money);
  } else {
    // Playbooks and scripts that cost nothing need none.
    auto tokens = ledger.ReserveUpTo(Limit::kTokens, INT64_MAX, purpose);
    if (tokens.amount() == 0 && !report && ledger.Get(Limit::kTokens).used > 0)
      return Fail(ErrorKind::kLimit, "the budget of tokens is used up", "allow more tokens");
    tokens_ = std::move(tokens);
  }
  turn_ = std::move(turn);
  if (setup_.model->is_language_model()) Show({Progress::Kind::kAsking, static_cast<int>(ledger.Get(Limit::kTurns).used) + 1, "", ForTerminal(setup_.model->name(), redactor_), 0});
  return max_answer;
}

Result<Ledger::Reservation> BrokerHost::ReserveMoney(int64_t question, int64_t* answer, Purpose purpose) {
  Ledger& ledger = *setup_.ledger;
  const Ledger::Line line = ledger.Get(Limit::kMoney);
  if (!line.bounded) return ledger.ReserveUpTo(Limit::kMoney, 0, purpose);
  const agentcore::Model& model = *setup_.model;
  const auto asking = model.CostNanos(question, 0), million = model.CostNanos(0, 1'000'000);
  if (!asking || !million) return Fail(ErrorKind::kLimit, "there is a bound of money, and no price is known for the model", "set price for it in config.json");
  // As with tokens, in so many as the money pays for.
  const int64_t rest = ledger.Available(Limit::kMoney, Purpose::kReport) - (purpose == Purpose::kReport ? 1 : 2) * *asking;
  const int64_t open = std::min(rest, ledger.Available(Limit::kMoney, purpose) - *asking);
  const auto paid = [&](int64_t nanos) { return static_cast<int64_t>(static_cast<double>(std::max<int64_t>(nanos - 2, 0)) * 1e6 / static_cast<double>(*million)); };
  if (*million > 0) *answer = std::min({*answer, AnswerWithin(paid(rest), model.max_answer_tokens(), purpose), paid(open)});
  if (open < 0 || *answer < kLeastAnswerTokens)
    return Fail(ErrorKind::kLimit, "the budget of money (" + DollarsText(line.limit) + ") has no room for " + AQuestion(ledger) + " of " + DollarsText(*asking) + " and its answer", "allow more (--max-cost)");
  return ledger.Reserve(Limit::kMoney, *model.CostNanos(question, *answer), purpose);
}

size_t BrokerHost::RoomForResults(size_t request_bytes) {
  if (!setup_.model->is_language_model()) return SIZE_MAX;
  // Two questions with them: the next one and the report.
  const int64_t most = setup_.model->max_answer_tokens(), rest = setup_.ledger->Available(Limit::kTokens, Purpose::kReport) - 2 * TokensOf(request_bytes);
  const int64_t open = rest - AnswersKept(rest, most);
  size_t payable = static_cast<size_t>(std::max<int64_t>(open / 2, kLeastAnswerTokens)) * kBytesPerToken;
  const auto question = setup_.model->CostNanos(TokensOf(request_bytes), 0), answers = setup_.model->CostNanos(0, 1'000'000), million = setup_.model->CostNanos(1'000'000, 0);
  if (setup_.ledger->Get(Limit::kMoney).bounded && question && answers && million && *million > 0) {
    int64_t money = std::max<int64_t>(setup_.ledger->Available(Limit::kMoney, Purpose::kReport) - 2 * *question, 0);
    if (const double per_token = static_cast<double>(*answers) / 1e6; per_token > 0)
      money = std::max<int64_t>(money - static_cast<int64_t>(static_cast<double>(AnswersKept(static_cast<int64_t>(static_cast<double>(money) / per_token), most)) * per_token), 0);
    payable = std::min(payable, static_cast<size_t>(std::max(static_cast<double>(money) / 2 * 1e6 / static_cast<double>(*million), double{kLeastAnswerTokens})) * kBytesPerToken);
  }
  return setup_.pool ? std::min(payable, setup_.pool->text_room()) : payable;
}

void BrokerHost::SettleTurn(const agentcore::ModelUsage& usage) {
  // Bounded, so that a server that says nonsense can't overflow the sums.
  int64_t in = std::clamp<int64_t>(usage.input_tokens, 0, int64_t{1} << 40);
  int64_t out = std::clamp<int64_t>(usage.output_tokens, 0, int64_t{1} << 40);
  turn_.Settle(1);
  tokens_.Settle(in + out);
  SettleMoney({in, out, false, CachedOf(usage, in), usage.cost_nanos});
  input_tokens_ += in;
  output_tokens_ += out;
}

// Where it is not known what came of the money that was set aside, it is spent.
void BrokerHost::SettleMoney(agentcore::ModelUsage spent) {
  if (spent.cost_nanos) spent.cost_nanos = std::clamp<int64_t>(*spent.cost_nanos, 0, int64_t{1} << 50);
  const int64_t unknown = spent.input_tokens + spent.output_tokens > 0 ? money_.amount() : 0;
  money_.Settle(spent.cost_nanos.value_or(unknown));
  spent_ += spent;
}

std::optional<int64_t> BrokerHost::cost_nanos() const {
  const bool nothing = spent_.input_tokens == 0 && spent_.output_tokens == 0 && !spent_.cost_nanos;
  return nothing ? setup_.model->CostNanos(0, 0) : spent_.cost_nanos;
}

size_t BrokerHost::AdmitCalls(size_t wanted) {
  auto calls = setup_.ledger->ReserveUpTo(Limit::kToolCalls, static_cast<int64_t>(wanted));
  size_t admitted = static_cast<size_t>(calls.amount());
  calls.Settle(calls.amount());
  return setup_.ledger->Available(Limit::kOutputBytes) > 0 ? admitted : 0;
}

size_t BrokerHost::ChargeOutput(size_t bytes) {
  auto output = setup_.ledger->ReserveUpTo(Limit::kOutputBytes, static_cast<int64_t>(bytes));
  size_t may_show = static_cast<size_t>(output.amount());
  output.Settle(static_cast<int64_t>(bytes));  // it has come, whatever was left
  output_bytes_ += static_cast<int64_t>(bytes);
  return may_show;
}

Status BrokerHost::CheckReport(const Json& arguments) {
  const bool last = std::exchange(report_refused_, true);
  subagents::Report report = TRY(FromJson<subagents::Report>(arguments));
  if (setup_.data_schema.is_null()) return report_ = std::move(report), Status{};
  agentcore::CheckedArguments data = subagents::FitData(setup_.data_schema, report.data, redactor_);
  data_fault_ = data.status ? "" : data.status.error().message;
  report.data = std::move(data.arguments);
  if (!data.status) report.complete = false;
  report_ = std::move(report);  // what else it says is kept, whatever becomes of the next one
  if (last) return {};
  return data.status;
}

void BrokerHost::OnOutcomes(const std::vector<agentcore::CallOutcome>& outcomes, const std::vector<agentcore::SeenExcerpt>& seen) {
  for (const auto& excerpt : seen) setup_.read_lines->Add(excerpt);
  if (setup_.pool && setup_.model->is_language_model())
    for (const auto& outcome : outcomes) {
      setup_.pool->KeepText(outcome.text.size());
      kept_text_ += outcome.text.size();
    }
  // Calls may see the same thing again, or a part of the tree only: the largest count is the truest.
  for (const auto& outcome : outcomes)
    for (const auto& artifact : outcome.result.artifacts)
      for (const auto& oddity : agentcore::OdditiesOf(artifact.facts)) odd_.TakeLarger(oddity);
  // In full, as the model is shown them: the frame that they came in is not kept.
  Json shown = Json::array();
  for (const auto& outcome : outcomes)
    shown.push_back(Json{{"id", outcome.call.id}, {"shown_bytes", agentcore::ResultBytes(outcome.result)}, {"result", ToJson(outcome.result)}});
  setup_.events->Record("outcomes", Json{{"outcomes", std::move(shown)}});
}

std::vector<std::string> BrokerHost::OddNotes() const {
  std::vector<std::string> notes;
  for (const auto& oddity : odd_.list()) notes.push_back("in the repository, by the cell's count: " + agentcore::SentenceOf(oddity));
  return notes;
}

void BrokerHost::OnTurn(const agentcore::TranscriptTurn& turn, const std::vector<std::string>& mended) {
  Json fields{{"turn", turn.turn}, {"wrap_up", turn.wrap_up}, {"notice", turn.notice}, {"answer", redactor_.RedactJson(ToJson(turn.answer))}};
  if (!mended.empty()) fields["mended"] = redactor_.RedactJson(Json(mended));
  setup_.events->Record("model_turn", std::move(fields));
  setup_.events->Flush();
  Show({Progress::Kind::kTurn, turn.turn, "", "", 0});
  for (const auto& call : turn.answer.calls)
    Show({Progress::Kind::kCall, turn.turn, ForTerminal(call.tool, redactor_), SubjectOf(call.arguments), 0});
}

// Notes have a fifth of the ticket's tokens, and never the report's.
Result<int64_t> BrokerHost::AdmitNotes(size_t request_bytes) {
  Ledger& ledger = *setup_.ledger;
  const int64_t question = TokensOf(request_bytes);
  const int64_t share = ledger.Get(Limit::kTokens).limit / kNotesShare - notes_tokens_ - question;
  const int64_t open = ledger.Available(Limit::kTokens) - 3 * question - 2 * setup_.model->max_answer_tokens();  // the next question and the report
  int64_t answer = std::min({share, open, setup_.model->max_answer_tokens()});
  if (answer < kLeastAnswerTokens) return Fail(ErrorKind::kLimit, "the budget of tokens has no room for notes");
  auto money = TRY(ReserveMoney(question, &answer, Purpose::kWork));
  notes_ = TRY(ledger.Reserve(Limit::kTokens, question + answer));
  money_ = std::move(money);
  return answer;
}

void BrokerHost::SettleNotes(const agentcore::ModelUsage& usage) {
  const int64_t in = std::clamp<int64_t>(usage.input_tokens, 0, int64_t{1} << 40), out = std::clamp<int64_t>(usage.output_tokens, 0, int64_t{1} << 40);
  notes_.Settle(in + out);
  SettleMoney({in, out, false, CachedOf(usage, in), usage.cost_nanos});
  notes_tokens_ += in + out;
  input_tokens_ += in;
  output_tokens_ += out;
}

void BrokerHost::OnPhase(agentcore::Phase phase, const std::string& reason) {
  setup_.events->Record("phase", Json{{"phase", NameOf(phase)}, {"reason", reason}});
  if (phase == agentcore::Phase::kReflect) Show({Progress::Kind::kReflect, 0, "", ForTerminal(reason, redactor_), 0});
}

void BrokerHost::OnRoom(agentcore::RoomStep step, int64_t tokens, int64_t budget, const std::string& text) {
  setup_.events->Record("room", Json{{"step", NameOf(step)}, {"tokens", tokens}, {"budget", budget}, {"text", text}});
  if (step != agentcore::RoomStep::kPruned)
    Show({Progress::Kind::kRoom, 0, "", text + " (" + std::to_string(tokens) + " of " + std::to_string(budget) + " tokens)", 0});
}

void BrokerHost::CarryText(size_t bytes) {
  if (!setup_.pool || !setup_.model->is_language_model()) return;
  setup_.pool->KeepText(bytes);
  kept_text_ += bytes;
}

void BrokerHost::OnTextFreed(size_t bytes) {
  if (!setup_.pool || !setup_.model->is_language_model()) return;
  bytes = std::min(bytes, kept_text_);
  setup_.pool->DropText(bytes);
  kept_text_ -= bytes;
}

}  // namespace paddock::orchestrator
