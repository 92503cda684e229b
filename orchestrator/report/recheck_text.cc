#include "orchestrator/report/recheck_text.h"

#include <algorithm>

#include "base/text.h"
#include "orchestrator/report/findings_text.h"

namespace paddock::orchestrator {
namespace {

using subagents::Verification;

std::string Lines(int64_t first, int64_t last) { return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last); }

std::string PlaceOf(const RecheckedCitation& one, const TextStyle& style) {
  std::string place = PathInLine(one.path, style.width - 40) + ":" + Lines(one.line_start, one.line_end);
  if (one.moved_to) place += " -> " + Lines(one.moved_to->line_start, one.moved_to->line_end);
  return place;
}

std::string WordFor(const RecheckedCitation& one) { return one.moved_to ? "moved" : NameOf(one.now); }

}  // namespace

std::string RecheckText(const Recheck& recheck, const TextStyle& style) {
  std::string out;
  // A ticket may be anybody's, and so are its names: in quotes where they might read as more.
  const auto named = [](const std::string& text) { return text.empty() ? text : PathInLine(text, 60); };
  AddParagraph(&out, named(recheck.subagent) + (recheck.subagent.empty() ? "" : " ") + named(recheck.ticket) + ": " + VerifiedText(recheck.verified, recheck.citations) +
                         (recheck.citations == 0 ? "" : "; when it was made, " + std::to_string(recheck.verified_before)) + ", in " + recheck.repository, "", style.width);
  // As they were is nothing to tell, but for what never held.
  size_t width = 0;
  const auto told = [](const RecheckedCitation& one) { return one.now != Verification::kVerified || one.before != Verification::kVerified; };
  for (const RecheckedCitation& one : recheck.results)
    if (told(one)) width = std::max(width, Columns(PlaceOf(one, style)));
  width = std::min<size_t>(width, 48);
  if (width > 0) out += "\n";
  for (const RecheckedCitation& one : recheck.results) {
    if (!told(one)) continue;
    const std::string word = WordFor(one), place = PlaceOf(one, style);
    std::string line = word + std::string(14 - std::min<size_t>(word.size(), 12), ' ') + place + std::string(width > Columns(place) ? width - Columns(place) : 0, ' ');
    const std::string why = std::string("was ") + NameOf(one.before) + (one.note.empty() ? "" : ": " + VisibleText(one.note, Newlines::kEscape));
    if (Columns(line) + 2 + Columns(why) <= style.width) {
      out += line + "  " + why + "\n";
      continue;
    }
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
    AddParagraph(&out, why, std::string(14, ' '), style.width);
  }
  if (width > 0) out += "\n";
  for (const std::string& note : recheck.notes) AddParagraph(&out, note, "note: ", style.width);
  return out;
}

}  // namespace paddock::orchestrator
