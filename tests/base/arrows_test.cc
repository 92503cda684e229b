// The architecture is folders, and this holds it in place: who may include whom, which one file sees which
// library, how much runs with privilege, and what lies at the top.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace paddock {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kTop = (fs::path(PADDOCK_TEST_DATA) / "../..").lexically_normal();

struct Arrow {
  std::string folder;  // the longest that fits a file decides
  Names may;           // what its files may include: prefixes
  Names may_not = {};  // exceptions of that
};
// base ← sandbox, base ← agentcore ← subagents, all of them ← orchestrator. The programs inside a jail
// (sandbox/child, subagents/cell and the playbooks) are nobody's library.
const std::vector<Arrow> kArrows = {
    {"base/", {"base/"}},
    {"sandbox/", {"sandbox/", "base/"}, {"sandbox/child/"}},
    {"sandbox/child/", {"sandbox/child/", "sandbox/plan.h", "sandbox/messages.h", "base/"}},
    {"agentcore/", {"agentcore/", "base/"}},
    {"subagents/", {"subagents/", "agentcore/", "base/"}},
    {"orchestrator/", {"orchestrator/", "subagents/", "agentcore/", "sandbox/", "base/"},
     {"sandbox/child/", "subagents/cell/", "subagents/foreign/", "subagents/playbook/"}},
};

struct Library {
  std::string header;  // prefix of what stands in <>
  Names files;         // that may include it
  const char* folder = nullptr;  // any file of which may
};
const std::vector<Library> kLibraries = {
    {"seccomp.h", {"sandbox/generate/write_system_calls.cc"}},
    {"boost/", {"sandbox/spawn.cc"}},
    {"sys/capability.h", {"sandbox/child/privileges.cc"}},
    // One checks arguments, one looks for secrets, one searches for a model; playbooks are made of patterns. All on hostile text.
    {"re2/", {"agentcore/model/pattern.cc", "agentcore/pipeline/redact_finders.cc", "agentcore/tools/regex.cc"}, "subagents/playbook/"},
    {"nlohmann/", {"base/json.h"}},
    {"CLI/", {"orchestrator/cli/commands.h", "orchestrator/cli/help_formatter.h", "orchestrator/cli/main.cc", "orchestrator/cli/odd_words.h", "orchestrator/cli/run_policy.cc"}},
    {"openssl/", {"base/sha256.cc"}},
    {"cpprest/", {"orchestrator/providers/http/client.cc"}},
    {"pplx/", {"orchestrator/providers/http/client.cc"}},
};

bool BeginsWithOne(const std::string& text, const Names& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& one) { return text.starts_with(one); });
}

Names Lines(const fs::path& path) {
  std::ifstream file(path);
  Names lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The sources of the programs, relative to the top.
Names Sources() {
  Names sources;
  for (const char* folder : {"base", "sandbox", "agentcore", "subagents", "orchestrator"})
    for (const auto& entry : fs::recursive_directory_iterator(kTop / folder)) {
      const std::string ending = entry.path().extension();
      if (ending == ".cc" || ending == ".h") sources.push_back(entry.path().lexically_relative(kTop));
    }
  return sources;
}

struct Include {
  std::string header;
  bool quoted = false;
};
std::vector<Include> Includes(const std::string& source) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*$)re");
  std::vector<Include> includes;
  for (const std::string& line : Lines(kTop / source))
    if (std::smatch match; std::regex_match(line, match, kInclude)) includes.push_back({match[2], match[1] == "\""});
  return includes;
}

const Arrow* ArrowOf(const std::string& source) {
  const Arrow* found = nullptr;
  for (const Arrow& arrow : kArrows)
    if (source.starts_with(arrow.folder) && (!found || arrow.folder.size() > found->folder.size())) found = &arrow;
  return found;
}

TEST(Arrows, PointOneWay) {
  const Names sources = Sources();
  ASSERT_GT(sources.size(), 100u);
  for (const std::string& source : sources) {
    const Arrow* arrow = ArrowOf(source);
    ASSERT_TRUE(arrow) << source;
    for (const Include& include : Includes(source)) {
      if (!include.quoted) {
        EXPECT_FALSE(BeginsWithOne(include.header, {"base/", "sandbox/", "agentcore/", "subagents/", "orchestrator/"}))
            << source << ": <" << include.header << "> belongs in quotes";
        continue;
      }
      EXPECT_TRUE(fs::exists(kTop / include.header)) << source << ": \"" << include.header << "\" is no path from the top";
      EXPECT_TRUE(BeginsWithOne(include.header, arrow->may) && !BeginsWithOne(include.header, arrow->may_not))
          << source << " may not include " << include.header;
    }
  }
}

TEST(Arrows, EachLibraryIsSeenByItsOwnFile) {
  for (const Library& library : kLibraries) {
    Names seen;
    for (const std::string& source : Sources())
      for (const Include& include : Includes(source))
        if (include.header.starts_with(library.header) && !(library.folder && source.starts_with(library.folder)) && (seen.empty() || seen.back() != source)) seen.push_back(source);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, library.files) << "who includes " << library.header;
  }
}

TEST(Arrows, TheLauncherStaysSmall) {
  size_t code = 0;
  for (const std::string& source : Sources()) {
    // What runs in confined/ has no privilege any more.
    if (!source.starts_with("sandbox/child/") || source.starts_with("sandbox/child/confined/")) continue;
    for (const std::string& line : Lines(kTop / source)) {
      const size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos) continue;
      const std::string text = line.substr(begin);
      if (!BeginsWithOne(text, {"//", "#include", "#pragma once"})) ++code;
    }
  }
  EXPECT_GT(code, 300u);
  EXPECT_LE(code, 800u) << "lines of code in sandbox/child that run with privilege, without comments and includes";
}

TEST(Arrows, NothingElseLiesAtTheTop) {
  const Names allowed = {"CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CONTRIBUTING.md", "SECURITY.md", "quickstart",
                         "check", "base", "sandbox", "agentcore", "subagents", "profiles", "orchestrator", "tests", "docs", "build"};
  for (const auto& entry : fs::directory_iterator(kTop)) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name.starts_with(".") || std::find(allowed.begin(), allowed.end(), name) != allowed.end()) << name;
  }
  for (const std::string& name : allowed) EXPECT_TRUE(name == "build" || fs::exists(kTop / name)) << name << " is missing";
}

}  // namespace
}  // namespace paddock
