// However the bytes of a stream arrive, the answer is the same.
#include <random>

#include "tests/orchestrator/recorded_stream.h"

namespace paddock::orchestrator {
namespace {

constexpr int kSplits = 200;

std::vector<std::string_view> CutAt(std::string_view bytes, std::vector<size_t> places) {
  std::sort(places.begin(), places.end());
  std::vector<std::string_view> pieces;
  size_t begin = 0;
  for (size_t place : places) {
    pieces.push_back(bytes.substr(begin, place - begin));
    begin = place;
  }
  pieces.push_back(bytes.substr(begin));
  return pieces;
}

TEST(RecordedStreams, CutAnywhereTheyGiveTheSameAnswer) {
  for (const StreamKind& kind : kStreamKinds) {
    const auto files = StreamFiles(kind);
    EXPECT_GE(files.size(), 20u) << kind.folder;
    for (size_t number = 0; number < files.size(); ++number) {
      const std::string bytes = StreamBytes(files[number]);
      const Json whole = ReadRecorded(kind.protocol, {bytes});
      std::minstd_rand random(static_cast<unsigned>(number + 1));
      for (int i = 0; i < kSplits; ++i) {
        std::vector<size_t> places(1 + random() % 20);
        for (size_t& place : places) place = random() % (bytes.size() + 1);
        ASSERT_EQ(ReadRecorded(kind.protocol, CutAt(bytes, places)), whole) << files[number] << ", split " << i;
      }
      std::vector<size_t> everywhere(bytes.size());
      for (size_t i = 0; i < everywhere.size(); ++i) everywhere[i] = i;
      EXPECT_EQ(ReadRecorded(kind.protocol, CutAt(bytes, everywhere)), whole) << files[number] << ", byte by byte";
    }
  }
}

TEST(RecordedStreams, SayWhatTheirNamesSay) {
  for (const StreamKind& kind : kStreamKinds)
    for (const std::string& file : StreamFiles(kind)) {
      const Json read = ReadRecorded(kind.protocol, {StreamBytes(file)});
      const std::string name = std::filesystem::path(file).stem();
      EXPECT_EQ(read.contains("error"), name == "error" || name == "failed") << file << DumpJson(read);
      if (read.contains("error")) continue;
      const bool cut = name.starts_with("length");
      EXPECT_EQ(read["finish"], cut ? "length" : name == "refusal" || name == "content_filter" ? "refused" : "stop") << file;
      EXPECT_EQ(!read["calls"].empty(), name.find("call") != name.npos || name.find("arguments") != name.npos) << file << DumpJson(read);
      EXPECT_EQ(!read["reasoning"].empty(), name.find("reasoning") != name.npos || name.find("thinking") != name.npos) << file;
      for (const Json& call : read["calls"]) EXPECT_EQ(call["arguments"].is_null(), cut) << file;
      EXPECT_EQ(DumpJson(read).find("\xF4\x8F"), std::string::npos) << file << ": a half of a pair was left";
    }
}

}  // namespace
}  // namespace paddock::orchestrator
