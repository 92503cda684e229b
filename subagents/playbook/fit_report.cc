#include "subagents/playbook/fit_report.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::subagents {
namespace {

// By the table of Report. next_actions have no bound of their own there.
constexpr size_t kTitleBytes = 512, kTextBytes = 16384, kEvidence = 32, kFindings = 256, kActions = 32, kActionBytes = 2048, kPathBytes = 32768, kCommandBytes = 4096, kWhyBytes = 2048;
constexpr std::string_view kCut = "…";
constexpr size_t kLeastWord = 40;  // one that is shorter is not what makes a text long

bool IsInside(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

struct Word {
  size_t begin = 0, size = 0;
};

Word Longest(std::string_view text) {
  Word best;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t\n", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t\n", begin), text.size());
    if (at - begin > best.size) best = {begin, at - begin};
  }
  return best;
}

}  // namespace

std::string ShortenWords(std::string text, size_t bytes) {
  while (text.size() > bytes) {
    const Word word = Longest(text);
    if (word.size <= kLeastWord) break;
    const size_t over = text.size() - bytes + kCut.size();
    const size_t keep = std::max(kLeastWord - kCut.size(), word.size > over ? word.size - over : 0);
    // Of a path the end says most.
    const std::string_view whole = std::string_view(text).substr(word.begin, word.size);
    const std::string_view head = TruncateUtf8(whole, keep / 3);
    size_t tail = word.size - (keep - keep / 3);
    while (tail < word.size && IsInside(whole[tail])) ++tail;
    text.replace(word.begin + head.size(), tail - head.size(), kCut);
  }
  return text.size() > bytes ? std::string(TruncateUtf8(text, bytes - kCut.size())) + std::string(kCut) : text;
}

void FitReport(Report* report) {
  const auto fit = [](std::string* text, size_t bytes) {
    if (text->size() > bytes) *text = ShortenWords(std::move(*text), bytes);
  };
  fit(&report->summary, kTextBytes);
  FitData(&report->data);
  if (report->findings.size() > kFindings) report->findings.resize(kFindings), report->complete = false;
  for (ClaimedFinding& finding : report->findings) {
    fit(&finding.title, kTitleBytes);
    fit(&finding.detail, kTextBytes);
    // Shortened, a path or a quote would be another: then better none.
    std::erase_if(finding.evidence, [](const Citation& citation) { return citation.path.size() > kPathBytes || citation.quote.size() > kTextBytes; });
    if (finding.evidence.size() > kEvidence) finding.evidence.resize(kEvidence);
  }
  if (report->next_actions.size() > kActions) report->next_actions.resize(kActions);
  for (std::string& action : report->next_actions) fit(&action, kActionBytes);
  if (!report->needs_run) return;
  fit(&report->needs_run->why, kWhyBytes);
  if (report->needs_run->command.size() > kCommandBytes) report->needs_run.reset();
}

size_t ValuesOf(const Json& json) {
  size_t count = 1;
  if (json.is_structured())
    for (const Json& inner : json) count += ValuesOf(inner);
  return count;
}

void TakeRoom(const Json& json, DataRoom* room) {
  room->values -= std::min(room->values, ValuesOf(json));
  room->bytes -= std::min(room->bytes, DumpJson(json).size());
}

size_t FitList(Json* list, DataRoom* room) {
  TakeRoom(Json::array(), room);
  size_t kept = 0;
  for (; kept < list->size(); ++kept) {
    const Json& item = (*list)[kept];
    if (ValuesOf(item) > room->values || DumpJson(item).size() > room->bytes) break;
    TakeRoom(item, room);
  }
  const size_t omitted = list->size() - kept;
  list->erase(list->begin() + static_cast<ptrdiff_t>(kept), list->end());
  return omitted;
}

void FitData(Json* data) {
  if (!data->is_object() || (ValuesOf(*data) <= kMaxDataValues && DumpJson(*data).size() <= kMaxDataBytes)) return;
  DataRoom room;
  size_t lists = 0;
  for (const Json& member : *data)
    if (member.is_array()) ++lists;
    else TakeRoom(member, &room);
  room.values -= std::min(room.values, 2 * lists + 2);  // for `omitted`, which is known last
  room.bytes -= std::min(room.bytes, 64 * (data->size() + lists));
  Json omitted = data->value("omitted", Json::object());
  for (auto member = data->begin(); member != data->end(); ++member) {
    if (!member->is_array()) continue;
    DataRoom part{room.values / lists, room.bytes / lists};
    if (const size_t left = FitList(&*member, &part); left > 0) omitted[member.key()] = left;
    TakeRoom(*member, &room);
    --lists;
  }
  (*data)["omitted"] = std::move(omitted);
}

}  // namespace paddock::subagents
