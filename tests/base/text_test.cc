#include "base/text.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

std::string AllBytes() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

TEST(Utf8, TakesWhatRfc3629Takes) {
  for (const char* good : {"", "a", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(IsValidUtf8(good)) << good;
  for (const char* bad : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
                          "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF0\x9F\x98", "\xFE", "\xFF"})
    EXPECT_FALSE(IsValidUtf8(bad)) << VisibleText(bad, Newlines::kEscape);
}

TEST(Utf8, EncodesWhatItDecodes) {
  for (char32_t c : {U'\0', U'a', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFF', U'\x10000', U'\x10FFFF'}) {
    std::string text;
    AppendUtf8(&text, c);
    char32_t back = 1;
    EXPECT_EQ(DecodeUtf8(text, &back), text.size());
    EXPECT_EQ(back, c);
  }
}

TEST(WireText, LosesNoByte) {
  const std::string bytes[] = {AllBytes(), "plain", "caf\xC3\xA9", "\xED\xA0\x80", "half \xE2\x82", "\xF4\x8F\xBC\x80 is U+10FF00 in the source",
                               std::string("a\0b", 3)};
  for (const std::string& one : bytes) {
    EXPECT_TRUE(IsValidUtf8(WireFromBytes(one)));
    EXPECT_EQ(BytesFromWire(WireFromBytes(one)), one);
  }
  EXPECT_EQ(WireFromBytes("caf\xC3\xA9\n"), "caf\xC3\xA9\n");
  EXPECT_NE(WireFromBytes("\xFF"), "\xFF");
}

TEST(PathText, LosesNoByteAndShowsEverything) {
  std::string bytes = AllBytes().substr(1);
  for (const std::string& one : {bytes, std::string("a b/c"), std::string("new\nline"), std::string("back\\slash"), std::string("\xE2\x80\xAEoverride")}) {
    const std::string text = PathToText(one);
    EXPECT_TRUE(IsValidUtf8(text));
    EXPECT_EQ(VisibleText(text, Newlines::kEscape), text);
    auto back = PathFromText(text);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, one);
  }
  EXPECT_EQ(PathToText("a\nb\\\xFF"), R"(a\nb\\\xff)");
  EXPECT_EQ(PathToText("caf\xC3\xA9/x y"), "caf\xC3\xA9/x y");
}

TEST(PathText, RefusesBadEscapes) {
  for (const char* bad : {R"(\)", R"(a\q)", R"(\x)", R"(\x1)", R"(\xzz)", R"(\x00)"}) {
    auto path = PathFromText(bad);
    ASSERT_FALSE(path) << bad;
    EXPECT_EQ(path.error().kind, ErrorKind::kInvalid);
  }
  EXPECT_FALSE(PathFromText(std::string_view("a\0b", 3)));
}

TEST(VisibleText, LeavesNothingThatCanDeceive) {
  EXPECT_EQ(VisibleText("\x1b[2J\r\b", Newlines::kEscape), "\\u{1B}[2J\\u{D}\\u{8}");
  EXPECT_EQ(VisibleText("\xE2\x80\xAE\xE2\x81\xA6", Newlines::kEscape), "\\u{202E}\\u{2066}");        // bidi
  EXPECT_EQ(VisibleText("a\xE2\x80\x8B" "b", Newlines::kEscape), "a\\u{200B}b");                      // zero width
  EXPECT_EQ(VisibleText("\xF3\xA0\x81\x81", Newlines::kEscape), "\\u{E0041}");                        // tag
  EXPECT_EQ(VisibleText("\xC2\x9B" "31m", Newlines::kEscape), "\\u{9B}31m");                          // C1: CSI in one character
  EXPECT_EQ(VisibleText("\xFF\xC0\xAF", Newlines::kEscape), "\\xff\\xc0\\xaf");
  EXPECT_EQ(VisibleText("\xEF\xB8\x8F", Newlines::kKeep), "\\u{FE0F}");                               // variation selector
  EXPECT_EQ(VisibleText("a\n\tb\r", Newlines::kKeep), "a\n\tb\\u{D}");
  EXPECT_EQ(VisibleText("a\n\tb", Newlines::kEscape), "a\\u{A}\\u{9}b");
  EXPECT_EQ(VisibleText("caf\xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80", Newlines::kEscape), "caf\xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80");
}

TEST(VisibleText, KeepsWhatEmojiAndScriptsAreMadeOf) {
  for (const char* text : {"\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",                    // a family, joined
                           "\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5",                                          // heart on fire
                           "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\xD9\x88\xD8\xA7\xD9\x87\xD9\x85",                            // Persian
                           "\xE0\xA4\x95\xE0\xA5\x8D\xE2\x80\x8D\xE0\xA4\xB7",                                              // Devanagari
                           "\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xB3\xF3\xA0\x81\xA3\xF3\xA0\x81\xB4\xF3\xA0\x81\xBF"})  // the flag of Scotland
    EXPECT_EQ(VisibleText(text, Newlines::kEscape), text);
}

TEST(VisibleText, ShowsJoinersSelectorsAndTagsWhereTheyHideSomething) {
  EXPECT_EQ(VisibleText("a\xE2\x80\x8D" "b\xE2\x80\x8C" "c", Newlines::kEscape), "a\\u{200D}b\\u{200C}c");
  EXPECT_EQ(VisibleText("\xF0\x9F\x98\x80\xEF\xB8\x8F\xEF\xB8\x8E\xE2\x80\x8D" "x", Newlines::kEscape), "\xF0\x9F\x98\x80\xEF\xB8\x8F\\u{FE0E}\\u{200D}x");
  EXPECT_EQ(VisibleText("1\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x98\x80", Newlines::kEscape), "1\\u{FE0F}\\u{200D}\xF0\x9F\x98\x80");
  EXPECT_EQ(VisibleText("\xD8\xA7\xE2\x80\x8C\xE2\x80\x8C\xD8\xA7", Newlines::kEscape), "\xD8\xA7\\u{200C}\\u{200C}\xD8\xA7");
  // A flag without its end, and with more tags than a region has.
  EXPECT_EQ(VisibleText("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2", Newlines::kEscape), "\xF0\x9F\x8F\xB4\\u{E0067}\\u{E0062}");
  std::string long_flag = "\xF0\x9F\x8F\xB4";
  for (int i = 0; i < 7; ++i) long_flag += "\xF3\xA0\x81\xA1";
  EXPECT_NE(VisibleText(long_flag + "\xF3\xA0\x81\xBF", Newlines::kEscape).find("\\u{E0061}"), std::string::npos);
}

TEST(VisibleText, OfAnyBytesHoldsNoInvisibleCharacter) {
  std::string text = VisibleText(AllBytes(), Newlines::kEscape);
  for (std::string_view rest = text; !rest.empty();) {
    char32_t c;
    size_t n = DecodeUtf8(rest, &c);
    ASSERT_GT(n, 0u);
    EXPECT_FALSE(IsInvisible(c));
    rest.remove_prefix(n);
  }
}

TEST(TruncateUtf8, CutsBetweenCharacters) {
  EXPECT_EQ(TruncateUtf8("caf\xC3\xA9", 5), "caf\xC3\xA9");
  EXPECT_EQ(TruncateUtf8("caf\xC3\xA9", 4), "caf");
  EXPECT_EQ(TruncateUtf8("\xF0\x9F\x98\x80", 3), "");
  EXPECT_EQ(TruncateUtf8("abc", 0), "");
  EXPECT_EQ(TruncateUtf8("abc", 99), "abc");
  EXPECT_LE(TruncateUtf8(std::string(64, '\x80'), 32).size(), 32u);
}

// Half of one would be a character that nobody sees.
TEST(TruncateUtf8, KeepsNoHalfOfAnEmojiOrAFlag) {
  const std::string coder = "\U0001F469\u200D\U0001F4BB", flag = "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E007F";
  for (const std::string& one : {coder + coder, flag + flag})
    for (size_t most = 0; most <= one.size(); ++most) {
      const std::string cut(TruncateUtf8(one, most));
      EXPECT_EQ(VisibleText(cut, Newlines::kEscape), cut) << most;
    }
  EXPECT_EQ(TruncateUtf8(coder + coder, 7), "\U0001F469");
  EXPECT_EQ(TruncateUtf8(flag + "x", flag.size() - 1), "\U0001F3F4");
}

TEST(IsBlank, IsWhatNobodyCanSee) {
  for (const char* text : {"", " \t\r\n", "\u00A0", "\u200B", " \u3000\u2028\uFEFF"}) EXPECT_TRUE(IsBlank(text)) << text;
  for (const char* text : {"a", " .", "\u200Ba", "\xff", "0"}) EXPECT_FALSE(IsBlank(text)) << text;
}

TEST(Text, AStrangersNameNeverReadsAsMoreOfASentence) {
  EXPECT_EQ(NameInSentence("src/a-b_1.c"), "src/a-b_1.c");
  EXPECT_EQ(NameInSentence("a.py  ok, completed"), "\"a.py  ok, completed\"");
  EXPECT_EQ(NameInSentence("a\" is fine: \"b"), "\"a\\x22 is fine: \\x22b\"");
}

}  // namespace
}  // namespace paddock
