// HTTP over cpprestsdk. The only file that sees it is client.cc.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/providers/http/frames.h"

namespace paddock::orchestrator {

// Runs exchanges, one after the other, and keeps a connection open between two to the same server. One thread.
class HttpClient {
 public:
  HttpClient();
  ~HttpClient();

  struct Sink {
    std::function<void()> sent;  // by another thread
    std::function<void(const HttpHeadFrame&)> head;
    std::function<void(std::string_view bytes)> data;
  };
  // Blocks until the answer is whole. What failed is given back. Nothing but the end of the process stops it sooner:
  // time is the caller's business.
  std::optional<HttpFailedFrame> Run(const HttpRequestFrame& request, const Sink& sink);

 private:
  std::optional<HttpFailedFrame> RunOnce(const HttpRequestFrame& request, const Sink& sink, bool* had_head);

  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace paddock::orchestrator
