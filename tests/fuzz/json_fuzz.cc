// The JSON reader: what it takes is what RFC 8259 has, less NULs and duplicate keys, and each bound holds exactly.
#include <set>
#include <vector>

#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

// Whether an object has a key twice, by nlohmann's own events.
class Duplicates : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return keys_.emplace_back(), true; }
  bool end_object() override { return keys_.pop_back(), true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool key(string_t& name) override {
    found = !keys_.back().insert(name).second || found;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }
  bool found = false;

 private:
  std::vector<std::set<std::string>> keys_;
};

void RequireBound(std::string_view text, const JsonLimits& enough, const JsonLimits& short_of, const char* what) {
  auto whole = ParseJson(text, enough);
  REQUIRE(whole.has_value(), std::string(what) + ": " + (whole ? "" : whole.error().message));
  auto refused = ParseJson(text, short_of);
  REQUIRE(!refused && refused.error().kind == ErrorKind::kLimit, what);
  fuzz::RequireGood(refused.error());
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto json = ParseJson(text, fuzz::kWide);
  const bool nul = text.find('\0') != text.npos;
  bool valid = !nul && nlohmann::json::accept(text);
  if (valid) {
    Duplicates duplicates;
    nlohmann::json::sax_parse(text, &duplicates);
    valid = !duplicates.found;
  }
  if (json) REQUIRE(valid, "taken, but no JSON");
  else fuzz::RequireGood(json.error());
  for (const JsonLimits& usual : {JsonLimits{}, JsonLimits{.comments = true}})
    if (auto other = ParseJson(text, usual); !other) fuzz::RequireGood(other.error());
    else if (!usual.comments) REQUIRE(json && *json == *other, "another value within the usual bounds");
    else REQUIRE(!json || *json == *other, "another value where comments are allowed");
  if (!json) {
    REQUIRE(!valid || json.error().kind == ErrorKind::kLimit, json.error().message);
    return 0;
  }

  for (const std::string& printed : {DumpJson(*json), PrettyJson(*json)}) {
    REQUIRE(IsValidUtf8(printed), printed);
    auto again = ParseJson(printed, fuzz::kWide);
    REQUIRE(again.has_value(), printed);
    REQUIRE(*again == *json && DumpJson(*again) == DumpJson(*json), printed);
  }
  REQUIRE(DumpJson(*json).find('\n') == std::string::npos, "a dump of more than one line");

  fuzz::JsonSize is;
  fuzz::Measure(*json, 0, &is);
  const JsonLimits exact{.max_bytes = size, .max_depth = static_cast<int>(is.depth), .max_values = is.values, .max_keys = is.keys};
  JsonLimits less = exact;
  less.max_bytes = size - 1;
  RequireBound(text, exact, less, "bytes");
  less = exact;
  less.max_values -= 1;
  RequireBound(text, exact, less, "values");
  less = exact;
  less.max_depth -= 1;
  if (is.depth > 0) RequireBound(text, exact, less, "depth");
  less = exact;
  less.max_keys -= 1;
  if (is.keys > 0) RequireBound(text, exact, less, "keys");
  return 0;
}
