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
    Range range{number, Errno(IsKnownSystemCall(number) ? denial.known : denial.unknown), nullptr};
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

class Assembler {
 public:
  explicit Assembler(const Denial& denial) : denied_(Errno(denial.known)) {}

  void Emit(uint16_t code, uint32_t k, uint8_t yes = 0, uint8_t no = 0) { program_.push_back(sock_filter{code, yes, no, k}); }
  void Load(uint32_t offset) { Emit(BPF_LD | BPF_W | BPF_ABS, offset); }
  void Return(uint32_t action) { Emit(BPF_RET | BPF_K, action); }

  // Search among ranges [begin, end). Conditional jumps reach 255 instructions, so longer ones go over a
  // long jump.
  void Search(const std::vector<Range>& ranges, size_t begin, size_t end) {
    if (end - begin == 1) {
      if (ranges[begin].rule) Arguments(*ranges[begin].rule);
      else Return(ranges[begin].action);
      return;
    }
    size_t middle = begin + (end - begin) / 2;
    size_t test = program_.size();
    Emit(BPF_JMP | BPF_JGE | BPF_K, ranges[middle].first);
    size_t hop = program_.size();
    Emit(BPF_JMP | BPF_JA, 0);
    Search(ranges, begin, middle);
    size_t right = program_.size();
    if (right - test - 1 <= 255) {
      // The near form: drop the long jump.
      program_.erase(program_.begin() + static_cast<ptrdiff_t>(hop));
      program_[test].jt = static_cast<uint8_t>(right - 1 - test - 1);
      program_[test].jf = 0;
    } else {
      program_[test].jt = 0;
      program_[test].jf = 1;
      program_[hop].k = static_cast<uint32_t>(right - hop - 1);
    }
    Search(ranges, middle, end);
  }

  std::string Bytes() const {
    return std::string(reinterpret_cast<const char*>(program_.data()), program_.size() * sizeof(sock_filter));
  }
  size_t size() const { return program_.size(); }

 private:
  // For each rule: masked high and low word against each value; falls through to the next rule on a match.
  void Arguments(const CallRule& rule) {
    for (const ArgumentRule& argument : rule.arguments) {
      const auto mask_high = static_cast<uint32_t>(argument.mask >> 32);
      const auto mask_low = static_cast<uint32_t>(argument.mask);
      for (uint64_t value : argument.values) {
        // Where this value does not match: to the next value, or to the denial behind the last one.
        Load(ArgumentOffset(argument.argument, true));
        Emit(BPF_ALU | BPF_AND | BPF_K, mask_high);
        Emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(value >> 32), 0, 3);
        Load(ArgumentOffset(argument.argument, false));
        Emit(BPF_ALU | BPF_AND | BPF_K, mask_low);
        Emit(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(value));
        // Matching jumps over the rest of this argument's values: patched below.
        matches_.push_back(program_.size() - 1);
      }
      Return(denied_);
      for (size_t at : matches_) program_[at].jt = static_cast<uint8_t>(program_.size() - at - 1);
      matches_.clear();
    }
    Return(kAllow);
  }

  std::vector<sock_filter> program_;
  std::vector<size_t> matches_;
  uint32_t denied_;
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
  Assembler assembler(denial);
  assembler.Load(offsetof(seccomp_data, arch));
  assembler.Emit(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  assembler.Return(SECCOMP_RET_KILL_PROCESS);
  assembler.Load(offsetof(seccomp_data, nr));
  std::vector<Range> ranges = MergedRanges(rules, denial);
  assembler.Search(ranges, 0, ranges.size());
  if (assembler.size() > BPF_MAXINSNS)
    return Fail(ErrorKind::kLimit, "the filter has " + std::to_string(assembler.size()) + " instructions, the kernel takes 4096");
  return assembler.Bytes();
}

}  // namespace paddock::sandbox
