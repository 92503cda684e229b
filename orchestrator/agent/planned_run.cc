#include "orchestrator/agent/planned_run.h"

#include <algorithm>

#include "agentcore/pipeline/wrap.h"
#include "base/text.h"
#include "orchestrator/broker/host.h"
#include "orchestrator/broker/share.h"
#include "orchestrator/broker/usage_sum.h"

namespace paddock::orchestrator {
namespace {

using std::chrono::milliseconds;
using subagents::TicketStatus;

constexpr size_t kMaxAnswerBytes = 8 << 10;  // of a step, as later steps and the planner are told it
constexpr milliseconds kLeastStepTime{2000};

struct Step {
  std::string title, task, done_when;
};
inline auto Fields(FieldsOf<Step>) {
  return std::make_tuple(Required("title", &Step::title, "in a few words").NonEmpty().MaxLength(200),
                         Required("task", &Step::task, "what is to be done, complete in itself: whoever does it has not seen this conversation").NonEmpty().MaxLength(4000),
                         Required("done_when", &Step::done_when, "how one sees that it is done").MaxLength(1000));
}
struct Plan {
  std::vector<Step> steps;
};
inline auto Fields(FieldsOf<Plan>) { return std::make_tuple(Required("steps", &Plan::steps, "in their order").MaxLength(kMaxSteps)); }

std::string Short(const std::string& text, size_t bytes) { return text.size() <= bytes ? text : std::string(TruncateUtf8(text, bytes)) + " [cut]"; }

class PlannedRun {
 public:
  PlannedRun(const MainAgent& agent, const std::string& planner)
      : agent_(agent), planner_(planner), redactor_(agentcore::OrCommonKinds(agent.subagents.common.redactor)), deadline_(Deadline::After(milliseconds(agent.budget.wall_ms))),
        ledger_(agent.budget), turns_left_(agent.budget.turns) {
    out_.id = agent.id;
    out_.task = redactor_.Redact(VisibleText(agent.task, Newlines::kKeep));
    out_.planner = planner;
    out_.model = agent.model_name;
    out_.language_model = agent.model && agent.model->is_language_model();
    SubagentSetup setup = agent.subagents;
    setup.run_id = agent.id;
    setup.ledger = &ledger_;
    setup.events = agent.events;
    setup.watcher = agent.watcher;
    setup.deadline = deadline_;
    planners_.emplace(std::move(setup));
  }

  ExecResult Perform() {
    const auto started = Deadline::Clock::now();
    Work();
    for (ChildResult& child : planners_->children()) children_.insert(children_.begin(), std::move(child));
    for (const ChildResult& child : planners_->children()) Add(child.usage);
    out_.children = std::move(children_);
    out_.usage_total.wall_ms = out_.usage.wall_ms = std::chrono::duration_cast<milliseconds>(Deadline::Clock::now() - started).count();
    agent_.events->Record("result", ToJson(out_));
    agent_.events->Flush();
    return std::move(out_);
  }

 private:
  void Work() {
    for (int plans = 0; plans < kMaxPlans; ++plans) {
      auto plan = MakePlan();
      if (!plan) return;
      bool all_done = true;
      for (size_t i = 0; i < plan->steps.size() && all_done; ++i) {
        if (!CarryOut(*plan, i)) return;
        all_done = out_.steps.back().status == TicketStatus::kCompleted;
      }
      // As the last step ended, where there is nothing left to carry out another plan with.
      if (all_done || turns_left_ < 1 || deadline_.passed()) return;
    }
    out_.ending.detail = "the plan was made " + std::to_string(kMaxPlans) + " times, and a step did not end well each time";
  }

