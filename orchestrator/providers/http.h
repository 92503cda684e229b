// One HTTP request whose answer is read as it arrives. The interface of the model providers to the network.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "orchestrator/providers/server_fault.h"

namespace paddock::orchestrator {

struct HttpRequest {
  std::string method = "POST";
  std::string url;       // http or https; certificates are verified, redirects not followed
  std::string proxy;     // http://host:port, or empty
  HttpHeaders headers;   // the key is in here
  std::string body;
};

struct HttpHead {
  int status = 0;
  HttpHeaders headers;  // names in lower case
};

// What may end a wait before its deadline. Borrowed descriptors, -1 for none.
struct HttpWait {
  Deadline deadline = Deadline::Never();
  int cancel_fd = -1;   // readable: kCancelled
  int abandon_fd = -1;  // readable: kClosed, "nobody waits for this answer any more"
};

// Used by one thread. Its destructor ends the exchange.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  // kTimeout, kCancelled, kClosed (not reachable, cut off), kDenied (certificate, proxy), kInvalid, kProtocol.
  virtual Result<HttpHead> Head(const HttpWait& wait) = 0;
  // The next bytes of the body; nullopt at its end. kClosed when it was cut off.
  virtual Result<std::optional<std::string>> Body(const HttpWait& wait) = 0;
  // The request has gone out whole, as far as is known.
  virtual bool sent() const { return true; }
};

class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  virtual Result<std::unique_ptr<HttpExchange>> Start(HttpRequest request, const HttpWait& wait) = 0;
  // True where all that it gives was recorded: a request that it does not have was not made then.
  virtual bool replays() const { return false; }
};

}  // namespace paddock::orchestrator
