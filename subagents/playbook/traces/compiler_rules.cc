#include "subagents/playbook/traces/trace_rules.h"

namespace paddock::subagents {
namespace {

using enum TraceRole;
using enum TraceKind;

constexpr TraceRule kRules[] = {
    {kPlace, kCompile, "gcc or clang", "error: ", R"((\S[^:]*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*))", "FLM"},
    {kPlace, kCompile, "linker", "undefined reference", R"((?:.*?ld: )?(?:.*?[:(])?([^:()\s]+\.\w+):(?:(\d+):)?.*?(undefined reference to .*))", "FLM"},
    {kHead, kCompile, "linker", "ndefined symbol", R"((.*[Uu]ndefined symbols?\b.*))", "M"},
    {kHead, kCompile, "rustc", "error", R"((error(?:\[E\d+\])?: .*))", "M"},
    {kFrame, kCompile, "rustc", "--> ", R"(\s+--> (\S+?):(\d+):\d+)", "FL"},
    {kPlace, kCompile, "go", ".go:", R"((?:vet: )?(\S+\.go):(\d+):\d+: (.*))", "FLM"},
    {kPlace, kCompile, "tsc", "error TS", R"((\S+?)[(:](\d+)[,:]\d+\)?(?: -|:) (error TS\d+: .*))", "FLM"},
    {kPlace, kCompile, "javac", ".java:", R"((?:\[ERROR\] )?(\S+\.java):\[(\d+),\d+\] (.*))", "FLM"},
    {kPlace, kCompile, "kotlinc", ".kt", R"(e: (?:file://)?(\S+\.kts?):? ?\(?(\d+)[,:] ?\d+\)?:? (.*))", "FLM"},
    {kPlace, kCompile, "MSVC", "error ", R"((\S[^()]*?)\((\d+)(?:,\d+)?\)\s?: (?:fatal )?(error [A-Z]+\d+: .*))", "FLM"},
    {kPlace, kCompile, "CMake", "CMake Error at", R"(CMake Error at (\S+?):(\d+) \((.*)\):)", "FLM"},
};

}  // namespace

std::span<const TraceRule> CompilerRules() { return kRules; }

}  // namespace paddock::subagents
