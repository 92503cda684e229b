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
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/nearest.h"

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
// The same on every architecture: clone3 and openat2.
constexpr uint32_t kFallingBack[] = {435, 437};

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

bool SameDecision(const Range& a, const Range& b) {
  if (a.rule && b.rule) return a.rule->alternatives == b.rule->alternatives;
  return !a.rule && !b.rule && a.action == b.action;
}

std::vector<Range> MergedRanges(const CallRules& rules, const Denial& denial) {
  std::vector<Range> ranges;
  auto next_rule = rules.begin();
  for (uint32_t number = 0; number <= kHighestNumber + 1; ++number) {
    Range range{number, IsKnownSystemCall(number) ? DenyKnown(denial) : Errno(denial.unknown), nullptr};
    if (next_rule != rules.end() && next_rule->number == number) {
      if (next_rule->alternatives.empty()) range.action = kAllow;
      else range.rule = &*next_rule;
      ++next_rule;
    }
    if (!ranges.empty() && SameDecision(ranges.back(), range)) continue;
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

  Place Go(Place target) { return Detour(target); }

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
    const Place search = Search(ranges, 0, ranges.size());
    // Falls through to what was written last, which a shared piece of program is not.
    if (search != assembler_.size()) assembler_.Go(search);
    const Place number = assembler_.Load(offsetof(seccomp_data, nr));
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

  // The alternatives one after the other: where one does not fit, the next is tried. It is built from the end.
  Place Arguments(const CallRule& rule) {
    Place fail = return_denied_;
    for (auto conditions = rule.alternatives.rbegin(); conditions != rule.alternatives.rend(); ++conditions) {
      Place matched = return_allow_;
      for (auto argument = conditions->rbegin(); argument != conditions->rend(); ++argument)
        matched = Condition(*argument, matched, fail);
      fail = matched;
    }
    return fail;
  }

  // Equal conditions with equal ways out are one piece of program.
  Place Condition(const ArgumentRule& rule, Place matched, Place fail) {
    for (const Block& block : blocks_)
      if (block.matched == matched && block.fail == fail && *block.rule == rule) return block.place;
    const Place place = rule.mask >> 32 ? WideCondition(rule, matched, fail) : NarrowCondition(rule, matched, fail);
    blocks_.push_back({&rule, matched, fail, place});
    return place;
  }

  // Only the low half counts. A value that the mask excludes never matches.
  Place NarrowCondition(const ArgumentRule& rule, Place matched, Place fail) {
    const auto mask = static_cast<uint32_t>(rule.mask);
    if (rule.values.size() == 1 && rule.values[0] == 0) {
      assembler_.Jump(BPF_JSET, mask, fail, matched);
      return assembler_.Load(ArgumentOffset(rule.argument, false));
    }
    const Place tests = Tests(rule.values, 0, matched, fail);
    return tests == fail ? fail : LoadMasked(rule.argument, false, mask);
  }

  // The high half finds the values that have it, then the low half is looked at.
  Place WideCondition(const ArgumentRule& rule, Place matched, Place fail) {
    std::vector<uint32_t> highs;
    for (uint64_t value : rule.values)
      if (const auto high = static_cast<uint32_t>(value >> 32); std::find(highs.begin(), highs.end(), high) == highs.end()) highs.push_back(high);
    std::vector<Place> lows;
    for (uint32_t high : highs) {
      Tests(rule.values, high, matched, fail);
      lows.push_back(LoadMasked(rule.argument, false, static_cast<uint32_t>(rule.mask)));
    }
    Place other = fail;
    for (size_t i = highs.size(); i > 0; --i) other = assembler_.Jump(BPF_JEQ, highs[i - 1], lows[i - 1], other);
    return LoadMasked(rule.argument, true, static_cast<uint32_t>(rule.mask >> 32));
  }

  // Compares what is loaded with the low halves of the values whose high half is `high`. `fail` where there is none.
  Place Tests(const std::vector<uint64_t>& values, uint32_t high, Place matched, Place fail) {
    Place next = fail;
    for (auto value = values.rbegin(); value != values.rend(); ++value)
      if (*value >> 32 == high) next = assembler_.Jump(BPF_JEQ, static_cast<uint32_t>(*value), matched, next);
    return next;
  }

  Place LoadMasked(int argument, bool high, uint32_t mask) {
    if (mask != ~uint32_t{0}) assembler_.And(mask);
    return assembler_.Load(ArgumentOffset(argument, high));
  }

  Assembler assembler_;
  uint32_t denied_, unknown_;
  Place return_allow_, return_denied_, return_unknown_, return_kill_;
  struct Block {
    const ArgumentRule* rule;
    Place matched, fail, place;
  };
  std::vector<Block> blocks_;

 public:
  size_t size() const { return assembler_.size(); }
};

// libseccomp looks through all its names at each question: it is asked once for each number.
struct CallNames {
  std::array<std::string, kHighestNumber + 1> names;  // empty: there is none
  std::unordered_map<std::string_view, uint32_t> numbers;
};
const CallNames& Names() {
  static const CallNames* const all = [] {
    auto* table = new CallNames;  // its own views stay where they are
    table->numbers.reserve(512);
    for (uint32_t i = 0; i <= kHighestNumber; ++i) {
      std::unique_ptr<char, decltype(&free)> name(seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(i)), &free);
      if (!name) continue;
      table->names[i] = name.get();
      table->numbers.emplace(table->names[i], i);
    }
    return table;
  }();
  return *all;
}

}  // namespace

std::optional<uint32_t> FindSystemCall(std::string_view name) {
  auto found = Names().numbers.find(name);
  return found == Names().numbers.end() ? std::nullopt : std::optional(found->second);
}

Result<uint32_t> SystemCallNumber(std::string_view name) {
  if (auto number = FindSystemCall(name)) return *number;
  const std::vector<std::string> known(Names().names.begin(), Names().names.end());
  return Fail(ErrorKind::kNotFound, "no system call named " + std::string(name) + " on this architecture", NearestHint(name, known));
}

std::string SystemCallName(uint32_t number) {
  const bool named = number <= kHighestNumber && !Names().names[number].empty();
  return named ? Names().names[number] : "syscall " + std::to_string(number);
}

bool IsKnownSystemCall(uint32_t number) {
  return number <= kHighestNumber && !Names().names[number].empty() &&
         std::find(std::begin(kFallingBack), std::end(kFallingBack), number) == std::end(kFallingBack);
}

Result<std::string> CompileFilter(const CallRules& rules, const Denial& denial) {
  for (const CallRule& rule : rules)
    for (const Conditions& conditions : rule.alternatives)
      for (const ArgumentRule& argument : conditions)
        if (argument.argument < 0 || argument.argument > 5 || argument.values.empty() || argument.values.size() > kMostValues)
          return Fail(ErrorKind::kInvalid, "system call " + rule.name + ": an argument rule needs an argument 0 to 5 and 1 to " +
                                               std::to_string(kMostValues) + " values");
  Compiler compiler(denial);
  std::string program = compiler.Compile(MergedRanges(rules, denial));
  if (compiler.size() > BPF_MAXINSNS)
    return Fail(ErrorKind::kLimit, "the filter has " + std::to_string(compiler.size()) + " instructions, the kernel takes 4096");
  return program;
}

}  // namespace paddock::sandbox
