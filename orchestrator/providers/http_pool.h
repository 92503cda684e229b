// Running paddock-http processes, each with one exchange at a time, for all that ask one server with one key.
//
// A process has seen its server's bytes and its key: it is never used for another one. What is idle is kept for the next
// exchange, as many as are in use, and at least eight; the destructor ends them.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/child_process.h"
#include "base/deadline.h"
#include "base/frame_pipe.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock::orchestrator {

struct RunningHttp {
  ChildProcess process;
  UniqueFd socket;
  std::unique_ptr<FrameReader> reader;
};

// Thread-safe. Must outlive what it gives out.
class HttpPool {
 public:
  // `program` is the path of paddock-http; `environment` is all that it gets (SSL_CERT_FILE and the like).
  HttpPool(std::string program, std::map<std::string, std::string> environment) : program_(std::move(program)), environment_(std::move(environment)) {}
  ~HttpPool();
  HttpPool(const HttpPool&) = delete;
  HttpPool& operator=(const HttpPool&) = delete;

  // An idle one, or a new one. kTimeout where the time is up before it is this caller's turn.
  Result<std::unique_ptr<RunningHttp>> Take(const Deadline& deadline);
  // Each that was taken. One whose exchange did not come to its end, that has more to say, or has ended, is not kept.
  void GiveBack(std::unique_ptr<RunningHttp> running, bool exchange_ended);

 private:
  using Started = Result<std::unique_ptr<RunningHttp>>;
  struct Waiter {
    std::optional<Started> given;
    std::condition_variable has_it;
  };
  Started Start();
  void Give(Started started);
  void StartWhatIsWanted(std::unique_lock<std::mutex> lock);

  const std::string program_;
  const std::map<std::string, std::string> environment_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RunningHttp>> idle_;
  size_t in_use_ = 0;
  // A process ends with the thread that started it (PR_SET_PDEATHSIG), so that is one of the pool's own.
  std::thread starter_;
  std::condition_variable changed_;
  std::deque<Waiter*> wanted_;  // for the first of them one is started, or given back by another
  bool ended_ = false;
};

// One pool for each url, key and program of this process.
std::shared_ptr<HttpPool> SharedHttpPool(const std::string& url, const std::string& key, const std::string& program, const std::map<std::string, std::string>& environment);

}  // namespace paddock::orchestrator
