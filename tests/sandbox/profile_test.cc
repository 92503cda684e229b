// Profiles: what people write by hand is read strictly, and every error names file, place and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "sandbox/profile_json.h"
#include "sandbox/syscall_groups.h"

namespace paddock::sandbox {
namespace {

using testing::HasSubstr;

// A profile file with `more` members.
std::string File(const std::string& more) { return R"({"schema": "paddock/profile/1", "name": "mine")" + (more.empty() ? "" : ", " + more) + "}"; }

Profile Good(const std::string& text) {
  auto profile = ParseProfile(text, "mine.json");
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : Profile{};
}
Error Bad(const std::string& text) {
  auto profile = ParseProfile(text, "mine.json");
  EXPECT_FALSE(profile) << text;
  if (profile) return {};
  EXPECT_THAT(profile.error().message, testing::StartsWith("mine.json:")) << text;
  return profile.error();
}
bool Has(const std::vector<Layer>& layers, Layer layer) { return std::find(layers.begin(), layers.end(), layer) != layers.end(); }

// Debian's pip refuses to install beside its own packages, and fetches build tools from a network that is not there.
TEST(ShippedProfiles, PipInABuildUsesWhatTheMachineHas) {
  const auto profile = ShippedProfile("build");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->env.set.at("PIP_BREAK_SYSTEM_PACKAGES"), "1");
  EXPECT_EQ(profile->env.set.at("PIP_NO_BUILD_ISOLATION"), "0");  // pip's own odd way of saying: no isolation
}

TEST(ShippedProfiles, AllParse) {
  EXPECT_EQ(ShippedProfileNames(), (std::vector<std::string>{"base", "build", "mcp-server", "read-only", "read-only-tools", "sealed"}));
  for (const std::string& name : ShippedProfileNames()) {
    auto profile = ShippedProfile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->name, name);
    EXPECT_FALSE(profile->description.empty());
    EXPECT_TRUE(profile->optional.empty()) << name;
  }
}

TEST(ShippedProfiles, ReadOnlyRequiresEveryLayer) {
  auto profile = ShippedProfile("read-only");
  ASSERT_TRUE(profile);
  for (const auto& layer : EnumNames(FieldsOf<Layer>{})) EXPECT_TRUE(Has(profile->require, layer.value)) << layer.name;
  EXPECT_EQ(profile->filesystem.workspace, WorkspaceAccess::kRead);
  EXPECT_TRUE(profile->env.keep.empty() && profile->env.set.empty());
}

TEST(ShippedProfiles, SealedIsReadOnlyWithoutTheWorkspace) {
  auto sealed = ShippedProfile("sealed"), read_only = ShippedProfile("read-only");
  ASSERT_TRUE(sealed && read_only);
  EXPECT_EQ(sealed->filesystem.workspace, WorkspaceAccess::kNone);
  EXPECT_EQ(sealed->require, read_only->require);
  auto fewer = ResolveCalls(sealed->syscalls.allow), more = ResolveCalls(read_only->syscalls.allow);
  ASSERT_TRUE(fewer && more);
  EXPECT_LT(fewer->size(), more->size());
}

TEST(ShippedProfiles, ReportWhatTheyDeny) {
  for (const std::string& name : ShippedProfileNames()) {
    const Profile profile = *ShippedProfile(name);
    EXPECT_EQ(profile.syscalls.report, name != "base") << name;
    EXPECT_EQ(FitsCell(profile).has_value(), name == "base" || name == "read-only" || name == "read-only-tools" || name == "sealed") << name;
    EXPECT_TRUE(Has(profile.require, Layer::kLandlock) && Has(profile.require, Layer::kSeccomp)) << name;
    EXPECT_EQ(profile.network.mode, NetworkMode::kNone) << name;
    EXPECT_EQ(profile.description.find("Does not stop") == std::string::npos, name == "base") << name;
  }
}

TEST(ShippedProfiles, ToolsAreAListThatStaysOne) {
  const Profile tools = *ShippedProfile("read-only-tools"), build = *ShippedProfile("build"), server = *ShippedProfile("mcp-server");
  EXPECT_EQ(tools.exec.mode, ExecRules::Mode::kList);
  EXPECT_EQ(tools.filesystem.workspace, WorkspaceAccess::kRead);
  // git takes as many settings from its environment as it is told there are.
  EXPECT_EQ(std::stoi(tools.env.set.at("GIT_CONFIG_COUNT")), std::count_if(tools.env.set.begin(), tools.env.set.end(), [](const auto& one) { return one.first.starts_with("GIT_CONFIG_KEY_"); }));
  EXPECT_EQ(build.exec.mode, ExecRules::Mode::kAny);
  EXPECT_EQ(build.filesystem.workspace, WorkspaceAccess::kOverlay);
  EXPECT_TRUE(build.network.loopback);
  EXPECT_EQ(server.filesystem.workspace, WorkspaceAccess::kRead);
  EXPECT_FALSE(server.network.loopback);
}

