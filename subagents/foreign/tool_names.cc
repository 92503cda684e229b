#include "subagents/foreign/tool_names.h"

#include <algorithm>

namespace paddock::subagents {
namespace {

constexpr char kCommands[] = "no commands are run";
constexpr char kWrites[] = "nothing is written";
constexpr char kNetwork[] = "there is no network";
constexpr char kSpawns[] = "a subagent sends no other agents";
constexpr char kLists[] = "paddock keeps no lists of tasks";
constexpr char kNobody[] = "nobody can be asked";
constexpr char kServers[] = "MCP servers are not started for subagents";

struct Row {
  const char* names;  // lower case, between bars
  const char* tools;  // ours, between spaces
  LossKind loss;
  const char* why;
};
constexpr Row kRows[] = {
    {"|read|read_file|notebookread|", "read_file", LossKind::kSetting, ""},
    {"|read_many_files|", "read_file list_files", LossKind::kSetting, ""},
    {"|grep|search_file_content|grep_search|search_text|", "search_text", LossKind::kSetting, ""},
    {"|glob|ls|list|list_directory|list_files|list_dir|", "list_files", LossKind::kSetting, ""},
    {"|lsp|outline|", "outline find_symbol", LossKind::kSetting, ""},
    {"|find_symbol|", "find_symbol", LossKind::kSetting, ""},
    {"|git_log|", "git_log", LossKind::kSetting, ""},
    {"|git_diff|", "git_diff", LossKind::kSetting, ""},
    {"|git_show|", "git_show", LossKind::kSetting, ""},
    {"|git_blame|", "git_blame", LossKind::kSetting, ""},
    // Who may run anything may look at history.
    {"|bash|shell|run_shell_command|exec|exec_command|local_shell|unified_exec|powershell|", "git_log git_diff git_show git_blame", LossKind::kTool,
     "no commands are run; git_log, git_diff, git_show and git_blame are there instead"},
    {"|bashoutput|killshell|killbash|taskoutput|taskstop|monitor|write_stdin|", "", LossKind::kTool, kCommands},
    {"|write|edit|multiedit|notebookedit|write_file|replace|patch|apply_patch|multi_edit|", "", LossKind::kTool, kWrites},
    {"|webfetch|websearch|web_fetch|web_search|google_web_search|codesearch|", "", LossKind::kTool, kNetwork},
    {"|task|agent|subagent|sendmessage|teamcreate|spawn_agent|delegate_to_agent|", "", LossKind::kTool, kSpawns},
    {"|todowrite|todoread|write_todos|taskcreate|taskupdate|tasklist|taskget|update_plan|", "", LossKind::kMissing, kLists},
    {"|skill|activate_skill|slashcommand|", "", LossKind::kMissing, "skills are not loaded"},
    {"|askuserquestion|question|ask_user|request_user_input|", "", LossKind::kMissing, kNobody},
    {"|exitplanmode|enterplanmode|plan_enter|plan_exit|enterworktree|exitworktree|save_memory|memory|toolsearch|doom_loop|external_directory|view_image|", "", LossKind::kMissing,
     "paddock has no such thing"},
    {"|listmcpresourcestool|readmcpresourcetool|", "", LossKind::kTool, kServers},
};

// Commands of which ours do the same.
constexpr Row kCommandRows[] = {
    {"|git log|git shortlog|git rev-list|git whatchanged|", "git_log", LossKind::kSetting, ""},
    {"|git diff|git status|", "git_diff", LossKind::kSetting, ""},
    {"|git show|", "git_show", LossKind::kSetting, ""},
    {"|git blame|git annotate|", "git_blame", LossKind::kSetting, ""},
    {"|git ls-files|git ls-tree|ls|find|tree|fd|", "list_files", LossKind::kSetting, ""},
    {"|git grep|grep|rg|egrep|fgrep|ag|ack|", "search_text", LossKind::kSetting, ""},
    {"|cat|head|tail|less|more|bat|", "read_file", LossKind::kSetting, ""},
    {"|ctags|", "outline find_symbol", LossKind::kSetting, ""},
    {"|git|", "git_log git_diff git_show git_blame", LossKind::kTool, "of git only what reads: git_log, git_diff, git_show and git_blame"},
};

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? std::string() : std::string(text.substr(begin, end + 1 - begin));
}

std::vector<std::string> Split(std::string_view words) {
  std::vector<std::string> out;
  for (size_t begin = words.find_first_not_of(' '); begin != words.npos;) {
    const size_t end = std::min(words.find(' ', begin), words.size());
    out.emplace_back(words.substr(begin, end - begin));
    begin = words.find_first_not_of(' ', end);
  }
  return out;
}

template <size_t N>
const Row* Find(const Row (&rows)[N], const std::string& name) {
  if (name.empty()) return nullptr;
  for (const Row& row : rows)
    if (std::string_view(row.names).find("|" + name + "|") != std::string_view::npos) return &row;
  return nullptr;
}

ToolMeaning Of(const Row& row) { return {Split(row.tools), row.loss, row.why}; }

}  // namespace

