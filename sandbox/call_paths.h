// Where in the arguments of a system call a pathname or a socket address is.
#pragma once

#include <cstdint>

namespace paddock::sandbox {

// Numbers of arguments, -1 where there is none.
struct PathArguments {
  int path = -1;          // char*: a pathname
  int folder = -1;        // int: the folder that `path` starts from; -1: the current one
  int other_path = -1;    // the second one of calls with two
  int other_folder = -1;
  int address = -1;       // struct sockaddr*
  int address_size = -1;  // socklen_t: its size, in bytes
};

// Pathnames and addresses that the call reads, as its page of section 2 has them. nullptr for a call without any.
// Addresses in a struct msghdr (sendmsg) are not here, nor the text of a symbolic link.
const PathArguments* PathArgument(uint32_t number);

}  // namespace paddock::sandbox
