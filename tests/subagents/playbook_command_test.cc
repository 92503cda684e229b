#include "subagents/playbook/command.h"

#include <gmock/gmock.h>

namespace paddock::subagents {
namespace {

CommandWorld World() {
  CommandWorld world;
  world.has_file = [](std::string_view path) { return path == "check" || path == "tests/runtests.py" || path == "notes.md"; };
  world.has_folder = [](std::string_view path) { return path == "tests"; };
  world.make_targets = {"lint", "test-unit"};
  world.npm_scripts = {"test", "build"};
  return world;
}

std::string Read(std::string_view line, std::string cwd = "") {
  std::string out;
  for (const auto& command : ParseCommandLine(line, World(), &cwd)) {
    const char* kind = command.kind == CommandKind::kTest ? "T" : command.kind == CommandKind::kOther ? "-" : command.kind == CommandKind::kBuild ? "B" : "s";
    out += std::string(out.empty() ? "" : " | ") + kind + " " + command.text;
  }
  return out;
}

TEST(PlaybookCommand, TellsBuildFromTest) {
  EXPECT_EQ(Read("$ make"), "B make");
  EXPECT_EQ(Read("    make -j8 && make check"), "B make -j8 | T make check");
  EXPECT_EQ(Read("cargo test --all"), "T cargo test --all");
  EXPECT_EQ(Read("go test ./..."), "T go test ./...");
  EXPECT_EQ(Read("go build ./cmd/x"), "B go build ./cmd/x");
  EXPECT_EQ(Read("npm ci"), "s npm ci");
  EXPECT_EQ(Read("npm run build"), "B npm run build");
  EXPECT_EQ(Read("mvn clean test"), "T mvn clean test");
  EXPECT_EQ(Read("./gradlew build"), "B ./gradlew build");
  EXPECT_EQ(Read("bundle exec rake test"), "T bundle exec rake test");
  EXPECT_EQ(Read("meson test -C build"), "T meson test -C build");
  EXPECT_EQ(Read("cmake -S . -B build"), "s cmake -S . -B build");
  EXPECT_EQ(Read("cmake --build build"), "B cmake --build build");
  EXPECT_EQ(Read("uv run --locked tox run"), "T uv run --locked tox run");
  EXPECT_EQ(Read("python -m pip install -e '.[dev]'"), "B python -m pip install -e '.[dev]'");
  EXPECT_EQ(Read("./check   # all of them"), "T ./check");
}

// A contributor's example of one test ran in place of all of them.
TEST(PlaybookCommand, OneTestOfManyIsNotHowAProjectIsTested) {
  EXPECT_EQ(Read("python -m unittest tests.test_meta.Version.test_valid"), "");
  EXPECT_EQ(Read("python3 -m pytest -x tests/test_meta.py"), "- python3 -m pytest -x tests/test_meta.py");
  EXPECT_EQ(Read("python -m unittest discover tests"), "T python -m unittest discover tests");
  EXPECT_EQ(Read("python -m pytest tests"), "T python -m pytest tests");
}

TEST(PlaybookCommand, ProseIsNoCommand) {
  for (const char* line : {"make sure that it works", "make your life easier with this", "go to the wiki", "cargo is a package manager",
                           "test it", "npm is not needed", "meson is used", "python is a language", "perl is needed", "ant colonies",
                           "cmake can be used as an alternative", "bundle of joy", "rake the leaves", "check", "make install it all now",
                           "pip install otherpackage", "npm install express", "go build failures are fatal", "notes.md", "./notes.md"})
    EXPECT_EQ(Read(line), "") << line;
}

TEST(PlaybookCommand, PlaceholdersVariablesAndRedirectionsAreNotTaken) {
  for (const char* line : {"make <target>", "make ${TARGET}", "cargo test > log", "go test $(list)", "make test | tee log", "cargo test `x`",
                           "npm test ...  "})
    EXPECT_EQ(Read(line), "") << line;
  EXPECT_EQ(Read(std::string("make ") + std::string(5000, 'x')), "");
  EXPECT_EQ(Read("make test\x1b[31m"), "");
}

TEST(PlaybookCommand, OnlyWhatExistsIsRun) {
  EXPECT_EQ(Read("make lint"), "- make lint");
  EXPECT_EQ(Read("make test-unit"), "T make test-unit");
  EXPECT_EQ(Read("make frobnicate"), "");
  EXPECT_EQ(Read("npm run nothing"), "");
  EXPECT_EQ(Read("./nothing.sh"), "");
  EXPECT_EQ(Read("cd tests && ./runtests.py"), "T cd tests && ./runtests.py");
  EXPECT_EQ(Read("mkdir build && cd build && cmake .. && make"), "s cmake ..") << "that make is of the folder that CMake fills, not of the root's Makefile";
}

TEST(PlaybookCommand, FolderOfACloneIsTheRoot) {
  std::string cwd;
  ParseCommandLine("$ git clone git://example.org/x.git x-repo", World(), &cwd);
  ParseCommandLine("$ cd x-repo/tests", World(), &cwd);
  EXPECT_EQ(Read("$ ./runtests.py", cwd), "T cd tests && ./runtests.py");
}

TEST(PlaybookCommand, NamesTellWhatAScriptDoes) {
  EXPECT_EQ(KindOfName("run_tests.sh"), CommandKind::kTest);
  EXPECT_EQ(KindOfName("build-all"), CommandKind::kBuild);
  EXPECT_EQ(KindOfName("latest.sh"), CommandKind::kOther);
  EXPECT_EQ(KindOfName("lint-check"), CommandKind::kOther);
  EXPECT_FALSE(IsPlainPath("a; rm -rf x"));
  EXPECT_FALSE(IsPlainPath("-rf"));
  EXPECT_FALSE(IsPlainPath("a$(x)"));
}

}  // namespace
}  // namespace paddock::subagents
