#include "orchestrator/cli/doctor.h"

#include <unistd.h>

#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/delegation/profile_proof.h"
#include "orchestrator/report/doctor_report.h"
#include "orchestrator/session/record.h"
#include "sandbox/machine/survey.h"
#include "sandbox/profile_json.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostColumns = 80;

// Nothing of the folder is read by anybody: so a home folder is as good as any, if it is named.
Result<sandbox::Workspace> ChooseFolder(const DoctorOptions& options, const std::string& programs) {
  if (options.repo) return sandbox::ResolveWorkspace(*options.repo, {{}, *options.repo});
  if (auto here = sandbox::ResolveWorkspace(".", {sandbox::HomeFolders(), ""})) return here;
  const std::string other = programs.empty() ? "/usr" : programs;
  return sandbox::ResolveWorkspace(other, {{}, other});
}

// A record as of a run, which is removed again with those folders that were not there before.
RecordVerdict TryRecord() {
  RecordVerdict out;
  auto state = StateFolder();
  if (!state) {
    out.detail = state.error().message;
    out.mend = state.error().hint;
    return out;
  }
  const std::string runs = *state + "/paddock/runs";
  out.folder = PathToText(runs);
  std::vector<std::string> made;  // the outermost first
  for (size_t end = 0; end != std::string::npos;) {
    end = runs.find('/', end + 1);
    if (const std::string part = runs.substr(0, end); access(part.c_str(), F_OK) != 0) made.push_back(part);
  }
  const std::string id = NewRunId();
  {
    auto record = RunRecord::Create(*state, id, Json{{"doctor", "tries whether a record can be made"}});
    Status written = record ? (*record)->WriteResult(Json::object()) : std::unexpected(record.error());
    out.works = written.has_value();
    if (!written) {
      out.detail = written.error().message;
      out.mend = written.error().hint;
    }
  }
  const std::string folder = runs + "/" + id;
  for (const char* name : {"ticket.json", "events.jsonl", "result.json"}) unlink((folder + "/" + name).c_str());
  rmdir(folder.c_str());
  for (auto part = made.rbegin(); part != made.rend(); ++part) rmdir(part->c_str());
  return out;
}

}  // namespace

int RunDoctor(const DoctorOptions& options) {
  auto config = LoadConfig();
  if (!config) return PrintError(config.error()), kExitUsage;
  auto programs = ProgramsFolder();
  auto folder = ChooseFolder(options, programs ? *programs : "");
  if (!folder) return PrintError(folder.error()), kExitUsage;

  DoctorReport report;
  report.kernel = sandbox::machine::ReadFacts().kernel;
  report.uid = geteuid();
  report.repository = PathToText(folder->path);
  const auto jail_uid = static_cast<uint32_t>(config->jail_uid);
  sandbox::machine::Asked asked;
  asked.repository = folder->path;
  asked.programs = programs ? *programs : folder->path;
  asked.jail_uid = asked.jail_gid = folder->owner_uid ? folder->owner_uid : jail_uid;
  report.steps = sandbox::machine::Survey(asked);
  for (const std::string& name : sandbox::ShippedProfileNames()) {
    auto profile = sandbox::ShippedProfile(name);
    if (!profile) return PrintError(profile.error()), kExitInternal;
    if (programs) {
      report.profiles.push_back(ProveProfile(*profile, *folder, *programs, jail_uid, report.steps));
      continue;
    }
    ProfileVerdict verdict;
    verdict.profile = name;
    verdict.detail = programs.error().message;
    verdict.mend = programs.error().hint;
    verdict.required = static_cast<int64_t>(profile->require.size());
    if (profile->syscalls.allow.empty()) verdict = {name, Verdict::kAbstract, verdict.required, 0, {}, {}, "", ""};
    report.profiles.push_back(std::move(verdict));
  }
  report.record = TryRecord();
  Conclude(&report);

  TextStyle style = StyleOfStdout();
  style.width = std::min(style.width, kMostColumns);
  if (!PrintAll(1, options.json ? DumpJson(ToJson(report)) + "\n" : DoctorText(report, style))) return kExitInternal;
  return report.works ? kExitCompleted : kExitNotCompleted;
}

}  // namespace paddock::orchestrator
