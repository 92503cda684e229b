// Sockets of the host that have a name in a file system. A read-only mount doesn't stop connect(2) to one (unix(7)), so
// they are covered in jails that may make such sockets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::sandbox {

// Absolute names in the text of /proc/net/unix (proc(5)): those of this network namespace, as they were bound.
std::vector<std::string> SocketNames(std::string_view proc_net_unix);
// Of this machine, now. One that is made later is not among them.
std::vector<std::string> HostSocketNames();

}  // namespace paddock::sandbox
