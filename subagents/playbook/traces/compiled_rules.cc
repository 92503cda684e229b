#include "subagents/playbook/traces/trace_rules.h"

namespace paddock::subagents {
namespace {

using enum TraceRole;
using enum TraceKind;

constexpr TraceRule kRules[] = {
    {kHead, kCrash, "Go", "panic: ", R"(\s*panic: (.*))", "M"},
    {kHead, kCrash, "Go", "fatal error: ", R"(fatal error: (all goroutines .*|runtime: .*|stack overflow.*|concurrent map .*))", "M"},
    {kHead, kCrash, "Go", "WARNING: DATA RACE", R"((WARNING: DATA RACE))", "M"},
    {kFrame, kCrash, "Go", ".go:", R"(\s+(\S+\.go):(\d+)(?: \+0x[0-9a-f]+)?)", "FL"},
    {kFunction, kCrash, "Go", "(", R"(\s*(?:created by )?((?:[\w.-]+/)*[\w-]+\.[\w.()*\[\]{}-]+?)(?:\([^()]*\))(?: .*)?)", "N"},
    {kTestName, kTest, "go test", "--- FAIL: ", R"(\s*--- FAIL: (\S+).*)", "T"},
    {kPlace, kAssertion, "go test", "_test.go:", R"(\s+(\S+_test\.go):(\d+):(?: (.*))?)", "FLM"},
    {kPlace, kAssertion, "testify", "Error Trace:", R"(\s*Error Trace:\s+(\S+\.go):(\d+))", "FL"},
    {kPlace, kCrash, "Rust", "panicked at ", R"(thread '(.*?)' panicked at '(.*)', (\S+?):(\d+):\d+)", "TMFL"},
    {kPlace, kCrash, "Rust", "panicked at ", R"(thread '(.*?)'(?: \(\d+\))? panicked at (\S+?):(\d+):\d+:)", "TFL"},
    {kFunction, kCrash, "Rust", ": ", R"(\s+\d+: (?:0x[0-9a-f]+ - )?(\S.*?)(?:::h[0-9a-f]{16})?)", "N"},
    {kFrame, kCrash, "Rust", ".rs:", R"(\s+at (\S+\.rs):(\d+)(?::\d+)?)", "FL"},
    {kTestName, kTest, "cargo test", "FAILED", R"(test (\S+)(?: - .*)? \.\.\. FAILED)", "T"},
    {kHead, kCrash, "Java", ".", R"(\s*(?:Exception in thread "[^"]*" |Caused by: |Suppressed: |\[ERROR\]\s+)?((?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Exception|Error|Failure)\w*(?:: .*)?))", "M"},
    {kFrame, kCrash, "Java", "at ", R"(\s*at (?:[\w.@-]+/)?([\w.$<>]+)\(([\w$]+\.(?:java|kt|kts|scala|groovy)):(\d+)\))", "NFL"},
    {kTestName, kTest, "Surefire", "[ERROR]", R"(\[ERROR\]\s+(?:Tests run.*)?(\w+(?:Test|Tests|IT)\w*\.\w+):\d+.*)", "T"},
    {kTestName, kTest, "Surefire", "<<< ", R"((?:\[ERROR\]\s+)?(\S+)\s.*<<< (?:FAILURE|ERROR)!.*)", "T"},
    {kTestName, kTest, "Gradle", " FAILED", R"((\S+ > \S.*) FAILED)", "T"},
    {kTestName, kTest, "JUnit", ") ", R"(\d+\) (\w+)\([\w.$]+\))", "T"},
    {kTestName, kTest, "JUnit", "[X]", R"(.*[─-] (\S+) .*\[X\].*)", "T"},
};

}  // namespace

std::span<const TraceRule> CompiledTraceRules() { return kRules; }

}  // namespace paddock::subagents
