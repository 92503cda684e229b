#include "orchestrator/cli/hide_patterns.h"

#include <algorithm>

#include "agentcore/tools/hidden_names.h"
#include "base/text.h"

namespace paddock::orchestrator {
namespace {

constexpr size_t kMostPatterns = 256;  // as of a profile

}  // namespace

void HideAsWell(const std::vector<std::string>& hide, std::vector<std::string>* also) {
  for (const std::string& pattern : hide)
    if (std::find(also->begin(), also->end(), pattern) == also->end()) also->push_back(pattern);
}

Status HideAsAsked(const std::vector<std::string>& patterns, std::vector<std::string>* hide) {
  for (const std::string& pattern : patterns) {
    const std::string shown = "--hide \"" + VisibleText(TruncateUtf8(pattern, 100), Newlines::kEscape) + "\"";
    if (pattern.find_first_not_of("*/.") == pattern.npos)
      return Fail(ErrorKind::kInvalid, shown + " hides the whole repository, or nothing", "for example --hide .env --hide '*.pem' --hide secrets/");
    if (auto checked = agentcore::HiddenNames::Parse({pattern}); !checked) return Fail(ErrorKind::kInvalid, shown + ": " + checked.error().message, checked.error().hint);
  }
  HideAsWell(patterns, hide);
  if (hide->size() > kMostPatterns) return Fail(ErrorKind::kInvalid, "--hide: more than 256 patterns, with those of the profile", "hide the folder that the files lie in");
  return {};
}

std::string HistoryNote(const std::vector<std::string>& patterns) {
  const bool history = std::none_of(patterns.begin(), patterns.end(), [](const std::string& pattern) { return pattern == ".git" || pattern == ".git/"; });
  if (patterns.empty() || !history) return "";
  return "--hide covers files as they are now, and what was ever committed is in the history (.git) too: tools leave out what has a hidden name there, and a command that is run "
         "sees no .git and no *.git, but a history under any other name it does see; --hide .git/ hides this history from the tools as well";
}

}  // namespace paddock::orchestrator
