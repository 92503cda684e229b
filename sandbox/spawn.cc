#include "sandbox/spawn.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>

#include "base/frame_pipe.h"

namespace paddock::sandbox {

Result<LauncherProcess> SpawnLauncher(const std::string& program) {
  // Looked at first: Boost's own report of a failed exec costs a fork and says less.
  if (access(program.c_str(), X_OK) < 0)
    return FailErrno("launcher " + program, errno, "paddock-jail belongs beside paddock: install or build it there");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return FailErrno("socketpair");
  UniqueFd ours(ends[0]), theirs(ends[1]);
  if (auto ok = SetNonBlocking(ours.get()); !ok) return std::unexpected(ok.error());
  LauncherProcess launcher;
  try {
    boost::process::child child(boost::process::exe = program, boost::process::env = boost::process::environment(),
                                boost::process::posix::fd.bind(0, theirs.get()),
                                boost::process::std_out > boost::process::null,
                                boost::process::std_err > boost::process::null);
    pid_t pid = child.id();
    child.detach();  // waited for by its pidfd from here on
    launcher.process = TRY(ChildProcess::Adopt(pid));
  } catch (const std::exception& fault) {
    return Fail(ErrorKind::kSystem, "could not start the launcher " + program + ": " + fault.what(), "install or build paddock-jail again, beside paddock");
  }
  launcher.socket = std::move(ours);
  return launcher;
}

}  // namespace paddock::sandbox
