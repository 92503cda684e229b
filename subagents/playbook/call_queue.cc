#include "subagents/playbook/call_queue.h"

#include <algorithm>

namespace paddock::subagents {

bool CallQueue::AddOnce(const std::string& key, const std::string& tool, Json arguments) {
  if (queue_.size() >= kMaxWaiting) return asked_.contains(key);
  if (asked_.insert(key).second) queue_.push_back({"", tool, std::move(arguments)});
  return true;
}

bool CallQueue::Add(const std::string& tool, Json arguments) {
  const std::string key = tool + " " + arguments.dump(-1, ' ', false, Json::error_handler_t::replace);
  return AddOnce(key, tool, std::move(arguments));
}

void CallQueue::ReadFrom(const std::string& path, int64_t first, int64_t limit) {
  AddOnce("read " + std::to_string(first) + " " + path, "read_file", Json{{"path", path}, {"offset", first}, {"limit", limit}});
}

std::vector<agentcore::ToolCall> CallQueue::Take(size_t most) {
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(most, queue_.size()));
  std::vector<agentcore::ToolCall> taken(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
  queue_.erase(queue_.begin(), end);
  return taken;
}

}  // namespace paddock::subagents
