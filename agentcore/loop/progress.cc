#include "agentcore/loop/progress.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <set>

#include "agentcore/loop/chant.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kTurnsBack = 10;      // two cycles of five
constexpr size_t kRepeatBack = 6;
constexpr int kRepeats = 3;
constexpr size_t kLongestCycle = 5;
constexpr int kStaleTurns = 6, kErrorTurns = 4, kMendingRounds = 3;
constexpr size_t kSameTexts = 3, kShortText = 40;
constexpr size_t kMostSeen = 400'000, kMostCalls = 10'000;

uint64_t Hash(std::string_view text) { return std::hash<std::string_view>{}(text); }

void Trim(std::string* text) {
  while (!text->empty() && std::isspace(static_cast<unsigned char>(text->back()))) text->pop_back();
  text->erase(0, std::min(text->size(), text->find_first_not_of(" \t\r\n")));
}

// "./a//b/" is "a/b".
std::string PlainPath(const std::string& path) {
  std::string out;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = std::string_view(path).substr(begin, end - begin);
    if (!part.empty() && part != ".") (out += out.empty() && !path.starts_with('/') ? "" : "/") += part;
    begin = end + 1;
  }
  return out.empty() ? "." : out;
}

Json Normal(const Json& value, const std::string& key) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    Trim(&text);
    return key == "path" || key == "paths" ? PlainPath(text) : text;
  }
  if (value.is_number_float() && std::abs(value.get<double>()) < 1e15 && value.get<double>() == std::floor(value.get<double>())) return static_cast<int64_t>(value.get<double>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& one : value) out.push_back(Normal(one, key));
    return out;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> fields;
  for (auto it = value.begin(); it != value.end(); ++it)
    if (!it.value().is_null()) fields.emplace_back(it.key(), Normal(it.value(), it.key()));
  std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Json out = Json::object();
  for (auto& [name, one] : fields) out[name] = std::move(one);
  return out;
}

// Numbers in the words of a failure (times, addresses, process ids) make no difference.
uint64_t FailureHash(const ToolResult& result) {
  std::string text = std::to_string(static_cast<int>(result.status));
  for (unsigned char c : result.error + "\n" + result.output) {
    if (!std::isdigit(c)) text += static_cast<char>(c);
    else if (text.empty() || text.back() != '0') text += '0';
  }
  return Hash(text);
}

uint64_t ResultHash(const ToolResult& result) {
  if (!result.success) return FailureHash(result);
  uint64_t hash = Hash(result.output);
  const auto add = [&](std::string_view text) { hash = hash * 1'000'003 + Hash(text); };
  for (const Artifact& artifact : result.artifacts) {
    add(artifact.path);
    hash = hash * 31 + static_cast<uint64_t>(artifact.line_start);
    for (const std::string& line : artifact.lines) add(line);
    for (const std::string& entry : artifact.entries) add(entry);
  }
  return hash;
}

}  // namespace

const char* NoProgressText(NoProgress sign) {
  switch (sign) {
    case NoProgress::kNone: return "";
    case NoProgress::kRepeat: return "the same call gave the same result three times";
    case NoProgress::kCycle: return "the same few turns were made twice over, with the same results";
    case NoProgress::kNothingNew: return "six turns brought nothing that was not seen before";
    case NoProgress::kChant: return "the same words were said over and over";
    case NoProgress::kErrors: return "every call of four turns in a row failed";
    case NoProgress::kMending: return "the same test still fails after three changes";
  }
  return "?";
}

std::string NormalCall(const ToolCall& call) { return call.tool + " " + Normal(call.arguments, "").dump(-1, ' ', false, Json::error_handler_t::replace); }

bool ProgressDetector::IsFrozen(const ToolCall& call) const {
  auto found = failures_.find(Hash(NormalCall(call)));
  return found != failures_.end() && found->second.times >= 2 && found->second.last_turn == turn_;
}

bool ProgressDetector::SawNew(const ToolResult& result) {
  if (!result.success) return false;
  if (seen_.size() > kMostSeen) seen_.clear();
  bool fresh = false;
  const auto see = [&](uint64_t hash) { fresh |= seen_.insert(hash).second; };
  bool content = false;
  for (const Artifact& artifact : result.artifacts) {
    const uint64_t path = Hash(artifact.path);
    for (size_t i = 0; i < artifact.lines.size(); ++i) see(path * 31 + static_cast<uint64_t>(artifact.line_start + static_cast<int64_t>(i)) * 1'000'003 + Hash(artifact.lines[i]));
    for (const std::string& entry : artifact.entries) see(path * 31 + Hash(entry));
    content |= !artifact.lines.empty() || !artifact.entries.empty();
  }
  // What a tool says besides is news only where there is nothing else: headings differ from call to call.
  if (!content) see(Hash(result.output + result.summary));
  return fresh;
}

