#include "sandbox/syscall_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

namespace paddock::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "paddock knows x86_64 and aarch64"
#endif

constexpr uint32_t kHighestNumber = 1023;
constexpr uint32_t kClone3 = 435;  // the same on every architecture

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t Errno(int err) { return SECCOMP_RET_ERRNO | (static_cast<uint32_t>(err) & SECCOMP_RET_DATA); }

uint32_t DenyKnown(const Denial& denial) {
  switch (denial.answer) {
    case Answer::kErrno: return Errno(denial.known);
    case Answer::kNotify: return SECCOMP_RET_USER_NOTIF;
    case Answer::kTrace: return SECCOMP_RET_TRACE;
  }
  return SECCOMP_RET_KILL_PROCESS;
}

// Numbers from `first` on, up to the next range, share a decision: a plain action, or a rule on arguments.
struct Range {
  uint32_t first = 0;
  uint32_t action = 0;
  const CallRule* rule = nullptr;
};

std::vector<Range> MergedRanges(const CallRules& rules, const Denial& denial) {
  std::vector<Range> ranges;
  auto next_rule = rules.begin();
  for (uint32_t number = 0; number <= kHighestNumber + 1; ++number) {
    Range range{number, IsKnownSystemCall(number) ? DenyKnown(denial) : Errno(denial.unknown), nullptr};
    if (next_rule != rules.end() && next_rule->number == number) {
      if (next_rule->arguments.empty()) range.action = kAllow;
      else range.rule = &*next_rule;
      ++next_rule;
    }
    if (!ranges.empty() && !range.rule && !ranges.back().rule && ranges.back().action == range.action) continue;
    ranges.push_back(range);
  }
  return ranges;
}

constexpr uint32_t ArgumentOffset(int argument, bool high) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args)) + static_cast<uint32_t>(argument) * 8 + (high ? 4 : 0);
}

// Writes the program from its end to its beginning, so that every jump's target is there before the jump.
// A place is counted from the end; a conditional jump that would be too long goes over an unconditional one.
class Assembler {
 public:
  using Place = size_t;

  Place Return(uint32_t action) { return Emit(BPF_RET | BPF_K, action); }
  Place Load(uint32_t offset) { return Emit(BPF_LD | BPF_W | BPF_ABS, offset); }
  Place And(uint32_t mask) { return Emit(BPF_ALU | BPF_AND | BPF_K, mask); }
  Place Jump(uint16_t test, uint32_t k, Place yes, Place no) {
    // Each detour may lengthen the other way by one.
    if (Distance(yes) > 254) yes = Detour(yes);
    if (Distance(no) > 255) no = Detour(no);
    return Emit(static_cast<uint16_t>(BPF_JMP | test | BPF_K), k, static_cast<uint8_t>(Distance(yes)), static_cast<uint8_t>(Distance(no)));
  }

  size_t size() const { return reversed_.size(); }
  std::string Bytes() const {
    const std::vector<sock_filter> program(reversed_.rbegin(), reversed_.rend());
    return std::string(reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter));
  }

 private:
  Place Emit(uint16_t code, uint32_t k, uint8_t yes = 0, uint8_t no = 0) {
    reversed_.push_back(sock_filter{code, yes, no, k});
    return reversed_.size();
  }
  // From the instruction that comes next to `target`.
  size_t Distance(Place target) const { return reversed_.size() - target; }
  Place Detour(Place target) { return Emit(BPF_JMP | BPF_JA, static_cast<uint32_t>(Distance(target))); }

  std::vector<sock_filter> reversed_;
};

class Compiler {
 public:
  explicit Compiler(const Denial& denial) : denied_(DenyKnown(denial)), unknown_(Errno(denial.unknown)) {
    return_unknown_ = assembler_.Return(unknown_);
    return_denied_ = assembler_.Return(denied_);
    return_allow_ = assembler_.Return(kAllow);
    return_kill_ = assembler_.Return(SECCOMP_RET_KILL_PROCESS);
  }

  std::string Compile(const std::vector<Range>& ranges) {
    Place search = Search(ranges, 0, ranges.size());
    (void)search;  // falls through: it was written last
    Place number = assembler_.Load(offsetof(seccomp_data, nr));
    assembler_.Jump(BPF_JEQ, kArchitecture, number, return_kill_);
    assembler_.Load(offsetof(seccomp_data, arch));
    return assembler_.Bytes();
  }

 private:
  using Place = Assembler::Place;

