// config.json: printed it reads the same; an error names the file.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "orchestrator/cli/config.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

namespace fs = std::filesystem;

// XDG_CONFIG_HOME of this process.
class Home {
 public:
  Home() {
    std::string pattern = fs::temp_directory_path() / "paddock-fuzz-XXXXXX";
    path_ = mkdtemp(pattern.data());
    fs::create_directory(path_ + "/paddock");
    setenv("XDG_CONFIG_HOME", path_.c_str(), 1);
  }
  ~Home() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  void Write(std::string_view text) const { std::ofstream(path_ + "/paddock/config.json", std::ios::binary | std::ios::trunc) << text; }

 private:
  std::string path_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Home home;
  home.Write({reinterpret_cast<const char*>(data), size});
  auto config = orchestrator::LoadConfig();
  if (!config) {
    fuzz::RequireGood(config.error());
    REQUIRE(config.error().message.find("config.json: ") != std::string::npos, config.error().message);
    return 0;
  }
  REQUIRE(config->jail_uid >= 1, "jails of root");
  const std::string printed = DumpJson(ToJson(*config));
  home.Write(printed);
  auto again = orchestrator::LoadConfig();
  REQUIRE(again.has_value(), again ? "" : again.error().message + "\n" + printed);
  REQUIRE(DumpJson(ToJson(*again)) == printed, printed);
  return 0;
}
