#include "subagents/playbook/environment.h"

#include <algorithm>
#include <set>

#include "subagents/playbook/empty_submodules.h"
#include "subagents/playbook/file_kinds.h"
#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr int64_t kNotFound = 127;  // of a shell: there is no such program

// "thing.parts" of a repository with thing/ or src/thing/ isn't missing for want of an installation; nor is a header that is there.
bool IsOfRepository(const RepoView& view, const Lack& lack) {
  if (lack.kind == LackKind::kSubmodule) return UnseenSubmodule(view, lack.what).empty();
  if (lack.kind != LackKind::kDependency) return false;
  const std::string name(BaseName(lack.what));
  if (name.find('.') != name.npos && std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return BaseName(path) == name; })) return true;
  // Ruby's own are named without their extension, from one of its folders.
  if (lack.line.find("cannot load such file") != lack.line.npos)
    return std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return path == lack.what + ".rb" || path.ends_with("/" + lack.what + ".rb") || lack.what.ends_with("/" + path) || lack.what.ends_with("/" + path.substr(0, path.rfind('.'))); });
  const size_t dot = lack.what.find('.');
  if (dot == lack.what.npos || lack.line.find("No module named") == lack.line.npos) return false;
  const std::string top = lack.what.substr(0, dot);
  return view.HasFolder(top) || std::any_of(view.files().begin(), view.files().end(), [&](const std::string& path) { return path.starts_with(top + "/") || path.starts_with("src/" + top + "/"); });
}

// A package of Python's that lies at the top, or in src/; its distribution may have "-" where it has "_".
bool IsOwnPackage(const RepoView& view, const Lack& lack) {
  if (lack.kind != LackKind::kDependency || (lack.line.find("No module named") == lack.line.npos && lack.line.find("PackageNotFoundError") == lack.line.npos)) return false;
  std::string name = Lower(lack.what);
  std::replace(name.begin(), name.end(), '-', '_');
  for (const std::string folder : {"", "src/"})
    if (view.HasFile(folder + name + "/__init__.py") || view.HasFile(folder + name + ".py")) return true;
  return false;
}

// What it is once the repository and the command are known.
void Settle(const RepoView& view, const std::string& command, Lack* lack) {
  if (IsOwnPackage(view, *lack)) lack->kind = LackKind::kOwnPackage;
  // A module that the command names is asked for by it alone.
  if (lack->kind == LackKind::kDependency && !lack->what.empty() && command.find(lack->what) != command.npos) lack->kind = LackKind::kCommand;
  if (lack->kind != LackKind::kSubmodule) return;
  if (const std::string path = UnseenSubmodule(view, lack->what); !path.empty()) lack->what = path;
}

// The one that is the cause of the others: the first but for a network, without which the rest can't be there.
const Lack* Foremost(const std::vector<Lack>& lacks) {
  for (const Lack& lack : lacks)
    if (lack.kind == LackKind::kNetwork) return &lack;
  return lacks.empty() ? nullptr : &lacks[0];
}

// One suite, package or rule of several may have nothing to test; where the command failed all the same, that is not why.
bool SaysItOfAll(const LogFacts& log) {
  if (MatchesPart(log.untested, R"((?i)\bno tests? (?:were )?(?:ran|run|found|collected|executed)\b|\bno test (?:files|cases|suites) (?:were )?found|\bdeselected\b|tests? collected\b)")) return true;
  return std::any_of(log.last_lines.begin(), log.last_lines.end(), [&](const std::string& line) { return line.starts_with(log.untested); });
}

// An option of one plain command that makes a runner list its tests, or tell of itself, and no more.
std::string IdleOption(const std::string& command) {
  if (command.find_first_of(";&|") != command.npos) return "";
  if (auto option = FirstGroup(command, R"(\s(--version|--help|--collect-only|--co|--list|--list-tests|--listTests|--gtest_list_tests|--show-only)(?:[\s=]|$))")) return *option;
  return FirstGroup(command, R"(\bgo test\b.*\s(-list)[\s=])").value_or("");
}

}  // namespace

