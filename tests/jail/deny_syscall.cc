// Starts a program under a filter that answers one system call with an error: a machine that lacks
// something, simulated.
//
//   deny_syscall NAME[:ARGUMENT=VALUE] ERRNO PROGRAM [ARG...]
//
// With an argument (0 to 5), only calls whose low 32 bits of it are the value.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "sandbox/syscall_filter.h"

int main(int argc, char** argv) {
  if (argc < 4) return 64;
  const std::string what = argv[1];
  const size_t colon = what.find(':');
  unsigned argument = 0, value = 0;
  const bool narrow = colon != what.npos;
  if (narrow && (sscanf(what.c_str() + colon, ":%u=%u", &argument, &value) != 2 || argument > 5)) return 64;
  auto number = paddock::sandbox::SystemCallNumber(what.substr(0, colon));
  if (!number) return 65;
  sock_filter program[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, *number},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offsetof(seccomp_data, args) + argument * 8)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<uint8_t>(narrow ? 1 : 0), value},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<uint32_t>(atoi(argv[2]))},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  sock_fprog filter{std::size(program), program};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) < 0) return 66;
  execv(argv[3], argv + 3);
  return 67;
}
