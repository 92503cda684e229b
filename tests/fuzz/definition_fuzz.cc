// A definition file: printed again it reads the same, and what a reviewer can't see is not in it.
#include "subagents/definition.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

std::string Value(const std::string& text) {
  const bool quote = text.front() == '"' || text.find(" #") != text.npos || text.front() == ' ' || text.back() == ' ' || text.front() == '\t' || text.back() == '\t';
  return quote ? "\"" + text + "\"" : text;
}

std::string Printed(const subagents::Definition& one) {
  std::string tools;
  for (const std::string& tool : one.tools) tools += (tools.empty() ? "" : ", ") + tool;
  return "---\nname: " + one.name + "\npurpose: " + Value(one.purpose) + "\ntools: [" + tools + "]\nprofile: " + one.profile +
         (one.model.empty() ? "" : "\nmodel: " + Value(one.model)) + "\nturns: " + std::to_string(one.budget.turns) +
         "\nseconds: " + std::to_string(one.budget.seconds) + "\n---\n" + one.prompt;
}

bool IsVisibleBut(std::string text, std::string_view these) {
  std::replace_if(text.begin(), text.end(), [&](char c) { return these.find(c) != these.npos; }, ' ');
  return fuzz::IsVisible(text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto one = subagents::ParseDefinition(text, "a.md");
  if (!one) {
    fuzz::RequireGood(one.error());
    REQUIRE(one.error().message.starts_with("a.md:"), one.error().message);
    return 0;
  }
  REQUIRE(!one->name.empty() && one->name.size() <= 64 && one->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == one->name.npos, one->name);
  REQUIRE(!one->tools.empty() && one->tools.size() <= 64, one->name);
  REQUIRE(one->budget.turns >= 1 && one->budget.seconds >= 1, one->name);
  REQUIRE(IsVisibleBut(one->prompt, "\n\t") && IsVisibleBut(one->purpose, "\t") && IsVisibleBut(one->model, "\t"), one->prompt);
  const std::string printed = Printed(*one);
  auto again = subagents::ParseDefinition(printed, "a.md");
  REQUIRE(again.has_value(), again ? "" : again.error().message + "\n" + printed);
  REQUIRE(Printed(*again) == printed, printed);
  return 0;
}
