// Stands where the network would be: answers that a test has prepared, one a request, in order.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/providers/http.h"

namespace paddock::orchestrator {

// What a server does with one request.
struct PreparedAnswer {
  int status = 200;
  HttpHeaders headers = {{"content-type", "text/event-stream"}};
  std::vector<std::string> pieces = {};
  std::optional<Error> then = {};      // instead of the end of the body
  bool silent = false;            // nothing more comes: waits pass
  std::optional<Error> no_head = {};
};

class FakeTransport : public HttpTransport {
 public:
  struct Seen {
    std::vector<HttpRequest> requests;
    std::deque<PreparedAnswer> answers;
  };
  explicit FakeTransport(Seen* seen, bool replays = false) : seen_(seen), replays_(replays) {}
  bool replays() const override { return replays_; }
  Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait&) override {
    seen_->requests.push_back(std::move(request));
    if (seen_->answers.empty()) return Fail(ErrorKind::kInternal, "asked more often than expected");
    auto exchange = std::make_unique<Exchange>(std::move(seen_->answers.front()));
    seen_->answers.pop_front();
    return exchange;
  }

 private:
  struct Exchange : HttpExchange {
    explicit Exchange(PreparedAnswer a) : answer(std::move(a)) {}
    Result<HttpHead> Head(const HttpWait& wait) override {
      if (answer.no_head) return std::unexpected(*answer.no_head);
      if (answer.silent && answer.pieces.empty()) return Silence(wait);
      return HttpHead{answer.status, answer.headers};
    }
    Result<std::optional<std::string>> Body(const HttpWait& wait) override {
      if (next < answer.pieces.size()) return std::optional<std::string>(answer.pieces[next++]);
      if (answer.then) return std::unexpected(*answer.then);
      if (answer.silent) return Silence(wait);
      return std::optional<std::string>();
    }
    std::unexpected<Error> Silence(const HttpWait& wait) {
      EXPECT_TRUE(wait.deadline.left().has_value()) << "a wait without an end";
      return Fail(ErrorKind::kTimeout, "nothing came in time");
    }
    PreparedAnswer answer;
    size_t next = 0;
  };
  Seen* seen_;
  bool replays_;
};

}  // namespace paddock::orchestrator
