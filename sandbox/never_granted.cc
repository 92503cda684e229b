#include "sandbox/never_granted.h"

#include <asm/ioctls.h>
#include <linux/prctl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "sandbox/syscall_filter.h"

namespace paddock::sandbox {
namespace {

constexpr uint64_t kInt = 0xffffffff;  // what the kernel reads of an int
constexpr uint64_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr uint64_t kNewTime = 0x80;  // CLONE_NEWTIME: of clone's flags it is a part of the exit signal

constexpr std::string_view kMounts = "it changes what the jail sees of the file system";
constexpr std::string_view kNamespaces = "in a namespace of its own a program gets capabilities, and with them most of the kernel";
constexpr std::string_view kMachine = "it changes the machine that all jails run on";
constexpr std::string_view kKeys = "keyrings are shared with programs outside";
constexpr std::string_view kClock = "it changes the clock of the whole machine";
constexpr std::string_view kHandles = "a file handle names a file outside of the jail";
constexpr std::string_view kRing = "what a ring of requests does, no filter sees";
constexpr std::string_view kPorts = "it reaches hardware";
constexpr std::string_view kOldCode = "it is old code of the kernel that has been attacked often, and no program here needs it";
constexpr std::string_view kFamilies = "families but AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK are not confined by a network namespace, or are rarely looked at";

std::vector<NeverRule> MakeTable() {
  std::vector<NeverRule> table;
  auto whole = [&](std::string_view reason, std::initializer_list<std::string_view> calls) {
    for (std::string_view call : calls) table.push_back({call, reason, {}, {}});
  };
  auto with = [&](std::string_view call, std::string_view what, std::string_view reason, std::vector<NeverCondition> when) {
    table.push_back({call, reason, what, std::move(when)});
  };
  whole(kMounts, {"mount", "umount", "umount2", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsmount", "fsconfig", "fspick",
                  "mount_setattr", "pivot_root", "chroot"});
  whole(kNamespaces, {"setns"});
  whole("its flags lie in memory, where a filter can't read them; libc falls back to clone", {"clone3"});
  with("clone", "with a CLONE_NEW flag", kNamespaces, {{{0, kNewNamespaces, {0}}, true}});
  with("unshare", "with a CLONE_NEW flag", kNamespaces, {{{0, kNewNamespaces | kNewTime, {0}}, true}});
  whole(kMachine, {"init_module", "finit_module", "delete_module", "create_module", "query_module", "get_kernel_syms", "kexec_load",
                   "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "sethostname", "setdomainname", "vhangup"});
  whole(kKeys, {"add_key", "request_key", "keyctl"});
  whole("programs in the kernel have led out of many a sandbox", {"bpf"});
  whole("it shows what other programs of the machine do", {"perf_event_open", "lookup_dcookie", "syslog", "fanotify_init"});
  whole("it holds the kernel still in the middle of its work, which attacks on it need", {"userfaultfd"});
  whole(kRing, {"io_uring_setup", "io_uring_enter", "io_uring_register"});
  whole(kHandles, {"open_by_handle_at", "name_to_handle_at"});
  whole(kPorts, {"iopl", "ioperm", "pciconfig_read", "pciconfig_write", "pciconfig_iobase"});
  whole(kOldCode, {"modify_ldt", "nfsservctl", "vm86", "vm86old", "uselib", "_sysctl"});
  whole("it acts upon another process's memory", {"process_madvise"});
  whole("it takes open files out of another process", {"pidfd_getfd"});
  whole("a filter of the program's own can answer for calls whose denial is reported", {"seccomp"});
  with("prctl", "PR_SET_SECCOMP", "a filter of the program's own can answer for calls whose denial is reported", {{{0, kInt, {PR_SET_SECCOMP}}}});
  whole(kClock, {"settimeofday", "clock_settime", "clock_settime64", "adjtimex", "clock_adjtime", "clock_adjtime64", "stime"});
  const std::vector<NeverCondition> devices[] = {{{{1, S_IFMT, {S_IFCHR, S_IFBLK}}}}, {{{2, S_IFMT, {S_IFCHR, S_IFBLK}}}}};
  with("mknod", "of a device", "a device is the kernel's own", devices[0]);
  with("mknodat", "of a device", "a device is the kernel's own", devices[1]);
  with("ioctl", "TIOCSTI, TIOCLINUX, TIOCSETD or TIOCCONS", "it types into the terminal of whoever started the jail, or changes how that works",
       {{{1, kInt, {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCCONS}}}});
  with("socket", "of another family", kFamilies, {{{0, kInt, {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}}, true}});
  with("socket", "AF_NETLINK but for NETLINK_ROUTE", "other protocols of netlink reach parts of the kernel that no namespace confines",
       {{{0, kInt, {AF_NETLINK}}}, {{2, kInt, {0}}, true}});
  with("socketpair", "of another family", kFamilies, {{{0, kInt, {AF_UNIX}}, true}});
  return table;
}

struct NumberedRule {
  uint32_t number;
  const NeverRule* rule;
};
const std::vector<NumberedRule>& KnownHere() {
  static const std::vector<NumberedRule> rules = [] {
    std::vector<NumberedRule> known;
    for (const NeverRule& rule : NeverGranted())
      if (auto number = FindSystemCall(rule.call)) known.push_back({*number, &rule});
    return known;
  }();
  return rules;
}

// Bits of an argument that are settled, with their values. Which values fit a list of conditions is a walk over
// these: two settings agree when the bits that both settle are equal.
struct Bits {
  uint64_t mask = 0, value = 0;
};
bool Agree(const Bits& a, const Bits& b) { return ((a.value ^ b.value) & a.mask & b.mask) == 0; }

// Is there a value with these bits that fits the conditions from `next` on?
bool SomeValue(Bits bits, const std::vector<NeverCondition>& conditions, size_t next) {
  if (next == conditions.size()) return true;
  const ArgumentRule& rule = conditions[next].rule;
  if (!conditions[next].none_of)
    return std::any_of(rule.values.begin(), rule.values.end(), [&](uint64_t value) {
      if (value & ~rule.mask) return false;  // never matches
      const Bits one{rule.mask, value};
      return Agree(bits, one) && SomeValue({bits.mask | one.mask, bits.value | one.value}, conditions, next + 1);
    });
  // The last condition: the bits left open can be set in 2^n ways, of which the values take some away.
  std::set<uint64_t> taken;
  for (uint64_t value : rule.values)
    if ((value & ~rule.mask) == 0 && Agree(bits, {rule.mask, value})) taken.insert(value);
  const int open = std::popcount(rule.mask & ~bits.mask);
  return open > 16 || taken.size() < (uint64_t{1} << open);
}

// Is there a call that fits both?
bool Meet(const Conditions& allowed, const std::vector<NeverCondition>& never) {
  for (int argument = 0; argument < 6; ++argument) {
    std::vector<NeverCondition> all;
    for (const ArgumentRule& rule : allowed)
      if (rule.argument == argument) all.push_back({rule});
    for (const NeverCondition& condition : never)
      if (condition.rule.argument == argument) all.push_back(condition);
    if (!SomeValue({}, all, 0)) return false;
  }
  return true;
}

}  // namespace

const std::vector<NeverRule>& NeverGranted() {
  static const std::vector<NeverRule> table = MakeTable();
  return table;
}

Status CheckGrantable(const CallRules& rules) {
  for (const auto& [number, never_rule] : KnownHere()) {
    const NeverRule& never = *never_rule;
    const CallRule* rule = FindRule(rules, number);
    if (!rule) continue;
    static const std::vector<Conditions> always(1);
    const auto& alternatives = rule->alternatives.empty() ? always : rule->alternatives;
    if (std::none_of(alternatives.begin(), alternatives.end(), [&](const Conditions& allowed) { return Meet(allowed, never.when); })) continue;
    const std::string call(never.call);
    const std::string what = never.what.empty() ? call : call + " " + std::string(never.what);
    return Fail(ErrorKind::kInvalid, "no profile can grant " + what + ": " + std::string(never.reason),
                never.when.empty() ? "take " + call + " out" : "instead of " + call + ", name a group that allows it with other arguments");
  }
  return {};
}

const NeverRule* WhyNever(uint32_t number, const uint64_t (&arguments)[6]) {
  for (const auto& [known, never] : KnownHere()) {
    if (known != number) continue;
    if (std::all_of(never->when.begin(), never->when.end(), [&](const NeverCondition& condition) {
          const auto& values = condition.rule.values;
          const uint64_t masked = arguments[condition.rule.argument] & condition.rule.mask;
          return (std::find(values.begin(), values.end(), masked) != values.end()) != condition.none_of;
        }))
      return never;
  }
  return nullptr;
}

}  // namespace paddock::sandbox
