// A plan as the launcher reads it: exactly one plan that encodes to bytes of the same plan, or refused.
#include "sandbox/plan.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto plan = sandbox::DecodePlan(bytes);
  if (!plan) {
    fuzz::RequireGood(plan.error());
    return 0;
  }
  const std::string encoded = sandbox::EncodePlan(*plan);
  REQUIRE(encoded.size() == size, "another size");
  auto again = sandbox::DecodePlan(encoded);
  REQUIRE(again && sandbox::EncodePlan(*again) == encoded, "another plan");
  for (const std::string& longer : {encoded + '\0', encoded.substr(0, size - 1)}) REQUIRE(!sandbox::DecodePlan(longer), "more or less than one plan was taken");
  return 0;
}
