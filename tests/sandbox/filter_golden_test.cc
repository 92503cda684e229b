#include "tests/sandbox/filter_golden.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace paddock::sandbox {
namespace {

TEST(FilterGoldens, AreWhatEachShippedProfileAllows) {
  const auto folder = std::filesystem::path(PADDOCK_TEST_DATA) / "filters";
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::string& name : ShippedProfileNames()) {
    auto text = FilterGolden(name);
    ASSERT_TRUE(text) << name << ": " << text.error().message;
    std::ifstream file(folder / (name + ".txt"));
    std::stringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(golden.str(), *text) << "what " << name << " allows has changed; if that is meant, write it down with:\n  cmake --build "
                                   << bin.parent_path().string() << " --target paddock-filter-goldens && " << (bin / "paddock-filter-goldens").string() << " "
                                   << folder.string();
  }
}

}  // namespace
}  // namespace paddock::sandbox
