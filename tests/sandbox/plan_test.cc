// The plan's byte form: whole and exact, or refused.
#include "sandbox/plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace paddock::sandbox {
namespace {

Plan Full() {
  Plan plan;
  plan.namespaces = 0x7e020000;
  plan.network = Network::kSharedEmpty;
  plan.inner_uid = 1, plan.inner_gid = 2, plan.outer_uid = 3, plan.outer_gid = 4'000'000'000u;
  plan.hostname = "paddock";
  using enum MountKind;
  plan.mounts = {{kBind, "/src/cell", 5, 6, "/cell", false, true, false, false, false, false, 0, 0, false},
                 {kBind, std::string("/a b\n\xff", 7), ~uint64_t{0}, 7, "/workspace", true, true, true, true, true, true, 9, 01777, true}};
  plan.own_root = true;
  plan.nodes = {{NodeKind::kLink, "/bin", "usr/bin", 0777}, {NodeKind::kFolder, "/tmp", "", 0755}};
  plan.peeks = {{257, 1, false}, {42, 1, true}};
  plan.notify_limit = 100;
  plan.working_folder = "/workspace";
  plan.terminal_descriptors = {0, 1};
  plan.landlock_rules = {{"/workspace", 12}, {"/cell", 5}};
  plan.limits = {{9, 512u << 20}, {0, 60}};
  plan.filter = std::string("\0\1\2\3\4\5\6\7", 8);
  plan.program = "/cell";
  plan.argv = {"paddock-cell", "", "x"};
  plan.environment = {"A=b"};
  plan.descriptors = {0, 1, 2, 3, 4, 5};
  plan.wall_ms = 300'000;
  plan.hold = true;
  return plan;
}

// Each changes one field.
const std::vector<std::pair<const char*, std::function<void(Plan*)>>> kChanges = {
    {"namespaces", [](Plan* p) { p->namespaces ^= 1; }},
    {"network", [](Plan* p) { p->network = Network::kOwnEmpty; }},
    {"inner_uid", [](Plan* p) { ++p->inner_uid; }},
    {"inner_gid", [](Plan* p) { ++p->inner_gid; }},
    {"outer_uid", [](Plan* p) { ++p->outer_uid; }},
    {"outer_gid", [](Plan* p) { ++p->outer_gid; }},
    {"hostname", [](Plan* p) { p->hostname += "x"; }},
    {"mounts", [](Plan* p) { p->mounts.pop_back(); }},
    {"source", [](Plan* p) { p->mounts[1].source += "x"; }},
    {"source_device", [](Plan* p) { --p->mounts[1].source_device; }},
    {"source_inode", [](Plan* p) { ++p->mounts[1].source_inode; }},
    {"target", [](Plan* p) { p->mounts[0].target += "x"; }},
    {"recursive", [](Plan* p) { p->mounts[1].recursive ^= true; }},
    {"read_only", [](Plan* p) { p->mounts[1].read_only ^= true; }},
    {"no_exec", [](Plan* p) { p->mounts[1].no_exec ^= true; }},
    {"id_mapped", [](Plan* p) { p->mounts[1].id_mapped ^= true; }},
    {"kind", [](Plan* p) { p->mounts[0].kind = MountKind::kMask; }},
    {"for_copier", [](Plan* p) { p->mounts[1].for_copier ^= true; }},
    {"copier", [](Plan* p) { p->copier.push_back("x"); }},
    {"device", [](Plan* p) { p->mounts[1].device ^= true; }},
    {"size", [](Plan* p) { ++p->mounts[1].size; }},
    {"mode", [](Plan* p) { ++p->mounts[1].mode; }},
    {"only_processes", [](Plan* p) { p->mounts[1].only_processes ^= true; }},
    {"own_root", [](Plan* p) { p->own_root ^= true; }},
    {"nodes", [](Plan* p) { p->nodes.pop_back(); }},
    {"node kind", [](Plan* p) { p->nodes[0].kind = NodeKind::kFile; }},
    {"node path", [](Plan* p) { p->nodes[0].path += "x"; }},
    {"node text", [](Plan* p) { p->nodes[0].text += "x"; }},
    {"node mode", [](Plan* p) { ++p->nodes[0].mode; }},
    {"loopback", [](Plan* p) { p->loopback ^= true; }},
    {"landlock_tcp", [](Plan* p) { p->landlock_tcp ^= true; }},
    {"notify", [](Plan* p) { p->notify ^= true; }},
    {"notify_errno", [](Plan* p) { ++p->notify_errno; }},
    {"notify_limit", [](Plan* p) { ++p->notify_limit; }},
    {"peek call", [](Plan* p) { ++p->peeks[0].call; }},
    {"peek argument", [](Plan* p) { ++p->peeks[0].argument; }},
    {"peek address", [](Plan* p) { p->peeks[0].address ^= true; }},
    {"working_folder", [](Plan* p) { p->working_folder += "x"; }},
    {"terminal_descriptors", [](Plan* p) { p->terminal_descriptors.pop_back(); }},
    {"new_keyring", [](Plan* p) { p->new_keyring ^= true; }},
    {"drop_capabilities", [](Plan* p) { p->drop_capabilities ^= true; }},
    {"no_new_privs", [](Plan* p) { p->no_new_privs ^= true; }},
    {"landlock", [](Plan* p) { p->landlock ^= true; }},
    {"landlock_optional", [](Plan* p) { p->landlock_optional ^= true; }},
    {"landlock path", [](Plan* p) { p->landlock_rules[0].path += "x"; }},
    {"landlock access", [](Plan* p) { ++p->landlock_rules[0].access; }},
    {"limit resource", [](Plan* p) { ++p->limits[0].resource; }},
    {"limit value", [](Plan* p) { ++p->limits[0].value; }},
    {"filter", [](Plan* p) { p->filter[0] = '\7'; }},
    {"program", [](Plan* p) { p->program += "x"; }},
    {"argv", [](Plan* p) { p->argv.push_back(""); }},
    {"environment", [](Plan* p) { p->environment.clear(); }},
    {"descriptors", [](Plan* p) { p->descriptors[5] = -1; }},
    {"wall_ms", [](Plan* p) { ++p->wall_ms; }},
    {"hold", [](Plan* p) { p->hold ^= true; }},
};

TEST(Plan, EveryFieldGoesInAndComesOut) {
  const std::string base = EncodePlan(Full());
  auto same = DecodePlan(base);
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(EncodePlan(*same), base);
  EXPECT_EQ(same->mounts[1].source, Full().mounts[1].source);
  EXPECT_EQ(same->descriptors, Full().descriptors);
  EXPECT_EQ(same->argv, Full().argv);
  for (const auto& [name, change] : kChanges) {
    Plan plan = Full();
    change(&plan);
    const std::string bytes = EncodePlan(plan);
    EXPECT_NE(bytes, base) << name;  // so the digest tells them apart
    auto back = DecodePlan(bytes);
    ASSERT_TRUE(back) << name;
    EXPECT_EQ(EncodePlan(*back), bytes) << name;
  }
}

TEST(Plan, OfNothingIsAPlanToo) {
  auto back = DecodePlan(EncodePlan(Plan{}));
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->drop_capabilities && back->no_new_privs && back->landlock && back->new_keyring);
}

