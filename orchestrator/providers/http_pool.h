// Running paddock-http processes, each with one exchange at a time, for all that ask one server with one key.
//
// A process has seen its server's bytes and its key: it is never used for another one. What is idle is kept for the next
// exchange, at most eight; the destructor ends them.
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

  // An idle one, or a new one.
  Result<std::unique_ptr<RunningHttp>> Take();
  // Of an exchange that came to its end. One that has more to say, or has ended, is not kept.
  void GiveBack(std::unique_ptr<RunningHttp> running);

 private:
  using Started = Result<std::unique_ptr<RunningHttp>>;
  Started Start();
  void StartWhatIsWanted(std::unique_lock<std::mutex> lock);

  const std::string program_;
  const std::map<std::string, std::string> environment_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RunningHttp>> idle_;
  // A process ends with the thread that started it (PR_SET_PDEATHSIG), so that is one of the pool's own.
  std::thread starter_;
  std::condition_variable changed_;
  std::deque<std::optional<Started>*> wanted_;
  bool ended_ = false;
};

// One pool for each url, key and program of this process.
std::shared_ptr<HttpPool> SharedHttpPool(const std::string& url, const std::string& key, const std::string& program, const std::map<std::string, std::string>& environment);

}  // namespace paddock::orchestrator
