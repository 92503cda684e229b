// What the machine's settings say of user namespaces. Only read: whether they can be made is tried elsewhere, so
// these say why they can't.
#include "sandbox/machine/probes.h"

namespace paddock::sandbox::machine {
namespace {

// `stops`: the value is one that forbids.
[[noreturn]] void Say(Trial* t, const char* path, std::optional<int64_t> value, bool stops) {
  t->Try((std::string("reading ") + path).c_str());
  if (!value && LookAtProc() == ProcState::kMissing) t->Untried("/proc is not mounted");
  if (!value) t->Ok("not on this kernel");
  if (stops) t->Missing(0, "is " + std::to_string(*value));
  t->Ok("is " + std::to_string(*value));
}

}  // namespace

void LookAtMaxUserNamespaces(const Asked&, Trial* t) {
  const auto value = ReadFacts().max_user_namespaces;
  Say(t, "/proc/sys/user/max_user_namespaces", value, value == 0);
}

// These two are for ordinary users; root isn't asked.
void LookAtUserNamespaceClone(const Asked&, Trial* t) {
  const Facts facts = ReadFacts();
  Say(t, "/proc/sys/kernel/unprivileged_userns_clone", facts.unprivileged_userns_clone, facts.unprivileged_userns_clone == 0 && facts.uid != 0);
}

void LookAtAppArmor(const Asked&, Trial* t) {
  const Facts facts = ReadFacts();
  Say(t, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", facts.apparmor_restrict, facts.apparmor_restrict.value_or(0) != 0 && facts.uid != 0);
}

}  // namespace paddock::sandbox::machine
