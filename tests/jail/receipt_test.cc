// The receipt is read from the kernel: a layer that is left out behind the builder's back is missed, by name.
#include <sched.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "subagents/frames.h"
#include "tests/jail/jail_harness.h"

namespace paddock::sandbox {
namespace {

class ReceiptTest : public JailTest {
 protected:
  // Starts the real cell with `built` and reads its receipt against the profile.
  Result<Receipt> ReceiptOf(const BuiltPlan& built, UniqueFd extra = {}) {
    cell_ = std::make_unique<Cell>(TRY(Start(built, std::move(extra))));
    FrameReader reader(cell_->from.get(), 4096);
    auto frame = TRY(subagents::DecodeFrame(TRY(reader.Next(Soon()))));
    auto ready = TRY(FromJson<subagents::ReadyFrame>(frame.body));
    std::vector<Denied> denied;
    for (const auto& witness : ready.witness)
      for (const auto& layer : EnumNames(FieldsOf<Layer>{}))
        if (witness.layer == layer.name) denied.push_back({layer.value, static_cast<int>(witness.error)});
    const bool session = cell_->jail.stage_times()[static_cast<size_t>(Stage::kSession)] != 0;
    auto baseline = TRY(ReadBaseline());
    return ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, built, baseline, denied, session);
  }

  // The layers that are required and not in force.
  std::vector<Layer> Missing(const BuiltPlan& built, UniqueFd extra = {}) {
    auto receipt = ReceiptOf(built, std::move(extra));
    if (!receipt) {
      ADD_FAILURE() << receipt.error().message;
      return {};
    }
    std::vector<Layer> missing;
    for (const LayerReceipt& layer : receipt->layers)
      if (layer.required && !layer.in_force) missing.push_back(layer.layer);
    auto checked = CheckReceipt(*receipt);
    EXPECT_EQ(checked.has_value(), missing.empty());
    for (Layer layer : missing) EXPECT_NE(checked.error().message.find(NameOf(layer)), std::string::npos) << checked.error().message;
    return missing;
  }

  BuiltPlan Whole() { return Build("paddock-cell", {"paddock-cell"}); }

