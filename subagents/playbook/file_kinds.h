// What a file is there for, by its path alone.
#pragma once

#include <string>
#include <string_view>

namespace paddock::subagents {

// By the conventions of the languages' test tools: a folder of tests, or a test's name.
bool IsTestPath(std::string_view path);
// A test of types: it is compiled, and never run.
bool IsTypeTestPath(std::string_view path);
// A program's tool reads it as its settings, though it is written in the program's language: "eslint.config.js".
bool IsToolSettingsPath(std::string_view path);
// Written for people: documentation, manual pages, change logs.
bool IsProsePath(std::string_view path);
// A list of changes: names everything once, and explains nothing.
bool IsChangeLog(std::string_view path);
// Says how it is built, packaged, installed or checked by a server.
bool IsBuildPath(std::string_view path);
// A workflow of GitHub's, and how much its name promises a build or a test: 0 most, from 5 on nothing.
bool IsWorkflowPath(std::string_view path);
int WorkflowRank(std::string_view path);
// Made by a program: lock files, minified code, snapshots.
bool IsMadePath(std::string_view path);
// A program's source that is none of the above, and of this project.
bool IsOwnSource(std::string_view path);

// Does the text hold this name of a file, and not only as the end of a longer one?
bool NamesFile(std::string_view text, std::string_view base);

// "src/foo_bar.c" → "foo_bar"; without "test_", "_test", ".spec" and the like.
std::string TestedStem(std::string_view path);

}  // namespace paddock::subagents
