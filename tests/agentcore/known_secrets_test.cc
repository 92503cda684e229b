// A secret whose value is known goes, in whatever spelling it comes.
#include <gtest/gtest.h>

#include "agentcore/pipeline/redact.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

const std::string kSecret = "q?7/blue-Kettle+93&sings";  // of no common kind
const Redactor kRedactor(std::vector<KnownSecret>{{"api-key", kSecret}});

std::string Each(std::string_view bytes, auto write) {
  std::string out;
  for (char c : bytes) {
    char text[24];
    write(text, static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += text;
  }
  return out;
}

std::string Base64(std::string_view bytes, bool url) {
  std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  digits += url ? "-_" : "+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

void ExpectGone(const std::string& spelled, const std::string& how) {
  const std::string out = kRedactor.Redact("before " + spelled + " after");
  EXPECT_TRUE(out.find("[redacted api-key]") != std::string::npos) << how << ": " << out;
  EXPECT_TRUE(out.starts_with("before ") && out.ends_with(" after")) << how << ": " << out;
  // No longer part of what was written is left (the first and last characters of base64 hold bits of others).
  EXPECT_EQ(out.find(spelled.substr(4, spelled.size() - 8)), std::string::npos) << how;
  EXPECT_LT(out.size(), 60u) << how << ": " << out;
}

TEST(KnownSecrets, InAnySpelling) {
  ExpectGone(kSecret, "plain");
  ExpectGone(std::string(kSecret.rbegin(), kSecret.rend()), "backwards");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%02x", c); }), "hex");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%02X", c); }), "HEX");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%02x:", c); }), "hex with colons");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "0x%02X, ", c); }), "hex as in C");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%%%02x", c); }), "percent");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%%25%02x", c); }), "percent, twice");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%%2525%02X", c); }), "percent, three times");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%c\u200B", c); }), "letters of no width between");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%c\\u{200B}", c); }), "letters of no width, as they are shown");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "&#%010u;", c); }), "HTML, decimal with zeros");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { isalnum(static_cast<int>(c)) ? sprintf(out, "%c", c) : sprintf(out, "%%%02X", c); }), "percent where needed");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "\\u%04x", c); }), "JSON");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "\\\\u%04x", c); }), "JSON in JSON");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { c == '/' ? sprintf(out, "\\/") : sprintf(out, "%c", c); }), "JSON with escaped slashes");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "\\x%02x", c); }), "C");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "\\%03o", c); }), "octal");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "&#%u;", c); }), "HTML, decimal");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "&#x%x;", c); }), "HTML, hex");
  ExpectGone(Each(kSecret, [](char* out, unsigned c) { c == '&' ? sprintf(out, "&amp;") : sprintf(out, "%c", c); }), "HTML, named");
  ExpectGone(VisibleText(Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%c", c); }), Newlines::kKeep), "visible");
}

TEST(KnownSecrets, InUtf16AsItIsShown) {
  for (bool big : {false, true}) {
    std::string wide;
    for (char c : kSecret) big ? (wide += '\0', wide += c) : (wide += c, wide += '\0');
    EXPECT_EQ(kRedactor.Redact(VisibleText(wide, Newlines::kKeep)).find("blue"), std::string::npos);
    const std::string out = kRedactor.Redact(wide);
    EXPECT_NE(out.find("[redacted api-key]"), std::string::npos) << big;
  }
}

// What is found in one spelling and then in another doesn't come in the text's order.
TEST(KnownSecrets, InSeveralSpellingsInOneTextOfJson) {
  const std::string coded = Base64(kSecret, false), hex = Each(kSecret, [](char* out, unsigned c) { sprintf(out, "%02x", c); });
  const std::string reversed(kSecret.rbegin(), kSecret.rend()), mark = "[redacted api-key]";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kSecret, mark},
      {"a " + kSecret + " b", "a " + mark + " b"},
      {kSecret + kSecret, mark + mark},
      {kSecret + " " + kSecret, mark + " " + mark},
      {hex + " and " + kSecret + " end", mark + " and " + mark + " end"},
      {reversed + " and " + kSecret, mark + " and " + mark},
      {kSecret + " x " + reversed + " y " + hex + " z", mark + " x " + mark + " y " + mark + " z"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(kRedactor.RedactKnown(Json(text)), expected) << text;
    EXPECT_EQ(kRedactor.Redact(text), expected) << text;
    const Json object = kRedactor.RedactKnown(Json{{text, Json::array({text})}});
    EXPECT_EQ(object, (Json{{expected, Json::array({expected})}}));
  }
  const std::string bare = coded.substr(0, coded.find('='));
  EXPECT_EQ(kRedactor.RedactKnown(Json(bare + " tail " + kSecret + " end")), mark + " tail " + mark + " end");
}

TEST(KnownSecrets, SpansThatOverlapOrComeInAnyOrderAreTakenOutOnce) {
  const std::string text = "0123456789abcdefghij";
  EXPECT_EQ(Redactor::Replace(text, {{12, 15, "x", 12, true}, {2, 6, "y", 2, true}, {4, 8, "y", 4, true}, {13, 14, "x", 13, true}}, nullptr), "01[redacted y]89ab[redacted x]fghij");
}

TEST(KnownSecrets, InBase64AtEachAlignment) {
  for (const std::string before : {"", "a", "ab"})
    for (bool url : {false, true}) {
      const std::string coded = Base64(before + kSecret + "tail of the text", url);
      const std::string out = kRedactor.Redact(coded);
      EXPECT_NE(out.find("[redacted api-key]"), std::string::npos) << before << url;
      EXPECT_EQ(out.find(coded.substr(6, 20)), std::string::npos) << before << url;
      EXPECT_TRUE(out.ends_with(coded.substr(coded.size() - 12))) << "what is beside it stays: " << out;
    }
}

TEST(KnownSecrets, ThatGoOverLinesGoInEachOfThem) {
  const std::string coded = Base64("xx" + kSecret + "yyyy", false);
  const std::string wrapped = "one\n" + coded.substr(0, 10) + "\n" + coded.substr(10, 16) + "\r\n" + coded.substr(26) + "\nfive";
  const std::string out = kRedactor.Redact(wrapped);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
  EXPECT_EQ(out.find(coded.substr(12, 12)), std::string::npos) << out;
  EXPECT_TRUE(out.starts_with("one\n") && out.ends_with("\nfive")) << out;
  RedactionTally tally;
  kRedactor.Redact(wrapped, &tally);
  EXPECT_EQ(tally.total(), 1);
}

TEST(KnownSecrets, ThatAreTooShortToBeToldFromChanceAreLeft) {
  EXPECT_EQ(Redactor(std::vector<KnownSecret>{{"api-key", "the"}}).Redact("the text"), "the text");
}

}  // namespace
}  // namespace paddock::agentcore
