#include "subagents/frames.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxTypeBytes = 32;
constexpr JsonLimits kFrameLimits{.max_bytes = kMaxFrameBytes, .max_depth = 64, .max_values = kMaxFrameValues,
                                  .max_keys = 512, .comments = false};

}  // namespace

Result<RawFrame> DecodeFrame(std::string_view line) {
  auto parsed = ParseJson(line, kFrameLimits);
  if (!parsed) {
    ErrorKind kind = parsed.error().kind == ErrorKind::kLimit ? ErrorKind::kLimit : ErrorKind::kProtocol;
    return Fail(kind, "frame: " + parsed.error().message);
  }
  if (!parsed->is_object()) return Fail(ErrorKind::kProtocol, "frame: expected an object");
  auto type = parsed->find("type");
  if (type == parsed->end() || !type->is_string())
    return Fail(ErrorKind::kProtocol, "frame: $.type: expected a string");
  RawFrame frame{type->get<std::string>(), {}};
  if (frame.type.empty() || frame.type.size() > kMaxTypeBytes)
    return Fail(ErrorKind::kProtocol, "frame: $.type: expected 1 to 32 bytes");
  parsed->erase(type);
  frame.body = *std::move(parsed);
  return frame;
}

}  // namespace paddock::subagents
