#include "subagents/builtin.h"

#include "base/embedded_file.h"
#include "base/nearest.h"
#include "base/text.h"

namespace paddock::subagents {

extern const EmbeddedFile kDefinitionFiles[];
extern const unsigned long kDefinitionFilesCount;
extern const EmbeddedFile kSharedFiles[];

namespace {

std::string_view NameOfFile(const EmbeddedFile& file) { return file.name.substr(0, file.name.rfind(".md")); }

}  // namespace

std::vector<std::string> BuiltinDefinitionNames() {
  std::vector<std::string> names;
  for (unsigned long i = 0; i < kDefinitionFilesCount; ++i) names.emplace_back(NameOfFile(kDefinitionFiles[i]));
  return names;
}

std::string_view BuiltinDefinitionText(std::string_view name) {
  for (unsigned long i = 0; i < kDefinitionFilesCount; ++i)
    if (name == NameOfFile(kDefinitionFiles[i])) return kDefinitionFiles[i].text;
  return {};
}

std::string_view SharedRules() { return kSharedFiles[0].text; }

Result<Definition> BuiltinDefinition(std::string_view name, const DefinitionNames& known) {
  std::string_view text = BuiltinDefinitionText(name);
  if (text.empty()) {
    std::vector<std::string> names = BuiltinDefinitionNames();
    std::string list;
    for (const auto& each : names) list += (list.empty() ? "" : ", ") + each;
    return Fail(ErrorKind::kNotFound,
                "no subagent \"" + VisibleText(TruncateUtf8(name, 64), Newlines::kEscape) + "\"; known: " + list,
                NearestHint(name, names));
  }
  std::string file = std::string(name) + ".md";
  Definition definition = TRY(ParseDefinition(text, file, known));
  if (definition.name != name)
    return Fail(ErrorKind::kInvalid, file + ": its name is \"" + definition.name + "\"; expected that of the file");
  definition.prompt += "\n" + std::string(SharedRules());
  return definition;
}

}  // namespace paddock::subagents
