// Writes the text of each shipped profile's filter: paddock-filter-goldens FOLDER
#include <cstdio>
#include <fstream>

#include "tests/sandbox/filter_golden.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-filter-goldens FOLDER\n");
    return 2;
  }
  for (const std::string& name : paddock::sandbox::ShippedProfileNames()) {
    auto text = paddock::sandbox::FilterGolden(name);
    if (!text) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), text.error().message.c_str());
      return 1;
    }
    if (!(std::ofstream(std::string(argv[1]) + "/" + name + ".txt", std::ios::trunc) << *text)) return 1;
  }
}
