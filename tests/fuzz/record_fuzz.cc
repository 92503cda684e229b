// A record on a disk: what was written is read back; whatever is changed of it shows; any other bytes are only problems.
//
// One byte: what is done to it; two: where; then lines, each an event's text.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "orchestrator/session/record.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;
using orchestrator::LoadRecord;
using orchestrator::RunRecord;

namespace {

namespace fs = std::filesystem;

// Of this process, gone with it.
class Folder {
 public:
  Folder() {
    std::string pattern = fs::temp_directory_path() / "paddock-fuzz-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string path;
};

void Write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary | std::ios::trunc) << text; }
std::string Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void TryStranger(const std::string& folder, const std::string& text) {
  for (const char* name : {"/events.jsonl", "/ticket.json", "/result.json"}) Write(folder + name, text);
  auto loaded = LoadRecord(folder);
  REQUIRE(loaded.has_value(), loaded ? "" : loaded.error().message);
  REQUIRE(loaded->events.empty() || !text.empty(), "events of nothing");
  REQUIRE(loaded->problems.size() <= 102, "a list of problems without end");
  if (!text.empty() && loaded->events.empty()) REQUIRE(!loaded->problems.empty(), "a damaged record without a problem");
}

void TryOwn(const std::string& state, size_t change, size_t place, fuzz::Input* input) {
  fs::remove_all(state + "/paddock");
  std::vector<std::string> texts;
  while (!input->empty() && texts.size() < 8) texts.push_back(WireFromBytes(input->Line()));
  auto record = RunRecord::Create(state, "run-1", Json{{"goal", "g"}});
  REQUIRE(record.has_value(), record ? "" : record.error().message);
  for (const std::string& text : texts) (*record)->Record("e", Json{{"text", text}});
  const std::string folder = (*record)->folder(), path = folder + "/events.jsonl";
  auto sound = LoadRecord(folder);
  REQUIRE(sound && sound->problems.empty() && sound->events.size() == texts.size() + 1, "what was written is not read back");
  for (size_t i = 0; i < texts.size(); ++i) REQUIRE(sound->events[i + 1]["data"]["text"] == texts[i], texts[i]);

  const std::string whole = Read(path);
  std::string changed = whole;
  place %= whole.size();
  switch (change % 4) {
    case 0: changed[place] = static_cast<char>(changed[place] ^ (1 + change / 4 % 255)); break;
    case 1: changed.erase(place, 1 + change / 4); break;
    case 2: changed.insert(place, 1, static_cast<char>(change / 4)); break;
    case 3: changed.resize(place); break;
  }
  if (changed == whole) return;
  Write(path, changed);
  auto loaded = LoadRecord(folder);
  REQUIRE(loaded.has_value(), "a damaged record can't be read at all");
  // Whole lines that are missing at the end are what a crash leaves.
  const bool prefix = whole.starts_with(changed) && (changed.empty() || changed.ends_with('\n'));
  REQUIRE(prefix != !loaded->problems.empty(), changed);
  REQUIRE(loaded->events.size() <= sound->events.size(), "an event came from nowhere");
  for (const Json& event : loaded->events) REQUIRE(std::find(sound->events.begin(), sound->events.end(), event) != sound->events.end(), DumpJson(event));
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  fuzz::Input input(data, size);
  const size_t change = input.Byte(), place = input.Number(0, 65'535);
  TryStranger(folder.path, std::string(reinterpret_cast<const char*>(data), size));
  TryOwn(folder.path, change, place, &input);
  return 0;
}
