#include "subagents/playbook/triage_started.h"

#include <re2/re2.h>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMostLookUps = 200'000;  // paths, of all lines together
constexpr const char* kSuffixes[] = {"", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", ".py", "/__main__.py", ".sh", ".rb"};

}  // namespace

std::vector<std::string> StartedScripts::In(const std::string& path, std::string_view line) {
  static const RE2 kScript(R"re((?:^|[\s"'`=;(|&,:\[])(?:\$\{?\w+\}?/|\$\(dirname[^()]*\)"?/|\./|\.\./)*((?:[\w@.-]+/)*[\w@-][\w@.-]*\.(?:js|cjs|mjs|ts|py|sh|bash|zsh|rb|pl|php|ps1|bat|cmd|lua|command))\b)re");
  static const RE2 kPlain(R"re((?:^|[\s"'`=;(|&,:\[])(?:\$\{?\w+\}?/|\$\(dirname[^()]*\)"?/|\./)((?:[\w@.-]+/)*[\w@.-]*\w))re");
  // Behind a program that runs scripts, or where one takes in another: the suffix may be left out.
  static const RE2 kTaken(R"re((?:\b(?:node|nodejs|bun|tsx|ts-node|sh|bash|zsh|dash|python3?|ruby|perl|php|source)\s+(?:-[\w-]+\s+)*|\brequire(?:_relative)?\s*\(?\s*["'`]|\bfrom\s+["']|\bimport\s*\(?\s*["'`])(?:\./|\.\./)*((?:[\w@.-]+/)*[\w@-][\w@.-]*))re");
  std::vector<std::string> out;
  if (more_) return out;
  for (const RE2* re : {&kScript, &kPlain, &kTaken}) {
    re2::StringPiece rest(line.data(), line.size());
    std::string name;
    while (RE2::FindAndConsume(&rest, *re, &name))
      if (const std::string& script = Find(path, name, re == &kTaken ? Spelling::kMayLackSuffix : Spelling::kWhole); !script.empty()) out.push_back(script);
  }
  return out;
}

const std::string& StartedScripts::Find(const std::string& path, const std::string& name, Spelling spelling) {
  auto& found = found_[spelling == Spelling::kMayLackSuffix ? 1 : 0];
  const auto [known, fresh] = found.try_emplace({path, name});
  std::string& script = known->second;
  if (!fresh) return script;
  for (std::string_view base = FolderName(path);; base = FolderName(base)) {
    for (const char* suffix : kSuffixes) {
      if (looked_up_ >= kMostLookUps) return more_ = true, script;
      ++looked_up_;
      std::string candidate = (base.empty() ? name : std::string(base) + "/" + name) + suffix;
      if (candidate != path && view_.HasFile(candidate)) return script = std::move(candidate);
      if (spelling == Spelling::kWhole) break;
    }
    if (base.empty()) return script;
  }
}

}  // namespace paddock::subagents
