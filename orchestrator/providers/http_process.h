// HTTP through paddock-http, a process of its own that is started at the first request and kept for the next ones (http_pool.h).
#pragma once

#include <memory>

#include "orchestrator/providers/http.h"
#include "orchestrator/providers/http_pool.h"

namespace paddock::orchestrator {

class HttpProcess : public HttpTransport {
 public:
  explicit HttpProcess(std::shared_ptr<HttpPool> pool) : pool_(std::move(pool)) {}

  // An exchange that was not read to its end takes its process along.
  Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait& wait) override;

 private:
  class Exchange;

  std::shared_ptr<HttpPool> pool_;
};

}  // namespace paddock::orchestrator
