#include "sandbox/profile_json.h"

#include <algorithm>

#include "base/text.h"
#include "sandbox/profile_lint.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

template <class T>
bool Holds(const std::vector<T>& list, const T& one) { return std::find(list.begin(), list.end(), one) != list.end(); }

// Times and sizes have their units, calls and groups exist. Gives the rules of the calls.
Result<CallRules> CheckValues(const ProfileChain& chain, const Profile& profile) {
  const LimitRules& limits = profile.limits;
  for (auto [path, text] : {std::pair{"$.limits.wall", &limits.wall}, {"$.limits.cpu", &limits.cpu}}) {
    auto ms = ParseDuration(*text);
    if (!ms) return FailAt(chain, path, ms.error().message, ms.error().hint);
    // A timer or RLIMIT_CPU of 0 would be none at all.
    if (*ms == 0) return FailAt(chain, path, "expected more than no time", "");
  }
  for (auto [path, text] : {std::pair{"$.limits.memory", &limits.memory}, {"$.limits.file_size", &limits.file_size}, {"$.limits.output", &limits.output},
                            {"$.filesystem.tmp", &profile.filesystem.tmp}, {"$.filesystem.workspace_size", &profile.filesystem.workspace_size}})
    if (auto size = ParseSize(*text); !size) return FailAt(chain, path, size.error().message, size.error().hint);
  auto calls = ResolveCalls(profile.syscalls.allow);
  if (calls) return calls;
  for (size_t i = 0; i < profile.syscalls.allow.size(); ++i)
    if (auto one = ResolveCalls({profile.syscalls.allow[i]}); !one)
      return FailAt(chain, "$.syscalls.allow[" + std::to_string(i) + "]", one.error().message, one.error().hint);
  return FailAt(chain, "$.syscalls.allow", calls.error().message, calls.error().hint);
}

Status CheckLayers(const ProfileChain& chain, const Profile& profile) {
  for (size_t i = 0; i < profile.optional.size(); ++i) {
    const Layer layer = profile.optional[i];
    const std::string path = "$.optional[" + std::to_string(i) + "]";
    if (layer != Layer::kLandlock) return FailAt(chain, path, std::string("only landlock can be optional, got ") + NameOf(layer), "");
    if (Holds(profile.require, layer)) return FailAt(chain, path, std::string(NameOf(layer)) + " is required as well", "take it out of \"require\", or out of \"optional\"");
  }
  return {};
}

Status RefuseWhatIsNotBuilt(const ProfileChain& chain, const Profile& profile) {
  if (profile.filesystem.workspace == WorkspaceAccess::kWrite)
    return FailAt(chain, "$.filesystem.workspace", "\"write\" is not in this version", "write \"overlay\": writes land in a private layer");
  if (profile.network.mode == NetworkMode::kProxy) return FailAt(chain, "$.network.mode", "\"proxy\" is not in this version", "write \"none\"");
  return {};
}

Result<LoadedProfile> Finish(ProfileChain chain) {
  const Json merged = MergeChain(chain);
  auto read = FromJson<Profile>(merged);
  if (!read) return Fail(ErrorKind::kInternal, "a profile of good files: " + VisibleText(TruncateUtf8(read.error().message, 500), Newlines::kEscape));
  LoadedProfile out{*std::move(read), {}, {}};
  if (!merged.contains("require"))
    std::erase_if(out.profile.require, [&](Layer layer) {
      // The second filter is a cell's own doing.
      return Holds(out.profile.optional, layer) || (layer == Layer::kSeccompSecond && out.profile.exec.mode != ExecRules::Mode::kNone);
    });
  const CallRules calls = TRY(CheckValues(chain, out.profile));
  TRY(CheckLayers(chain, out.profile));
  for (const LintRemark& remark : LintProfile(&out.profile, calls)) {
    if (!remark.warning) return FailAt(chain, remark.path, remark.message, remark.hint, remark.against);
    const ProfilePlace place = PlaceInChain(chain, remark.path, remark.against);
    if (!place.shipped || !remark.of_own)
      out.warnings.push_back({place.file + ":" + std::to_string(place.line), remark.path + ": " + remark.message + (remark.hint.empty() ? "" : "; " + remark.hint)});
  }
  TRY(RefuseWhatIsNotBuilt(chain, out.profile));
  out.chain = std::move(chain);
  return out;
}

}  // namespace

Result<LoadedProfile> LoadProfile(const std::string& wanted, const ProfileFiles& files) {
  ProfileSource first = TRY(LocateProfile(wanted, "", files));
  if (!first.shipped) first.text = TRY(files.read(first.path));
  LoadedProfile out = TRY(Finish(TRY(LoadChain(std::move(first), files))));
  // Receipts and records would take it for the shipped one.
  if (!out.chain[0].shipped && Holds(ShippedProfileNames(), out.profile.name))
    return FailAt(out.chain, "$.name", "\"" + out.profile.name + "\" comes with paddock", "give it another name");
  return out;
}

Result<Profile> ShippedProfile(std::string_view name) { return TRY(LoadProfile(std::string(name), {})).profile; }

Result<LoadedProfile> ParseProfile(std::string_view text, const std::string& file_name, const ProfileFiles& files) {
  ProfileSource first;
  first.called = first.path = file_name;
  first.text = text;
  return Finish(TRY(LoadChain(std::move(first), files)));
}

Result<Profile> ParseProfile(std::string_view text, const std::string& file_name) { return TRY(ParseProfile(text, file_name, {})).profile; }

}  // namespace paddock::sandbox
