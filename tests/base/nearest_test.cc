#include "base/nearest.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

const std::vector<std::string> kKnown = {"base", "read-only", "sealed"};

TEST(Nearest, FindsATypingError) {
  EXPECT_EQ(NearestName("read-onyl", kKnown), "read-only");
  EXPECT_EQ(NearestName("readonly", kKnown), "read-only");
  EXPECT_EQ(NearestName("seald", kKnown), "sealed");
  EXPECT_EQ(NearestHint("seald", kKnown), "did you mean \"sealed\"?");
}

TEST(Nearest, SaysNothingWhereNothingIsClose) {
  EXPECT_EQ(NearestName("workbench", kKnown), "");
  EXPECT_EQ(NearestName("", kKnown), "");
  EXPECT_EQ(NearestName("sealed", {}), "");
  EXPECT_EQ(NearestHint("workbench", kKnown), "");
}

TEST(Nearest, DoesNotWorkThroughALongName) { EXPECT_EQ(NearestName(std::string(1 << 20, 'a'), {std::string(1 << 20, 'a')}), ""); }

}  // namespace
}  // namespace paddock
