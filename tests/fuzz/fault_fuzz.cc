// A model server's refusal: one bounded line for a person, and a wish to wait that is within reason.
//
// Two bytes: the status; a line: Retry-After; a line: Location; then the body.
#include "orchestrator/providers/server_fault.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using orchestrator::FaultOfAnswer;
using orchestrator::ServerFault;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const int status = static_cast<int>(input.Number(100, 999));
  const size_t kind = input.Byte();
  const std::string after = input.Line(), location = input.Line(), body = input.Rest();
  const orchestrator::HttpHeaders headers = {{kind & 1 ? "retry-after-ms" : "retry-after", after}, {"location", location}, {"x-should-retry", kind & 2 ? "true" : "maybe"}};
  const ServerFault fault = FaultOfAnswer(status, headers, body, 1'767'225'600);
  fuzz::RequireGood(fault.error, 600);
  REQUIRE(fault.error.message.find(std::to_string(status)) != std::string::npos, fault.error.message);
  REQUIRE(!fault.error.hint.empty(), fault.error.message);
  REQUIRE(fault.code.size() <= 64 && fuzz::IsVisible(fault.code), fault.code);
  REQUIRE(fault.param.size() <= 64 && fuzz::IsVisible(fault.param), fault.param);
  if (fault.retry_after) REQUIRE(fault.retry_after->count() >= 0 && fault.retry_after->count() <= 7 * 86'400'000ll, after);
  if (kind & 2) REQUIRE(fault.retryable, "x-should-retry was not heard");
  return 0;
}
