#include "sandbox/profile.h"

#include <charconv>

#include "base/text.h"

namespace paddock::sandbox {
namespace {

struct Unit {
  const char* suffix;
  int64_t factor;
};

Result<int64_t> ParseWithUnit(const std::string& text, std::initializer_list<Unit> units, const char* form) {
  int64_t number = -1;
  auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault == std::errc() && number >= 0) {
    std::string_view suffix(rest, static_cast<size_t>(text.data() + text.size() - rest));
    for (const Unit& unit : units)
      if (suffix == unit.suffix && number <= (int64_t{1} << 50) / unit.factor) return number * unit.factor;
  }
  return Fail(ErrorKind::kInvalid, "\"" + VisibleText(TruncateUtf8(text, 64), Newlines::kEscape) + "\": expected " + form);
}

constexpr size_t kMostPrograms = 256, kLongestProgram = 4095;

}  // namespace

Result<ExecRules> ReadForm(FieldsOf<ExecRules>, const Json& value, const std::string& path) {
  if (value == "none") return ExecRules{};
  if (value == "any") return ExecRules{ExecRules::Mode::kAny, {}};
  if (!value.is_array()) return fields_detail::Mismatch(path, "\"none\", \"any\" or a list of programs", value);
  auto programs = TRY(fields_detail::Read<std::vector<std::string>>(value, path, FieldRule{.max_length = kMostPrograms}));
  for (size_t i = 0; i < programs.size(); ++i)
    TRY(fields_detail::CheckText(programs[i], FieldRule{.max_length = kLongestProgram, .non_empty = true}, path + "[" + std::to_string(i) + "]", value[i]));
  if (programs.empty()) return ExecRules{};
  return ExecRules{ExecRules::Mode::kList, std::move(programs)};
}

Json WriteForm(const ExecRules& rules) {
  if (rules.mode == ExecRules::Mode::kList) return Json(rules.programs);
  return rules.mode == ExecRules::Mode::kAny ? "any" : "none";
}

Json SchemaForm(FieldsOf<ExecRules>) {
  Json list = fields_detail::Schema<std::vector<std::string>>(FieldRule{.max_length = kMostPrograms});
  list["items"] = fields_detail::Schema<std::string>(FieldRule{.max_length = kLongestProgram, .non_empty = true});
  return Json{{"anyOf", Json::array({Json{{"enum", Json::array({"none", "any"})}}, std::move(list)})}};
}

Status FitsCell(const Profile& profile) {
  const FilesystemRules& files = profile.filesystem;
  const bool programs = profile.exec.mode == ExecRules::Mode::kList;
  const bool root_fits = files.root == RootKind::kCellOnly || (programs && files.root == RootKind::kMinimal);
  const char* field = profile.exec.mode == ExecRules::Mode::kAny ? "exec"
                      : !root_fits ? "filesystem.root"
                      : files.workspace == WorkspaceAccess::kOverlay || files.workspace == WorkspaceAccess::kWrite ? "filesystem.workspace"
                      : !files.read.empty() ? "filesystem.read"
                      : files.tmp != "0" && !programs ? "filesystem.tmp"
                      : files.proc != ProcAccess::kNone ? "filesystem.proc"
                      : profile.network.loopback ? "network.loopback" : nullptr;
  if (!field) return {};
  return Fail(ErrorKind::kInvalid, "profile " + profile.name + " is for programs, not for cells: a cell has no use for its " + field,
              "take read-only, read-only-tools, or a profile that extends one of them");
}

Result<int64_t> ParseDuration(const std::string& text) {
  return ParseWithUnit(text, {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}, "a duration such as 500ms, 60s, 5m or 1h");
}

Result<int64_t> ParseSize(const std::string& text) {
  return ParseWithUnit(text, {{"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}}, "a size such as 64K, 512M or 1G");
}

}  // namespace paddock::sandbox
