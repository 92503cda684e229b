// HTTP through paddock-http, a process of its own that is started at the first request and kept for the next ones.
#pragma once

#include <map>
#include <string>

#include "base/child_process.h"
#include "base/frame_pipe.h"
#include "orchestrator/providers/http.h"

namespace paddock::orchestrator {

class HttpProcess : public HttpTransport {
 public:
  // `program` is the path of paddock-http; `environment` is all that it gets (SSL_CERT_FILE and the like).
  HttpProcess(std::string program, std::map<std::string, std::string> environment)
      : program_(std::move(program)), environment_(std::move(environment)) {}

  // One exchange at a time: the one before must be gone. An exchange that was not read to its end takes the process
  // along, and the next one starts another.
  Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait& wait) override;

 private:
  class Exchange;
  struct Running {
    ChildProcess process;
    UniqueFd socket;
    std::unique_ptr<FrameReader> reader;
  };
  Status EnsureRunning();

  std::string program_;
  std::map<std::string, std::string> environment_;
  std::unique_ptr<Running> running_;
};

}  // namespace paddock::orchestrator
