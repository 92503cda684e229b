// What a log says about a failure, whatever program wrote it: places in files, names of functions and of tests, messages.
//
// A log is a stranger's: it is read line by line in linear time, and everything that is kept is bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subagents/playbook/traces/lack.h"

namespace paddock::subagents {

struct Frame {
  std::string file;      // as the log has it: another machine's path, a base name, a Java class with slashes
  int64_t line = 0;      // 0: not said
  std::string function;  // may be empty
};

enum class TraceKind {
  kCrash,      // a stack of frames, the deepest first
  kAssertion,  // a check in a test, or assert(3), that failed
  kCompile,    // a compiler's or linker's error
  kTest,       // a test that failed, by its name
  kWeak,       // a place that is named somewhere: a Makefile's line, a path in a message
};

struct Trace {
  TraceKind kind = TraceKind::kCrash;
  std::string format;   // "AddressSanitizer", "Python", "go test", ...
  std::string message;  // what is wrong, in the log's words
  std::string test;     // the failing test's name, may be empty
  std::vector<Frame> frames;
  int lack = -1;        // of LogFacts::lacks, the one that it tells of
  std::string folder = {};  // where it ran, by the log: Go's package, make's folder; "" where that isn't said
};

struct LogFacts {
  std::vector<Trace> traces;       // in the log's order, those that say the same once
  std::string command;             // of a run (delegation/needs_run.h), and its exit status
  int64_t exit_status = -1;        // -1: the log doesn't say
  bool cut = false;                // there was more than is read
  std::vector<Lack> lacks;         // in the log's order
  int64_t failed_tests = -1;       // by the test runner's own count; -1: it gives none, or none that failed
  std::string counted_programs;    // the runner whose count that is, where it counts programs of tests
  std::string untested;            // the line that says that no test ran, where none tells of one that did
  std::vector<std::string> differing;   // words at which compared values differ, each once
  std::vector<std::string> last_lines;  // that say something, three at most, each cut
};

inline constexpr size_t kMaxTraces = 60, kMaxFrames = 40, kMaxLacks = 40;

// Stands in a log for lines that are not given.
inline constexpr std::string_view kLogGap = "\x01 lines left out \x01";

LogFacts ReadLog(std::string_view log);

// How many tests fail: the runner's own count where it gives one, else the tests that are named, without subtests beside their parents,
// else the traces.
int64_t CountOfFailures(const LogFacts& log);

}  // namespace paddock::subagents
