// A folder that goes away while the jail is built is no fault of the machine, and isn't called one.
#include <gmock/gmock.h>

#include <cerrno>

#include "sandbox/jail.h"

namespace paddock::sandbox {
namespace {

TEST(SetupErrorHint, OfAPathThatChangedMeanwhile) {
  for (int err : {ENOENT, ENOTDIR, ELOOP, ESTALE}) {
    const Error error = SetupError(Stage::kTrees, err, "/work/repo");
    EXPECT_THAT(error.message, testing::HasSubstr("/work/repo"));
    EXPECT_THAT(error.hint, testing::HasSubstr("run it again")) << err;
  }
}

}  // namespace
}  // namespace paddock::sandbox
