#include "subagents/playbook/traces/trace_rules.h"

namespace paddock::subagents {
namespace {

using enum TraceRole;
using enum TraceKind;

constexpr TraceRule kRules[] = {
    {kHead, kCrash, "sanitizer", "Sanitizer: ", R"((?:==\d+==)?\s*(?:ERROR|WARNING|FATAL): ((?:Address|Thread|Memory|Leak|HWAddress)Sanitizer: .*))", "M"},
    {kHead, kCrash, "sanitizer", "Sanitizer:", R"((?:==\d+==)?\s*((?:UndefinedBehavior|Address)Sanitizer:\s?(?:DEADLYSIGNAL|SEGV).*))", "M"},
    {kHead, kCrash, "LeakSanitizer", " leak of ", R"(((?:Direct|Indirect) leak of .*))", "M"},
    {kPlace, kCrash, "UBSan", "runtime error: ", R"((\S+?):(\d+):(?:\d+:)? (runtime error: .*))", "FLM"},
    {kFrame, kCrash, "sanitizer", "#", R"(\s*#\d+ (?:0x[0-9a-f]+ )?in (.+?) (\S+?):(\d+)(?::\d+)?(?: .*)?)", "NFL"},
    {kFrame, kCrash, "sanitizer", "#", R"(\s*#\d+ (.+?) (\S+?):(\d+)(?::\d+)? \(.*\))", "NFL"},
    {kPlace, kCrash, "C library", "free", R"((?:.*: )?((?:double free or corruption|free\(\): |realloc\(\): |munmap_chunk\(\): ).*))", "M"},
    {kPlace, kCrash, "C library", "malloc", R"((?:.*: )?((?:malloc(?:_consolidate)?\(\): |sysmalloc: ).*))", "M"},
    {kPlace, kCrash, "C library", "munmap_chunk", R"((?:.*: )?(munmap_chunk\(\): .*))", "M"},
    {kPlace, kCrash, "C library", "corrupted ", R"((?:.*: )?(corrupted (?:size vs\. prev_size|double-linked list).*))", "M"},
    {kPlace, kCrash, "C library", " detected ***", R"((?:.*: )?(\*\*\* .* detected \*\*\*.*))", "M"},
    {kHead, kCrash, "C++", "terminate called", R"((terminate called .*))", "M"},
    {kEnd, kCrash, "C++", "what():", R"(\s*(what\(\):.*))", "M"},
    {kHead, kCrash, "gdb", " received signal ", R"((?:Program|Thread .*) received signal (.*))", "M"},
    {kHead, kCrash, "gdb", "Program terminated", R"((Program terminated with signal .*))", "M"},
    {kFrame, kCrash, "gdb", "#", R"(#\d+\s+(?:0x[0-9a-f]+ in )?(\S.*?) ?\(.*\)\s+at (\S+?):(\d+))", "NFL"},
    {kHead, kCrash, "valgrind", "== ", R"(==\d+== ((?:Invalid|Conditional jump|Use of uninit|Mismatched|Process terminating|Source and destination overlap|Syscall param|Argument).*))", "M"},
    {kHead, kCrash, "valgrind", " lost in loss record", R"(==\d+== (.* lost in loss record.*))", "M"},
    {kFrame, kCrash, "valgrind", "==", R"(==\d+==\s+(?:at|by) 0x[0-9A-Fa-f]+: (.+?) \(([^():]+):(\d+)\))", "NFL"},
    {kPlace, kAssertion, "assert", "Assertion", R"((?:\S+: )?(\S+?):(\d+): (.+?): (Assertion .*))", "FLNM"},
    {kPlace, kAssertion, "assert", "ssertion failed", R"(([Aa]ssertion failed: .*?), (?:function (\S+?), )?file (\S+?), line (\d+).*)", "MNFL"},
    {kPlace, kAssertion, "GoogleTest", "Failure", R"((\S+?):(\d+): Failure)", "FL"},
    {kPlace, kAssertion, "GoogleTest", "error: ", R"((\S+?)\((\d+)\): error: (.*))", "FLM"},
    {kPlace, kAssertion, "Catch2", "FAILED:", R"((\S+?):(\d+): FAILED:.*)", "FL"},
    {kPlace, kAssertion, "doctest", "ERROR:", R"((\S+?):(\d+): ((?:FATAL )?ERROR: .*))", "FLM"},
    {kPlace, kAssertion, "Boost.Test", "error: in ", R"re((\S+?)\((\d+)\): (?:fatal )?error: in "(.*?)": (.*))re", "FLTM"},
    {kPlace, kAssertion, "Check", ":", R"((\S+?\.\w+):(\d+):[FE]:[^:]*:([^:]+):\d+: (.*))", "FLTM"},
    {kPlace, kAssertion, "Unity", ":FAIL", R"((\S+?):(\d+):(\w+):FAIL:? ?(.*))", "FLTM"},
    {kPlace, kAssertion, "CUnit", " - ", R"(\s*\d+\. (\S+?):(\d+)  - (.*))", "FLM"},
    {kPlace, kAssertion, "cmocka", "Failure!", R"((?:\[\s*LINE\s*\] --- )?(\S+?):(\d+): error: Failure!)", "FL"},
    {kTestName, kTest, "GoogleTest", "[  FAILED  ]", R"(\[  FAILED  \] ([\w/]+\.[\w/]+).*)", "T"},
    {kTestName, kTest, "cmocka", "[  FAILED  ]", R"(\[  FAILED  \] (\w+))", "T"},
    // How it ended, where it ended by itself.
    {kTestName, kTest, "CTest", " - ", R"(\s*\d+ - (\S+) \((SEGFAULT|ILLEGAL|Timeout|Child aborted|Subprocess aborted|NUMERICAL|OTHER_FAULT)\).*)", "TM"},
    {kTestName, kTest, "CTest", " - ", R"(\s*\d+ - (\S+) \((?:Failed|SEGFAULT|ILLEGAL|Timeout|Child aborted|Subprocess aborted|NUMERICAL|Not Run|OTHER_FAULT|ILLEGAL).*)", "T"},
    {kTestName, kTest, "CTest", "***", R"(\s*\d+/\d+ Test\s+#\d+: (\S+) \.*\s*\*\*\*.*)", "T"},
    {kTestName, kTest, "Automake", "FAIL", R"((?:FAIL|XPASS|ERROR):? (\S+)(?: \(exit.*)?)", "T"},
    {kTestName, kTest, "meson", "FAIL", R"(\s*\d+/\d+ (?:.* / )?(\S+)\s+(?:FAIL|ERROR|TIMEOUT)\b.*)", "T"},
    {kPlace, kWeak, "make", "*** [", R"(g?make(?:\[\d+\])?: \*\*\* \[([^\]:]+):(\d+): (\S+)\] (.*))", "FL-M"},
    {kPlace, kWeak, "make", "*** ", R"((\S*[Mm]akefile\S*?):(\d+): \*\*\* (.*))", "FLM"},
    {kPlace, kCrash, "shell", "egmentation fault", R"((.*\b[Ss]egmentation fault\b.*))", "M"},
    {kPlace, kCrash, "shell", "Aborted", R"((.*\bAborted\b.*\(core dumped\).*))", "M"},
};

}  // namespace

std::span<const TraceRule> NativeTraceRules() { return kRules; }

}  // namespace paddock::subagents
