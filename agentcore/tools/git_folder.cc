#include "agentcore/tools/git_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <utility>

#include "agentcore/tools/git_store.h"
#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxHead = 4096, kMaxConfig = 256u << 10;

// No setting of the repository's is read, so this is all there is. What is not said is git's default.
constexpr char kConfig[] =
    "[core]\n\trepositoryformatversion = 1\n\tfsmonitor = false\n\thooksPath = /dev/null\n\tattributesFile = /dev/null\n\texcludesFile = /dev/null\n"
    "\tcommitGraph = false\n\tmultiPackIndex = false\n\tquotePath = true\n\tpager = cat\n\tbigFileThreshold = 32m\n"
    "[protocol]\n\tallow = never\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[extensions]\n\tobjectFormat = ";
constexpr char kAttributes[] = "* !diff !filter !working-tree-encoding\n";

std::unexpected<ToolError> Unsupported(std::string message) {
  return std::unexpected(ToolError{ToolStatus::kUnsupported, std::move(message), "go on without the history: read and search the files as they are",
                                   {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
}

std::unexpected<ToolError> NoFolder(const char* what) {
  const int error = errno;
  if (IsOutOfDescriptors(error)) return std::unexpected(OutOfDescriptors(std::string("a private folder for git could not be made: ") + what, error));
  return std::unexpected(ToolError{ToolStatus::kFailed, std::string("a private folder for git could not be made: ") + what + " (" + ErrnoName(error) + ")",
                                   "go on without the history; the profile needs a /tmp in which files may be made, as read-only-tools has one",
                                   {CallText("list_files", Json{{"path", "."}, {"depth", 1}})}});
}

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

ToolOutcome<GitFolder> GitFolder::Make(const ToolContext& context, const std::string& path) {
  const int root = context.root_fd;
  const auto refuse = [&](const std::string& needed) -> ToolOutcome<void> {
    if (auto refused = RefuseHidden(context.hidden, root, needed)) return std::unexpected(*std::move(refused));
    return {};
  };
  TRY(refuse(".git"));
  const GitStore store = TRY(FindGitStore(root, path));
  for (const std::string& needed : {store.work, JoinPath(store.work, ".git"), store.folder, JoinPath(store.folder, "objects"), JoinPath(store.folder, "refs")}) TRY(refuse(needed));
  const std::vector<std::string> objects = TRY(CheckGitStore(root, store.folder, context.deadline));
  if (auto there = OpenRegularFile(root, JoinPath(store.folder, "HEAD"), Links::kNever); !there && there.error().status == ToolStatus::kFailed) return std::unexpected(std::move(there).error());
  std::string head = BeginningOf(root, JoinPath(store.folder, "HEAD"), kMaxHead);
  head.resize(head.find_last_not_of(" \t\r\n") + 1);
  if (!IsHead(head)) return Unsupported("the folder is no git repository: " + QuotedPath(store.folder) + " holds no sound HEAD, objects and refs");
  const std::string name = NameOf(root);
  if (name.empty()) return Unsupported("the folder that holds .git can't be found by its name any more");

  const char* tmp = ::getenv("TMPDIR");
  std::string made = std::string(tmp && *tmp == '/' ? tmp : "/tmp") + "/paddock-git-XXXXXX";
  if (!::mkdtemp(made.data())) return NoFolder("mkdtemp");
  GitFolder folder;
  folder.path_ = std::move(made);
  folder.work_ = store.work;
  const std::string there = name + "/" + store.folder + "/";
  folder.index_ = there + "index";
  const auto own = [&](const std::string& one) {
    folder.made_.insert(folder.made_.begin(), one);
    return folder.path_ + "/" + one;
  };
  for (const char* one : {"info", "objects"})
    if (::mkdir(own(one).c_str(), 0700) < 0) return NoFolder("mkdir");
  const std::string ids = HasLongIds(BeginningOf(root, JoinPath(store.folder, "config"), kMaxConfig)) ? "sha256\n" : "sha1\n";
  for (const auto& [one, text] : {std::pair<const char*, std::string>{"config", kConfig + ids}, {"HEAD", head + "\n"}, {"info/attributes", kAttributes}})
    if (!WriteFile(own(one), text)) return NoFolder("write");
  std::vector<std::string> links = {"refs", "packed-refs", "shallow"};
  for (const std::string& one : objects) links.push_back("objects/" + one);
  for (const std::string& one : links)
    if (::symlink((there + one).c_str(), own(one).c_str()) < 0) return NoFolder("symlink");
  return folder;
}

GitFolder::GitFolder(GitFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), index_(std::move(other.index_)), work_(std::move(other.work_)), made_(std::move(other.made_)) {}

GitFolder::~GitFolder() {
  if (path_.empty()) return;
  for (const std::string& one : made_)
    if (::unlink((path_ + "/" + one).c_str()) < 0) ::rmdir((path_ + "/" + one).c_str());
  ::rmdir(path_.c_str());
}

}  // namespace paddock::agentcore
