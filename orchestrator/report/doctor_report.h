// What `paddock doctor` found: the machine step by step, what that means for each profile that ships, and what
// mends it. `paddock doctor --json` prints exactly this table.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/fields.h"
#include "orchestrator/report/text_style.h"
#include "sandbox/layers.h"
#include "sandbox/machine/steps.h"

namespace paddock::orchestrator {

inline constexpr char kDoctorSchema[] = "paddock/doctor/1";

enum class Verdict {
  kWorks,     // a jail was built, and its receipt passed
  kRefused,   // no jail, or not the one that it requires
  kAbstract,  // allows no system call: only for other profiles to extend
};
inline auto EnumNames(FieldsOf<Verdict>) {
  return std::array{EnumName{Verdict::kWorks, "works"}, EnumName{Verdict::kRefused, "refused"}, EnumName{Verdict::kAbstract, "abstract"}};
}

struct ProfileVerdict {
  std::string profile;
  Verdict verdict = Verdict::kRefused;
  int64_t required = 0;                              // layers
  int64_t in_force = 0;                              // of those, by the receipt of the jail that was built
  std::vector<sandbox::Layer> refused_by;            // required layers that can't be had
  std::vector<sandbox::machine::StepId> missing;     // steps that its plan rests on
  std::string detail;                                // why it was refused
  std::string mend;
};
inline auto Fields(FieldsOf<ProfileVerdict>) {
  return std::make_tuple(Required("profile", &ProfileVerdict::profile, "name of a profile that ships"),
                         Required("verdict", &ProfileVerdict::verdict, "works: a jail was built and its receipt passed. abstract: only for others to extend"),
                         Required("required", &ProfileVerdict::required, "how many layers it requires").Min(0),
                         Required("in_force", &ProfileVerdict::in_force, "how many of them the receipt saw in force").Min(0),
                         Required("refused_by", &ProfileVerdict::refused_by, "required layers that can't be had here"),
                         Required("missing", &ProfileVerdict::missing, "steps that it rests on and that are missing"),
                         Required("detail", &ProfileVerdict::detail, "why it was refused"),
                         Required("mend", &ProfileVerdict::mend, "what to do about it"));
}

// A place for the records of runs, without which nothing runs.
struct RecordVerdict {
  bool works = false;
  std::string folder;  // empty where none is known
  std::string detail;  // why not
  std::string mend;
};
inline auto Fields(FieldsOf<RecordVerdict>) {
  return std::make_tuple(Required("works", &RecordVerdict::works, "a record was made there, and removed"), Required("folder", &RecordVerdict::folder, "where records are kept"),
                         Required("detail", &RecordVerdict::detail, "why none can be made"), Required("mend", &RecordVerdict::mend, "what to do about it"));
}

struct DoctorReport {
  std::string schema = kDoctorSchema;
  bool works = false;
  std::string kernel;
  int64_t uid = 0;
  std::string repository;  // whose file system was looked at
  std::vector<sandbox::machine::Finding> steps;
  std::vector<ProfileVerdict> profiles;
  RecordVerdict record;
  std::vector<std::string> mends;
};
inline auto Fields(FieldsOf<DoctorReport>) {
  return std::make_tuple(Required("schema", &DoctorReport::schema, kDoctorSchema),
                         Required("works", &DoctorReport::works, "every profile that ships works, and runs can be recorded"),
                         Required("kernel", &DoctorReport::kernel, "release of the kernel"), Required("uid", &DoctorReport::uid, "who asked").Min(0),
                         Required("repository", &DoctorReport::repository, "the folder whose file system was looked at, as path text"),
                         Required("steps", &DoctorReport::steps, "what was tried, each for itself"),
                         Required("profiles", &DoctorReport::profiles, "what that means for the profiles that ship"),
                         Required("record", &DoctorReport::record, "where runs are recorded"),
                         Required("mends", &DoctorReport::mends, "what to do, without repetition"));
}

// works and mends, from the rest: what is missing and not needed by any profile is no fault.
void Conclude(DoctorReport* report);

// For a person: a line a step, then profiles, then mends; no line longer than style.width (at least 60), and
// without colour as clear as with it.
std::string DoctorText(const DoctorReport& report, const TextStyle& style);

}  // namespace paddock::orchestrator
