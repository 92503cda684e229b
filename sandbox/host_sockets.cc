#include "sandbox/host_sockets.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace paddock::sandbox {

std::vector<std::string> SocketNames(std::string_view proc_net_unix) {
  // Num RefCount Protocol Flags Type St Inode Path
  constexpr int kWordsBefore = 7;
  std::vector<std::string> names;
  while (!proc_net_unix.empty()) {
    const size_t end = std::min(proc_net_unix.find('\n'), proc_net_unix.size());
    std::string_view line = proc_net_unix.substr(0, end);
    proc_net_unix.remove_prefix(std::min(end + 1, proc_net_unix.size()));
    for (int word = 0; word < kWordsBefore && !line.empty(); ++word) {
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      line.remove_prefix(std::min(line.find(' '), line.size()));
    }
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("/")) names.emplace_back(line);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> HostSocketNames() {
  std::ifstream file("/proc/net/unix");
  std::stringstream text;
  text << file.rdbuf();
  return SocketNames(text.str());
}

}  // namespace paddock::sandbox
