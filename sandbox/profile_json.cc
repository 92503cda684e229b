#include "sandbox/profile_json.h"

#include <algorithm>

#include "base/text.h"
#include "sandbox/profile_lint.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

template <class T>
bool Holds(const std::vector<T>& list, const T& one) { return std::find(list.begin(), list.end(), one) != list.end(); }

// Faults at the lines of their values.
class FaultsOfValues {
 public:
  FaultsOfValues(const ProfileChain& chain, Faults* faults) : chain_(chain), faults_(*faults) {}

  void Add(const std::string& path, const std::string& message, const std::string& hint) { AddFault(FailAt(chain_, path, message, hint), &faults_); }
  void Add(const std::string& path, const Error& error) { Add(path, error.message, error.hint); }

 private:
  const ProfileChain& chain_;
  Faults& faults_;
};

std::unexpected<Error> FirstOf(Faults faults, Faults* further) {
  if (further) further->assign(faults.begin() + 1, faults.end());
  return std::unexpected(std::move(faults.front()));
}

std::string Item(const char* path, size_t index) { return std::string(path) + "[" + std::to_string(index) + "]"; }

// Times and sizes have their units, patterns can match.
void CheckTexts(const Profile& profile, const CheckHidePattern& check_hide, FaultsOfValues* faults) {
  const LimitRules& limits = profile.limits;
  for (auto [path, text] : {std::pair{"$.limits.wall", &limits.wall}, {"$.limits.cpu", &limits.cpu}}) {
    auto ms = ParseDuration(*text);
    if (!ms) faults->Add(path, ms.error());
    // A timer or RLIMIT_CPU of 0 would be none at all.
    else if (*ms == 0) faults->Add(path, "expected more than no time", "");
  }
  for (auto [path, text] : {std::pair{"$.limits.memory", &limits.memory}, {"$.limits.file_size", &limits.file_size}, {"$.limits.output", &limits.output},
                            {"$.filesystem.tmp", &profile.filesystem.tmp}, {"$.filesystem.workspace_size", &profile.filesystem.workspace_size}})
    if (auto size = ParseSize(*text); !size) faults->Add(path, size.error());
  for (size_t i = 0; check_hide && i < profile.filesystem.hide.size(); ++i)
    if (auto checked = check_hide(profile.filesystem.hide[i]); !checked) faults->Add(Item("$.filesystem.hide", i), checked.error());
}

// Calls and groups exist and can be granted.
CallRules CheckCalls(const Profile& profile, FaultsOfValues* faults) {
  auto calls = ResolveCalls(profile.syscalls.allow);
  if (calls) return *std::move(calls);
  bool found = false;
  for (size_t i = 0; i < profile.syscalls.allow.size(); ++i)
    if (auto one = ResolveCalls({profile.syscalls.allow[i]}); !one) {
      faults->Add(Item("$.syscalls.allow", i), one.error());
      found = true;
    }
  if (!found) faults->Add("$.syscalls.allow", calls.error());
  return {};
}

void CheckLayers(const Profile& profile, FaultsOfValues* faults) {
  for (size_t i = 0; i < profile.optional.size(); ++i) {
    const Layer layer = profile.optional[i];
    if (layer != Layer::kLandlock) faults->Add(Item("$.optional", i), std::string("only landlock can be optional, got ") + NameOf(layer), "");
    else if (Holds(profile.require, layer))
      faults->Add(Item("$.optional", i), std::string(NameOf(layer)) + " is required as well", "take it out of \"require\", or out of \"optional\"");
  }
}

void RefuseWhatIsNotBuilt(const Profile& profile, FaultsOfValues* faults) {
  if (profile.filesystem.workspace == WorkspaceAccess::kWrite)
    faults->Add("$.filesystem.workspace", "\"write\" is not in this version", "write \"overlay\": writes land in a private layer");
  if (profile.network.mode == NetworkMode::kProxy) faults->Add("$.network.mode", "\"proxy\" is not in this version", "write \"none\"");
}

// `faults` are those of the files by themselves.
Result<LoadedProfile> Finish(ProfileChain chain, const CheckHidePattern& check_hide, Faults faults, Faults* further) {
  const Json merged = MergeChain(chain);
  auto read = FromJson<Profile>(merged);
  if (!read && !faults.empty()) return FirstOf(std::move(faults), further);
  if (!read) return Fail(ErrorKind::kInternal, "a profile of good files: " + VisibleText(TruncateUtf8(read.error().message, 500), Newlines::kEscape));
  LoadedProfile out{*std::move(read), {}, {}};
  if (!merged.contains("require"))
    std::erase_if(out.profile.require, [&](Layer layer) {
      // The second filter is a cell's own doing.
      return Holds(out.profile.optional, layer) || (layer == Layer::kSeccompSecond && out.profile.exec.mode != ExecRules::Mode::kNone);
    });
  FaultsOfValues values(chain, &faults);
  CheckTexts(out.profile, check_hide, &values);
  const CallRules calls = CheckCalls(out.profile, &values);
  CheckLayers(out.profile, &values);
  RefuseWhatIsNotBuilt(out.profile, &values);
  if (!faults.empty()) return FirstOf(std::move(faults), further);
  // Only of good values can be said whether they go together.
  for (const LintRemark& remark : LintProfile(&out.profile, calls)) {
    if (!remark.warning) {
      AddFault(FailAt(chain, remark.path, remark.message, remark.hint, remark.against), &faults);
      continue;
    }
    const ProfilePlace place = PlaceInChain(chain, remark.path, remark.against);
    if (!place.shipped || !remark.of_own)
      out.warnings.push_back({place.file + ":" + std::to_string(place.line), remark.path + ": " + remark.message + (remark.hint.empty() ? "" : "; " + remark.hint)});
  }
  if (!faults.empty()) return FirstOf(std::move(faults), further);
  out.chain = std::move(chain);
  return out;
}

}  // namespace

std::vector<std::string> NotesOf(const std::vector<ProfileWarning>& warnings) {
  std::vector<std::string> notes;
  for (const ProfileWarning& warning : warnings) notes.push_back(warning.place + ": " + warning.message);
  return notes;
}

Result<LoadedProfile> LoadProfile(const std::string& wanted, const ProfileFiles& files, Faults* further) {
  ProfileSource first = TRY(LocateProfile(wanted, "", files));
  if (!first.shipped) first.text = TRY(files.read(first.path));
  Faults faults;
  ProfileChain chain = LoadChain(std::move(first), files, &faults);
  // Receipts and records would take it for the shipped one.
  if (const auto name = chain[0].json.find("name"); !chain[0].shipped && name != chain[0].json.end() && name->is_string() && Holds(ShippedProfileNames(), name->get<std::string>()))
    AddFault(FailAt(chain, "$.name", DumpJson(*name) + " comes with paddock", "give it another name"), &faults);
  return Finish(std::move(chain), files.check_hide, std::move(faults), further);
}

Result<Profile> ShippedProfile(std::string_view name) { return TRY(LoadProfile(std::string(name), {})).profile; }

Result<LoadedProfile> ParseProfile(std::string_view text, const std::string& file_name, const ProfileFiles& files, Faults* further) {
  ProfileSource first;
  first.called = first.path = file_name;
  first.text = text;
  Faults faults;
  ProfileChain chain = LoadChain(std::move(first), files, &faults);
  return Finish(std::move(chain), files.check_hide, std::move(faults), further);
}

Result<Profile> ParseProfile(std::string_view text, const std::string& file_name) { return TRY(ParseProfile(text, file_name, {})).profile; }

}  // namespace paddock::sandbox
