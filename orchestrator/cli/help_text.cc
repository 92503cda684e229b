#include "orchestrator/cli/help_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "orchestrator/cli/surroundings.h"
#include "orchestrator/report/text_style.h"

namespace paddock::orchestrator {

size_t HelpWidth() {
  const size_t width = WidthOf(1);
  return width == SIZE_MAX ? 80 : std::min<size_t>(width, 100);
}

std::string WrapHelp(const std::string& help, size_t width) {
  std::string out;
  for (size_t begin = 0; begin < help.size();) {
    const size_t end = std::min(help.find('\n', begin), help.size());
    const std::string_view line = std::string_view(help).substr(begin, end - begin);
    begin = end + 1;
    const bool described = line.size() > kHelpColumn && line.starts_with("  ") && line[kHelpColumn - 1] == ' ' && line[kHelpColumn] != ' ';
    if (line.size() <= width || line.starts_with("Example: ")) {
      out += std::string(line) + "\n";
    } else if (described) {
      std::string part;
      AddParagraph(&part, line.substr(kHelpColumn), std::string(kHelpColumn, ' '), width);
      out += std::string(line.substr(0, kHelpColumn)) + part.substr(kHelpColumn);
    } else {
      AddParagraph(&out, line, "", width);
    }
  }
  return out;
}

}  // namespace paddock::orchestrator
