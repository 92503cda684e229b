#include "subagents/builtin.h"

#include "base/nearest.h"
#include "base/text.h"
#include "subagents/builtin_data.h"

namespace paddock::subagents {

std::vector<std::string> BuiltinDefinitionNames() {
  std::vector<std::string> names;
  for (const BuiltinFile* file = kBuiltinFiles; file->name; ++file) names.emplace_back(file->name);
  return names;
}

std::string_view BuiltinDefinitionText(std::string_view name) {
  for (const BuiltinFile* file = kBuiltinFiles; file->name; ++file)
    if (name == file->name) return file->text;
  return {};
}

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
  return definition;
}

}  // namespace paddock::subagents
