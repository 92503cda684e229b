// The lines of logs that say something, as tables: one for each family of programs.
//
// `takes` says what the groups of the pattern are, in order: F file, L line, N function, M message, T test, - nothing. Patterns are
// RE2's, anchored at both ends.
#pragma once

#include <span>

#include "subagents/playbook/traces/trace.h"

namespace paddock::subagents {

enum class TraceRole {
  kHead,      // a new trace begins here
  kHeadLast,  // the same, and its deepest frame is the last (Python)
  kFrame,     // of the trace that is open, else of a new one
  kFunction,  // the function of the frame that stands in the next line (Go, Rust)
  kMessage,   // of the trace that is open
  kEnd,       // a message that ends the trace that is open
  kPlace,     // a trace by itself
  kTestName,  // a failing test's
};

struct TraceRule {
  TraceRole role;
  TraceKind kind;
  const char* format;
  const char* hint;     // a text that such a line holds, so that few patterns are tried
  const char* pattern;
  const char* takes;
};

std::span<const TraceRule> NativeTraceRules();    // C and C++: sanitizers, gdb, valgrind, assert, GoogleTest, CTest, make
std::span<const TraceRule> ScriptTraceRules();    // Python, Node, Ruby, Perl and their test runners, TAP
std::span<const TraceRule> CompiledTraceRules();  // Go, Rust, Java, Kotlin and their test runners
std::span<const TraceRule> CompilerRules();       // gcc, clang, rustc, go, tsc, javac, MSVC, linkers

}  // namespace paddock::subagents
