// Exchanges with models' servers, kept in a file, and given back without a network.
//
//   {"schema": "paddock/cassette/1", "wrap_seed": "..."}
//   {"n": 1, "method", "url", "headers", "body", "status", "answer_headers", "pieces": [...], "end", "error", "redacted", "sent"}   one a line
//
// A replayed run asks what the recorded one asked, byte for byte, or learns where it differs. Pieces of an answer's body are given back
// exactly as they came. Several models and threads may share one: an exchange is found by its request, equal ones in the order in which
// they were begun. The file is private to its owner, holds what the model was shown of the repository, and never the key: an answer
// that says it back is marked and kept without it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "orchestrator/providers/http.h"

namespace paddock::orchestrator {

class Cassette {
 public:
  virtual ~Cassette() = default;
  virtual bool replays() const = 0;
  // What the marks around untrusted content are made from (agentcore/pipeline/wrap.h), so that a replayed run makes the same.
  virtual const std::string& wrap_seed() const = 0;
  // For one model, whose key is `key`. `real` is used to record only. The cassette must outlive it.
  virtual std::unique_ptr<HttpTransport> Transport(std::unique_ptr<HttpTransport> real, const std::string& key) = 0;
  // For the result's notes: what became of it.
  virtual std::vector<std::string> notes() const = 0;
};

// A new file, mode 0600. kInvalid when it is there already, kSystem.
Result<std::unique_ptr<Cassette>> RecordCassette(const std::string& path);
// kNotFound; kInvalid with the line.
Result<std::unique_ptr<Cassette>> ReplayCassette(const std::string& path);

}  // namespace paddock::orchestrator
