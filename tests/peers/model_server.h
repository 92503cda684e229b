// The model's server of a test: aimock, which nobody here wrote, behind tests/peers/model_server.mjs.
//
// It runs beside the tests, not below them, so that "nothing is left of the run" stays a question about paddock: main.cc
// starts it and then the tests, which find it by its port.
#pragma once

#include <string>

#include "base/json.h"

namespace paddock::peers {

inline constexpr char kPortVariable[] = "PADDOCK_TEST_MODEL_PORT";

class ModelServer {
 public:
  // Fails the test when there is none.
  ModelServer();
  std::string url() const { return "http://127.0.0.1:" + port_ + "/v1"; }
  std::string origin() const { return "http://127.0.0.1:" + port_; }
  // aimock's fixtures, a JSON list, instead of those before.
  void Use(const std::string& fixtures, int chunk_size = 20);
  // {path, headers, body} of every request since then.
  Json Asked();
  Json Tls();        // {port, ca}
  Json Proxy();      // {port}
  void BeginLongRun(const Json& setup);  // long_model.mjs
  Json LongRunFacts();
  Json Connected();  // "host:port" of every CONNECT

 private:
  Json Call(const std::string& path, const std::string& body);
  std::string port_;
};

}  // namespace paddock::peers
