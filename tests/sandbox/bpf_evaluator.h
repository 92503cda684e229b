// A classic BPF machine for seccomp programs, so that filters can be judged without a kernel.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace paddock::sandbox {

// The action of the program for one call; ~0 when the program is not well-formed.
inline uint32_t EvaluateFilter(const std::string& bytes, const seccomp_data& data) {
  const auto* program = reinterpret_cast<const sock_filter*>(bytes.data());
  const size_t size = bytes.size() / sizeof(sock_filter);
  uint32_t a = 0;
  for (size_t pc = 0; pc < size; ++pc) {
    const sock_filter& i = program[pc];
    switch (i.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (i.k + 4 > sizeof data || i.k % 4) return ~0u;
        std::memcpy(&a, reinterpret_cast<const char*>(&data) + i.k, 4);
        break;
      case BPF_ALU | BPF_AND | BPF_K: a &= i.k; break;
      case BPF_JMP | BPF_JA: pc += i.k; break;
      case BPF_JMP | BPF_JEQ | BPF_K: pc += a == i.k ? i.jt : i.jf; break;
      case BPF_JMP | BPF_JGE | BPF_K: pc += a >= i.k ? i.jt : i.jf; break;
      case BPF_JMP | BPF_JSET | BPF_K: pc += a & i.k ? i.jt : i.jf; break;
      case BPF_RET | BPF_K: return i.k;
      default: return ~0u;
    }
  }
  return ~0u;
}

}  // namespace paddock::sandbox
