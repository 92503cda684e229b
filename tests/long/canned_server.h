// A model's server that knows what it will say: by the model's name,
//   calls    reads a file first, and then reports
//   five     reads four files in four turns, and reports in the fifth, with evidence from two of them
//   stalls   takes the question and never answers
// A process of its own, so that what it uses is not counted as anybody else's; it ends with whoever started it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/result.h"

namespace paddock {

class CannedServer {
 public:
  // Each answer comes after `latency`.
  static Result<CannedServer> Start(std::chrono::milliseconds latency = {});
  CannedServer(CannedServer&& other) : port_(other.port_), pid_(std::exchange(other.pid_, -1)) {}
  ~CannedServer();
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

 private:
  CannedServer(int port, pid_t pid) : port_(port), pid_(pid) {}
  int port_;
  pid_t pid_;
};

}  // namespace paddock