  Place Search(const std::vector<Range>& ranges, size_t begin, size_t end) {
    if (end - begin == 1) {
      const Range& range = ranges[begin];
      if (range.rule) return Arguments(*range.rule);
      return range.action == kAllow ? return_allow_ : range.action == denied_ ? return_denied_ : return_unknown_;
    }
    const size_t middle = begin + (end - begin) / 2;
    const Place right = Search(ranges, middle, end);
    const Place left = Search(ranges, begin, middle);
    return assembler_.Jump(BPF_JGE, ranges[middle].first, right, left);
  }

  // Calls with equal conditions share one piece of program.
  Place Arguments(const CallRule& rule) {
    for (const auto& [known, place] : argument_blocks_)
      if (SameArguments(*known, rule)) return place;
    Place next = return_allow_;
    for (auto argument = rule.arguments.rbegin(); argument != rule.arguments.rend(); ++argument) next = OneArgument(*argument, next);
    argument_blocks_.emplace_back(&rule, next);
    return next;
  }

  // To `matched` when the masked argument is one of the values, else to the denial.
  Place OneArgument(const ArgumentRule& rule, Place matched) {
    const auto mask_high = static_cast<uint32_t>(rule.mask >> 32);
    const auto mask_low = static_cast<uint32_t>(rule.mask);
    Place fail = return_denied_;
    if (mask_high == 0) {
      // A value that the mask excludes never matches; where that is so of all, nothing is allowed.
      if (std::all_of(rule.values.begin(), rule.values.end(), [](uint64_t value) { return value >> 32; })) return fail;
      for (auto value = rule.values.rbegin(); value != rule.values.rend(); ++value)
        fail = *value >> 32 ? fail : assembler_.Jump(BPF_JEQ, static_cast<uint32_t>(*value), matched, fail);
      return LoadMasked(rule.argument, false, mask_low);
    }
    for (auto value = rule.values.rbegin(); value != rule.values.rend(); ++value) {
      assembler_.Jump(BPF_JEQ, static_cast<uint32_t>(*value), matched, fail);
      const Place low = LoadMasked(rule.argument, false, mask_low);
      assembler_.Jump(BPF_JEQ, static_cast<uint32_t>(*value >> 32), low, fail);
      fail = LoadMasked(rule.argument, true, mask_high);
    }
    return fail;
  }

  Place LoadMasked(int argument, bool high, uint32_t mask) {
    if (mask != ~uint32_t{0}) assembler_.And(mask);
    return assembler_.Load(ArgumentOffset(argument, high));
  }

  Assembler assembler_;
  uint32_t denied_, unknown_;
  Place return_allow_, return_denied_, return_unknown_, return_kill_;
  std::vector<std::pair<const CallRule*, Place>> argument_blocks_;

 public:
  size_t size() const { return assembler_.size(); }
};

}  // namespace

Result<uint32_t> SystemCallNumber(std::string_view name) {
  int number = seccomp_syscall_resolve_name(std::string(name).c_str());
  if (number < 0) return Fail(ErrorKind::kNotFound, "no system call named " + std::string(name) + " on this architecture");
  return static_cast<uint32_t>(number);
}

std::string SystemCallName(uint32_t number) {
  std::unique_ptr<char, decltype(&free)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number)), &free);
  return name ? name.get() : "syscall " + std::to_string(number);
}

bool IsKnownSystemCall(uint32_t number) {
  static const auto known = [] {
    std::array<bool, kHighestNumber + 1> table{};
    for (uint32_t i = 0; i <= kHighestNumber; ++i) {
      std::unique_ptr<char, decltype(&free)> name(
          seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(i)), &free);
      table[i] = name != nullptr && i != kClone3;
    }
    return table;
  }();
  return number <= kHighestNumber && known[number];
}

Result<std::string> CompileFilter(const CallRules& rules, const Denial& denial) {
  for (const CallRule& rule : rules)
    for (const ArgumentRule& argument : rule.arguments)
      if (argument.argument < 0 || argument.argument > 5 || argument.values.empty() || argument.values.size() > 32)
        return Fail(ErrorKind::kInvalid, "system call " + rule.name + ": an argument rule needs an argument 0 to 5 and 1 to 32 values");
  Compiler compiler(denial);
  std::string program = compiler.Compile(MergedRanges(rules, denial));
  if (compiler.size() > BPF_MAXINSNS)
    return Fail(ErrorKind::kLimit, "the filter has " + std::to_string(compiler.size()) + " instructions, the kernel takes 4096");
  return program;
}

}  // namespace paddock::sandbox