TEST(ShippedProfiles, UnknownNamesAreAnswered) {
  auto profile = ShippedProfile("read_only");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(profile.error().message, HasSubstr("known: base, build, mcp-server, read-only, read-only-tools, sealed"));
  EXPECT_EQ(profile.error().hint, "did you mean \"read-only\"?");
  EXPECT_FALSE(ShippedProfile("syscall-groups"));
  EXPECT_FALSE(ShippedProfile("profile.schema"));
  EXPECT_FALSE(ShippedProfile("../profiles/base"));
}

TEST(Profile, WithoutAnythingAllowsNothing) {
  const Profile profile = Good(File(""));
  EXPECT_TRUE(profile.syscalls.allow.empty());
  EXPECT_EQ(profile.filesystem.workspace, WorkspaceAccess::kNone);
  EXPECT_TRUE(profile.env.keep.empty());
}

TEST(Profile, ExtendsByMergingObjectsAndReplacingLists) {
  const Profile profile = Good(File(R"("extends": "read-only", "limits": {"memory": "64M"}, "syscalls": {"allow": ["@basic"]})"));
  EXPECT_EQ(profile.name, "mine");
  EXPECT_EQ(profile.limits.memory, "64M");
  EXPECT_EQ(profile.limits.cpu, "60s");  // of base
  EXPECT_EQ(profile.syscalls.allow, std::vector<std::string>{"@basic"});
  EXPECT_EQ(profile.syscalls.on_deny, DenyErrno::kEperm);
  EXPECT_TRUE(Has(profile.require, Layer::kLandlock));
  EXPECT_EQ(profile.filesystem.workspace, WorkspaceAccess::kRead);
}

TEST(Profile, MayHoldComments) {
  const Profile profile = Good("// for us\n{ /* which */ \"schema\": \"paddock/profile/1\",\n\"name\": \"mine\" }\n");
  EXPECT_EQ(profile.name, "mine");
}

TEST(Profile, RefusesUnknownAndDuplicateKeys) {
  EXPECT_THAT(Bad(File(R"("limit": {})")).message, HasSubstr("$: unknown key \"limit\""));
  EXPECT_EQ(Bad(File(R"("limit": {})")).hint, "did you mean \"limits\"?");
  EXPECT_THAT(Bad(File(R"("limits": {"wal": "1s"})")).message, HasSubstr("$.limits: unknown key \"wal\""));
  EXPECT_THAT(Bad(File(R"("name": "yours")")).message, HasSubstr("duplicate key: $.name"));
  EXPECT_THAT(Bad(File(R"("limits": {"wall": "1s", "wall": "2s"})")).message, HasSubstr("duplicate key: $.limits.wall"));
}

TEST(Profile, RefusesWhatIsNoProfile) {
  EXPECT_THAT(Bad("").message, HasSubstr("mine.json:1: "));
  EXPECT_THAT(Bad("[]").message, HasSubstr("$: expected an object"));
  EXPECT_THAT(Bad("{\"schema\": \"paddock/profile/1\",}").message, HasSubstr("mine.json:1: column"));
  EXPECT_THAT(Bad(R"({"name": "mine"})").message, HasSubstr("$.schema: missing"));
  EXPECT_THAT(Bad(R"({"schema": "paddock/profile/2", "name": "mine"})").message, HasSubstr("$.schema: expected \"paddock/profile/1\""));
  EXPECT_THAT(Bad(R"({"schema": "paddock/profile/1", "name": "Mine!"})").message, HasSubstr("$.name"));
  EXPECT_THAT(Bad(File("\"description\": \"\xff\"")).message, HasSubstr("mine.json:1: "));
}

