#include "agentcore/context/compaction.h"

#include "agentcore/context/token_estimate.h"
#include "agentcore/pipeline/wrap.h"

namespace paddock::agentcore {
namespace {

constexpr char kSystem[] =
    "You keep the notes of an investigation of a software repository. You are shown what was said and called in some of its turns. "
    "Call the tool notes, once: write down what these turns confirmed about the goal, what is still open, and what was done and need "
    "not be done again. Keep paths, line numbers, names and commands exactly. Add nothing that is not there. Facts that are among the "
    "notes already need not be said again.";

std::string Said(const std::vector<TurnDigest>& turns) {
  std::string text;
  for (const TurnDigest& turn : turns) text += "Turn " + std::to_string(turn.turn) + ":\n" + turn.text;
  return text;
}

}  // namespace

ModelRequest NotesRequest(const std::string& goal, const Memory& memory, const std::vector<TurnDigest>& turns, const std::string& why) {
  ModelRequest request;
  request.system = std::string(kSystem) + kUntrustedNote;
  request.goal = goal;
  request.memory = memory.Text();
  request.context = "Turns to be written down:\n" + Wrap(Said(turns), "turns", "");
  request.report = {kNotesTool,
                    "Use: write down what the turns gave.\nParameters: facts (what they confirmed, one each), open_questions (what is still to be found out), done (what need not be "
                    "done again).\nNot for: anything that the turns don't say.\nExample: {\"facts\": [\"built with make, Makefile:3\"], \"open_questions\": [], \"done\": [\"searched for main() in src\"]}",
                    SchemaOf<Notes>()};
  request.notice = why.empty() ? "Call notes now." : "That was not accepted: " + why + ". Call notes again.";
  request.max_output_tokens = kMaxNotesTokens;
  return request;
}

Result<Notes> ReadNotes(const ModelTurn& answer, const std::vector<TurnDigest>& turns) {
  for (const ToolCall& call : answer.calls) {
    if (call.tool != kNotesTool) continue;
    if (!call.fault.empty()) return Fail(ErrorKind::kInvalid, call.fault);
    Notes notes = TRY(FromJson<Notes>(call.arguments));
    if (notes.facts.empty() && notes.done.empty() && notes.open_questions.empty()) return Fail(ErrorKind::kInvalid, "nothing was written down");
    if (EstimateTokens(DumpJson(ToJson(notes))) >= EstimateTokens(Said(turns))) return Fail(ErrorKind::kInvalid, "the notes are longer than the turns themselves");
    return notes;
  }
  return Fail(ErrorKind::kInvalid, "the answer held no call of notes");
}

}  // namespace paddock::agentcore
