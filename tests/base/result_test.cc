#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace paddock {
namespace {

TEST(FailErrno, SaysWhatTheCallerSaysToDo) {
  EXPECT_EQ(FailErrno("open x", EACCES, "chmod it").error().hint, "chmod it");
  EXPECT_EQ(FailErrno("open x", EACCES).error().message, "open x: Permission denied (EACCES)");
}

TEST(FailErrno, ALackOfDescriptorsIsMendedByMoreOfThemAlone) {
  EXPECT_NE(FailErrno("make record", EMFILE, "set XDG_STATE_HOME").error().hint.find("ulimit -n"), std::string::npos);
  EXPECT_NE(FailErrno("make record", ENFILE, "set XDG_STATE_HOME").error().hint.find("fs.file-max"), std::string::npos);
}

}  // namespace
}  // namespace paddock
