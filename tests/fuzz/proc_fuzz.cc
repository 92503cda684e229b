// Text of /proc as the receipt reads it. Names of mounts are made by strangers.
#include "sandbox/proc_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::sandbox;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  size_t bytes = 0;
  for (const std::string& word : Words(text)) {
    REQUIRE(!word.empty() && word.find_first_of(" \t\n") == word.npos && text.find(word) != text.npos, word);
    bytes += word.size();
  }
  REQUIRE(bytes <= text.size(), text);
  for (const auto& [name, value] : StatusFields(text)) {
    REQUIRE(name.find_first_of(":\n") == name.npos && value.find('\n') == value.npos, name);
    REQUIRE(text.find(name + ":") != text.npos, name);
  }
  auto mounts = MountsOf(text);
  if (!mounts) {
    fuzz::RequireGood(mounts.error());
    return 0;
  }
  REQUIRE(mounts->size() <= static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1, "more mounts than lines");
  return 0;
}
