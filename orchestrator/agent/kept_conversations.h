// The conversations of subagents that have ended, for further questions: the last few, in a bounded room.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "orchestrator/delegation/kept_conversation.h"

namespace paddock::orchestrator {

struct KeptBounds {
  size_t count = 8;
  size_t bytes = 32u << 20;  // of all together
};

// Thread-safe.
class KeptConversations {
 public:
  explicit KeptConversations(KeptBounds bounds = {}) : bounds_(bounds) {}

  // `id`: of the call that it answered. The oldest give way. False when it is too large by itself.
  bool Keep(const std::string& id, const std::string& subagent, std::shared_ptr<const KeptConversation> conversation);
  // kNotFound: there never was one of that id, or it is no longer kept; kInvalid: it is another subagent's. Several may go on from one.
  Result<std::shared_ptr<const KeptConversation>> Find(const std::string& id, const std::string& subagent) const;

 private:
  struct Kept {
    std::string id;
    std::shared_ptr<const KeptConversation> conversation;
    size_t bytes = 0;
  };
  const KeptBounds bounds_;
  mutable std::mutex mutex_;
  std::deque<Kept> kept_;                      // oldest first
  std::map<std::string, std::string> owners_;  // of all that there ever were: id → subagent
  size_t bytes_ = 0;
};

}  // namespace paddock::orchestrator
