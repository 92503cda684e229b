#include "orchestrator/cli/lint_subagents.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "agentcore/context/token_estimate.h"
#include "base/fields.h"
#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/foreign_agents.h"
#include "orchestrator/cli/offered_subagents.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/delegation/tool_needs.h"

namespace paddock::orchestrator {
namespace {

using subagents::DefinitionFault;
using subagents::DefinitionFormat;
using subagents::Loss;
using subagents::LossKind;

constexpr size_t kManyTokens = 4000;  // of a prompt, which is sent with each question

struct Linted {
  std::string name, source, file;
  bool usable = true, trusted = true;
  std::string profile;
  std::vector<std::string> tools;
  int64_t turns = 0, seconds = 0, bytes = 0;
  std::string sha256;
  std::vector<Loss> losses;
  std::vector<DefinitionFault> faults;
  std::vector<std::string> warnings;
};
inline auto Fields(FieldsOf<Linted>) {
  using L = Linted;
  return std::make_tuple(Required("name", &L::name, "or empty"), Required("source", &L::source, "yours, home, repository or file"), Required("file", &L::file, "where it stands"),
                         Required("usable", &L::usable, "it can be sent, where it is trusted"), Required("trusted", &L::trusted, "false: one of a repository that is not trusted as it is"),
                         Required("profile", &L::profile, "of its jail"), Required("tools", &L::tools, "on offer to it"), Required("turns", &L::turns, "of its model"),
                         Required("seconds", &L::seconds, "wall time"), Required("bytes", &L::bytes, "of the file"), Required("sha256", &L::sha256, "of the file"),
                         Required("losses", &L::losses, "what is not carried over"), Required("faults", &L::faults, "why it can't be used"),
                         Required("warnings", &L::warnings, "what somebody should look at"));
}

struct Lint {
  std::string schema = "paddock/subagents-lint/1";
  std::vector<Linted> definitions;
  std::vector<std::string> warnings, remarks;
  int64_t with_faults = 0, with_warnings = 0;
};
inline auto Fields(FieldsOf<Lint>) {
  using L = Lint;
  return std::make_tuple(Required("schema", &L::schema, "paddock/subagents-lint/1"), Required("definitions", &L::definitions, "all that were found"),
                         Required("warnings", &L::warnings, "of no single one"), Required("remarks", &L::remarks, "what was not looked at, and why"),
                         Required("with_faults", &L::with_faults, "how many can't be used"), Required("with_warnings", &L::with_warnings, "how many of the others have warnings"));
}

// "/path/x.md:4: what" without its file.
DefinitionFault FaultOf(const Error& error, const std::string& path) {
  std::string_view message = error.message;
  const std::string shown = VisibleText(path, Newlines::kEscape) + ":";
  DefinitionFault fault;
  if (message.starts_with(shown)) {
    message.remove_prefix(shown.size());
    auto [end, bad] = std::from_chars(message.data(), message.data() + message.size(), fault.line);
    if (bad == std::errc()) message.remove_prefix(static_cast<size_t>(end - message.data()));
    message.remove_prefix(std::min(message.find_first_not_of(": "), message.size()));
  }
  fault.message = std::string(message) + (error.hint.empty() ? "" : "; " + error.hint);
  return fault;
}

void WarnOfSize(const std::string& prompt, std::vector<std::string>* warnings) {
  const size_t tokens = static_cast<size_t>(agentcore::EstimateTokens(prompt));
  if (tokens > kManyTokens) warnings->push_back("its prompt is long: about " + std::to_string(tokens) + " tokens with each question to a model");
}

void LintOwn(std::vector<Linted>* out) {
  const std::string folder = ConfigFolder() + "/subagents";
  const std::vector<std::string> tools = AllTools();
  for (const std::string& name : OwnDefinitionNames()) {
    Linted one;
    one.name = name;
    one.source = "yours";
    one.file = folder + "/" + name + ".md";
    auto definition = FindDefinition(name, tools);
    if (!definition) {
      one.faults.push_back(FaultOf(definition.error(), one.file));
    } else {
      one.tools = definition->tools;
      one.profile = definition->profile;
      one.turns = definition->budget.turns;
      one.seconds = definition->budget.seconds;
      WarnOfSize(definition->prompt, &one.warnings);
      std::vector<sandbox::ProfileWarning> warnings;
      auto profile = CellProfile(definition->profile, "", &warnings, nullptr);
      if (!profile) one.faults.push_back({0, "profile " + definition->profile + ": " + profile.error().message});
      else if (auto fits = ToolsFit(definition->tools, *profile); !fits) one.faults.push_back({0, fits.error().message + "; " + fits.error().hint});
      for (std::string& note : sandbox::NotesOf(warnings)) one.warnings.push_back(std::move(note));
    }
    out->push_back(std::move(one));
  }
  DIR* names = opendir(folder.c_str());
  if (names == nullptr) return;
  const std::vector<std::string> known = OwnDefinitionNames();
  while (const dirent* entry = readdir(names)) {
    const std::string file = entry->d_name;
    if (!file.ends_with(".md") || std::find(known.begin(), known.end(), file.substr(0, file.size() - 3)) != known.end()) continue;
    Linted one;
    one.source = "yours";
    one.file = folder + "/" + PathToText(file);
    one.faults.push_back({0, "the name of the file: expected 1 to 64 characters of a-z, 0-9 and -, and .md"});
    out->push_back(std::move(one));
  }
  closedir(names);
}

Linted LintOf(const ForeignAgent& agent, const std::string& source) {
  Linted one;
  const CarriedOver& what = agent.what;
  one.name = what.definition.name;
  one.source = source;
  one.file = agent.file;
  one.trusted = agent.trusted;
  one.profile = what.definition.profile;
  one.tools = what.definition.tools;
  one.turns = what.definition.budget.turns;
  one.seconds = what.definition.budget.seconds;
  one.bytes = static_cast<int64_t>(what.bytes);
  one.sha256 = what.sha256;
  one.losses = what.losses;
  one.faults = what.faults;
  if (!agent.clash.empty()) one.warnings.push_back("its name is taken by " + agent.clash + ", and that one is used");
  for (const Loss& loss : what.losses) {
    if (loss.kind == LossKind::kWider || loss.kind == LossKind::kTool) one.warnings.push_back("asks for more than there is: " + loss.what);
    if (loss.kind == LossKind::kUnknown) one.warnings.push_back(loss.what + ": " + loss.why);
  }
  if (what.usable()) WarnOfSize(what.definition.prompt, &one.warnings);
  return one;
}

void Take(ForeignAgents found, const std::string& source, Lint* lint) {
  for (const ForeignAgent& one : found.agents) lint->definitions.push_back(LintOf(one, source));
  for (auto& one : found.remarks) lint->remarks.push_back(std::move(one));
  for (auto& one : found.warnings) lint->warnings.push_back(std::move(one));
}

bool IsFolder(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// A folder of agents itself, by its name.
bool IsAgentsFolder(const std::string& path) { return path.ends_with("/agents") || path.ends_with("/agent"); }

// Files, or a folder of agents: as they stand, trusted or not.
Status LintPlace(CellSupply* cells, const std::string& folder, const std::string& name, Lint* lint) {
  auto workspace = sandbox::ResolveWorkspace(folder, {sandbox::HomeFolders(), ""});
  if (!workspace) return Fail(workspace.error().kind, workspace.error().message, "put the file into a folder of its own");
  const CellAccess access = TRY(cells->Get());
  const std::string whole = name == "." ? workspace->path + "/" : workspace->path + "/" + name;
  const auto found = TRY(ReadDefinitions(access, *workspace, {{name == "." ? name : PathToText(name), subagents::FormatOfPath(whole)}}));
  if (found.files.empty()) return Fail(ErrorKind::kNotFound, "no definition in " + PathToText(whole), found.incomplete.empty() ? "" : found.incomplete.front());
  const CarryRules rules{AllTools(), true};
  for (const subagents::ForeignDefinition& file : found.files) {
    ForeignAgent one;
    one.what = CarryOver(file, rules);
    one.file = PathToText(workspace->path) + "/" + one.what.path;
    lint->definitions.push_back(LintOf(one, "file"));
  }
  for (const std::string& why : found.incomplete) lint->warnings.push_back(PathToText(workspace->path) + ": " + why);
  return {};
}

// The user's own, those in the home, those of the repository.
Status LintAll(CellSupply* cells, const std::string& repository, bool named, Lint* lint) {
  LintOwn(&lint->definitions);
  auto taken = TakenNames();
  auto workspace = sandbox::ResolveWorkspace(repository, {sandbox::HomeFolders(), ""});
  if (!workspace && named) return std::unexpected(workspace.error());
  ForeignAgents home = HomeAgents(cells, workspace ? workspace->path : "");
  SettleNames(&taken, &home.agents);
  Take(std::move(home), "home", lint);
  if (!workspace) {
    lint->remarks.push_back("no repository was looked at: " + workspace.error().message);
    return {};
  }
  ForeignAgents own = TRY(RepositoryAgents(cells, *workspace));
  SettleNames(&taken, &own.agents);
  Take(std::move(own), "repository", lint);
  return {};
}

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string TextOf(const Lint& lint) {
  std::string text;
  for (const Linted& one : lint.definitions) {
    const std::string state = !one.usable ? "not usable" : !one.trusted ? "usable once trusted: paddock trust add" : "usable";
    text += (one.name.empty() ? "(no name)" : one.name) + "  " + one.file + "  " + state + "\n";
    for (const DefinitionFault& fault : one.faults) text += "    " + one.file + (fault.line > 0 ? ":" + std::to_string(fault.line) : "") + ": " + fault.message + "\n";
    for (const std::string& warning : one.warnings) text += "    warning: " + warning + "\n";
    if (one.usable) text += "    tools " + Joined(one.tools) + "; profile " + one.profile + ", " + std::to_string(one.turns) + " turns, " + std::to_string(one.seconds) + " s\n";
    for (const Loss& loss : one.losses)
      if (one.usable && loss.kind != LossKind::kUnknown) text += "    not carried over" + (loss.line > 0 ? ", line " + std::to_string(loss.line) : "") + ": " + loss.what + ": " + loss.why + "\n";
  }
  for (const std::string& warning : lint.warnings) text += "warning: " + warning + "\n";
  for (const std::string& remark : lint.remarks) text += "note: " + remark + "\n";
  const size_t all = lint.definitions.size();
  text += std::to_string(all) + (all == 1 ? " definition: " : " definitions: ") + std::to_string(static_cast<int64_t>(all) - lint.with_faults) + " usable, " + std::to_string(lint.with_warnings) + " of them with warnings, " +
          std::to_string(lint.with_faults) + " not usable\n";
  return VisibleText(text, Newlines::kKeep);
}

}  // namespace

int RunSubagentsLint(const LintOptions& options) {
  auto cancel = StopDescriptor();
  if (!cancel) return PrintError(cancel.error()), kExitInternal;
  auto config = LoadConfig();
  if (!config) return PrintError(config.error()), kExitUsage;
  CellSupply cells;
  cells.Setup(config->jail_uid, *cancel);
  Lint lint;
  Status done;
  if (options.paths.empty()) done = LintAll(&cells, ".", false, &lint);
  for (const std::string& path : options.paths) {
    std::string clean = path;
    while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
    const size_t slash = clean.rfind('/');
    if (IsFolder(clean)) done = IsAgentsFolder("/" + clean) ? LintPlace(&cells, clean, ".", &lint) : LintAll(&cells, clean, true, &lint);
    else done = LintPlace(&cells, slash == std::string::npos ? "." : clean.substr(0, std::max<size_t>(slash, 1)), clean.substr(slash == std::string::npos ? 0 : slash + 1), &lint);
    if (!done) break;
  }
  if (!done) return PrintError(done.error()), done.error().kind == ErrorKind::kInvalid || done.error().kind == ErrorKind::kNotFound ? kExitUsage : kExitFailedToStart;
  for (Linted& one : lint.definitions) {
    one.usable = one.faults.empty();
    lint.with_faults += !one.usable;
    lint.with_warnings += one.usable && !one.warnings.empty();
  }
  if (!PrintAll(1, options.json ? DumpJson(ToJson(lint)) + "\n" : TextOf(lint))) return kExitInternal;
  return lint.with_faults > 0 ? 2 : lint.with_warnings > 0 || !lint.warnings.empty() ? 1 : 0;
}

}  // namespace paddock::orchestrator
