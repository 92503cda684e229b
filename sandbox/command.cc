#include "sandbox/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.h"
#include "sandbox/elf.h"

namespace paddock::sandbox {
namespace {

constexpr char kDefaultPath[] = "/usr/local/bin:/usr/bin:/bin";

std::string Shown(const std::string& text) { return "\"" + VisibleText(TruncateUtf8(text, 300), Newlines::kEscape) + "\""; }

enum class Found { kNo, kClosed, kYes };

Found LookAt(const std::string& path, std::string* file) {
  char resolved[PATH_MAX];
  struct stat info;
  if (!realpath(path.c_str(), resolved) || stat(resolved, &info) < 0) return Found::kNo;
  if (!S_ISREG(info.st_mode) || access(resolved, X_OK) < 0) return Found::kClosed;
  *file = resolved;
  return Found::kYes;
}

}  // namespace

Result<Command> FindCommand(const std::string& word) {
  Command command;
  Found found = Found::kNo;
  if (word.find('/') != word.npos) {
    found = LookAt(word, &command.file);
  } else if (!word.empty()) {
    const char* given = getenv("PATH");
    const std::string path = given ? given : kDefaultPath;
    for (size_t begin = 0; found != Found::kYes && begin <= path.size();) {
      const size_t end = std::min(path.find(':', begin), path.size());
      // Relative entries would find the repository's programs.
      if (path[begin] == '/')
        if (Found one = LookAt(path.substr(begin, end - begin) + "/" + word, &command.file); one != Found::kNo) found = one;
      begin = end + 1;
    }
  }
  if (found == Found::kNo) return std::unexpected(Error{ErrorKind::kNotFound, "no program " + Shown(word), "see that it is installed and that its name is right", ENOENT});
  if (found == Found::kClosed) return std::unexpected(Error{ErrorKind::kDenied, Shown(word) + " can't be run: it is no program, or not executable", "chmod +x makes a file executable", EACCES});
  command.installed = InstalledByRoot(command.file);
  return command;
}

}  // namespace paddock::sandbox
