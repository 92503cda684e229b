// paddock-exec-events-schema FILE: writes the published JSON Schema of `paddock exec --json` (orchestrator/schema/exec-events.schema.json).
#include <cstdio>
#include <fstream>

#include "orchestrator/agent/exec_events.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: paddock-exec-events-schema FILE\n");
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary | std::ios::trunc);
  file << paddock::orchestrator::PublishedExecEventsSchema();
  file.close();
  if (!file) std::fprintf(stderr, "paddock-exec-events-schema: can't write %s\n", argv[1]);
  return file ? 0 : 1;
}
