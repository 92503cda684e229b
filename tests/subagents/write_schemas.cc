// paddock-schemas DIR: writes the published JSON Schemas into DIR (subagents/schema in the project).
#include <cstdio>
#include <fstream>
#include <string>

#include "subagents/schemas.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-schemas DIR\n");
    return 2;
  }
  for (const auto& [name, text] : paddock::subagents::PublishedSchemas()) {
    std::string path = std::string(argv[1]) + "/" + name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
      std::fprintf(stderr, "paddock-schemas: can't write %s\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
