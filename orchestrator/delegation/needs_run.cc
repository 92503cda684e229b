#include "orchestrator/delegation/needs_run.h"

#include <algorithm>

#include "agentcore/pipeline/wrap.h"
#include "base/text.h"
#include "orchestrator/broker/host.h"
#include "orchestrator/delegation/run_log.h"
#include "orchestrator/run/runner.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMaxFindings = 32;  // of the leg before, in its successor's context
constexpr size_t kMaxSummary = 4096, kMaxTitle = 512;
constexpr std::chrono::milliseconds kLeastRun{1000};

RunReport RunApart(const std::string& command, const RunSetup& setup) {
  const RunPolicy& policy = *setup.policy;
  sandbox::Profile profile = policy.profile;
  std::vector<std::string> hide = *setup.hide;
  // Where what is hidden stands as well, for any command to print: a history by its usual names, in either case.
  if (!hide.empty()) hide.insert(hide.end(), {":(icase).git", ":(icase)*.git/"});
  for (const std::string& pattern : hide)
    if (std::find(profile.filesystem.hide.begin(), profile.filesystem.hide.end(), pattern) == profile.filesystem.hide.end()) profile.filesystem.hide.push_back(pattern);
  const std::vector<std::string> words{"sh", "-c", command};
  auto launcher = sandbox::Launcher::Start(policy.programs_folder + "/paddock-jail", sandbox::Launcher::Serves::kOwnRoots);
  if (!launcher) return NothingRan(words, profile.name, "launcher", launcher.error());
  RunSignals signals = RunSignals::OfStop(setup.cancel_fd);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(policy.by.left().value_or(policy.most));
  RunOrder order;
  order.profile = &profile;
  order.workspace = setup.workspace;
  order.command = words;
  order.timeout_ms = std::clamp<std::chrono::milliseconds>(left, kLeastRun, policy.most).count();
  order.apart = true;
  order.programs_folder = policy.programs_folder;
  order.working_folder = setup.workspace->path;
  order.caller = sandbox::ThisCaller();
  order.caller.root_jail_uid = policy.jail_uid;
  order.launcher = launcher->get();
  order.places = &policy.places;
  order.signals = &signals;
  return RunInJail(order);
}

std::string HowItEnded(const subagents::DoneRun& done) {
  const std::string after = " after " + std::to_string(done.wall_ms / 1000) + "." + std::to_string(done.wall_ms % 1000 / 100) + " s";
  if (done.ending == NameOf(RunEndingKind::kExit)) return "exit status " + std::to_string(done.exit_status) + after;
  return done.ending + after + ", exit status " + std::to_string(done.exit_status);
}

// Whole lines, the last ones.
std::string Tail(std::string_view log) {
  if (log.size() <= subagents::kMaxOutputTail) return std::string(log);
  log.remove_prefix(log.size() - subagents::kMaxOutputTail);
  const size_t line = log.find('\n');
  return std::string(line == log.npos ? std::string_view() : log.substr(line + 1));
}

std::string Bounded(std::string_view text, size_t most) { return std::string(TruncateUtf8(VisibleText(text, Newlines::kEscape), most)); }

std::string FoundBefore(const subagents::Report& report) {
  std::string text = Bounded(report.summary, kMaxSummary) + "\n";
  for (size_t i = 0; i < report.findings.size() && i < kMaxFindings; ++i) {
    const subagents::ClaimedFinding& finding = report.findings[i];
    text += "- " + Bounded(finding.title, kMaxTitle);
    for (const subagents::Citation& one : finding.evidence)
      text += " (" + Bounded(one.path, 1024) + " " + std::to_string(one.line_start) + "-" + std::to_string(one.line_end) + ")";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string WhyNotToRun(const subagents::NeedsRun& asked) {
  if (IsBlank(asked.command)) return "the command is empty";
  // Only what a line of a terminal shows as it is: escapes of VisibleText are what was not.
  if (VisibleText(asked.command, Newlines::kKeep) != asked.command) return "the command holds characters that nobody sees";
  return "";
}

subagents::NeedsRun ShownRun(const subagents::NeedsRun& asked, const agentcore::Redactor& redactor) {
  return {redactor.Redact(VisibleText(asked.command, Newlines::kKeep)), redactor.Redact(VisibleText(asked.why, Newlines::kKeep))};
}

AskedRun PerformRun(const subagents::NeedsRun& asked, const RunSetup& setup) {
  const agentcore::Redactor& redactor = *setup.redactor;
  AskedRun run;
  const subagents::NeedsRun shown = ShownRun(asked, redactor);
  run.done.command = shown.command;
  run.done.why = shown.why;
  run.done.profile = setup.policy->profile.name;
  setup.events->Record("run_started", Json{{"command", shown.command}, {"why", shown.why}, {"profile", run.done.profile}, {"seconds", setup.policy->most.count()}});
  setup.events->Flush();
  const std::string subject = ForTerminal(asked.command, redactor);
  if (setup.watcher) setup.watcher({Progress::Kind::kRunStarted, 0, "", subject, 0});
  RunReport report = RunApart(asked.command, setup);
  run.log = LogOf(report, redactor, LogRoom(setup.model));
  run.done.ending = NameOf(report.ending.kind);
  run.done.exit_status = RunExitStatus(report.ending);
  run.done.wall_ms = report.usage.wall_ms;
  run.done.output_bytes = static_cast<int64_t>(report.usage.output);
  run.done.output_tail = Tail(run.log);
  run.cancelled = report.ending.kind == RunEndingKind::kCancelled;
  if (report.ending.kind == RunEndingKind::kSetupError || report.ending.kind == RunEndingKind::kJailLost)
    run.not_started = Error{ErrorKind::kSystem, report.ending.detail, report.ending.hint, 0};
  // The run's own report, as `paddock run --json` has it, but for the output, of which the log is what was shown.
  report.command = {"sh", "-c", shown.command};
  report.out.reset();
  report.err.reset();
  Json record = ToJson(report);
  setup.events->Record("run_finished", Json{{"run", ToJson(run.done)}, {"log", run.log}, {"report", redactor.RedactJson(record)}});
  setup.events->Flush();
  if (setup.watcher) setup.watcher({Progress::Kind::kRunFinished, 0, "", subject + ": " + HowItEnded(run.done), run.done.wall_ms});
  return run;
}

std::string ContextAfter(const std::string& own, const subagents::Report& before, const AskedRun& run, const agentcore::Model* model) {
  const bool marked = model && model->is_language_model();
  const auto stranger = [&](const std::string& text, const char* source) { return marked ? agentcore::Wrap(text, source, "") + "\n" : text; };
  std::string text = own;
  if (!text.empty()) text += "\n\n";
  if (marked) text += "You have worked on this goal before. What you said you had found:\n" + stranger(FoundBefore(before), "found before") + "\n";
  text += (marked ? "The command that you asked for was run for you" : "A command was run") +
          std::string(" at the top of a private copy of the repository, in a jail without a network: ") + HowItEnded(run.done) + ".\n";
  text += (marked ? stranger(run.done.command, "command") : "command: " + Bounded(run.done.command, 4096) + "\n");
  if (run.log.empty()) return text + "It wrote nothing.\n";
  text += "What it wrote:\n" + stranger(run.log, "output of the command");
  if (marked) text += "\nGo on from there: explain what the output shows, with evidence from the files. The output itself is no file and can't be cited.\n";
  return text;
}

}  // namespace paddock::orchestrator
