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
  // Each value of each condition, and what lies beside it, with the other conditions met.
  for (const CallRule& rule : rules)
    for (const Conditions& conditions : rule.alternatives)
      for (const ArgumentRule& argument : conditions)
        for (uint64_t value : argument.values)
          for (uint64_t change : {0ul, 1ul, 1ul << 31, 1ul << 32, 1ul << 63, ~0ul, ~argument.mask & random(), argument.mask & random()}) {
            uint64_t arguments[6];
            for (uint64_t& one : arguments) one = random();
            for (const ArgumentRule& other : conditions) arguments[other.argument] = other.values[random() % other.values.size()];
            arguments[argument.argument] = value ^ change;
            ExpectSame(program, rules, rule.number, arguments);
          }
  for (uint32_t number : {0x40000000u, 0x40000001u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    const uint64_t zero[6] = {};
    ExpectSame(program, rules, number, zero);
  }
}

// Few different ones, so that pieces of program are shared.
Conditions RandomConditions(std::mt19937_64& random) {
  static constexpr uint64_t kMasks[] = {~0ull, 0xffffffff, 0xffffffff00000000, 0x643, 1, 0x8000000000000001};
  Conditions conditions;
  for (int argument = 0; argument < 6 && random() % 3 != 0; ++argument) {
    ArgumentRule one{argument, random() % 4 ? kMasks[random() % 6] : random() >> (random() % 60), {}};
    for (size_t n = 1 + random() % 3; n > 0; --n) one.values.push_back((random() % 2 ? random() : random() % 3) & one.mask);
    conditions.push_back(one);
  }
  return conditions;
}

TEST(CompileFilter, EqualsThePlainRulesOfEachShippedProfile) {
  for (const std::string& name : ShippedProfileNames()) {
    auto profile = ShippedProfile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    auto rules = ResolveCalls(profile->syscalls.allow);
    ASSERT_TRUE(rules) << rules.error().message;
    auto start = StartCalls();
    ASSERT_TRUE(start) << start.error().message;
    for (const CallRules& each : {*rules, Union(*rules, *start)}) {
      auto program = CompileFilter(each, kDenial);
      ASSERT_TRUE(program) << program.error().message;
      ExpectEqualEverywhere(*program, each);
    }
  }
}

TEST(CompileFilter, EqualsThePlainRulesOfRandomOnesWithLongJumps) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    CallRules rules;
    for (uint32_t number = 0; number < 460; ++number) {
      if (random() % 2 == 0) continue;
      CallRule rule{number, "call", {}};
      for (size_t alternatives = random() % 4; alternatives > 1; --alternatives) rule.alternatives.push_back(RandomConditions(random));
      rules.push_back(rule);
    }
    auto program = CompileFilter(rules, kDenial);
    ASSERT_TRUE(program) << program.error().message;
    ExpectEqualEverywhere(*program, rules);
  }
}

TEST(CompileFilter, NeverMatchesAValueThatItsMaskExcludes) {
  CallRules rules{{1, "write", {{{0, 0xff, {0x100, uint64_t{1} << 40}}}}}, {2, "open", {{{0, 0xff, {uint64_t{1} << 40}}}}}};
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
  const CallRules rules{{1, "write", {{{0, ~0ull, {5}}}}}};
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

TEST(Denials, AnswerUnknownCallsAndThoseThatHaveAnOlderFormWithENOSYS) {
  const uint64_t none[6] = {};
  EXPECT_EQ(Decide({}, kDenial, SYS_clone3, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, SYS_openat2, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, 400, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, 5000, none), ENOSYS);
  EXPECT_EQ(Decide({}, kDenial, SYS_ptrace, none), EPERM);
}

}  // namespace
}  // namespace paddock::sandbox
