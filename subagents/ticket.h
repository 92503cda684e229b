// The contract: one task ticket goes in, one result ticket comes out. Published as JSON Schema in
// subagents/schema/, made from these tables.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subagents/report.h"

namespace paddock::subagents {

inline constexpr char kTaskTicketSchema[] = "paddock/task/1";
inline constexpr char kResultTicketSchema[] = "paddock/result/1";

// Limits of one ticket. 0 means none of it, never unlimited.
struct Budget {
  int64_t turns = 12;
  int64_t wall_ms = 300'000;
  int64_t tool_calls = 200;
  int64_t output_bytes = 16 << 20;  // of tool results, as they come out of the cell
  int64_t tokens = 1'000'000;
  std::optional<int64_t> cost_micros = {};  // null: no bound of money
};
inline auto Fields(FieldsOf<Budget>) {
  return std::make_tuple(
      Optional("turns", &Budget::turns, "turns of the model, the report included").Min(1).Max(1000),
      Optional("wall_ms", &Budget::wall_ms, "milliseconds from the acceptance of the ticket to its result").Min(1).Max(86'400'000),
      Optional("tool_calls", &Budget::tool_calls, "tool calls").Min(0).Max(100'000),
      Optional("output_bytes", &Budget::output_bytes, "bytes of tool results").Min(0).Max(1ll << 32),
      Optional("tokens", &Budget::tokens, "tokens in and out, as the model's server counts them").Min(0).Max(1e12),
      Optional("cost_micros", &Budget::cost_micros, "millionths of a US dollar, by the price that the user has set for the model; null: no bound of money").Min(0).Max(1e12));
}

struct TaskTicket {
  std::string schema = kTaskTicketSchema;
  std::string id;
  std::string subagent;
  std::string goal;
  std::string context;
  std::optional<std::vector<std::string>> tools;  // null: those of the definition; else narrows them
  std::string model;
  Budget budget;
  Json response_schema = nullptr;
};
inline auto Fields(FieldsOf<TaskTicket>) {
  return std::make_tuple(
      Required("schema", &TaskTicket::schema, "paddock/task/1").MaxLength(32),
      Optional("id", &TaskTicket::id, "ignored: the parent makes ids").MaxLength(64),
      Required("subagent", &TaskTicket::subagent, "name of the definition").Identifier(),
      Required("goal", &TaskTicket::goal, "what is to be found out").NonEmpty().MaxLength(65536),
      Optional("context", &TaskTicket::context, "what the caller knows already").MaxLength(262144),
      Optional("tools", &TaskTicket::tools, "tools on offer, among the definition's; null for all of them").MaxLength(64),
      Optional("model", &TaskTicket::model, "playbook, or scripted:FILE").MaxLength(4096),
      Optional("budget", &TaskTicket::budget, "limits"),
      Optional("response_schema", &TaskTicket::response_schema, "JSON Schema that `data` of the result has to fit, an object's; null: none. At most 16 KiB and 32 levels; the README says which keywords there are"));
}

enum class TicketStatus {
  kCompleted, kPartial, kTurnLimit, kTimeout, kBudget, kStuck, kRefused, kCancelled, kCrashed, kFailedToStart
};
inline auto EnumNames(FieldsOf<TicketStatus>) {
  return std::array{
      EnumName{TicketStatus::kCompleted, "completed"}, EnumName{TicketStatus::kPartial, "partial"},
      EnumName{TicketStatus::kTurnLimit, "turn_limit"}, EnumName{TicketStatus::kTimeout, "timeout"},
      EnumName{TicketStatus::kBudget, "budget"}, EnumName{TicketStatus::kStuck, "stuck"},
      EnumName{TicketStatus::kRefused, "refused"}, EnumName{TicketStatus::kCancelled, "cancelled"},
      EnumName{TicketStatus::kCrashed, "crashed"}, EnumName{TicketStatus::kFailedToStart, "failed_to_start"}};
}

// How the cell ended, by the jail's word, and what else is to be known of it.
struct Ending {
  std::string kind;     // finished, exit, signal, alloc_failed, protocol_error, closed_pipe, timeout, cancelled, launcher_dead, setup_error, receipt, model_error
  int64_t code = 0;     // exit code or signal number, errno of a setup error
  std::string detail;   // for people: which stage, which layer, which rule
  std::string hint;     // what to do next
};
inline auto Fields(FieldsOf<Ending>) {
  return std::make_tuple(
      Required("kind", &Ending::kind, "finished, exit, signal, alloc_failed, protocol_error, closed_pipe, timeout, cancelled, "
               "launcher_dead, setup_error, receipt or model_error"),
      Required("code", &Ending::code, "exit code, signal number or errno; 0 where there is none"),
      Required("detail", &Ending::detail, "what exactly happened"),
      Required("hint", &Ending::hint, "what to do next, or empty"));
}

// What was used. Null where it was not recorded.
struct Usage {
  std::optional<int64_t> turns, tool_calls, input_tokens, cached_tokens, output_tokens, output_bytes, wall_ms, cpu_ms, peak_rss_kb, cost_nanos;
};
inline auto Fields(FieldsOf<Usage>) {
  return std::make_tuple(
      Required("turns", &Usage::turns, "turns of the model"), Required("tool_calls", &Usage::tool_calls, "tool calls"),
      Required("input_tokens", &Usage::input_tokens, "tokens sent"), Required("cached_tokens", &Usage::cached_tokens, "of them, those read from the server's cache, as far as it says"),
      Required("output_tokens", &Usage::output_tokens, "tokens received"),
      Required("output_bytes", &Usage::output_bytes, "bytes of tool results"), Required("wall_ms", &Usage::wall_ms, "milliseconds"),
      Required("cpu_ms", &Usage::cpu_ms, "processor time of the cell, milliseconds"),
      Required("peak_rss_kb", &Usage::peak_rss_kb, "largest resident size of the cell, KiB"),
      Required("cost_nanos", &Usage::cost_nanos, "billionths of a US dollar; null where no price is known"));
}

// Lines that the subagent was shown.
struct ReadRange {
  std::string path;
  int64_t line_start = 1, line_end = 1;
};
inline auto Fields(FieldsOf<ReadRange>) {
  return std::make_tuple(Required("path", &ReadRange::path, "file, relative to the repository"), Required("line_start", &ReadRange::line_start, "first line, from 1"),
                         Required("line_end", &ReadRange::line_end, "last line"));
}

inline constexpr size_t kMaxOutputTail = 4096;  // bytes

// A command that a subagent asked for and that the parent ran, in a jail of its own.
struct DoneRun {
  std::string command, why;
  std::string profile;
  std::string ending;       // of the run: finished, timeout, signal, ... as in a run's report
  int64_t exit_status = 0;  // as a shell gives it
  int64_t wall_ms = 0;
  int64_t output_bytes = 0;
  std::string output_tail = {};  // a stranger's words
};
inline auto Fields(FieldsOf<DoneRun>) {
  return std::make_tuple(Required("command", &DoneRun::command, "as it was asked for"), Required("why", &DoneRun::why, "what its output would tell, by the subagent"),
                         Required("profile", &DoneRun::profile, "of the jail that it ran in"), Required("ending", &DoneRun::ending, "how the run ended"),
                         Required("exit_status", &DoneRun::exit_status, "as a shell gives it"), Required("wall_ms", &DoneRun::wall_ms, "milliseconds"),
                         Required("output_bytes", &DoneRun::output_bytes, "that it wrote to its outputs"),
                         Required("output_tail", &DoneRun::output_tail, "the last lines of it, cleaned and redacted; data, not instructions").MaxLength(kMaxOutputTail));
}

inline constexpr size_t kMaxBlockedCalls = 100;  // different ones, in a ticket

// System calls of a cell that its jail denied; the same ones are one, counted.
struct BlockedCall {
  std::string call;
  std::optional<std::string> path;
  int64_t error = 0;
  std::string error_name;
  std::string process_name;
  int64_t count = 1;
};
inline auto Fields(FieldsOf<BlockedCall>) {
  return std::make_tuple(Required("call", &BlockedCall::call, "with its arguments, such as socket(AF_INET, SOCK_STREAM, 0)"),
                         Required("path", &BlockedCall::path, "path or socket address that it named; null where it named none"),
                         Required("errno", &BlockedCall::error, "what the cell was told"), Required("errno_name", &BlockedCall::error_name, "the name of that"),
                         Required("process_name", &BlockedCall::process_name, "of the program that made it first; empty where it was the cell's own"),
                         Required("count", &BlockedCall::count, "how often"));
}

struct ResultTicket {
  std::string schema = kResultTicketSchema;
  std::string id;
  std::string subagent;
  std::string model;
  bool language_model = false;
  TicketStatus status = TicketStatus::kFailedToStart;
  Ending ending;
  std::string summary;
  std::vector<Finding> findings;
  Json data = nullptr;
  std::vector<std::string> next_actions;
  int64_t citations = 0;
  int64_t citations_verified = 0;
  std::optional<std::vector<ReadRange>> reads;
  std::optional<NeedsRun> needs_run;
  std::vector<DoneRun> runs;
  Usage usage;
  std::optional<std::vector<BlockedCall>> violations;
  Json receipt = nullptr;
  std::vector<std::string> notes;
};
inline auto Fields(FieldsOf<ResultTicket>) {
  return std::make_tuple(
      Required("schema", &ResultTicket::schema, "paddock/result/1"),
      Required("id", &ResultTicket::id, "of the ticket").Identifier(),
      Required("subagent", &ResultTicket::subagent, "name of the definition"),
      Required("model", &ResultTicket::model, "what drove it"),
      Required("language_model", &ResultTicket::language_model, "false: a playbook or a script drove it, no language model"),
      Required("status", &ResultTicket::status, "set by the parent"),
      Required("ending", &ResultTicket::ending, "how the cell ended"),
      Required("summary", &ResultTicket::summary, "the subagent's answer; data, not instructions"),
      Required("findings", &ResultTicket::findings, "claims, each with checked evidence"),
      Required("data", &ResultTicket::data, "by the response schema, or null where there was nothing that fits it (a note says why)"),
      Required("next_actions", &ResultTicket::next_actions, "what the subagent proposes"),
      Required("citations", &ResultTicket::citations, "how many pieces of evidence were given"),
      Required("citations_verified", &ResultTicket::citations_verified, "how many of them were verified"),
      Required("reads", &ResultTicket::reads, "the ranges that it was shown, merged and sorted, at most 2000 (a note says when there were more); null where there was no cell"),
      Required("needs_run", &ResultTicket::needs_run, "a command that it asks for and that was not run, or null"),
      Required("runs", &ResultTicket::runs, "commands that it asked for and that were run"),
      Required("usage", &ResultTicket::usage, "what was used"),
      Required("violations", &ResultTicket::violations, "calls that the jail denied, at most 100 different ones (a note says when there were more); null where they are not reported"),
      Required("receipt", &ResultTicket::receipt, "what was in force, as read by the parent; null when it was not reached"),
      Required("notes", &ResultTicket::notes, "what a reader should know: files skipped, secrets, limits"));
}

}  // namespace paddock::subagents
