// The estimate of tokens beside the tokenizer that it stands for.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "agentcore/context/token_estimate.h"
#include "tests/peers/node.h"

namespace paddock::peers {
namespace {

TEST(Tokens, AreEstimatedWithinATenth) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(PeersFolder() + "/texts")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 7u);
  std::istringstream counts(Node("token_counts.mjs", files));
  for (const std::string& file : files) {
    double count = 0;
    ASSERT_TRUE(counts >> count) << file;
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const double estimate = static_cast<double>(agentcore::EstimateTokens(text));
    std::cout << std::filesystem::path(file).filename().string() << " " << std::llround((estimate / count - 1) * 1000) / 10.0 << " %\n";
    EXPECT_LE(std::abs(estimate / count - 1), 0.1) << file << ": " << count << " tokens, estimated " << estimate;
  }
}

}  // namespace
}  // namespace paddock::peers
