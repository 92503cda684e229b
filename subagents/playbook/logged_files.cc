#include "subagents/playbook/logged_files.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLogFiles = 3;

// Names that many folders have: the name alone says nothing.
constexpr char kCommonNames[] = R"((?i)(index|main|mod|lib|init|__init__|__main__|utils?|types?|setup|conftest|test|tests|common|config)\.\w+|Makefile|CMakeLists\.txt)";
constexpr char kElsewhere[] =
    R"(^(/usr/(include|lib|lib64|libexec|share|local/go|local/lib)/|/lib/|/lib64/|node:|internal/|<|\.\./sysdeps/|\.\./csu/|/rustc/|/build/glibc|java\.|jdk\.)|(^|/)(site-packages|dist-packages|node_modules|\.cargo/registry|\.rustup|go/pkg/mod|libstdc\+\+-v3|rustlib)/)";

std::string Normal(std::string_view text) {
  std::string path(text);
  std::replace(path.begin(), path.end(), '\\', '/');
  if (const size_t scheme = path.find("://"); scheme != path.npos) path.erase(0, scheme + 3);
  // "a/b/../c" and "./a".
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part == ".." && !parts.empty() && parts.back() != "..") parts.pop_back();
    else if (!part.empty() && part != ".") parts.push_back(part);
    begin = end + 1;
  }
  std::string out;
  for (const std::string& part : parts)
    if (part != "..") out += (out.empty() ? "" : "/") + part;
  return out;
}

// How many of their last names are the same.
int CommonEnd(std::string_view a, std::string_view b) {
  int count = 0;
  while (!a.empty() && !b.empty() && BaseName(a) == BaseName(b)) {
    ++count;
    a = FolderName(a);
    b = FolderName(b);
  }
  return count;
}

}  // namespace

LoggedFiles::LoggedFiles(const RepoView& view) : view_(view) {
  for (const std::string& path : view.files()) by_name_[std::string(BaseName(path))].push_back(path);
}

std::string LoggedFiles::Find(const Frame& frame) const {
  if (frame.file.empty() || MatchesPart(frame.file, kElsewhere)) return "";
  std::string path = Normal(frame.file);
  // "org.thing.Parser.read" in Parser.java
  if (path.find('/') == path.npos && MatchesWhole(path, R"(.*\.(java|kt|kts|scala|groovy))") && frame.function.find('.') != std::string::npos) {
    std::string folder = frame.function.substr(0, frame.function.rfind('.'));
    folder = folder.substr(0, folder.find('$'));
    folder.erase(folder.rfind('.') == folder.npos ? 0 : folder.rfind('.'));
    std::replace(folder.begin(), folder.end(), '.', '/');
    if (!folder.empty()) path = folder + "/" + path;
  }
  if (view_.HasFile(path)) return path;
  const auto found = by_name_.find(std::string(BaseName(path)));
  if (found == by_name_.end()) return "";
  const bool bare = path.find('/') == path.npos;
  int best = 0, many = 0;
  std::string best_path;
  for (const std::string& candidate : found->second) {
    int score = 4 * CommonEnd(path, candidate);
    if (score == 4 && !bare && MatchesWhole(BaseName(path), kCommonNames)) continue;
    score += IsForeignPath(candidate) ? 0 : IsOwnSource(candidate) || IsTestPath(candidate) ? 3 : 1;
    if (score == best) ++many;
    if (score <= best) continue;
    best = score;
    many = 1;
    best_path = candidate;
  }
  // Of several that are alike the first is as good as any; of a common name none.
  return many > 3 || (many > 1 && MatchesWhole(BaseName(path), kCommonNames)) ? "" : best_path;
}

std::vector<std::string> LogsNamed(const std::string& goal, const RepoView& view) {
  static const RE2 name(R"(([\w./+-]*\w\.(?:log|txt|out|err|trace|tap|xml)(?:\.\d+)?)\b)");
  std::vector<std::string> paths;
  re2::StringPiece rest(goal);
  std::string text;
  while (paths.size() < kMaxLogFiles && RE2::FindAndConsume(&rest, name, &text)) {
    if (text.starts_with("./")) text.erase(0, 2);
    const auto add = [&](const std::string& path) {
      if (paths.size() < kMaxLogFiles && std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    };
    if (view.HasFile(text)) {
      add(text);
    } else if (text.find('/') == text.npos) {
      for (const std::string& path : view.files())
        if (BaseName(path) == text && !IsForeignPath(path)) add(path);
    }
  }
  return paths;
}

}  // namespace paddock::subagents
