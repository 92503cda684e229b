// What a definition's keys ask for, gathered into a ForeignDefinition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "subagents/foreign/yaml_lines.h"
#include "subagents/foreign_definition.h"

namespace paddock::subagents {

class Wishes {
 public:
  explicit Wishes(ForeignDefinition* out) : out_(*out) {}

  void Fault(int line, std::string message);
  void Lose(LossKind kind, std::string_view what, std::string_view why, int line);

  // Each is one key's value.
  void Name(const YamlNode& value);
  void NameOfFile();  // it has no key of that name
  void Purpose(const YamlNode& value);
  void Model(const YamlNode& value);
  void Turns(const std::string& key, const YamlNode& value);
  void Minutes(const std::string& key, const YamlNode& value);
  // A list or comma text of tools: these and no others.
  void Tools(const YamlNode& value);
  void NotTools(const YamlNode& value);
  // {tool: true | false | allow | ask | deny | {pattern: ...}}, later ones over earlier ones.
  void Permissions(const YamlNode& value);
  // [{action, resource, effect}], the same.
  void PermissionList(const YamlNode& value);
  // A key that is nothing here; true when it is known.
  void Other(const std::string& key, const YamlNode& value);
  void Prompt(std::string_view text, int line);

  // All keys were seen: what must be there is, and the tools are settled.
  void Close();

 private:
  std::string TextOf(const std::string& key, const YamlNode& value);
  void Permit(const std::string& tool, const std::string& resource, const std::string& effect, int line);
  void Add(const std::vector<std::string>& tools);
  void Remove(const std::vector<std::string>& tools);

  ForeignDefinition& out_;
  bool named_tools_ = false;
  std::vector<std::string> never_;  // tools that are taken away, whatever else is said
};

// Text that a person can't see in full, or that is no text.
bool HasHidden(std::string_view text);

}  // namespace paddock::subagents
