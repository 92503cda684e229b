// Profiles that somebody wrote, one file after another with a line of "----" between: the first is read, the others are
// what it may extend, as ./1.json, ./2.json, ... and as the names own-1, own-2, ...
//
// What comes out printed whole reads the same; its sizes and times are bounded; an error has file and line.
#include <map>

#include "base/json_line.h"
#include "sandbox/profile_json.h"
#include "sandbox/profile_lint.h"
#include "sandbox/syscall_groups.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

size_t LinesOf(std::string_view text) { return 1 + static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

// Every value of a document is found, and in the order in which it stands there.
void RequirePlaces(const std::string& text, const Json& value, const std::string& path, size_t* line, int* left) {
  if (--*left < 0) return;
  const JsonPlace place = PlaceInJson(text, path);
  REQUIRE(place.found && place.line >= *line && place.line <= LinesOf(text), path + "\n" + text);
  *line = place.line;
  if (value.is_array())
    for (size_t i = 0; i < value.size(); ++i) RequirePlaces(text, value[i], path + "[" + std::to_string(i) + "]", line, left);
  if (value.is_object())
    for (auto it = value.begin(); it != value.end(); ++it) RequirePlaces(text, it.value(), path + "." + it.key(), line, left);
}

bool HasPlainKeys(const Json& value) {
  bool plain = true;
  for (auto it = value.begin(); value.is_structured() && it != value.end(); ++it)
    plain = plain && HasPlainKeys(*it) && (!value.is_object() || it.key().find_first_of(".[") == std::string::npos);
  return plain;
}

// "/f/0.json:12: ..." of a file that is there, with a line that it has.
void RequirePlace(const Error& error, const std::map<std::string, std::string>& files) {
  fuzz::RequireGood(error);
  if (error.kind != ErrorKind::kInvalid) return;
  const size_t colon = error.message.find(':'), end = error.message.find(": ", colon);
  REQUIRE(colon != std::string::npos && end > colon + 1, error.message);
  const size_t line = strtoul(error.message.c_str() + colon + 1, nullptr, 10);
  REQUIRE(line >= 1 && std::to_string(line) == error.message.substr(colon + 1, end - colon - 1), error.message);
  if (auto file = files.find(error.message.substr(0, colon)); file != files.end()) REQUIRE(line <= LinesOf(file->second), error.message);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (auto parse : {sandbox::ParseDuration, sandbox::ParseSize}) {
    auto number = parse(text);
    if (number) REQUIRE(*number >= 0 && *number <= int64_t{1} << 50, text);
    else fuzz::RequireGood(number.error());
  }
  const size_t half = text.find('\n');
  REQUIRE(PlaceInJson(text.substr(std::min(half, text.size())), "$" + text.substr(0, half)).line <= LinesOf(text), text);
  sandbox::IsInterpreter(text);

  constexpr std::string_view kBetween = "\n----\n";
  std::map<std::string, std::string> disk;
  sandbox::ProfileFiles files;
  files.own_folder = "/own";
  files.read = [&](const std::string& path) -> Result<std::string> {
    if (auto found = disk.find(path); found != disk.end()) return found->second;
    return Fail(ErrorKind::kNotFound, VisibleText(TruncateUtf8(path, 200), Newlines::kEscape) + ": not there");
  };
  for (size_t at = 0, n = 0; at <= text.size() && n < 12; ++n) {
    const size_t end = std::min(text.find(kBetween, at), text.size());
    disk["/f/" + std::to_string(n) + ".json"] = disk["/own/own-" + std::to_string(n) + ".json"] = text.substr(at, end - at);
    files.own.push_back("own-" + std::to_string(n));
    at = end + kBetween.size();
  }
  const std::string& first = disk["/f/0.json"];
  if (auto json = ParseJson(first, {.comments = true}); json && HasPlainKeys(*json)) {
    size_t line = 1;
    int left = 200;
    RequirePlaces(first, *json, "$", &line, &left);
  }
  auto named = sandbox::LoadProfile("own-0", files);
  if (!named) fuzz::RequireGood(named.error());
  sandbox::Faults further;
  auto loaded = sandbox::ParseProfile(first, "/f/0.json", files, &further);
  if (!loaded) {
    RequirePlace(loaded.error(), disk);
    REQUIRE(further.size() < sandbox::kMostFaults, text);
    for (const Error& one : further) RequirePlace(one, disk);
    return 0;
  }
  for (const sandbox::ProfileWarning& warning : loaded->warnings) fuzz::RequireGood({ErrorKind::kInvalid, warning.place + ": " + warning.message, "", 0});
  const sandbox::Profile& profile = loaded->profile;
  REQUIRE(profile.limits.processes >= 2 && *sandbox::ParseDuration(profile.limits.wall) > 0 && *sandbox::ParseDuration(profile.limits.cpu) > 0, text);
  REQUIRE(sandbox::ResolveCalls(profile.syscalls.allow).has_value(), text);
  REQUIRE(profile.exec.mode != sandbox::ExecRules::Mode::kList || std::none_of(profile.exec.programs.begin(), profile.exec.programs.end(), sandbox::IsInterpreter), text);
  const std::string printed = DumpJson(ToJson(profile));
  auto again = sandbox::ParseProfile(printed, "/f/0.json", files);
  REQUIRE(again.has_value(), again ? "" : again.error().message + "\n" + printed);
  REQUIRE(DumpJson(ToJson(again->profile)) == printed, printed);
  return 0;
}
