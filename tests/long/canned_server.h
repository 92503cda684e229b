// A model's server that knows two answers: it reads a file first, and then reports. A process of its own, so that what it
// uses is not counted as anybody else's; it ends with whoever started it.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"

namespace paddock {

class CannedServer {
 public:
  static Result<CannedServer> Start();
  CannedServer(CannedServer&& other) : port_(other.port_), pid_(std::exchange(other.pid_, -1)) {}
  ~CannedServer();
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

 private:
  CannedServer(int port, pid_t pid) : port_(port), pid_(pid) {}
  int port_;
  pid_t pid_;
};

}  // namespace paddock
