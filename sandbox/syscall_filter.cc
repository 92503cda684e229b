#include "sandbox/syscall_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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
#include "sandbox/system_calls.h"
#include "sandbox/bpf_assembler.h"

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

// Ranges one after the other that have one decision, the background's, but for single numbers.
struct Group {
  size_t begin = 0, end = 0, background = 0;
};
constexpr size_t kMostRangesOfGroup = 11;  // the comparisons of a group are made one after the other

// A number by itself costs a comparison in a group, where a search for its range would cost two; each group but one
// costs one. The cheapest division, found from the end.
std::vector<Group> Groups(const std::vector<Range>& ranges) {
  const size_t count = ranges.size();
  auto single = [&](size_t i) { return i + 1 < count && ranges[i + 1].first == ranges[i].first + 1; };
  std::vector<size_t> cost(count + 1, 0);
  std::vector<Group> best(count);
  for (size_t begin = count; begin-- > 0;) {
    cost[begin] = ~size_t{0};
    for (size_t background = begin; background < std::min(begin + 2, count); ++background) {
      size_t comparisons = 0;
      for (size_t end = begin + 1; end <= std::min(begin + kMostRangesOfGroup, count); ++end) {
        if (!SameDecision(ranges[end - 1], ranges[background])) {
          if (!single(end - 1)) break;
          ++comparisons;
        }
        const size_t whole = 1 + comparisons + cost[end];
        if (end > background && whole < cost[begin]) {
          cost[begin] = whole;
          best[begin] = {begin, end, background};
        }
      }
    }
  }
  std::vector<Group> groups;
  for (size_t i = 0; i < count; i = best[i].end) groups.push_back(best[i]);
  return groups;
}

constexpr uint32_t ArgumentOffset(int argument, bool high) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args)) + static_cast<uint32_t>(argument) * 8 + (high ? 4 : 0);
}

class Compiler {
 public:
  explicit Compiler(const Denial& denial) : denied_(DenyKnown(denial)), unknown_(Errno(denial.unknown)) {
    return_unknown_ = assembler_.Return(unknown_);
    return_denied_ = assembler_.Return(denied_);
    return_allow_ = assembler_.Return(kAllow);
    return_kill_ = assembler_.Return(SECCOMP_RET_KILL_PROCESS);
  }

  std::string Compile(const std::vector<Range>& ranges) {
    const std::vector<Group> groups = Groups(ranges);
    const Place search = Search(ranges, groups, 0, groups.size());
    // Falls through to what was written last, which a shared piece of program is not.
    if (search != assembler_.size()) assembler_.Go(search);
    const Place number = assembler_.Load(offsetof(seccomp_data, nr));
    assembler_.Jump(BPF_JEQ, kArchitecture, number, return_kill_);
    assembler_.Load(offsetof(seccomp_data, arch));
    return assembler_.Bytes();
  }
  size_t size() const { return assembler_.size(); }

 private:
  using Place = Assembler::Place;

  Place Search(const std::vector<Range>& ranges, const std::vector<Group>& groups, size_t begin, size_t end) {
    if (end - begin == 1) return OneGroup(ranges, groups[begin]);
    const size_t middle = begin + (end - begin) / 2;
    const Place right = Search(ranges, groups, middle, end);
    const Place left = Search(ranges, groups, begin, middle);
    return assembler_.Jump(BPF_JGE, ranges[groups[middle].begin].first, right, left);
  }

  Place OneGroup(const std::vector<Range>& ranges, const Group& group) {
    Place next = Leaf(ranges[group.background]);
    for (size_t i = group.end; i > group.begin; --i)
      if (!SameDecision(ranges[i - 1], ranges[group.background])) next = assembler_.Jump(BPF_JEQ, ranges[i - 1].first, Leaf(ranges[i - 1]), next);
    return next;
  }

  Place Leaf(const Range& range) {
    if (range.rule) return Arguments(*range.rule);
    return range.action == kAllow ? return_allow_ : range.action == denied_ ? return_denied_ : return_unknown_;
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
};

// By number; nullptr when there is no such call.
const SystemCall* CallOf(uint32_t number) {
  const SystemCall* end = kSystemCalls + kSystemCallCount;
  const SystemCall* found = std::lower_bound(kSystemCalls, end, number, [](const SystemCall& call, uint32_t wanted) { return call.number < wanted; });
  return found != end && found->number == number ? found : nullptr;
}

const std::unordered_map<std::string_view, uint32_t>& NumbersByName() {
  static const auto* const numbers = [] {
    auto* all = new std::unordered_map<std::string_view, uint32_t>(kSystemCallCount * 2);
    for (unsigned i = 0; i < kSystemCallCount; ++i) all->emplace(kSystemCalls[i].name, kSystemCalls[i].number);
    return all;
  }();
  return *numbers;
}

}  // namespace

std::optional<uint32_t> FindSystemCall(std::string_view name) {
  auto found = NumbersByName().find(name);
  return found == NumbersByName().end() ? std::nullopt : std::optional(found->second);
}

Result<uint32_t> SystemCallNumber(std::string_view name) {
  if (auto number = FindSystemCall(name)) return *number;
  std::vector<std::string> known;
  for (unsigned i = 0; i < kSystemCallCount; ++i) known.emplace_back(kSystemCalls[i].name);
  return Fail(ErrorKind::kNotFound, "no system call named " + std::string(name) + " on this architecture", NearestHint(name, known));
}

std::string SystemCallName(uint32_t number) {
  const SystemCall* call = CallOf(number);
  return call ? std::string(call->name) : "syscall " + std::to_string(number);
}

bool IsKnownSystemCall(uint32_t number) {
  return CallOf(number) && std::find(std::begin(kFallingBack), std::end(kFallingBack), number) == std::end(kFallingBack);
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
