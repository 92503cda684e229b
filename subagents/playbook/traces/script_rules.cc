#include "subagents/playbook/traces/trace_rules.h"

namespace paddock::subagents {
namespace {

using enum TraceRole;
using enum TraceKind;

constexpr TraceRule kRules[] = {
    {kHeadLast, kCrash, "Python", "Traceback (", R"(\s*(?:E\s+)?Traceback \(most recent call last\):)", ""},
    {kFrame, kCrash, "Python", "File \"", R"re(\s*(?:E\s+)?File "([^"]+)", line (\d+)(?:, in (.+))?)re", "FLN"},
    {kEnd, kCrash, "Python", "", R"(((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning|Failed)(?:: .*)?))", "M"},
    {kHeadLast, kAssertion, "pytest", "___", R"(_{3,} (?:ERROR at \w+ of |ERROR collecting )?(\S.*?) _{3,})", "T"},
    {kHeadLast, kAssertion, "pytest", "_ ", R"(_{1,2} ((?:[A-Za-z]\w*\.)*test\w*(?:\[.*\])?) _{1,2})", "T"},  // a long name
    {kFrame, kAssertion, "pytest", ".py:", R"((\S+\.py):(\d+): (?:in (\S+))?\s*)", "FLN"},
    {kFrame, kAssertion, "pytest", ".py:", R"((\S+\.py):(\d+): ([A-Za-z_][\w.]*)\s*)", "FLM"},
    {kMessage, kAssertion, "pytest", "E  ", R"(E\s{2,}(\S.*))", "M"},
    {kTestName, kTest, "pytest", "::", R"((?:FAILED|ERROR) (\S+?)::(\S+)(?: - (.*))?)", "FTM"},
    {kTestName, kTest, "unittest", " (", R"((?:FAIL|ERROR): (\w+) \(.*\))", "T"},
    {kFrame, kCrash, "Node", "at ", R"(\s*at (?:async )?(?:new )?([^()\s]\S*?)(?: \[as \w+\])? \((?:file://)?((?:[A-Za-z]:)?[^():]+):(\d+):\d+\))", "NFL"},
    {kFrame, kCrash, "Node", "at ", R"(\s*at (?:async )?(?:file://)?((?:[A-Za-z]:)?[^():\s]+):(\d+):\d+\)?)", "FL"},
    {kPlace, kCrash, "Node", "js:", R"((?:file://)?(/\S+\.[cm]?[jt]sx?):(\d+))", "FL"},
    // Where the test begins; what failed in it, and where, stands below.
    {kHead, kCrash, "node:test", "location: ", R"(\s*location: '(?:file://)?(.+?):(\d+):\d+')", "FL"},
    {kMessage, kCrash, "node:test", "error: ", R"(\s*error: (?:'(.*)'|\|-))", "M"},
    {kFrame, kCrash, "node:test", " (", R"(\s+(?:async )?(?:new )?(\S.*?) \((?:file://)?((?:/|[A-Za-z]:)[^():]+):(\d+):\d+\))", "NFL"},
    {kFrame, kCrash, "node:test", "/", R"(\s+(?:async )?(?:file://)?((?:/|[A-Za-z]:/)[^():\s]+):(\d+):\d+)", "FL"},
    {kHead, kCrash, "Node", "rror", R"(\s*(?:Uncaught |# |✖ |error: )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .*))", "M"},
    {kHead, kCrash, "Node", "xception: ", R"(\s*(?:Uncaught |# |✖ |error: )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .*))", "M"},
    {kTestName, kTest, "mocha", ") ", R"(\s+\d+\) (\S.*?):?)", "T"},
    {kTestName, kTest, "jest", "● ", R"(\s*● (\S.*))", "T"},
    {kTestName, kTest, "jest", "FAIL ", R"(\s*FAIL\s+(\S+\.(?:js|jsx|ts|tsx|mjs|cjs))(?: .*)?)", "F"},
    {kTestName, kTest, "TAP", "not ok ", R"(\s*not ok \d+(?: -)? (\S.*?)(?: +# time=[\d.]+ms.*)?)", "T"},
    // With the time that it took: linters begin their counts with the same sign.
    {kTestName, kTest, "node:test", "✖ ", R"(\s*✖ (\S.*?) \([\d.]+ ?m?s\)(?: # .*)?)", "T"},
    {kTestName, kTest, "AVA", "✖ [fail]", R"(\s*✖ \[fail\]: (\S.*))", "T"},
    {kPlace, kAssertion, "TAP", "at: ", R"(\s*at: (?:.*\()?(?:file://)?([^():\s]+):(\d+):\d+\)?)", "FL"},
    {kFrame, kCrash, "Ruby", ".rb:", R"(\s*(?:from |# |\d+: from )?(\S+\.rb):(\d+):in [`'](.+)'(?:: .*)?)", "FLN"},
    {kPlace, kAssertion, "Minitest", ".rb:", R"(.* \[(\S+\.rb):(\d+)\]:?)", "FL"},
    {kTestName, kTest, "RSpec", "rspec ", R"(rspec (\S+?\.rb):\d+ # (.*))", "FT"},
    {kPlace, kCrash, "Perl", " line ", R"((?:#\s+)?(.*?) at (\S+\.(?:pl|pm|t|PL)) line (\d+)\.?)", "MFL"},
    {kPlace, kCrash, "PHP", " on line ", R"((?:PHP )?(.*?) in (\S+\.php) on line (\d+))", "MFL"},
    // A place and words, of programs that nobody knows.
    {kPlace, kWeak, "place", ":", R"((?:.*[^\w./-])?((?:/|\w|\.)[\w./+-]*\.(?:c|cc|cpp|cxx|h|hpp|py|rb|[cm]?[jt]sx?|go|rs|java|kt|swift|php|pl|sh|lua)):(\d+):(?:\d+:)? (.*))", "FLM"},
    {kPlace, kWeak, "place", "): ", R"(((?:/|\w|\.)[\w./+-]*\.(?:c|cc|cpp|cxx|h|hpp|cs)))" R"(\((\d+)\): (.*))", "FLM"},
    {kPlace, kCrash, "shell", ": line ", R"((\S+?): line (\d+): (.*))", "FLM"},
};

}  // namespace

std::span<const TraceRule> ScriptTraceRules() { return kRules; }

}  // namespace paddock::subagents
