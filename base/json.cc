#include "base/json.h"

#include <vector>

#include "base/text.h"

namespace paddock {
namespace {

constexpr size_t kShownBytes = 200;

// A part of the input in a message: bounded, and nothing in it that a terminal would act on.
std::string Shown(std::string_view text) {
  const bool longer = text.size() > kShownBytes;
  return VisibleText(TruncateUtf8(text, kShownBytes), Newlines::kEscape) + (longer ? "..." : "");
}

std::string PlaceOf(std::string_view text, size_t position) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i + 1 < position && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

class BoundedBuilder : public nlohmann::json_sax<Json> {
 public:
  BoundedBuilder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return Add(Json(nullptr)); }
  bool boolean(bool value) override { return Add(Json(value)); }
  bool number_integer(number_integer_t value) override { return Add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) override { return Add(Json(value)); }
  bool string(string_t& value) override { return Add(Json(std::move(value))); }
  bool binary(binary_t&) override { return Stop(ErrorKind::kInvalid, "binary value"); }

  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    Json& object = *open_.back();
    if (object.size() >= limits_.max_keys)
      return Stop(ErrorKind::kLimit, Shown(Path()) + ": more than " + std::to_string(limits_.max_keys) + " keys");
    if (object.contains(name)) return Stop(ErrorKind::kInvalid, "duplicate key: " + Shown(Path() + "." + name));
    key_ = std::move(name);
    keys_.back() = key_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& fault) override {
    std::string_view what = fault.what();
    // nlohmann's text: "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    if (size_t colon = what.find(": "); colon != what.npos) what.remove_prefix(colon + 2);
    return Stop(ErrorKind::kInvalid, PlaceOf(text_, position) + Shown(what));
  }

  Result<Json> Take() {
    if (error_) return std::unexpected(*std::move(error_));
    return std::move(root_);
  }

 private:
  bool Stop(ErrorKind kind, std::string message) {
    if (!error_) error_ = Error{kind, std::move(message), {}, 0};
    return false;
  }

  std::string Path() const {
    std::string path = "$";
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i]->is_array()) {
        path += "[" + std::to_string(open_[i]->size() - (i + 1 < open_.size() ? 1 : 0)) + "]";
      } else if (i + 1 < open_.size()) {
        path += "." + keys_[i];
      }
    }
    return path;
  }

  bool Room() {
    if (++values_ > limits_.max_values)
      return Stop(ErrorKind::kLimit, "more than " + std::to_string(limits_.max_values) + " values");
    return true;
  }

  Json* Place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[std::move(key_)] = std::move(value));
  }

  bool Add(Json value) {
    if (!Room()) return false;
    Place(std::move(value));
    return true;
  }

  bool Open(Json value) {
    if (!Room()) return false;
    if (open_.size() >= static_cast<size_t>(limits_.max_depth))
      return Stop(ErrorKind::kLimit, "deeper than " + std::to_string(limits_.max_depth) + " levels");
    open_.push_back(Place(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool Close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  Json root_;
  // Values under construction. A value's address is stable while it is open: its parent only grows after
  // it was closed.
  std::vector<Json*> open_;
  std::vector<std::string> keys_;  // the current key of each open object
  std::string key_;
  size_t values_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes)
    return Fail(ErrorKind::kLimit, std::to_string(text.size()) + " bytes of JSON, at most " +
                                       std::to_string(limits.max_bytes) + " are read");
  // The event parser takes a NUL for the end of its input, and would not look at what follows.
  if (size_t nul = text.find('\0'); nul != text.npos)
    return Fail(ErrorKind::kInvalid, PlaceOf(text, nul + 1) + "a NUL byte; expected \\u0000 inside a string, and none outside");
  try {
    BoundedBuilder builder(text, limits);
    Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, true, limits.comments);
    return builder.Take();
  } catch (const std::exception& fault) {
    return Fail(ErrorKind::kInvalid, fault.what());
  }
}

std::string DumpJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string PrettyJson(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace paddock
