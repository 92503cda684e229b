#include "sandbox/spawn.h"

#include <fcntl.h>
#include <sys/socket.h>

// Boost goes by an old standard's macro and would leave vfork(2) out, which Linux has.
#define BOOST_POSIX_HAS_VFORK 1
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>

#include "base/frame_pipe.h"
#include "sandbox/machine/mend.h"

namespace paddock::sandbox {

Result<SpawnedProgram> SpawnProgram(const std::string& program, int socket_type, const std::map<std::string, std::string>& environment,
                                    const std::vector<std::string>& arguments) {
  const std::string name = program.substr(program.rfind('/') + 1);
  // Looked at first: Boost's own report of a failed exec costs a fork and says less.
  if (access(program.c_str(), X_OK) < 0) return FailErrno(program, errno, name + " belongs beside paddock: install or build it there");
  // So is the null device, which Boost opens for the program without looking at the answer.
  if (UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC)); !null) return FailErrno("/dev/null", errno, machine::kMendDevices);
  int ends[2];
  if (socketpair(AF_UNIX, socket_type | SOCK_CLOEXEC, 0, ends) < 0) return FailErrno("socketpair");
  UniqueFd ours(ends[0]), theirs(ends[1]);
  if (auto ok = SetNonBlocking(ours.get()); !ok) return std::unexpected(ok.error());
  SpawnedProgram spawned;
  try {
    boost::process::environment all;
    for (const auto& [key, value] : environment) all[key] = value;
    // vfork: a copy of this process's memory, however small, would cost more than all the launcher does.
    boost::process::child child(boost::process::posix::use_vfork, boost::process::exe = program, boost::process::args = arguments, boost::process::env = all,
                                boost::process::posix::fd.bind(0, theirs.get()),
                                boost::process::std_out > boost::process::null,
                                boost::process::std_err > boost::process::null);
    pid_t pid = child.id();
    child.detach();  // waited for by its pidfd from here on
    // A fork that failed is not thrown.
    if (pid <= 0) return FailErrno(program + " could not be started", errno, machine::kMoreProcesses);
    auto adopted = ChildProcess::Adopt(pid);
    if (!adopted) {
      adopted.error().hint = machine::MendCall(adopted.error().sys_errno, machine::ReadFacts());
      return std::unexpected(adopted.error());
    }
    spawned.process = *std::move(adopted);
  } catch (const std::system_error& fault) {
    // dup2(2) to a number that the limit of open files does not reach.
    const int err = fault.code().value() == EBADF ? EMFILE : fault.code().value();
    return FailErrno(program + " could not be started", err, err == EAGAIN ? machine::kMoreProcesses : "install or build " + name + " again, beside paddock");
  } catch (const std::exception& fault) {
    return Fail(ErrorKind::kSystem, "could not start " + program + ": " + fault.what(), "install or build " + name + " again, beside paddock");
  }
  spawned.socket = std::move(ours);
  return spawned;
}

Result<LauncherProcess> SpawnLauncher(const std::string& program, const char* argument) {
  auto launcher = SpawnProgram(program, SOCK_SEQPACKET, {}, argument ? std::vector<std::string>{argument} : std::vector<std::string>{});
  if (!launcher) launcher.error().message = "launcher " + launcher.error().message;
  return launcher;
}

}  // namespace paddock::sandbox
