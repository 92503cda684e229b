// System calls as a person reads them, for reports of denials and for listings of filters.
#pragma once

#include <cstdint>
#include <string>

#include "sandbox/filter_rules.h"

namespace paddock::sandbox {

// "socket(AF_VSOCK, SOCK_STREAM, 0)", "ioctl(0, TIOCSTI)", "openat(…, O_WRONLY|O_CREAT)". Pointers are "…": what they point
// to is not looked at. Of calls whose arguments nobody needs to read, numbers in hex without the zeros at the end. One
// line, at most some hundred bytes, whatever the arguments are.
std::string DescribeCall(uint32_t number, const uint64_t (&arguments)[6]);

// "socket: arg0 & 0xffffffff in AF_UNIX; arg1 & … | …": conditions that all hold are joined by ";", alternatives by "|". A
// call that is always allowed is its name alone.
std::string DescribeRule(const CallRule& rule);

}  // namespace paddock::sandbox
