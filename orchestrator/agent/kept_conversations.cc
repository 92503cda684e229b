#include "orchestrator/agent/kept_conversations.h"

#include "base/text.h"

namespace paddock::orchestrator {

bool KeptConversations::Keep(const std::string& id, const std::string& subagent, std::shared_ptr<const KeptConversation> conversation) {
  const size_t bytes = conversation->bytes();
  std::lock_guard lock(mutex_);
  owners_[id] = subagent;
  if (bytes > bounds_.bytes || bounds_.count == 0) return false;
  while (!kept_.empty() && (kept_.size() >= bounds_.count || bytes_ + bytes > bounds_.bytes)) {
    bytes_ -= kept_.front().bytes;
    kept_.pop_front();
  }
  kept_.push_back({id, std::move(conversation), bytes});
  bytes_ += bytes;
  return true;
}

Result<std::shared_ptr<const KeptConversation>> KeptConversations::Find(const std::string& id, const std::string& subagent) const {
  const std::string shown = "\"" + VisibleText(TruncateUtf8(id, 64), Newlines::kEscape) + "\"";
  std::lock_guard lock(mutex_);
  const auto owner = owners_.find(id);
  if (owner == owners_.end()) return Fail(ErrorKind::kNotFound, "follow_up " + shown + ": no subagent has left a conversation under that id in this run", "take the id that a subagent's result says, or ask afresh without follow_up");
  if (owner->second != subagent) return Fail(ErrorKind::kInvalid, "follow_up " + shown + " is a conversation of the subagent " + owner->second, "call subagent_" + owner->second + " with it");
  for (const Kept& one : kept_)
    if (one.id == id) return one.conversation;
  return Fail(ErrorKind::kNotFound, "follow_up " + shown + ": that conversation is no longer kept", "ask afresh, without follow_up, and say in context what is known");
}

}  // namespace paddock::orchestrator
