#include "orchestrator/cli/subagents.h"

#include <algorithm>

#include "agentcore/context/token_estimate.h"
#include "agentcore/context/transcript.h"
#include "agentcore/pipeline/wrap.h"
#include "base/fields.h"
#include "base/text.h"
#include "orchestrator/cli/config.h"
#include "orchestrator/cli/exit_codes.h"
#include "orchestrator/cli/foreign_agents.h"
#include "orchestrator/cli/print.h"
#include "orchestrator/cli/surroundings.h"
#include "orchestrator/cli/stop_signals.h"
#include "orchestrator/delegation/subagent_conversation.h"
#include "orchestrator/delegation/tool_needs.h"
#include "orchestrator/providers/request_text.h"
#include "orchestrator/report/text_style.h"
#include "subagents/builtin.h"

namespace paddock::orchestrator {
namespace {

struct ListedSubagent {
  std::string name, purpose, profile, model;
  std::vector<std::string> tools;
  int64_t turns = 0, seconds = 0;
  bool shipped = true, usable = true, trusted = true;
  std::string source = "paddock", file;
  std::string error, hint;
};
inline auto Fields(FieldsOf<ListedSubagent>) {
  using S = ListedSubagent;
  return std::make_tuple(Required("name", &S::name, "what paddock investigate takes"), Required("purpose", &S::purpose, "when to delegate to it"),
                         Required("profile", &S::profile, "of its jail"), Required("model", &S::model, "empty: whatever the caller uses"),
                         Required("tools", &S::tools, "on offer to it"), Required("turns", &S::turns, "of its model, the report included"),
                         Required("seconds", &S::seconds, "wall time"), Required("shipped", &S::shipped, "comes with paddock"),
                         Required("usable", &S::usable, "it can be sent"), Required("trusted", &S::trusted, "false: one of a repository that is not trusted as it is"),
                         Required("source", &S::source, "paddock, yours, home or repository"), Required("file", &S::file, "of another tool, or empty"), Required("error", &S::error, "why not, or empty"),
                         Required("hint", &S::hint, "what to do, or empty"));
}

struct ShownTool {
  std::string name, description;
  Json parameters;
  int64_t tokens = 0;
};
inline auto Fields(FieldsOf<ShownTool>) {
  return std::make_tuple(Required("name", &ShownTool::name, "of the tool"), Required("description", &ShownTool::description, "as the model is told it"),
                         Required("parameters", &ShownTool::parameters, "JSON Schema of its arguments"), Required("tokens", &ShownTool::tokens, "estimate of all of it"));
}

struct ShownSubagent {
  std::string schema = "paddock/subagent/1";
  ListedSubagent definition;
  std::string system, first_message;
  std::vector<ShownTool> tools;
  int64_t tokens = 0;
};
inline auto Fields(FieldsOf<ShownSubagent>) {
  using S = ShownSubagent;
  return std::make_tuple(Required("schema", &S::schema, "paddock/subagent/1"), Required("definition", &S::definition, "as in the list"),
                         Required("system", &S::system, "the system prompt"), Required("first_message", &S::first_message, "the first words of the user's side"),
                         Required("tools", &S::tools, "on offer, the report among them"), Required("tokens", &S::tokens, "estimate of a first question without goal and context"));
}

std::string Visible(const std::string& text) { return VisibleText(text, Newlines::kKeep); }

// Its definition is sound, and its profile makes its tools possible.
Result<subagents::Definition> Usable(const std::string& name) {
  subagents::Definition definition = TRY(FindDefinition(name, AllTools()));
  TRY(ToolsFit(definition.tools, TRY(FindProfile(definition.profile)).profile));
  return definition;
}

ListedSubagent Listed(const std::string& name, bool shipped, const Result<subagents::Definition>& definition) {
  ListedSubagent one;
  one.name = name;
  one.shipped = shipped;
  one.source = shipped ? "paddock" : "yours";
  if (!definition) {
    one.usable = false;
    one.error = definition.error().message;
    one.hint = definition.error().hint;
    return one;
  }
  one.purpose = definition->purpose;
  one.profile = definition->profile;
  one.model = definition->model;
  one.tools = definition->tools;
  one.turns = definition->budget.turns;
  one.seconds = definition->budget.seconds;
  return one;
}

ListedSubagent Listed(const ForeignAgent& agent) {
  const CarriedOver& what = agent.what;
  ListedSubagent one = Listed(what.definition.name.empty() ? "(no name)" : what.definition.name, false, what.definition);
  one.source = agent.source == AgentSource::kHome ? "home" : "repository";
  one.file = agent.file;
  one.trusted = agent.trusted;
  one.usable = agent.usable();
  if (!what.usable()) {
    one.error = agent.file + (what.faults[0].line > 0 ? ":" + std::to_string(what.faults[0].line) : "") + ": " + what.faults[0].message;
  } else if (!agent.clash.empty()) {
    one.error = agent.file + ": its name is taken by " + agent.clash;
    one.hint = "give it another name";
  } else if (!agent.trusted) {
    one.error = agent.file + ": not trusted";
    one.hint = "paddock trust add shows what it is, and trusts it";
  }
  return one;
}

// "from ~/.claude/agents/x.md", or whose it is.
std::string WhoseText(const ListedSubagent& one) {
  if (one.shipped) return "";
  if (one.file.empty()) return ", your own";
  return ", from " + VisibleText(one.file, Newlines::kEscape) + (one.source == "repository" ? " of this repository, trusted" : "");
}

// Of other tools, where the command is told about a repository or stands in one. Errors are remarks on standard error.
ForeignAgents OtherTools(const std::string& repo, CellSupply* cells) {
  ForeignAgents out;
  auto cancel = StopDescriptor();
  auto config = LoadConfig();
  if (!cancel || !config) {
    out.remarks.push_back((cancel ? config.error() : cancel.error()).message);
    return out;
  }
  cells->Setup(config->jail_uid, *cancel);
  auto workspace = sandbox::ResolveWorkspace(repo, {sandbox::HomeFolders(), ""});
  if (!workspace && repo != ".") out.remarks.push_back(workspace.error().message);
  ForeignAgents home = HomeAgents(cells, workspace ? workspace->path : "");
  out.agents = std::move(home.agents);
  for (auto& one : home.remarks) out.remarks.push_back(std::move(one));
  if (workspace) {
    auto own = RepositoryAgents(cells, *workspace);
    if (!own) {
      out.remarks.push_back(own.error().message);
    } else {
      for (auto& one : own->agents) out.agents.push_back(std::move(one));
      for (auto& one : own->remarks) out.remarks.push_back(std::move(one));
      for (auto& one : own->warnings) out.remarks.push_back(std::move(one));
    }
  }
  auto taken = TakenNames();
  SettleNames(&taken, &out.agents);
  return out;
}

ShownSubagent ShownOf(const subagents::Definition& definition) {
  ShownSubagent shown;
  shown.definition = Listed(definition.name, true, definition);
  const std::vector<std::string> shipped = subagents::BuiltinDefinitionNames();
  shown.definition.shipped = std::find(shipped.begin(), shipped.end(), definition.name) != shipped.end();
  agentcore::ConversationSetup setup = SubagentConversation(definition, definition.tools);
  shown.system = setup.system + agentcore::kUntrustedNote;
  agentcore::ModelRequest request;
  request.goal = "(your goal)";
  request.max_turns = static_cast<int>(definition.budget.turns);
  shown.first_message = Dialogue(request).front().words;
  setup.tools.push_back(setup.report);
  shown.tokens = agentcore::EstimateTokens(shown.system) + agentcore::EstimateTokens(shown.first_message);
  for (const agentcore::ToolSpec& tool : setup.tools) {
    shown.tools.push_back({tool.name, tool.description, tool.parameters, agentcore::SizeOf(tool).tokens});
    shown.tokens += shown.tools.back().tokens;
  }
  return shown;
}

std::string TextOf(const ShownSubagent& shown) {
  const ListedSubagent& own = shown.definition;
  std::string text = own.name + "  " + Visible(own.purpose) + "\nprofile " + own.profile + ", " + Count(own.turns, "turn") + ", " + std::to_string(own.seconds) + " s" +
                     (own.model.empty() ? "" : ", model " + Visible(own.model)) + ", about " + std::to_string(shown.tokens) + " tokens before the goal\n";
  text += "\n── system prompt ──\n" + Visible(shown.system) + "\n\n── first message ──\n" + Visible(shown.first_message) + "\n";
  for (const ShownTool& tool : shown.tools) text += "\n── tool " + tool.name + " (about " + std::to_string(tool.tokens) + " tokens) ──\n" + Visible(tool.description) + "\nSchema: " + DumpJson(tool.parameters) + "\n";
  return text;
}

}  // namespace

int RunSubagentsList(const SubagentsOptions& options) {
  std::vector<ListedSubagent> list;
  for (const std::string& name : subagents::BuiltinDefinitionNames()) list.push_back(Listed(name, true, Usable(name)));
  for (const std::string& name : OwnDefinitionNames()) list.push_back(Listed(name, false, Usable(name)));
  CellSupply cells;
  const ForeignAgents others = OtherTools(options.repo, &cells);
  for (const ForeignAgent& one : others.agents) list.push_back(Listed(one));
  for (const std::string& remark : others.remarks) PrintError(Error{ErrorKind::kInvalid, remark, "", 0});
  if (options.json) return PrintAll(1, DumpJson(Json{{"schema", "paddock/subagents/1"}, {"subagents", ToJson(list)}}) + "\n") ? kExitCompleted : kExitInternal;
  size_t width = 0;
  for (const ListedSubagent& one : list) width = std::max(width, one.name.size());
  std::string text;
  for (const ListedSubagent& one : list) {
    const size_t columns = WidthOf(1);
    const std::string indent(width + 2, ' ');
    AddParagraph(&text, one.usable ? one.purpose : "not usable: " + VisibleText(one.error, Newlines::kEscape), one.name + std::string(width - one.name.size(), ' ') + "  ", columns);
    if (one.usable) AddParagraph(&text, Count(one.turns, "turn") + ", " + std::to_string(one.seconds) + " s, profile " + one.profile + WhoseText(one), indent, columns);
    else if (!one.hint.empty()) AddParagraph(&text, VisibleText(one.hint, Newlines::kEscape), indent, columns);
  }
  return PrintAll(1, text) ? kExitCompleted : kExitInternal;
}

int RunSubagentsShow(const SubagentsOptions& options) {
  if (options.name.empty()) return PrintError(Error{ErrorKind::kInvalid, "no subagent named", "for example: paddock subagents show explorer", 0}), kExitUsage;
  auto definition = Usable(options.name);
  CellSupply cells;
  if (!definition && definition.error().kind == ErrorKind::kNotFound) {
    const ForeignAgents others = OtherTools(options.repo, &cells);
    for (const ForeignAgent& one : others.agents)
      if (!definition && one.what.usable() && one.clash.empty() && one.what.definition.name == options.name) definition = one.what.definition;
    if (!definition && definition.error().hint.empty()) definition.error().hint = "paddock subagents list names those of other tools, too";
  }
  if (!definition) return PrintError(definition.error()), kExitUsage;
  const ShownSubagent shown = ShownOf(*definition);
  return PrintAll(1, options.json ? DumpJson(ToJson(shown)) + "\n" : TextOf(shown)) ? kExitCompleted : kExitInternal;
}

}  // namespace paddock::orchestrator
