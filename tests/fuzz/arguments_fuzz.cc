// Arguments of a call against a schema, both a stranger's: what passes passes again as it is, what fails is as it was, and it ends.
//
// A line of schema, then the arguments.
#include "agentcore/model/arguments.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using namespace paddock::agentcore;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const auto schema = ParseJson(input.Line());
  const auto value = ParseJson(input.Rest());
  if (!schema || !value) return 0;
  if (auto good = CheckSchema(*schema); !good) fuzz::RequireGood(good.error(), 20'000);
  const CheckedArguments checked = CheckArguments(*schema, *value);
  REQUIRE(checked.repairs.size() <= 32, "repairs");
  for (const std::string& repair : checked.repairs) REQUIRE(fuzz::IsVisible(repair), repair);
  if (!checked.status) {
    fuzz::RequireGood(checked.status.error());
    REQUIRE(checked.repairs.empty() && (checked.arguments == *value || checked.arguments == Json::object()), DumpJson(checked.arguments));
    return 0;
  }
  REQUIRE(checked.arguments.is_object(), DumpJson(checked.arguments));
  REQUIRE(!checked.repairs.empty() || checked.arguments == *value || checked.arguments == Json::object(), DumpJson(checked.arguments));
  // Of {"type": "object"} a string may have been mended to it; then all of it is looked at once more.
  const CheckedArguments again = CheckArguments(*schema, checked.arguments);
  REQUIRE(again.status && again.repairs.empty() && again.arguments == checked.arguments, again.status ? DumpJson(again.arguments) : again.status.error().message);
  return 0;
}