  // What the planner is told: the task, and how the steps so far went. No tool's output.
  std::optional<Plan> MakePlan() {
    SubagentArguments arguments;
    arguments.goal = "Make a plan for this task. Look at the repository as far as you need to. Put the steps into data, in their order, " + std::to_string(kMaxSteps) +
                     " at most and as few as will do; the last one puts the answer to the task together.\n\nThe task:\n" + Short(agent_.task, 12'000);
    arguments.context = "Each step is carried out by an agent of its own, which starts with the task, its step and the answers of the steps before it. " + Abilities() + Done();
    arguments.schema = SchemaOf<Plan>();
    const auto asked = planners_->Ask(kSubagentToolPrefix + planner_, arguments, "plan-" + std::to_string(++plans_));
    if (!asked) {
      Stop(TicketStatus::kBudget, "budget", "there was no plan: " + asked.error().error, asked.error().recovery_hint);
      return {};
    }
    const subagents::ResultTicket& ticket = asked->ticket;
    auto plan = FromJson<Plan>(ticket.data);
    if (ticket.data.is_null() || !plan || plan->steps.empty()) {
      const bool ended_well = ticket.status == TicketStatus::kCompleted || ticket.status == TicketStatus::kPartial;
      Stop(ended_well ? TicketStatus::kStuck : ticket.status, ended_well ? "no_plan" : ticket.ending.kind,
           "the planner gave no plan" + (ticket.ending.detail.empty() ? "" : ": " + ticket.ending.detail), ticket.ending.hint.empty() ? "try another planner, or none" : ticket.ending.hint);
      for (const std::string& note : ticket.notes) out_.notes.push_back("the planner: " + note);
      return {};
    }
    agent_.events->Record("plan", ToJson(*plan));
    return *std::move(plan);
  }

  std::string Abilities() const { return "Its tools look at files and search them, and it can send subagents; it can't write, run anything or reach a network."; }

  // The steps so far, in words. They may repeat what the repository says, so they are data.
  std::string Done() const {
    std::string text;
    for (size_t i = 0; i < out_.steps.size(); ++i)
      text += "Step " + std::to_string(i + 1) + ", " + out_.steps[i].title + ": " + NameOf(out_.steps[i].status) + "\n" + Short(out_.steps[i].answer, kMaxAnswerBytes) + "\n\n";
    return text.empty() ? "" : "\n\nThe steps so far:\n" + agentcore::Wrap(text, "steps", "");
  }

  std::string TaskOf(const Plan& plan, size_t i) const {
    const Step& step = plan.steps[i];
    std::string text = agent_.task + "\n\nThis task is carried out in steps, and you do one of them. Another agent, which has read the repository, proposed them; do yours as far as it "
                                     "serves the task, and no further.\n\nThe plan:\n";
    for (size_t k = 0; k < plan.steps.size(); ++k) text += (k == i ? "> " : "  ") + std::to_string(k + 1) + ". " + plan.steps[k].title + "\n";
    text += "\nYour step: " + step.title + "\n" + step.task + "\n";
    if (!step.done_when.empty()) text += "It is done when: " + step.done_when + "\n";
    return text + Done();
  }

  // False where the run is over.
  bool CarryOut(const Plan& plan, size_t i) {
    const Step& step = plan.steps[i];
    const auto steps_left = static_cast<int>(plan.steps.size() - i);
    const milliseconds left = std::chrono::duration_cast<milliseconds>(deadline_.left().value_or(std::chrono::hours(24)));
    if (left < kLeastStepTime || turns_left_ < 1) {
      const bool time = left < kLeastStepTime;
      return Stop(time ? TicketStatus::kTimeout : TicketStatus::kTurnLimit, time ? "timeout" : "turn_limit", std::string("no ") + (time ? "time" : "turns") + " left for the step: " + step.title, ""), false;
    }
    MainAgent executor = agent_;
    BudgetShare share(&ledger_, steps_left, agent_.budget);
    share.ApplyTo(&executor.budget);
    if (!share.usable()) return Stop(TicketStatus::kBudget, "budget", "no budget left for the step: " + step.title, "allow more"), false;
    executor.budget.turns = std::min<int64_t>(kStepTurns, turns_left_);
    executor.budget.wall_ms = left.count() / steps_left;
    executor.task = TaskOf(plan, i);
    const std::string title = ForTerminal(step.title, redactor_);
    const auto number = static_cast<int64_t>(out_.steps.size()) + 1;
    agent_.events->Record("step_started", Json{{"step", number}, {"title", title}, {"budget", ToJson(executor.budget)}});
    agent_.watcher(StepStartedEvent{number, static_cast<int64_t>(out_.steps.size() + plan.steps.size() - i), title});
    ExecResult done = RunMainAgent(executor);
    share.Settle(done.usage_total);
    turns_left_ -= done.usage.turns.value_or(0);
    Take(title, std::move(done));
    agent_.watcher(StepFinishedEvent{number, out_.steps.back()});
    // Told to stop is told once.
    return out_.status != TicketStatus::kCancelled;
  }

  void Take(const std::string& title, ExecResult done) {
    Add(done.usage_total);
    StepResult step{title, done.status, done.answer, static_cast<int64_t>(done.findings.size()), done.citations, done.citations_verified, done.usage};
    for (subagents::Finding& finding : done.findings) out_.findings.push_back(std::move(finding));
    for (ChildResult& child : done.children) children_.push_back(std::move(child));
    for (const std::string& note : done.notes)
      if (const std::string text = "step " + title + ": " + note; std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end()) out_.notes.push_back(text);
    out_.citations += done.citations;
    out_.citations_verified += done.citations_verified;
    out_.next_actions = std::move(done.next_actions);
    out_.answer = done.answer;
    out_.status = done.status;
    out_.ending = std::move(done.ending);
    if (out_.receipt.is_null()) out_.receipt = std::move(done.receipt);
    out_.steps.push_back(std::move(step));
  }

  void Stop(TicketStatus status, std::string kind, std::string detail, std::string hint) {
    out_.status = status;
    out_.ending = {std::move(kind), 0, std::move(detail), std::move(hint)};
  }

  void Add(const subagents::Usage& used) {
    AddUsage(used, &out_.usage_total);
    out_.usage = out_.usage_total;
  }

  const MainAgent& agent_;
  const std::string planner_;
  const agentcore::Redactor& redactor_;
  const Deadline deadline_;
  Ledger ledger_;
  int64_t turns_left_;
  int plans_ = 0;
  std::optional<SubagentTool> planners_;
  std::vector<ChildResult> children_;
  ExecResult out_;
};

}  // namespace

ExecResult RunPlanned(const MainAgent& agent, const std::string& planner) { return PlannedRun(agent, planner).Perform(); }

}  // namespace paddock::orchestrator
