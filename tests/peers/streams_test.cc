// The official libraries of both protocols' owners as judges of our readers: the same text, calls, finish and usage of every recorded stream.
#include <set>

#include "tests/orchestrator/recorded_stream.h"
#include "tests/peers/node.h"

namespace paddock::peers {
namespace {

using namespace orchestrator;

class Streams : public testing::TestWithParam<StreamKind> {};

TEST_P(Streams, AreReadAsTheOfficialLibraryReadsThem) {
  const auto files = StreamFiles(GetParam());
  std::vector<std::string> words = {GetParam().folder};
  words.insert(words.end(), files.begin(), files.end());
  const std::string out = Node("sdk_answers.mjs", words);
  // The library drops a last event without its empty line, as the specification has it; servers in use leave it out.
  const std::set<std::string> kTakenByUsOnly = {"no_last_line_end"};
  size_t at = 0, compared = 0;
  for (const std::string& file : files) {
    const size_t end = out.find('\n', at);
    ASSERT_NE(end, std::string::npos) << "nothing was said of " << file;
    auto theirs = ParseJson(std::string_view(out).substr(at, end - at));
    at = end + 1;
    ASSERT_TRUE(theirs) << file << theirs.error().message;
    Json ours = ReadRecorded(GetParam().protocol, {StreamBytes(file)});
    if (theirs->contains("error") && kTakenByUsOnly.contains(std::filesystem::path(file).stem())) continue;
    ++compared;
    if (theirs->contains("error")) *theirs = Json{{"error", true}};
    ours.erase("reasoning");
    EXPECT_EQ(ours, *theirs) << file;
  }
  EXPECT_GE(compared, 20u);
}

INSTANTIATE_TEST_SUITE_P(Protocols, Streams, testing::ValuesIn(kStreamKinds), [](const auto& one) { return std::string(one.param.folder); });

}  // namespace
}  // namespace paddock::peers
