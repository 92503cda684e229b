#include "orchestrator/cli/run_policy.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <charconv>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr int64_t kMaxRunSeconds = 86'400;

}  // namespace

void AddRunPolicyFlags(CLI::App* command, RunFlags* flags) {
  command->add_flag("--allow-run", flags->allow_run, "Run what a subagent asks for (a test, to see it fail): in a jail, profile build, on a private copy");
  command->add_option("--run-seconds", flags->run_seconds, "Longest time of one such run (default: 600)");
}

Result<RunPolicy> ChooseRunPolicy(const RunFlags& flags, const Config& config) {
  RunPolicy policy;
  policy.allowed = flags.allow_run || config.allow_run;
  if (flags.run_seconds) {
    const std::string& text = *flags.run_seconds;
    int64_t seconds = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || stop != text.data() + text.size() || seconds < 1 || seconds > kMaxRunSeconds)
      return Fail(ErrorKind::kInvalid, "--run-seconds: expected a whole number from 1 to 86400, got \"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\"");
    policy.most = std::chrono::seconds(seconds);
  }
  policy.profile = TRY(FindProfile(kRunProfile)).profile;
  return policy;
}

void PrepareRuns(RunPolicy* policy, const std::string& programs_folder, const Config& config) {
  policy->programs_folder = programs_folder;
  policy->jail_uid = static_cast<uint32_t>(config.jail_uid);
  if (policy->allowed) policy->places = sandbox::limits::FindPlaces(sandbox::limits::CgroupView::OfThisProcess(), sandbox::limits::Moving::kAllowed);
}

}  // namespace paddock::orchestrator