  std::unique_ptr<Cell> cell_;
};

using Layers = std::vector<Layer>;

TEST_F(ReceiptTest, OfAWholeJailHasEveryLayerInForce) {
  auto receipt = ReceiptOf(Whole());
  ASSERT_TRUE(receipt) << receipt.error().message;
  for (const LayerReceipt& layer : receipt->layers) EXPECT_TRUE(layer.in_force) << NameOf(layer.layer) << ": " << layer.seen;
  EXPECT_EQ(receipt->layers.size(), EnumNames(FieldsOf<Layer>{}).size());
  EXPECT_TRUE(CheckReceipt(*receipt));
}

TEST_F(ReceiptTest, OfAProfileThatRequiresNothingStillHasEveryLayerInForce) {
  profile_.require.clear();
  auto receipt = ReceiptOf(Whole());
  ASSERT_TRUE(receipt) << receipt.error().message;
  EXPECT_EQ(receipt->layers.size(), AllLayers().size());
  for (const LayerReceipt& layer : receipt->layers) EXPECT_TRUE(layer.in_force && !layer.required) << NameOf(layer.layer) << ": " << layer.seen;
}

TEST_F(ReceiptTest, MissesEachNamespaceThatIsLeftOut) {
  const std::pair<uint64_t, Layer> bits[] = {
      {CLONE_NEWPID, Layer::kPid}, {CLONE_NEWIPC, Layer::kIpc}, {CLONE_NEWUTS, Layer::kUts}, {CLONE_NEWCGROUP, Layer::kCgroup}};
  for (auto [flag, layer] : bits) {
    BuiltPlan built = Whole();
    built.plan.namespaces &= ~flag;
    EXPECT_EQ(Missing(built), Layers{layer}) << NameOf(layer);
  }
}

TEST_F(ReceiptTest, MissesTheNetworkNamespace) {
  BuiltPlan built = Whole();
  built.plan.network = Network::kHost;
  EXPECT_EQ(Missing(built), Layers{Layer::kNet});
}

TEST_F(ReceiptTest, MissesNoNewPrivsAndTheFiltersThatNeedIt) {
  BuiltPlan built = Whole();
  built.plan.no_new_privs = false;
  // Without it no filter and no Landlock can be installed by a process without capabilities: it can't start.
  const Error error = WhyNoCell(built);
  EXPECT_NE(error.message.find("stage landlock"), std::string::npos) << error.message;
}

TEST_F(ReceiptTest, MissesCapabilitiesThatWereKept) {
  BuiltPlan built = Whole();
  built.plan.drop_capabilities = false;
  EXPECT_EQ(Missing(built), Layers{Layer::kCapabilities});
}

TEST_F(ReceiptTest, MissesTheFirstFilter) {
  BuiltPlan built = Whole();
  built.plan.filter.clear();
  const Layers missing = Missing(built);
  EXPECT_NE(std::find(missing.begin(), missing.end(), Layer::kSeccomp), missing.end());
}

TEST_F(ReceiptTest, MissesASecondFilterThatAllowsEverything) {
  BuiltPlan built = Whole();
  built.second_filter = std::string("\x06\0\0\0\0\0\xff\x7f", 8);  // return ALLOW
  EXPECT_EQ(Missing(built), Layers{Layer::kSeccompSecond});
}

TEST_F(ReceiptTest, MissesLandlock) {
  BuiltPlan built = Whole();
  built.plan.landlock = false;
  EXPECT_EQ(Missing(built), Layers{Layer::kLandlock});
}

TEST_F(ReceiptTest, MissesALandlockRuleThatAllowsEverything) {
  BuiltPlan built = Whole();
  built.plan.landlock_rules.push_back({"/", ~uint64_t{0}});
  EXPECT_EQ(Missing(built), Layers{Layer::kLandlock});
}

TEST_F(ReceiptTest, MissesALimitThatIsLeftOut) {
  BuiltPlan built = Whole();
  BuiltPlan changed = built;
  std::erase_if(changed.plan.limits, [](const ResourceLimit& limit) { return limit.resource == RLIMIT_NPROC; });
  auto receipt = ReceiptOf(changed);
  ASSERT_TRUE(receipt);
  // Compared with the plan as it should have been.
  auto baseline = ReadBaseline();
  auto compared = ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, built, *baseline, {}, true);
  ASSERT_TRUE(compared);
  for (const LayerReceipt& layer : compared->layers)
    if (layer.layer == Layer::kLimits) {
      EXPECT_FALSE(layer.in_force) << layer.seen;
    }
}

TEST_F(ReceiptTest, MissesAWritableWorkspace) {
  const BuiltPlan whole = Whole();
  BuiltPlan changed = whole;
  for (MountOp& mount : changed.plan.mounts) mount.read_only = false;
  ASSERT_TRUE(ReceiptOf(changed));
  auto baseline = ReadBaseline();
  auto compared = ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, whole, *baseline, {}, true);
  ASSERT_TRUE(compared);
  for (const LayerReceipt& layer : compared->layers)
    if (layer.layer == Layer::kMounts) {
      EXPECT_FALSE(layer.in_force) << layer.seen;
    }
}

TEST_F(ReceiptTest, MissesADescriptorThatWasNotPlanned) {
  const BuiltPlan whole = Whole();
  BuiltPlan changed = whole;
  changed.plan.descriptors.push_back(9);
  ASSERT_TRUE(ReceiptOf(changed, UniqueFd(open("/", O_PATH | O_CLOEXEC))));
  auto baseline = ReadBaseline();
  auto compared = ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, whole, *baseline, {}, true);
  ASSERT_TRUE(compared);
  for (const LayerReceipt& layer : compared->layers)
    if (layer.layer == Layer::kDescriptors) {
      EXPECT_FALSE(layer.in_force) << layer.seen;
    }
}

// A repository with a proc file system in it (an unpacked system, say) showed the host's processes once.
TEST_F(ReceiptTest, MissesAMountThatShowsTheHost) {
  auto workspace = ResolveWorkspace("/proc", {{}, "/proc"});
  ASSERT_TRUE(workspace);
  workspace_ = *workspace;
  if (geteuid() == 0) {  // root's jails want an id-mapped view, which it has none
    EXPECT_THAT(WhyNoCell(Whole()).hint, testing::HasSubstr("mounted inside it"));
    return;
  }
  EXPECT_EQ(Missing(Whole()), Layers{Layer::kMounts});
}

TEST_F(ReceiptTest, MissesTheKeyring) {
  BuiltPlan built = Whole();
  built.plan.new_keyring = false;
  EXPECT_EQ(Missing(built), Layers{Layer::kKeyring});
}