TEST(Plan, CutAtAnyByteIsRefused) {
  const std::string bytes = EncodePlan(Full());
  for (size_t length = 0; length < bytes.size(); ++length) {
    auto plan = DecodePlan(std::string_view(bytes).substr(0, length));
    ASSERT_FALSE(plan) << length;
    EXPECT_EQ(plan.error().kind, ErrorKind::kProtocol);
  }
  EXPECT_FALSE(DecodePlan(bytes + '\0'));
  EXPECT_FALSE(DecodePlan(bytes + bytes));
}

TEST(Plan, GarbageIsRefusedWithoutHarm) {
  const std::string bytes = EncodePlan(Full());
  std::mt19937 random(20);
  for (int i = 0; i < 2000; ++i) {
    std::string noise(random() % 400, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(DecodePlan(noise));
    EXPECT_FALSE(DecodePlan(bytes.substr(0, 8) + noise));
  }
  // Every length and number at its most: at worst another plan, never more memory than the bytes stand for.
  for (size_t at = 8; at + 8 <= bytes.size(); ++at) {
    std::string changed = bytes;
    changed.replace(at, 8, 8, '\xff');
    (void)DecodePlan(changed);
  }
  for (size_t at = 0; at < 8; ++at) {
    std::string changed = bytes;
    changed[at] ^= 1;
    EXPECT_FALSE(DecodePlan(changed));  // another version
  }
}

}  // namespace
}  // namespace paddock::sandbox
