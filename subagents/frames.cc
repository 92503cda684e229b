#include "subagents/frames.h"

namespace paddock::subagents {

Result<RawFrame> DecodeFrame(std::string_view line) {
  auto parsed = ParseJson(line, JsonLimits{.max_bytes = kMaxFrameBytes});
  if (!parsed) {
    ErrorKind kind = parsed.error().kind == ErrorKind::kLimit ? ErrorKind::kLimit : ErrorKind::kProtocol;
    return Fail(kind, "frame: " + parsed.error().message);
  }
  if (!parsed->is_object()) return Fail(ErrorKind::kProtocol, "frame: expected an object");
  auto type = parsed->find("type");
  if (type == parsed->end() || !type->is_string() || type->get_ref<const std::string&>().size() > 32)
    return Fail(ErrorKind::kProtocol, "frame: $.type: expected a short string");
  RawFrame frame{type->get<std::string>(), {}};
  parsed->erase(type);
  frame.body = *std::move(parsed);
  return frame;
}

}  // namespace paddock::subagents
