#include "agentcore/tools/workspace_path.h"

#include "base/text.h"

namespace paddock::agentcore {

std::string QuotedPath(std::string_view path_bytes) {
  std::string text = PathToText(path_bytes.substr(0, 600));
  if (text.size() > 300 || path_bytes.size() > 600) text = std::string(TruncateUtf8(text, 300)) + "...";
  return "\"" + text + "\"";
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (folder == "." || folder.empty()) return std::string(name);
  std::string joined(folder);
  joined += '/';
  joined += name;
  return joined;
}

std::string_view ParentOf(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view(".") : path.substr(0, slash);
}

std::string_view NameIn(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string CallText(std::string_view tool, const Json& arguments) {
  return std::string(tool) + " " + DumpJson(arguments);
}

ToolOutcome<std::string> WorkspacePath(std::string_view path_text) {
  const std::vector<std::string> look = {CallText("list_files", Json{{"path", "."}, {"depth", 1}})};
  auto bytes = PathFromText(path_text);
  if (!bytes)
    return std::unexpected(ToolError{ToolStatus::kInvalidArguments, "$.path: " + bytes.error().message,
                                     bytes.error().hint.empty() ? "give the path as list_files prints it" : bytes.error().hint, look});
  std::string_view rest = *bytes;
  if (rest.size() > kMaxPathBytes)
    return std::unexpected(ToolError{ToolStatus::kInvalidArguments,
                                     "$.path: expected at most " + std::to_string(kMaxPathBytes) + " bytes, got " + std::to_string(rest.size()),
                                     "give the path as list_files prints it", look});
  const auto outside = [&](const char* why) {
    return std::unexpected(ToolError{ToolStatus::kDenied, QuotedPath(*bytes) + " is outside of the workspace: " + why,
                                     "paths are relative to the workspace, for example src/main.c; nothing outside of it can be read", look});
  };
  if (rest.starts_with('/')) {
    const std::string_view mount = kWorkspaceMount;
    if (rest != mount && !rest.starts_with(std::string(mount) + "/")) return outside("an absolute path");
    rest.remove_prefix(mount.size());
  }
  std::string path;
  while (!rest.empty()) {
    size_t slash = rest.find('/');
    std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (path.empty()) return outside("\"..\" leads above it");
      size_t cut = path.rfind('/');
      path.resize(cut == std::string::npos ? 0 : cut);
      continue;
    }
    if (!path.empty()) path += '/';
    path += part;
  }
  return path.empty() ? std::string(".") : path;
}

}  // namespace paddock::agentcore
