// paddock-recheck-schema FILE: writes the published JSON Schema of `paddock recheck --json` (orchestrator/schema/recheck.schema.json).
#include <cstdio>
#include <fstream>

#include "orchestrator/delegation/recheck.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-recheck-schema FILE\n");
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary | std::ios::trunc);
  file << paddock::orchestrator::PublishedRecheckSchema();
  file.close();
  if (!file) std::fprintf(stderr, "paddock-recheck-schema: can't write %s\n", argv[1]);
  return file ? 0 : 1;
}
