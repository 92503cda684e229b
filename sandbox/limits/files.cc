#include "sandbox/limits/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <vector>

#include "base/unique_fd.h"
#include "sandbox/proc_reader.h"

namespace paddock::sandbox::limits {
namespace {

std::optional<uint64_t> Number(const std::string& word) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string TextOf(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char chunk[4096];
  while (fd && text.size() < (1u << 20)) {
    const ssize_t n = read(fd.get(), chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(chunk, static_cast<size_t>(n));
  }
  return text;
}

int WriteValue(const std::string& path, const std::string& value) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) return errno;
  return write(fd.get(), value.data(), value.size()) < 0 ? errno : 0;
}

std::optional<uint64_t> NumberIn(const std::string& path, const std::string& key) {
  const std::vector<std::string> words = Words(TextOf(path));
  if (key.empty()) return words.empty() ? std::nullopt : Number(words[0]);
  for (size_t i = 0; i + 1 < words.size(); i += 2)
    if (words[i] == key) return Number(words[i + 1]);
  return std::nullopt;
}

}  // namespace paddock::sandbox::limits