TEST_F(ReceiptTest, OfAProcessThatHasEndedIsAnError) {
  ASSERT_TRUE(ReceiptOf(Whole()));
  cell_->jail.Stop();
  auto baseline = ReadBaseline();
  auto receipt = ReadReceipt(cell_->jail.payload_pid(), cell_->jail.payload_pidfd(), profile_, Whole(), *baseline, {}, true);
  EXPECT_FALSE(receipt);
}

using SetupErrors = JailTest;

TEST_F(SetupErrors, ProgramThatIsNoProgramIsAnExecError) {
  BuiltPlan built = Build("paddock-cell", {"paddock-cell"});
  built.plan.mounts[0] = built.plan.mounts[1];
  built.plan.mounts[0].recursive = false;
  built.plan.mounts[0].source = folder_.path() + "/file";
  struct stat info;
  ASSERT_EQ(stat(built.plan.mounts[0].source.c_str(), &info), 0);
  built.plan.mounts[0].source_device = info.st_dev;
  built.plan.mounts[0].source_inode = info.st_ino;
  built.plan.mounts[0].target = "/cell";
  const Error error = WhyNoCell(built);
  EXPECT_NE(error.message.find("stage exec"), std::string::npos) << error.message;
  EXPECT_FALSE(error.hint.empty());
}

TEST_F(SetupErrors, WorkspaceThatWasExchangedIsRefused) {
  BuiltPlan built = Build("paddock-cell", {"paddock-cell"});
  built.plan.mounts[1].source_inode += 1;
  const Error error = WhyNoCell(built);
  EXPECT_NE(error.message.find("ESTALE"), std::string::npos) << error.message;
}

TEST_F(SetupErrors, WorkspacePathThatBecameALinkIsRefused) {
  BuiltPlan built = Build("paddock-cell", {"paddock-cell"});
  TestFolder other;
  const std::string link = other.path() + "/link";
  ASSERT_EQ(symlink(folder_.path().c_str(), link.c_str()), 0);
  built.plan.mounts[1].source = link;
  const Error error = WhyNoCell(built);
  EXPECT_NE(error.message.find("ELOOP"), std::string::npos) << error.message;
}

// A machine on which a call is refused: the error names the stage and what to do.
struct Refusal {
  const char* call;
  int error;
  const char* stage;
};
class RefusedStage : public JailTest, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusedStage, IsNamedWithItsMend) {
  const Refusal& refusal = GetParam();
  TestFolder folder;
  // The launcher gets no arguments, so the shim around it is a script.
  launcher_path_ = folder.path() + "/launcher";
  {
    UniqueFd script(open(launcher_path_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0755));
    const std::string text = "#!/bin/sh\nexec '" + BinFolder() + "/deny_syscall' " + refusal.call + " " + std::to_string(refusal.error) + " '" +
                             BinFolder() + "/paddock-jail'\n";
    ASSERT_EQ(write(script.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  const Error error = WhyNoCell(Build("paddock-cell", {"paddock-cell"}));
  EXPECT_NE(error.message.find(std::string("stage ") + refusal.stage), std::string::npos) << error.message;
  EXPECT_NE(error.message.find(ErrnoName(refusal.error)), std::string::npos) << error.message;
}

INSTANTIATE_TEST_SUITE_P(Calls, RefusedStage,
                         testing::Values(Refusal{"landlock_create_ruleset", ENOSYS, "landlock"}, Refusal{"landlock_create_ruleset", EOPNOTSUPP, "landlock"},
                                         Refusal{"landlock_restrict_self", E2BIG, "landlock"}, Refusal{"seccomp", ENOSYS, "filter"},
                                         Refusal{"clone3", EPERM, "launcher"}, Refusal{"mount_setattr", ENOSYS, "launcher"},
                                         Refusal{"pivot_root", EPERM, "launcher"}, Refusal{"keyctl", EACCES, "session"},
                                         Refusal{"sethostname", EPERM, "session"}, Refusal{"setresuid", EPERM, "ids"},
                                         Refusal{"capset", EPERM, "privileges"}, Refusal{"close_range", ENOSYS, "descriptors"}),
                         [](const auto& one) { return std::string(one.param.call) + "_" + ErrnoName(one.param.error); });

}  // namespace
}  // namespace paddock::sandbox
