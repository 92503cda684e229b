// The listener's other side, in pid 1: each denied call is reported to the parent and answered with the plan's errno.
//
// Nothing is ever allowed here, so a program that changes its memory meanwhile gains nothing: what is read of it is for
// the report only (seccomp_unotify(2)).
#pragma once

#include "base/unique_fd.h"
#include "sandbox/plan.h"

namespace paddock::sandbox::child {

class Monitor {
 public:
  // `names` is a /proc of the jail, to name processes by; may be empty.
  Monitor(const Plan& plan, UniqueFd names) : plan_(plan), names_(std::move(names)) {}

  // What pid 1 polls: first the socket on which the listener comes, then the listener; -1 when there is nothing (more).
  int fd() const { return listener_ ? listener_.get() : arrival_.get(); }
  void ExpectOn(UniqueFd arrival) { arrival_ = std::move(arrival); }
  // Takes what is there, by poll's `events`. False when more calls were denied than the plan allows.
  bool Handle(short events);
  uint64_t count() const { return count_; }

 private:
  void TakeListener();

  const Plan& plan_;
  UniqueFd names_, arrival_, listener_;
  uint64_t count_ = 0;
};

}  // namespace paddock::sandbox::child
