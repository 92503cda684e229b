// Puts a classic BPF program together, for syscall_filter.cc.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace paddock::sandbox {

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
    if (Distance(yes) > 254) yes = Go(yes);
    if (Distance(no) > 255) no = Go(no);
    return Emit(static_cast<uint16_t>(BPF_JMP | test | BPF_K), k, static_cast<uint8_t>(Distance(yes)), static_cast<uint8_t>(Distance(no)));
  }

  Place Go(Place target) { return Emit(BPF_JMP | BPF_JA, static_cast<uint32_t>(Distance(target))); }

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

  std::vector<sock_filter> reversed_;
};

}  // namespace paddock::sandbox