TEST(Profile, RefusesWrongUnitsWithTheirPlace) {
  EXPECT_THAT(Bad(File(R"("limits": {"wall": "5 minutes"})")).message, HasSubstr("$.limits.wall: \"5 minutes\": expected a duration"));
  EXPECT_THAT(Bad(File(R"("limits": {"cpu": "60"})")).message, HasSubstr("$.limits.cpu: \"60\": expected a duration"));
  EXPECT_THAT(Bad(File(R"("limits": {"memory": "512MB"})")).message, HasSubstr("$.limits.memory: \"512MB\": expected a size"));
  EXPECT_THAT(Bad(File(R"("limits": {"file_size": "-1"})")).message, HasSubstr("$.limits.file_size"));
  EXPECT_THAT(Bad(File(R"("limits": {"output": "lots"})")).message, HasSubstr("$.limits.output"));
  EXPECT_THAT(Bad(File(R"("limits": {"processes": 1})")).message, HasSubstr("$.limits.processes: expected a number >= 2"));
  EXPECT_THAT(Bad(File(R"("limits": {"wall": 300})")).message, HasSubstr("$.limits.wall: expected a string"));
}

TEST(Profile, NoTimeIsNotUnlimitedTime) {
  EXPECT_THAT(Bad(File(R"("limits": {"wall": "0s"})")).message, HasSubstr("$.limits.wall"));
  EXPECT_THAT(Bad(File(R"("limits": {"cpu": "0s"})")).message, HasSubstr("$.limits.cpu"));
}

TEST(Profile, ExtendsOnlyWhatIsShipped) {
  const Error unknown = Bad(File(R"("extends": "read-onyl")"));
  EXPECT_THAT(unknown.message, HasSubstr("$.extends: no profile named \"read-onyl\"; known: base, build, mcp-server, read-only, read-only-tools, sealed"));
  EXPECT_EQ(unknown.hint, "did you mean \"read-only\"?");
  // Another of the user's, and so itself, and so any cycle, is unknown there.
  EXPECT_THAT(Bad(File(R"("extends": "mine")")).message, HasSubstr("no profile named \"mine\""));
  EXPECT_THAT(Bad(File(R"("extends": "../etc/passwd")")).message, HasSubstr("no profile named"));
  EXPECT_FALSE(ParseProfile(File(R"("extends": "syscall-groups")"), "mine.json"));
}

TEST(Profile, AFileCalledLikeAShippedOneExtendsTheShippedOne) {
  const Profile profile = Good(R"({"schema": "paddock/profile/1", "name": "base", "extends": "base"})");
  EXPECT_TRUE(Has(profile.require, Layer::kSeccomp));
}

TEST(Profile, RefusesUnknownGroupsAndCalls) {
  const Error group = Bad(File(R"("syscalls": {"allow": ["@agent-readonly"]})"));
  EXPECT_THAT(group.message, HasSubstr("$.syscalls.allow[0]: no group of system calls named \"@agent-readonly\""));
  EXPECT_EQ(group.hint, "did you mean \"@agent-read-only\"?");
  EXPECT_THAT(Bad(File(R"("syscalls": {"allow": ["raed"]})")).message, HasSubstr("raed"));
  EXPECT_THAT(Bad(File(R"("syscalls": {"allow": [""]})")).message, HasSubstr("$.syscalls.allow"));
}

TEST(Profile, LayersMayBeOptionalOnlyWhereThatIsBuilt) {
  const std::string require = R"("require": ["seccomp"], )";
  EXPECT_TRUE(Has(Good(File(require + R"("optional": ["landlock"])")).optional, Layer::kLandlock));
  // Nothing said of what is required: all, but for what is optional.
  EXPECT_FALSE(Has(Good(File(R"("optional": ["landlock"])")).require, Layer::kLandlock));
  EXPECT_TRUE(Has(Good(File(R"("optional": ["landlock"])")).require, Layer::kSeccomp));
  EXPECT_TRUE(Has(Good(File(R"("description": "nothing said")")).require, Layer::kLandlock));
  EXPECT_THAT(Bad(File(R"("optional": ["seccomp"])")).message, HasSubstr("$.optional[0]: only landlock can be optional, got seccomp"));
  EXPECT_THAT(Bad(File(R"("require": ["landlock"], "optional": ["landlock"])")).message, HasSubstr("landlock is required as well"));
  EXPECT_THAT(Bad(File(R"("require": ["lanldock"])")).message, HasSubstr("$.require[0]: expected one of user, mount"));
}

TEST(Profile, DoesNotPromiseWhatIsNotBuilt) {
  EXPECT_THAT(Bad(File(R"("filesystem": {"workspace": "write"})")).message, HasSubstr("$.filesystem.workspace: \"write\" is not in this version"));
  EXPECT_THAT(Bad(File(R"("network": {"mode": "proxy"})")).message, HasSubstr("$.network.mode: \"proxy\" is not in this version"));
}