const std::vector<std::string>& AllTools() {
  static const std::vector<std::string> kAll = {"list_files", "read_file", "search_text", "git_log", "git_diff", "git_show", "git_blame", "outline", "find_symbol"};
  return kAll;
}

bool IsCommandTool(std::string_view name) {
  const Row* row = Find(kRows, Lower(name));
  return row != nullptr && std::string_view(row->names).starts_with("|bash|");
}

ToolMeaning MeaningOfCommand(std::string_view pattern) {
  // `git log:*`, `git log *` and `git log*` are git log with anything behind it.
  std::string command = Trimmed(pattern);
  while (!command.empty() && (command.back() == '*' || command.back() == ':' || command.back() == ' ')) command.pop_back();
  const std::vector<std::string> words = Split(command);
  if (command.empty() || command.find_first_of("*?;&|<>$`()\"'\\\n") != command.npos) return {{}, LossKind::kTool, kCommands};
  size_t named = words.size() > 1 && words[0] == "git" ? 2 : 1;
  const std::string name = named == 2 ? "git " + words[1] : words[0];
  // What else it is limited to can't be kept, and looking at more than was allowed would be wider.
  for (size_t i = named; i < words.size(); ++i)
    if (!words[i].starts_with('-')) return {{}, LossKind::kTool, "what it is limited to can't be kept"};
  if (const Row* row = Find(kCommandRows, name)) return Of(*row);
  return {{}, LossKind::kTool, kCommands};
}

ToolMeaning MeaningOfTool(std::string_view name) {
  if (name == "*" || Lower(name) == "all" || Lower(name) == "all tools") return {AllTools(), LossKind::kTool, "of all tools those that look"};
  const std::string lower = Lower(name);
  if (lower.starts_with("mcp__") || lower.starts_with("mcp_") || lower.find("__") != lower.npos) return {{}, LossKind::kTool, kServers};
  const size_t open = lower.find('(');
  if (open == lower.npos) {
    const Row* row = Find(kRows, lower);
    return row && lower.find(' ') == lower.npos ? Of(*row) : ToolMeaning{{}, LossKind::kUnknown, "nobody knows such a tool"};
  }
  const std::string base = Trimmed(std::string_view(lower).substr(0, open));
  const Row* row = base.find(' ') == base.npos ? Find(kRows, base) : nullptr;
  if (row == nullptr) return {{}, LossKind::kUnknown, "nobody knows such a tool"};
  if (!lower.ends_with(')')) return {{}, LossKind::kUnknown, "a bracket that is not closed"};
  const std::string inside = Trimmed(name.substr(open + 1, name.size() - open - 2));
  if (inside.empty() || inside == "*" || inside == "**") return Of(*row);
  if (IsCommandTool(base)) return MeaningOfCommand(inside);
  if (std::string_view(row->tools).empty()) return Of(*row);
  return {{}, LossKind::kMissing, "what it is limited to can't be kept"};
}

}  // namespace paddock::subagents
