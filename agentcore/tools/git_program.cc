#include "agentcore/tools/git_program.h"

#include <algorithm>

#include "agentcore/tools/hidden_names.h"
#include "agentcore/tools/tool_programs.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kMaxRevision = 256;

std::vector<std::string> Environment(const GitFolder& folder, bool files) {
  std::vector<std::string> own = {"GIT_DIR=" + folder.path(), "HOME=" + folder.path(), "XDG_CONFIG_HOME=" + folder.path(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
                                  "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                                  "GIT_PAGER=cat", "PAGER=cat", "GIT_EDITOR=false", "GIT_ASKPASS=false", "GIT_SSH_COMMAND=false", "LC_ALL=C", "LANGUAGE=", "TZ=UTC0"};
  if (files) {
    own.push_back("GIT_WORK_TREE=.");
    own.push_back("GIT_INDEX_FILE=" + folder.index());
  }
  return EnvironmentWith(std::move(own), "GIT_");
}

// What it died of, before what it warned of.
std::string FirstLine(const std::string& text) {
  size_t begin = text.find_first_not_of("\n ");
  for (const char* word : {"fatal: ", "error: "})
    if (const size_t at = text.find(word); at != text.npos && (at == 0 || text[at - 1] == '\n')) {
      begin = at;
      break;
    }
  if (begin == text.npos) return "it gave no reason";
  return VisibleText(TruncateUtf8(text.substr(begin, text.find('\n', begin) - begin), 300), Newlines::kEscape);
}

// git's own words for what is not there.
bool SaysNotThere(const std::string& text) {
  for (const char* words : {"bad revision", "unknown revision", "ambiguous argument", "no such path", "bad object", "Not a valid object name", "has only", "no merge base"})
    if (text.find(words) != text.npos) return true;
  return false;
}

std::vector<std::string> LookAtLog() { return {CallText("git_log", Json{{"limit", 20}})}; }

}  // namespace

ToolOutcome<Git> Git::Open(const ToolContext& context, const std::string& path) {
  GitFolder folder = TRY(GitFolder::Make(context, path));
  std::string file = FindProgram("git");
  if (file.empty()) return std::unexpected(NoProgram(ProgramsOf("git_log").front()));
  UniqueFd work = TRY(OpenFolder(context.root_fd, folder.work(), Links::kNever));
  return Git(std::move(folder), std::move(file), std::move(work), context);
}

ToolOutcome<ProgramEnd> Git::Try(GitQuestion question) const {
  ProgramOrder order;
  order.file = file_;
  order.arguments = {"--no-pager", "--no-replace-objects", "--no-optional-locks"};
  if (!question.files) order.arguments.push_back("--bare");
  const auto add = [&](std::string word) { order.arguments.push_back(std::move(word)); };
  for (std::string& one : question.words) add(std::move(one));
  if (!question.revisions.empty()) add("--end-of-options");
  for (std::string& one : question.revisions) add(std::move(one));
  const std::string path = InRepository(question.path);
  if (!question.revisions.empty() || path != "." || !question.without.empty()) add("--");
  // gitglossary(7), pathspec.
  if (path != ".") add(":(literal)" + path);
  for (const std::string& one : question.without) add(":(exclude,literal)" + one);
  order.environment = Environment(folder_, question.files);
  order.folder_fd = work_fd_.get();
  order.max_output = question.max_output;
  order.deadline = context_.deadline.Earlier(question.deadline);
  auto end = RunProgram(order);
  if (end) return *std::move(end);
  if (IsOutOfDescriptors(end.error().sys_errno)) return std::unexpected(OutOfDescriptors("git could not be started", end.error().sys_errno));
  return std::unexpected(ToolError{ToolStatus::kFailed, "git could not be started: " + end.error().message,
                                   "go on without the history; the profile's system calls must allow @process, as in read-only-tools", LookAtLog()});
}

std::optional<ToolError> Git::FaultOf(const ProgramEnd& end) {
  if (end.timed_out && end.output.empty()) return TooSlow();
  if (end.exit_status == 0 || end.cut || end.timed_out) return std::nullopt;
  if (end.signal) return ToolError{ToolStatus::kFailed, "git was ended by signal " + std::to_string(end.signal), "ask for less at once: a path, fewer commits", LookAtLog()};
  if (end.error.find("Too many open files") != std::string::npos) return OutOfDescriptors("git: " + FirstLine(end.error), EMFILE);
  const bool missing = SaysNotThere(end.error);
  return ToolError{missing ? ToolStatus::kNotFound : ToolStatus::kFailed, "git: " + FirstLine(end.error),
                   missing ? "use a revision or path that git_log names" : "go on without this part of the history, and say so", LookAtLog()};
}

ToolOutcome<ProgramEnd> Git::Ask(GitQuestion question) const {
  ProgramEnd end = TRY(Try(std::move(question)));
  if (auto fault = FaultOf(end)) return std::unexpected(*std::move(fault));
  return end;
}

std::string Git::Note() const { return work() == "." ? "" : "\nThis is the history of the repository in " + QuotedPath(work()) + ", which lies inside the other."; }

std::string Git::InWorkspace(const std::string& path) const { return path == "." ? work() : JoinPath(work(), path); }

std::string Git::InRepository(const std::string& path) const {
  if (work() == ".") return path;
  return path.size() > work().size() ? path.substr(work().size() + 1) : ".";
}

bool Git::Hides(const std::string& path) const {
  return context_.hidden && (context_.hidden->Hides(path, false) || (work() != "." && context_.hidden->Hides(InWorkspace(path), false)));
}

ToolOutcome<void> CheckRevision(std::string_view field, std::string_view text, bool range) {
  const auto bad = [&](const std::string& why) {
    return std::unexpected(ToolError{ToolStatus::kInvalidArguments, "$." + std::string(field) + ": \"" + VisibleText(TruncateUtf8(text, 80), Newlines::kEscape) + "\" " + why,
                                     "for example HEAD, HEAD~3, main, v1.2 or the id of a commit" + std::string(range ? ", or a range such as v1.2..HEAD" : ""),
                                     {CallText("git_log", Json{{"revision", "HEAD"}, {"limit", 20}})}});
  };
  if (text.empty()) return bad("names no commit");
  if (text.size() > kMaxRevision) return bad("is longer than " + std::to_string(kMaxRevision) + " bytes");
  if (text.front() == '-' || text.front() == '^') return bad("begins with \"" + std::string(1, text.front()) + "\", which is no beginning of a name");
  // A path (a:b), a search (:/text, ^{/text}), a reflog (@{1}), a pattern; bytes that no reference has (git-check-ref-format(1)).
  if (text.find_first_of(std::string_view(":{}*?[\\ \t\r\n\0", 13)) != text.npos || !IsValidUtf8(text)) return bad("has characters that no name of a commit has");
  for (std::string_view rest = text; !rest.empty();) {
    char32_t point = 0;
    const size_t n = DecodeUtf8(rest, &point);
    if (n == 0 || IsInvisible(point)) return bad("has characters that no name of a commit has");
    rest.remove_prefix(n);
  }
  const size_t dots = text.find("..");
  if (dots == text.npos) return {};
  const size_t after = dots + (text.substr(dots).starts_with("...") ? 3 : 2);
  if (!range) return bad("is a range, and one commit is wanted");
  if (text.find("..", after) != text.npos || (after < text.size() && (text[after] == '-' || text[after] == '^'))) return bad("is no range of two commits");
  return {};
}

ToolError TooSlow() {
  return {ToolStatus::kTimeout, "the deadline passed before git had found anything", "ask for less at once: one file, a later revision", LookAtLog(), true};
}

std::vector<std::string> DiffOptions() {
  return {"--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "-M", "-l400"};
}

std::vector<std::string> PlainOptions() {
  std::vector<std::string> options = DiffOptions();
  for (const char* one : {"--encoding=none", "--no-show-signature", "--no-notes", "--no-decorate", "--no-mailmap"}) options.push_back(one);
  return options;
}

}  // namespace paddock::agentcore
