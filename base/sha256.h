// SHA-256 (FIPS 180-4) by OpenSSL's low-level functions: the EVP layer costs a millisecond at first use.
#pragma once

#include <string>
#include <string_view>

namespace paddock {

// 64 lower-case hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace paddock
