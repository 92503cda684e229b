#include "sandbox/syscall_filter.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sys/syscall.h>

#include <random>

#include "sandbox/profile_json.h"
#include "sandbox/syscall_groups.h"
#include "tests/sandbox/bpf_evaluator.h"

namespace paddock::sandbox {
namespace {

constexpr Denial kDenial;

// Compares the program with the plain reading of the rules for one call.
void ExpectSame(const std::string& program, const CallRules& rules, uint32_t number, const uint64_t (&arguments)[6]) {
  seccomp_data data{};
  data.arch = AUDIT_ARCH_X86_64;
  data.nr = static_cast<int>(number);
  std::memcpy(data.args, arguments, sizeof arguments);
  const int plain = Decide(rules, kDenial, number, arguments);
  const uint32_t expected = plain == 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | static_cast<uint32_t>(plain);
  ASSERT_EQ(EvaluateFilter(program, data), expected) << "call " << number << " arguments " << arguments[0] << " " << arguments[1] << " " << arguments[2];
}

void ExpectEqualEverywhere(const std::string& program, const CallRules& rules) {
  std::mt19937_64 random(1);
  for (uint32_t number = 0; number < 1100; ++number) {
    const uint64_t zero[6] = {};
    ExpectSame(program, rules, number, zero);
    const uint64_t ones[6] = {~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};
    ExpectSame(program, rules, number, ones);
  }
  for (const CallRule& rule : rules)
    for (const ArgumentRule& argument : rule.arguments)
      for (uint64_t value : argument.values)
        for (uint64_t change : {0ull, 1ull, 1ull << 31, 1ull << 32, 1ull << 63, ~0ull}) {
          uint64_t arguments[6];
          for (uint64_t& one : arguments) one = random();
          for (const ArgumentRule& other : rule.arguments) arguments[other.argument] = other.values[0];
          arguments[argument.argument] = value ^ change;
          ExpectSame(program, rules, rule.number, arguments);
        }
  for (uint32_t number : {0x40000000u, 0x40000001u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    const uint64_t zero[6] = {};
    ExpectSame(program, rules, number, zero);
  }
}

TEST(CompileFilter, EqualsThePlainRulesOfEachShippedProfile) {
  for (const std::string& name : ShippedProfileNames()) {
    auto profile = ShippedProfile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    auto rules = ResolveCalls(profile->syscalls.allow);
    ASSERT_TRUE(rules) << rules.error().message;
    auto program = CompileFilter(*rules, kDenial);
    ASSERT_TRUE(program);
    RecordProperty(name, static_cast<int>(program->size() / sizeof(sock_filter)));
    ExpectEqualEverywhere(*program, *rules);
  }
}

TEST(CompileFilter, EqualsThePlainRulesOfRandomOnesWithLongJumps) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    CallRules rules;
    for (uint32_t number = 0; number < 460; ++number) {
      if (random() % 3 == 0) continue;
      CallRule rule{number, "call", {}};
      for (int argument = 0; argument < 6 && random() % 3 == 0; ++argument) {
        ArgumentRule one{argument, random() % 2 ? ~0ull : random() >> (random() % 60), {}};
        for (size_t n = 1 + random() % 4; n > 0; --n) one.values.push_back(random() & one.mask);
        rule.arguments.push_back(one);
      }
      rules.push_back(rule);
    }
    auto program = CompileFilter(rules, kDenial);
    ASSERT_TRUE(program) << program.error().message;
    ExpectEqualEverywhere(*program, rules);
  }
}

TEST(CompileFilter, NeverMatchesAValueThatItsMaskExcludes) {
  CallRules rules{{1, "write", {{0, 0xff, {0x100, uint64_t{1} << 40}}}}, {2, "open", {{0, 0xff, {uint64_t{1} << 40}}}}};
  auto program = CompileFilter(rules, kDenial);
  ASSERT_TRUE(program);
  ExpectEqualEverywhere(*program, rules);
}

TEST(CompileFilter, KillsAnotherArchitecture) {
  auto program = CompileFilter({}, kDenial);
  ASSERT_TRUE(program);
  seccomp_data data{};
  data.arch = AUDIT_ARCH_I386;
  EXPECT_EQ(EvaluateFilter(*program, data), SECCOMP_RET_KILL_PROCESS);
}

TEST(CompileFilter, CanLeaveADenialToAListener) {
  const CallRules rules{{1, "write", {{0, ~0ull, {5}}}}};
  for (auto [answer, action] : {std::pair{Answer::kNotify, SECCOMP_RET_USER_NOTIF}, {Answer::kTrace, SECCOMP_RET_TRACE}}) {
    auto program = CompileFilter(rules, {EPERM, ENOSYS, answer});
    ASSERT_TRUE(program);
    seccomp_data data{};
    data.arch = AUDIT_ARCH_X86_64;
    data.nr = SYS_ptrace;
    EXPECT_EQ(EvaluateFilter(*program, data), action);
    data.nr = 1;
    EXPECT_EQ(EvaluateFilter(*program, data), action);
    data.args[0] = 5;
    EXPECT_EQ(EvaluateFilter(*program, data), SECCOMP_RET_ALLOW);
    data.nr = SYS_clone3;
    EXPECT_EQ(EvaluateFilter(*program, data), SECCOMP_RET_ERRNO | ENOSYS);
  }
}

TEST(Denials, AnswerUnknownCallsAndClone3WithENOSYS) {
  const uint64_t none[6] = {};
  EXPECT_EQ(Decide({}, kDenial, SYS_clone3, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, 400, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, 5000, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, SYS_ptrace, none), EPERM);
}

}  // namespace
}  // namespace paddock::sandbox
