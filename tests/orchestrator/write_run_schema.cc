// paddock-run-schema FILE: writes the published JSON Schema of `paddock run --json` (orchestrator/schema/run.schema.json).
#include <cstdio>
#include <fstream>

#include "orchestrator/run/outcome.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-run-schema FILE\n");
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary | std::ios::trunc);
  file << paddock::orchestrator::PublishedRunSchema();
  file.close();
  if (!file) std::fprintf(stderr, "paddock-run-schema: can't write %s\n", argv[1]);
  return file ? 0 : 1;
}
