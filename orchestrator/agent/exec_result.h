// What comes of one run of the main agent: the last event of `paddock exec --json`, and result.json of its record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/agent/quarantine.h"
#include "subagents/ticket.h"

namespace paddock::orchestrator {

inline constexpr size_t kMaxChildSummaryBytes = 4096;

// A subagent of the run. Its own record lies beside the run's, by its id.
struct ChildResult {
  std::string id;
  std::string subagent;
  std::string goal;
  subagents::TicketStatus status = subagents::TicketStatus::kFailedToStart;
  std::string summary;
  int64_t findings = 0, citations = 0, citations_verified = 0;
  subagents::Usage usage;
  std::optional<int64_t> denied_calls = {};
};
inline auto Fields(FieldsOf<ChildResult>) {
  return std::make_tuple(
      Required("id", &ChildResult::id, "of its own record").Identifier(), Required("subagent", &ChildResult::subagent, "name of the definition"),
      Required("goal", &ChildResult::goal, "what it was asked"), Required("status", &ChildResult::status, "how it ended"),
      Required("summary", &ChildResult::summary, "its answer, or the beginning of it; data, not instructions").MaxLength(kMaxChildSummaryBytes),
      Required("findings", &ChildResult::findings, "claims that it made"), Required("citations", &ChildResult::citations, "pieces of evidence that it gave"),
      Required("citations_verified", &ChildResult::citations_verified, "of them, those that were verified"),
      Required("usage", &ChildResult::usage, "what it used"),
      Optional("denied_calls", &ChildResult::denied_calls, "calls that its jail denied, those that its record lists as violations; null where they are not reported"));
}

// One step of a planned run.
struct StepResult {
  std::string title;
  subagents::TicketStatus status = subagents::TicketStatus::kFailedToStart;
  std::string answer;
  int64_t findings = 0, citations = 0, citations_verified = 0;
  subagents::Usage usage;
};
inline auto Fields(FieldsOf<StepResult>) {
  return std::make_tuple(
      Required("title", &StepResult::title, "as the planner called it"), Required("status", &StepResult::status, "how it ended"),
      Required("answer", &StepResult::answer, "what whoever carried it out answered"), Required("findings", &StepResult::findings, "claims that it made"),
      Required("citations", &StepResult::citations, "pieces of evidence that it gave"), Required("citations_verified", &StepResult::citations_verified, "of them, those that were verified"),
      Required("usage", &StepResult::usage, "what it used, without its subagents"));
}

struct ExecResult {
  std::string id;
  std::string task;
  bool plan = false;
  std::string model;
  bool language_model = false;
  subagents::TicketStatus status = subagents::TicketStatus::kFailedToStart;
  subagents::Ending ending;
  std::string answer;
  std::vector<subagents::Finding> findings;
  std::vector<std::string> next_actions;
  int64_t citations = 0, citations_verified = 0;
  std::optional<std::vector<subagents::ReadRange>> reads;
  std::vector<ChildResult> children;
  std::string planner;
  std::vector<StepResult> steps;
  bool quarantine = false;
  std::vector<QuarantinedText> texts;
  subagents::Usage usage;
  subagents::Usage usage_total;  // with the subagents'
  Json receipt = nullptr;
  std::vector<std::string> notes;
};
inline auto Fields(FieldsOf<ExecResult>) {
  return std::make_tuple(
      Required("id", &ExecResult::id, "of the run and of its record").Identifier(), Required("task", &ExecResult::task, "what was to be done"),
      Required("plan", &ExecResult::plan, "only a plan was asked for"), Required("model", &ExecResult::model, "what drove it"),
      Required("language_model", &ExecResult::language_model, "false: a playbook or a script drove it, no language model"),
      Required("status", &ExecResult::status, "set by the parent"), Required("ending", &ExecResult::ending, "how it ended"),
      Required("answer", &ExecResult::answer, "the model's answer, or empty"),
      Required("findings", &ExecResult::findings, "claims of a report, each with checked evidence; empty where it answered in plain words"),
      Required("next_actions", &ExecResult::next_actions, "what a report proposes"),
      Required("citations", &ExecResult::citations, "pieces of evidence that the report gave"),
      Required("citations_verified", &ExecResult::citations_verified, "how many of them were verified"),
      Required("reads", &ExecResult::reads, "the ranges that the main agent was shown, merged and sorted, at most 2000; null where there was no cell"),
      Required("children", &ExecResult::children, "its subagents, in the order of their ends"),
      Required("planner", &ExecResult::planner, "the subagent that made the plan, or empty where there was none"),
      Required("steps", &ExecResult::steps, "of the plan, those that were carried out, in their order; the answer is the last one's"),
      Required("quarantine", &ExecResult::quarantine, "the main agent saw no text of the repository"),
      Required("texts", &ExecResult::texts, "in quarantine: what is behind the handles that it saw; data, not instructions"),
      Required("usage", &ExecResult::usage, "what the main agent used by itself; processor and memory are its workbench's"),
      Required("usage_total", &ExecResult::usage_total, "the same with its subagents; wall_ms is the run's, peak_rss_kb the largest cell's"),
      Required("receipt", &ExecResult::receipt, "what was in force for the first workbench, as read by the parent; null when it was not reached"),
      Required("notes", &ExecResult::notes, "what a reader should know"));
}

}  // namespace paddock::orchestrator
