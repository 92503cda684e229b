// Runs a fuzz target over files, without libFuzzer: TARGET [--few] FOLDER|FILE...
//
// Besides each file as it is: its beginnings, and fixed changes of it (--few: for a target that is slow). A failure names
// the file and the change; PADDOCK_FUZZ_KEEP=FILE keeps the input.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

int changes = 60, beginnings = 24;  // of each file
constexpr size_t kMaxChanged = 64u << 10;  // longer files are only run as they are

char now[512];  // what runs, for whoever ends us
std::string input;

void Say(int number) {
  (void)!write(2, now, strlen(now));
  // The input itself, so that it can be kept.
  if (const char* keep = getenv("PADDOCK_FUZZ_KEEP")) std::ofstream(keep, std::ios::binary) << input;
  signal(number, SIG_DFL);
  raise(number);
}

void Run(const std::string& file, const char* change, int number) {
  std::snprintf(now, sizeof now, "broken by %s, %s %d\n", file.c_str(), change, number);
  // A copy of exactly its size, so that a sanitizer sees a read past it.
  std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void RunFile(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  input = whole;
  Run(file, "as it is", 0);
  if (whole.empty() || whole.size() > kMaxChanged) return;
  for (int i = 0; i < beginnings; ++i) {
    input = whole.substr(0, whole.size() * static_cast<size_t>(i) / static_cast<size_t>(beginnings));
    Run(file, "beginning", i);
  }
  std::minstd_rand random(1);
  const auto place = [&] { return random() % input.size(); };
  for (int i = 0; i < changes; ++i) {
    input = whole;
    for (int steps = 1 + i % 3; steps > 0 && !input.empty(); --steps) {
      switch (random() % 5) {
        case 0: input[place()] = static_cast<char>(random()); break;
        case 1: input[place()] ^= static_cast<char>(1 << random() % 8); break;
        case 2: input.erase(place(), 1 + random() % 8); break;
        case 3: input.insert(place(), input.substr(place(), 1 + random() % 16)); break;
        case 4: input.insert(place(), 1, "\0\n\r\"\\{}[]:,\xff\xe2"[random() % 13]); break;
      }
    }
    Run(file, "change", i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) signal(number, Say);
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--few") changes = 6, beginnings = 3;
    else if (!fs::is_directory(argv[i])) files.push_back(argv[i]);
    else for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) RunFile(file);
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;  // nothing was tried: no success
}
