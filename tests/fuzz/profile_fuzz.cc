// A profile that somebody wrote: printed whole it reads the same, extends or not; its sizes and times are bounded.
#include "sandbox/profile_json.h"
#include "sandbox/syscall_groups.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (auto parse : {sandbox::ParseDuration, sandbox::ParseSize}) {
    auto number = parse(text);
    if (number) REQUIRE(*number >= 0 && *number <= int64_t{1} << 50, text);
    else fuzz::RequireGood(number.error());
  }
  auto profile = sandbox::ParseProfile(text, "p.json");
  if (!profile) {
    fuzz::RequireGood(profile.error());
    return 0;
  }
  REQUIRE(profile->limits.processes >= 2 && *sandbox::ParseDuration(profile->limits.wall) > 0 && *sandbox::ParseDuration(profile->limits.cpu) > 0, text);
  REQUIRE(sandbox::ResolveCalls(profile->syscalls.allow).has_value(), text);
  const std::string printed = DumpJson(ToJson(*profile));
  auto again = sandbox::ParseProfile(printed, "p.json");
  REQUIRE(again.has_value(), again ? "" : again.error().message + "\n" + printed);
  REQUIRE(DumpJson(ToJson(*again)) == printed, printed);
  return 0;
}
