#include "subagents/playbook/logged_files.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxLogFiles = 3, kMaxUnclearRead = 4;
constexpr int64_t kLinesAbove = 30;

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

// Its paths are those from where it was started, and no bare names.
bool IsFromTheTop(const Trace& trace) {
  return trace.folder.empty() && (trace.kind == TraceKind::kCompile || MatchesWhole(trace.format, "pytest|Python|Ruby|Minitest|RSpec|Perl|PHP|TAP|Node|node:test|jest|mocha|shell|make"));
}

}  // namespace

LoggedFiles::LoggedFiles(const RepoView& view, const LogFacts& log) : view_(view), log_(log) {
  for (const std::string& path : view.files()) by_name_[std::string(BaseName(path))].push_back(path);
}

std::string LoggedFiles::Find(const Trace& trace, const Frame& frame, std::vector<std::string>* several) const {
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
  const bool bare = path.find('/') == path.npos;
  if (view_.HasFile(path) && (!bare || frame.file.starts_with("./") || IsFromTheTop(trace))) return path;
  const auto found = by_name_.find(std::string(BaseName(path)));
  if (found == by_name_.end()) return "";
  int best = 0;
  Paths paths;
  for (const std::string& candidate : found->second) {
    int score = 4 * CommonEnd(path, candidate);
    if (score == 4 && !bare && MatchesWhole(BaseName(path), kCommonNames)) continue;
    // The whole of a bare name is the same in every folder.
    if (bare) score = 4;
    score += IsForeignPath(candidate) ? 0 : IsOwnSource(candidate) || IsTestPath(candidate) ? 3 : 1;
    if (score > best) best = score, paths.clear();
    if (score == best) paths.push_back(candidate);
  }
  paths = Narrowed(std::move(paths), trace, frame);
  if (paths.size() == 1) return paths[0];
  *several = std::move(paths);
  return "";
}

LoggedFiles::Paths LoggedFiles::Narrowed(Paths paths, const Trace& trace, const Frame& frame) const {
  const auto narrow = [&paths](Paths some) {
    if (!some.empty()) paths = std::move(some);
  };
  if (paths.size() > 1) narrow(WithLine(paths, frame));
  if (paths.size() > 1 && !trace.folder.empty()) narrow(InFolder(paths, trace.folder));
  if (paths.size() > 1) narrow(OfFramesBeside(paths, trace, frame));
  if (paths.size() > 1) narrow(InCommand(paths));
  if (paths.size() > 1) narrow(WithTest(paths, trace, frame));
  return paths;
}

// Nothing fails in a blank line.
LoggedFiles::Paths LoggedFiles::WithLine(const Paths& paths, const Frame& frame) const {
  Paths some;
  for (const std::string& path : paths) {
    const SeenLines* lines = view_.LinesOf(path);
    const auto line = lines == nullptr ? SeenLines::const_iterator() : lines->find(frame.line);
    if (lines == nullptr || line == lines->end() || line->second.text.find_first_not_of(" \t") != std::string::npos) some.push_back(path);
  }
  return some;
}

// That with which the folder's path, another machine's or a module's, ends; that at the top where it ends with none of the repository's.
LoggedFiles::Paths LoggedFiles::InFolder(const Paths& paths, const std::string& folder) const {
  std::string_view rest = folder;
  for (; !rest.empty(); rest = rest.find('/') == rest.npos ? std::string_view() : rest.substr(rest.find('/') + 1))
    if (view_.HasFolder(rest)) break;
  Paths some;
  for (const std::string& path : paths)
    if (FolderName(path) == rest) some.push_back(path);
  return some;
}

// "./folder/..." or "-C folder".
LoggedFiles::Paths LoggedFiles::InCommand(const Paths& paths) const {
  static const RE2 word(R"(([\w./@+-]+))");
  Paths some;
  re2::StringPiece rest(log_.command);
  std::string text;
  while (RE2::FindAndConsume(&rest, word, &text)) {
    if (text.ends_with("/...")) text.resize(text.size() - 4);
    const std::string folder = Normal(text);
    if (folder.empty() || !view_.HasFolder(folder)) continue;
    for (const std::string& path : paths)
      if (path.starts_with(folder + "/") && std::find(some.begin(), some.end(), path) == some.end()) some.push_back(path);
  }
  return some;
}

// Another frame of the same failure gives the file's path, or in Go that of one beside it.
LoggedFiles::Paths LoggedFiles::OfFramesBeside(const Paths& paths, const Trace& trace, const Frame& frame) const {
  Paths some;
  size_t longest = 0;
  for (const Trace& other : log_.traces) {
    if (&other != &trace && (trace.test.empty() || other.test != trace.test)) continue;
    for (const Frame& one : other.frames) {
      const std::string full = Normal(one.file);
      if (full.find('/') == full.npos || (BaseName(full) != BaseName(frame.file) && !full.ends_with(".go"))) continue;
      for (const std::string& path : paths) {
        const std::string_view folder = FolderName(path), said = FolderName(full);
        if (folder.empty() || folder.size() < longest || !(said == folder || said.ends_with("/" + std::string(folder)))) continue;
        if (folder.size() > longest) some.clear();
        longest = folder.size();
        if (std::find(some.begin(), some.end(), path) == some.end()) some.push_back(path);
      }
    }
  }
  return some;
}

// Where the test is defined, as far as was seen.
LoggedFiles::Paths LoggedFiles::WithTest(const Paths& paths, const Trace& trace, const Frame& frame) const {
  const std::string test = trace.test.substr(0, trace.test.find('/'));
  Paths some;
  if (test.empty()) return some;
  for (const std::string& path : paths)
    if (const SeenLines* lines = view_.LinesOf(path))
      for (auto at = lines->begin(); at != lines->end() && at->first <= frame.line; ++at)
        if (at->second.text.find(test) != std::string::npos)
          if (const auto defined = DefinedOn(path, at->second.text); defined && defined->name == test) {
            some.push_back(path);
            break;
          }
  return some;
}

void AskForUnclear(const std::vector<UnclearFile>& unclear, CallQueue* queue) {
  for (const UnclearFile& one : unclear)
    for (size_t i = 0; i < one.paths.size() && i < kMaxUnclearRead && one.line > 0; ++i) queue->ReadFrom(one.paths[i], std::max<int64_t>(1, one.line - kLinesAbove), kLinesAbove + 5);
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
