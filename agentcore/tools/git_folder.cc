#include "agentcore/tools/git_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <utility>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxHead = 4096, kMaxConfig = 256u << 10;

// No setting of the repository's is read, so this is all there is. What is not said is git's default.
constexpr char kConfig[] =
    "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tfsmonitor = false\n\thooksPath = /dev/null\n\tattributesFile = /dev/null\n\texcludesFile = /dev/null\n"
    "\tcommitGraph = false\n\tmultiPackIndex = false\n\tquotePath = true\n\tpager = cat\n"
    "[protocol]\n\tallow = never\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[extensions]\n\tobjectFormat = ";
constexpr char kAttributes[] = "* !diff !filter !working-tree-encoding\n";

constexpr const char* kOwnFiles[] = {"config", "HEAD", "objects", "refs", "packed-refs", "shallow", "info/attributes"};

std::unexpected<ToolError> Unsupported(std::string message) {
  return std::unexpected(ToolError{ToolStatus::kUnsupported, std::move(message), "go on without the history: read and search the files as they are",
                                   {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
}

std::unexpected<ToolError> NoFolder(const char* what) {
  const int error = errno;
  return std::unexpected(ToolError{ToolStatus::kFailed, std::string("a private folder for git could not be made: ") + what + " (" + ErrnoName(error) + ")",
                                   "go on without the history; the profile needs a /tmp in which files may be made, as read-only-tools has one",
                                   {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
}

// The beginning of a small file, or "".
std::string Beginning(int root_fd, const std::string& path, size_t most) {
  auto file = OpenRegularFile(root_fd, path, Links::kNever);
  if (!file) return "";
  std::string text(most, '\0');
  const ssize_t n = ::read(file->fd.get(), text.data(), most);
  text.resize(static_cast<size_t>(std::max<ssize_t>(n, 0)));
  return text;
}

bool IsFolder(int root_fd, const std::string& path) { return OpenFolder(root_fd, path, Links::kNever).has_value(); }
bool IsFile(int root_fd, const std::string& path) { return OpenRegularFile(root_fd, path, Links::kNever).has_value(); }

// A reference or a commit, and nothing else that git could be led astray with.
bool IsHead(std::string_view head) {
  constexpr std::string_view kReference = "ref: refs/";
  if (!head.starts_with(kReference)) return (head.size() == 40 || head.size() == 64) && head.find_first_not_of("0123456789abcdef") == head.npos;
  return std::none_of(head.begin(), head.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }) && head.find("..") == head.npos;
}

// Of the repository's settings this one alone says how its objects are to be read.
bool HasLongIds(std::string config) {
  std::transform(config.begin(), config.end(), config.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  const size_t at = config.find("objectformat");
  return at != config.npos && config.substr(at, config.find('\n', at) - at).find("sha256") != std::string::npos;
}

// Where the workspace lies: what its descriptor is, by name.
std::string NameOf(int root_fd) {
  struct stat wanted, found;
  if (::fstat(root_fd, &wanted) < 0) return "";
  char link[PATH_MAX];
  const ssize_t n = ::readlink(("/proc/self/fd/" + std::to_string(root_fd)).c_str(), link, sizeof link);
  for (const std::string& name : {std::string(kWorkspaceMount), std::string(link, static_cast<size_t>(std::max<ssize_t>(n, 0)))})
    if (!name.empty() && ::stat(name.c_str(), &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino) return name;
  return "";
}

bool WriteFile(const std::string& path, const std::string& text) {
  UniqueFd file(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

ToolOutcome<GitFolder> GitFolder::Make(const ToolContext& context) {
  const int root = context.root_fd;
  for (const char* needed : {".git", ".git/objects", ".git/refs"})
    if (auto refused = RefuseHidden(context.hidden, root, needed)) return std::unexpected(*std::move(refused));
  struct stat info;
  UniqueFd git(OpenBeneath(root, ".git", O_PATH | O_NOFOLLOW, Links::kFollowInside));
  if (!git || ::fstat(git.get(), &info) < 0) return Unsupported("the folder is no git repository: it has no .git");
  if (!S_ISDIR(info.st_mode))
    return Unsupported(std::string(".git is a ") + KindName(info.st_mode) + ": the repository itself lies elsewhere, and nothing outside of the workspace can be read");
  git.reset();
  std::string head = Beginning(root, ".git/HEAD", kMaxHead);
  head.resize(head.find_last_not_of(" \t\r\n") + 1);
  if (!IsHead(head) || !IsFolder(root, ".git/objects") || !IsFolder(root, ".git/refs"))
    return Unsupported("the folder is no git repository: .git holds no sound HEAD, objects and refs");
  const std::string name = NameOf(root);
  if (name.empty()) return Unsupported("the folder that holds .git can't be found by its name any more");

  const char* tmp = ::getenv("TMPDIR");
  std::string path = std::string(tmp && *tmp == '/' ? tmp : "/tmp") + "/paddock-git-XXXXXX";
  if (!::mkdtemp(path.data())) return NoFolder("mkdtemp");
  GitFolder folder;
  folder.path_ = path;
  folder.index_ = name + "/.git/index";
  if (::mkdir((path + "/info").c_str(), 0700) < 0) return NoFolder("mkdir");
  const std::string ids = HasLongIds(Beginning(root, ".git/config", kMaxConfig)) ? "sha256\n" : "sha1\n";
  if (!WriteFile(path + "/config", kConfig + ids) || !WriteFile(path + "/HEAD", head + "\n") || !WriteFile(path + "/info/attributes", kAttributes)) return NoFolder("write");
  for (const char* one : {"objects", "refs", "packed-refs", "shallow"}) {
    const std::string there = std::string(".git/") + one;
    if (!IsFolder(root, there) && !IsFile(root, there)) continue;
    if (::symlink((name + "/" + there).c_str(), (path + "/" + one).c_str()) < 0) return NoFolder("symlink");
  }
  return folder;
}

GitFolder::GitFolder(GitFolder&& other) noexcept : path_(std::exchange(other.path_, {})), index_(std::move(other.index_)) {}

GitFolder::~GitFolder() {
  if (path_.empty()) return;
  for (const char* one : kOwnFiles) ::unlink((path_ + "/" + one).c_str());
  ::rmdir((path_ + "/info").c_str());
  ::rmdir(path_.c_str());
}

}  // namespace paddock::agentcore
