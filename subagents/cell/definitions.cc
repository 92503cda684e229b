// A definitions cell: asked to look at a folder or a file, it reads the definitions of agents there and says what they say. It judges
// nothing, and what it says is checked again by the parent: it may have been taken over by what it read.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"
#include "subagents/cell/cell.h"
#include "subagents/foreign/read_foreign.h"
#include "subagents/foreign/wish_text.h"

namespace paddock::subagents {
namespace {

using agentcore::JoinPath;
using agentcore::Links;

constexpr int kMaxFolders = 4;           // one in another
constexpr size_t kMaxFolderNames = 4096; // of one folder

bool EndsLikeOne(std::string_view name, DefinitionFormat format) {
  const bool markdown = name.ends_with(".md"), toml = name.ends_with(".toml");
  if (format == DefinitionFormat::kCodex) return toml;
  return markdown || (toml && format == DefinitionFormat::kAny);
}

// What explains a folder of agents is none of them.
bool IsReadme(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower == "readme.md";
}

class Looker {
 public:
  Looker(Channel* channel, int root_fd, size_t sent) : channel_(channel), root_fd_(root_fd), sent_(sent) {}

  Result<LookedFrame> Look(const LookFrame& look) {
    const auto inside = agentcore::WorkspacePath(look.path);
    if (!inside) return Incomplete(inside.error().message), looked_;
    const std::string& path = *inside;
    if (auto file = agentcore::OpenRegularFile(root_fd_, path)) {
      TRY(File(path, look.format));
    } else if (auto folder = agentcore::OpenFolder(root_fd_, path)) {
      TRY(Folder(path, folder->get(), look.format, 1));
    } else if (folder.error().status != agentcore::ToolStatus::kNotFound) {
      Incomplete(folder.error().message);
    }
    looked_.definitions = static_cast<int64_t>(sent_here_);
    return looked_;
  }
  size_t sent() const { return sent_; }

 private:
  void Incomplete(const std::string& why) {
    if (looked_.incomplete.empty()) looked_.incomplete = VisibleBeginning(why, 160);
  }

  Status Folder(const std::string& path, int folder_fd, DefinitionFormat format, int depth) {
    std::vector<std::string> names = agentcore::NamesOf(folder_fd, kMaxFolderNames);
    if (names.size() == kMaxFolderNames) Incomplete("a folder has more than " + std::to_string(kMaxFolderNames) + " names: " + PathToText(path));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (name.starts_with('.')) continue;
      const std::string below = path == "." ? name : JoinPath(path, name);
      if (auto folder = agentcore::OpenFolder(root_fd_, below, Links::kNever)) {
        if (depth == kMaxFolders) Incomplete("folders in one another, deeper than " + std::to_string(kMaxFolders) + ": " + PathToText(below));
        else TRY(Folder(below, folder->get(), format, depth + 1));
      } else if (EndsLikeOne(name, format) && !IsReadme(name)) {
        TRY(File(below, format));
      }
    }
    return {};
  }

  Status File(const std::string& path, DefinitionFormat format) {
    if (sent_ == kMaxForeignFiles) return Incomplete("more than " + std::to_string(kMaxForeignFiles) + " files"), Status{};
    ForeignDefinition one;
    if (auto bytes = ReadWhole(path)) {
      one = ReadForeign(*bytes, PathToText(path), format);
    } else {
      one.path = PathToText(path);
      one.format = format;
      one.faults.push_back({0, std::string(TruncateUtf8(VisibleText(bytes.error().message, Newlines::kEscape), 1000))});
    }
    ++sent_;
    ++sent_here_;
    return channel_->Send(EncodeFrame("definition", one));
  }

  // One byte more than is taken, so that a longer file shows.
  Result<std::string> ReadWhole(const std::string& path) {
    auto file = agentcore::OpenRegularFile(root_fd_, path);
    if (!file) return std::unexpected(agentcore::ErrorOf(std::move(file).error()));
    std::string bytes(kMaxForeignBytes + 1, '\0');
    size_t length = 0;
    while (length < bytes.size()) {
      const ssize_t n = ::read(file->fd.get(), bytes.data() + length, bytes.size() - length);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return FailErrno("read " + PathToText(path));
      if (n == 0) break;
      length += static_cast<size_t>(n);
    }
    bytes.resize(length);
    return bytes;
  }

  Channel* channel_;
  const int root_fd_;
  size_t sent_, sent_here_ = 0;
  LookedFrame looked_;
};

}  // namespace

Status RunDefinitions(Channel* channel, const TaskFrame&, const CellOptions& options) {
  UniqueFd root = TRY(OpenWorkspace(options.workspace));
  size_t sent = 0;
  for (;;) {
    RawFrame raw = TRY(channel->Receive());
    if (raw.type != "look") return Fail(ErrorKind::kProtocol, "expected look, got another frame");
    LookFrame look = TRY(BodyOf<LookFrame>(raw));
    Looker looker(channel, root.get(), sent);
    const LookedFrame looked = TRY(looker.Look(look));
    sent = looker.sent();
    TRY(channel->Send(EncodeFrame("looked", looked)));
  }
}

}  // namespace paddock::subagents
