#include "subagents/playbook/traces/rule_match.h"

#include <array>
#include <cstdlib>

#include "subagents/playbook/words.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFile = 512, kMaxFunction = 200;

}  // namespace

const std::vector<CompiledRule>& CompiledRules() {
  thread_local const std::vector<CompiledRule> rules = [] {
    std::vector<CompiledRule> all;
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);
    for (const auto& table : {NativeTraceRules(), CompiledTraceRules(), CompilerRules(), ScriptTraceRules()})
      for (const TraceRule& rule : table) all.push_back({&rule, std::make_unique<RE2>(rule.pattern, options)});
    return all;
  }();
  return rules;
}

bool MatchRule(const CompiledRule& rule, std::string_view line, Matched* matched) {
  const std::string_view takes = rule.rule->takes;
  std::array<re2::StringPiece, 8> groups;
  std::array<RE2::Arg, 8> args;
  std::array<const RE2::Arg*, 8> pointers{};
  for (size_t i = 0; i < takes.size() && i < groups.size(); ++i) args[i] = &groups[i], pointers[i] = &args[i];
  if (!RE2::FullMatchN(re2::StringPiece(line.data(), line.size()), *rule.pattern, pointers.data(), static_cast<int>(takes.size()))) return false;
  *matched = {};
  for (size_t i = 0; i < takes.size(); ++i) {
    const std::string_view text(groups[i].data() ? groups[i].data() : "", groups[i].size());
    switch (takes[i]) {
      case 'F': matched->frame.file = Short(text, kMaxFile); break;
      case 'L': matched->frame.line = text.size() > 8 ? 0 : std::atoll(std::string(text).c_str()); break;
      case 'N': matched->frame.function = Short(text, kMaxFunction); break;
      case 'M': matched->message = Short(text, kMaxMessage); break;
      case 'T': matched->test = Short(text, kMaxFunction); break;
      default: break;
    }
  }
  return true;
}

}  // namespace paddock::subagents