TEST(Profile, ExecIsNoneAnyOrAList) {
  EXPECT_EQ(Good(File("")).exec.mode, ExecRules::Mode::kNone);
  EXPECT_EQ(Good(File(R"("exec": "none")")).exec.mode, ExecRules::Mode::kNone);
  EXPECT_EQ(Good(File(R"("exec": [])")).exec.mode, ExecRules::Mode::kNone);
  EXPECT_THAT(Bad(File(R"("exec": "all")")).message, HasSubstr("$.exec: expected \"none\", \"any\" or a list of programs, got \"all\""));
  EXPECT_THAT(Bad(File(R"("exec": ["ls", 1])")).message, HasSubstr("$.exec[1]: expected a string"));
  EXPECT_THAT(Bad(File(R"("exec": [""])")).message, HasSubstr("$.exec[0]: expected a string that is not empty"));
  auto any = FromJson<ExecRules>(Json("any")), list = FromJson<ExecRules>(Json::array({"git", "/opt/x"}));
  ASSERT_TRUE(any && list);
  EXPECT_EQ(any->mode, ExecRules::Mode::kAny);
  EXPECT_EQ(list->mode, ExecRules::Mode::kList);
  EXPECT_EQ(list->programs, (std::vector<std::string>{"git", "/opt/x"}));
  EXPECT_EQ(ToJson(*any), "any");
  EXPECT_EQ(ToJson(*list), Json::array({"git", "/opt/x"}));
}

TEST(Profile, ACellGetsNothingDroppedInSilence) {
  Profile profile = *ShippedProfile("read-only");
  EXPECT_TRUE(FitsCell(profile));
  profile.filesystem.tmp = "1M";
  auto refused = FitsCell(profile);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("a cell has no use for its filesystem.tmp"));
  profile = *ShippedProfile("read-only");
  profile.filesystem.root = RootKind::kMinimal;
  EXPECT_FALSE(FitsCell(profile));
  profile = *ShippedProfile("read-only");
  profile.exec.mode = ExecRules::Mode::kAny;
  EXPECT_FALSE(FitsCell(profile));
  // With a list of programs for its tools.
  profile = *ShippedProfile("read-only-tools");
  EXPECT_TRUE(FitsCell(profile));
  for (RootKind root : {RootKind::kImage, RootKind::kHost}) {
    profile.filesystem.root = root;
    EXPECT_FALSE(FitsCell(profile));
  }
}

TEST(Profile, NamesInAMessageAreBoundedAndVisible) {
  auto profile = ParseProfile(R"({"schema": "paddock/profile/1", "name": "p", "env": {"set": {"\u001b[31m)" + std::string(5000, 'x') + R"(": 1}}})", "p.json");
  ASSERT_FALSE(profile);
  EXPECT_LE(profile.error().message.size(), 1100u);
  EXPECT_EQ(VisibleText(profile.error().message, Newlines::kEscape), profile.error().message);
}

TEST(ParseDuration, TakesANumberAndAUnit) {
  EXPECT_EQ(*ParseDuration("250ms"), 250);
  EXPECT_EQ(*ParseDuration("300s"), 300'000);
  EXPECT_EQ(*ParseDuration("5m"), 300'000);
  EXPECT_EQ(*ParseDuration("2h"), 7'200'000);
  EXPECT_EQ(*ParseDuration("0s"), 0);
  for (const char* bad : {"", "5", "s", "-5s", "+5s", " 5s", "5 s", "5S", "1.5s", "5sec", "0x5s", "99999999999999999999s", "9223372036854775807h"}) {
    auto parsed = ParseDuration(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInvalid);
    EXPECT_THAT(parsed.error().message, HasSubstr("expected a duration such as"));
  }
}

TEST(ParseSize, TakesANumberAndAUnit) {
  EXPECT_EQ(*ParseSize("0"), 0);
  EXPECT_EQ(*ParseSize("17"), 17);
  EXPECT_EQ(*ParseSize("64K"), 65'536);
  EXPECT_EQ(*ParseSize("512M"), 512 << 20);
  EXPECT_EQ(*ParseSize("1G"), 1 << 30);
  for (const char* bad : {"", "K", "-1", "1k", "1KB", "1 K", "1T", "1.5M", "99999999999999999999", "9223372036854775807G"}) EXPECT_FALSE(ParseSize(bad)) << bad;
}

}  // namespace
}  // namespace paddock::sandbox
