#include "agentcore/tools/ignore_stack.h"

#include <unistd.h>

#include <algorithm>

#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxFileBytes = 1u << 20;   // of one ignore file
constexpr size_t kMaxStackBytes = 4u << 20;  // of all that apply at once
constexpr size_t kMaxStackRules = 200'000;
constexpr size_t kMaxWalkBytes = 8u << 20;   // of all that a walk reads, one folder after another
// Of all matching in one walk, in states looked at: a few tenths of a second. 100,000 names and 300 rules, a tenth of
// them with stars, need about half.
constexpr uint64_t kMaxSteps = 128u << 20;

// At most `max` bytes; `cut` when there are more.
std::string ReadStart(int fd, size_t max, bool* cut) {
  std::string text;
  for (;;) {
    size_t had = text.size();
    if (had > max) {
      *cut = true;
      text.resize(max);
      text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);  // whole lines
      return text;
    }
    text.resize(had + 16384);
    ssize_t got = ::pread(fd, text.data() + had, 16384, static_cast<off_t>(had));
    text.resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got <= 0) return text;
  }
}

}  // namespace

IgnoreStack::IgnoreStack(int root_fd, Deadline deadline, bool apply) : apply_(apply), cost_{.deadline = deadline, .max_steps = kMaxSteps} {
  std::string text;
  if (!apply_) return;
  if (auto file = OpenRegularFile(root_fd, ".git/info/exclude")) text = ReadStart(file->fd.get(), kMaxFileBytes, &capped_);
  Add(0, text);
}

void IgnoreStack::Push(std::string_view path, int folder_fd, bool has_ignore_file, Oddities* odd) {
  std::string text;
  if (!apply_) return;
  if (has_ignore_file) {
    if (auto file = OpenRegularFile(folder_fd, ".gitignore", Links::kNever))
      text = ReadStart(file->fd.get(), std::min({kMaxFileBytes, kMaxStackBytes - bytes_, kMaxWalkBytes - read_}), &capped_);
    else
      odd->Add(OddKind::kIgnoreFile, JoinPath(path, ".gitignore"));
  }
  Add(path == "." ? 0 : path.size() + 1, text);
}

void IgnoreStack::Pop() {
  if (!apply_) return;
  bytes_ -= levels_.back().bytes;
  rules_ -= levels_.back().rules.size();
  levels_.pop_back();
}

void IgnoreStack::Add(size_t base, std::string_view text) {
  IgnoreRules rules(text, kMaxStackRules - rules_);
  capped_ = capped_ || rules.truncated();
  bytes_ += text.size();
  read_ += text.size();
  rules_ += rules.size();
  levels_.push_back({base, std::move(rules), text.size()});
}

bool IgnoreStack::Ignores(std::string_view path, bool is_folder) {
  if (cost_.exhausted) return false;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (level->rules.size() == 0) continue;
    IgnoreVerdict verdict = level->rules.Check(path.substr(level->base), is_folder, &cost_);
    if (verdict != IgnoreVerdict::kNoRule) return verdict == IgnoreVerdict::kIgnored;
  }
  return false;
}

}  // namespace paddock::agentcore