void SetLacksAside(const RepoView& view, LogFacts* log) {
  if (log->exit_status == kNotFound && log->lacks.empty()) log->lacks.push_back({LackKind::kProgram, "", "exit status 127", 0});
  if (log->lacks.empty()) return;
  for (Lack& lack : log->lacks) Settle(view, log->command, &lack);
  std::vector<bool> own;
  for (const Lack& lack : log->lacks) own.push_back(IsOfRepository(view, lack));
  const bool any = std::find(own.begin(), own.end(), false) != own.end();
  // The tests of which nothing else is told.
  std::set<std::string> lacking, failing;
  const auto lacks = [&](const Trace& trace) { return trace.lack >= 0 && !own[static_cast<size_t>(trace.lack)]; };
  for (const Trace& trace : log->traces)
    if (lacks(trace)) lacking.insert(trace.test);
    else if (trace.kind != TraceKind::kTest) failing.insert(trace.test);
  std::erase_if(log->traces, [&](const Trace& trace) {
    if (lacks(trace)) return true;
    if (trace.kind == TraceKind::kTest) return !trace.test.empty() && lacking.contains(trace.test) && !failing.contains(trace.test);
    // Of make's rules and the like, which fail as what they start does.
    return any && trace.kind == TraceKind::kWeak && std::none_of(trace.frames.begin(), trace.frames.end(), [](const Frame& frame) { return IsOwnSource(frame.file) || IsTestPath(frame.file); });
  });
  size_t n = 0;
  std::erase_if(log->lacks, [&](const Lack&) { return own[n++]; });
  for (Trace& trace : log->traces) trace.lack = -1;
}

bool OnlyLacks(const LogFacts& log) { return log.traces.empty() && !log.lacks.empty() && log.exit_status != 0; }

std::string UntestedBecause(const LogFacts& log, const std::string& named) {
  if (!log.traces.empty()) return "";
  if (!log.untested.empty() && (log.exit_status <= 0 || SaysItOfAll(log))) return "it says that it tested nothing: \"" + log.untested + "\"";
  const std::string option = IdleOption(!named.empty() && log.command.find(named) != log.command.npos ? named : log.command);
  return option.empty() ? "" : "with `" + option + "` it runs no test";
}

std::string NeedOf(const LogFacts& log) {
  const Lack* lack = Foremost(log.lacks);
  if (lack == nullptr) return "";
  std::string text;
  switch (lack->kind) {
    case LackKind::kNetwork: text = "it needs a network"; break;
    case LackKind::kDependency: text = "it needs " + (lack->what.empty() ? std::string("something") : "`" + lack->what + "`") + ", which is not installed there"; break;
    case LackKind::kOwnPackage: text = "it needs this repository's own package `" + lack->what + "`, which is not installed there"; break;
    case LackKind::kBuildFolder: text = "the build folder " + (lack->what.empty() ? std::string() : "`" + lack->what + "` ") + "was configured elsewhere"; break;
    case LackKind::kSubmodule: text = "the submodule `" + lack->what + "` is empty"; break;
    case LackKind::kCommand: text = "the command asks for `" + lack->what + "`, which is not known there"; break;
    case LackKind::kProgram: text = lack->what.empty() || lack->what.find(' ') != lack->what.npos ? "it needs a program that is not there" : "it needs the program `" + lack->what + "`, which is not there"; break;
  }
  return text + " (" + lack->line + (lack->number > 0 ? ", line " + std::to_string(lack->number) + " of the log)" : ")");
}

std::string RemedyOf(const LogFacts& log) {
  const Lack* lack = Foremost(log.lacks);
  if (lack == nullptr) return "";
  const std::string with_log = "run the tests where that is there, and give their output with --context-file FILE";
  switch (lack->kind) {
    case LackKind::kNetwork: return with_log + "; or name in the goal a failure that shows without a network (a command that fetches nothing first)";
    case LackKind::kDependency: return with_log + "; or install " + (lack->what.empty() ? std::string("what is missing") : lack->what) + " on the machine and run it again";
    case LackKind::kOwnPackage: return with_log + "; or install the repository itself first (python3 -m pip install -e .)";
    case LackKind::kBuildFolder: return "configure into a folder that is not there yet (cmake -S . -B another), build and test there, and give the output of a failing test with --context-file FILE";
    case LackKind::kSubmodule: return std::string("run `") + kFetchSubmodules + "`, which needs a network: " + lack->what + " is an empty submodule; then run the tests again";
    case LackKind::kCommand: return "name in the goal a command that runs the tests here (paddock investigate explorer \"how is it tested?\" names it), or install the plugin that takes that option; or give the output of a failing test with --context-file FILE";
    case LackKind::kProgram: return with_log + "; or install the program on the machine, or name a failure that shows without it";
  }
  return with_log;
}

}  // namespace paddock::subagents