NoProgress ProgressDetector::Errors(const std::vector<CallOutcome>& outcomes) {
  bool all_failed = true;
  for (const CallOutcome& outcome : outcomes) {
    all_failed &= !outcome.result.success;
    const uint64_t call = Hash(NormalCall(outcome.call));
    if (outcome.result.success) {
      failures_.erase(call);
      continue;
    }
    if (failures_.size() > kMostCalls) failures_.clear();
    Failures& failures = failures_[call];
    if (outcome.result.status == ToolStatus::kDenied && failures.times >= 2) continue;  // it was frozen: neither run nor thawed by that
    const uint64_t how = FailureHash(outcome.result);
    failures.times = failures.how == how ? failures.times + (failures.last_turn != turn_) : 1;
    failures.how = how;
    failures.last_turn = turn_;
  }
  error_turns_ = all_failed ? error_turns_ + 1 : 0;
  if (error_turns_ < kErrorTurns) return NoProgress::kNone;
  error_turns_ -= 2;  // two more, and it is the second sign
  return NoProgress::kErrors;
}

NoProgress ProgressDetector::Repeats(const std::vector<uint64_t>& calls) {
  last_calls_.push_back(calls);
  if (last_calls_.size() > kTurnsBack) last_calls_.pop_front();
  const size_t turns = last_calls_.size();
  for (uint64_t call : std::set<uint64_t>(calls.begin(), calls.end())) {
    int times = 0;
    for (size_t i = turns - std::min(turns, kRepeatBack); i < turns; ++i) times += std::binary_search(last_calls_[i].begin(), last_calls_[i].end(), call);
    if (times >= kRepeats) return NoProgress::kRepeat;
  }
  for (size_t length = 2; length <= kLongestCycle && 2 * length <= turns; ++length)
    if (std::equal(last_calls_.end() - static_cast<ptrdiff_t>(length), last_calls_.end(), last_calls_.end() - static_cast<ptrdiff_t>(2 * length))) return NoProgress::kCycle;
  return NoProgress::kNone;
}

NoProgress ProgressDetector::Mending(const std::vector<CallOutcome>& outcomes, const std::vector<ToolEffect>& effects) {
  NoProgress sign = NoProgress::kNone;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const bool worked = outcomes[i].result.success;
    if (effects[i] == ToolEffect::kChanges && worked)
      for (auto& [call, test] : tests_) test.changed = true;
    if (effects[i] != ToolEffect::kRuns) continue;
    const uint64_t call = Hash(NormalCall(outcomes[i].call));
    if (worked) {
      tests_.erase(call);
      continue;
    }
    if (tests_.size() > kMostCalls) tests_.clear();
    Test& test = tests_[call];
    test.rounds += std::exchange(test.changed, false);
    if (test.rounds >= kMendingRounds) sign = NoProgress::kMending;
  }
  return sign;
}

NoProgress ProgressDetector::Take(const std::string& text, const std::vector<CallOutcome>& outcomes, const std::vector<ToolEffect>& effects) {
  ++turn_;
  bool fresh = false;
  std::vector<uint64_t> calls;
  for (const CallOutcome& outcome : outcomes) {
    fresh |= SawNew(outcome.result);
    calls.push_back(Hash(NormalCall(outcome.call)) * 31 + ResultHash(outcome.result));
  }
  std::sort(calls.begin(), calls.end());
  const NoProgress errors = outcomes.empty() ? NoProgress::kNone : Errors(outcomes), mending = Mending(outcomes, effects);
  const NoProgress repeats = calls.empty() ? NoProgress::kNone : Repeats(calls);
  good_turns_ = fresh ? good_turns_ + 1 : good_turns_;
  if (!outcomes.empty()) stale_turns_ = fresh ? 0 : stale_turns_ + 1;

  std::string words = text;
  Trim(&words);
  last_texts_.push_back(words.size() < kShortText ? 0 : Hash(words));
  if (last_texts_.size() > kSameTexts) last_texts_.pop_front();
  const bool same_words = last_texts_.size() == kSameTexts && last_texts_.front() != 0 && std::count(last_texts_.begin(), last_texts_.end(), last_texts_.front()) == kSameTexts;

  NoProgress sign = mending;
  if (sign == NoProgress::kNone && (same_words || IsChant(text))) sign = NoProgress::kChant;
  if (sign == NoProgress::kNone) sign = repeats;
  if (sign == NoProgress::kNone) sign = errors;
  if (sign == NoProgress::kNone && stale_turns_ >= kStaleTurns) {
    sign = NoProgress::kNothingNew;
    stale_turns_ -= 2;
  }
  if (sign != NoProgress::kNone) good_turns_ = 0;
  return sign;
}

}  // namespace paddock::agentcore
