// What is there for tests alone, though no name of a test says so.
#pragma once

#include <string_view>

namespace paddock::subagents {

// What tests share, and no product: "testutil.h", "db_test_helper.cc".
bool IsTestHelperPath(std::string_view path);
// A line that takes in a framework of tests, which a product has no use for: C, C++ and Go.
bool TakesInTestFramework(std::string_view line, std::string_view path);

}  // namespace paddock::subagents
