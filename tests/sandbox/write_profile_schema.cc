// paddock-profile-schema FILE: writes the published JSON Schema of profiles (profiles/profile.schema.json).
#include <cstdio>
#include <fstream>

#include "tests/sandbox/profile_schema.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-profile-schema FILE\n");
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary | std::ios::trunc);
  file << paddock::sandbox::PublishedProfileSchema();
  file.close();
  if (!file) std::fprintf(stderr, "paddock-profile-schema: can't write %s\n", argv[1]);
  return file ? 0 : 1;
}
