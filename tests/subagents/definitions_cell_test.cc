// A definitions cell over pipes: which files it reads, and what it says where it can't.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "cell_under_test.h"
#include "subagents/foreign_definition.h"

namespace paddock::subagents {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kSound[] = "---\nname: x\ndescription: Looks.\n---\nYou look.\n";

class DefinitionsCell : public testing::Test {
 protected:
  DefinitionsCell() {
    std::string name = fs::temp_directory_path() / "paddock-definitions-XXXXXX";
    outer_ = ::mkdtemp(name.data());
    folder_ = outer_ + "/repo";
    fs::create_directory(folder_);
  }
  ~DefinitionsCell() override {
    std::error_code ignored;
    fs::remove_all(outer_, ignored);
  }
  std::string At(const std::string& name) const { return folder_ + "/" + name; }
  void Write(const std::string& name, const std::string& text = kSound) const {
    fs::create_directories(fs::path(At(name)).parent_path());
    std::ofstream(At(name)) << text;
  }
  struct Said {
    std::vector<ForeignDefinition> files;
    LookedFrame looked;
    std::vector<std::string> Paths() const {
      std::vector<std::string> paths;
      for (const auto& file : files) paths.push_back(file.path);
      return paths;
    }
  };
  Said Look(const std::string& path, DefinitionFormat format = DefinitionFormat::kClaude) const {
    CellOptions options;
    options.workspace = folder_.c_str();
    CellUnderTest cell(options);
    TaskFrame task;
    task.kind = CellKind::kDefinitions;
    cell.Start(task);
    cell.Say("look", LookFrame{path, format});
    Said said;
    for (;;) {
      RawFrame raw = cell.Hear();
      if (raw.type != "definition") {
        EXPECT_EQ(raw.type, "looked");
        said.looked = *FromJson<LookedFrame>(raw.body);
        break;
      }
      auto one = FromJson<ForeignDefinition>(raw.body);
      EXPECT_TRUE(one) << one.error().message;
      if (one) said.files.push_back(*one);
    }
    EXPECT_EQ(cell.Exit(), 0);
    EXPECT_EQ(static_cast<size_t>(said.looked.definitions), said.files.size());
    return said;
  }

  std::string outer_, folder_;
};

TEST_F(DefinitionsCell, ReadsTheFilesOfAFolderAndThoseInIt) {
  for (const char* name : {"agents/b.md", "agents/a.md", "agents/team/c.md", "agents/README.md", "agents/x.txt", "agents/.hidden.md", "agents/t.toml", "other/z.md"}) Write(name);
  Said said = Look("agents");
  EXPECT_THAT(said.Paths(), ElementsAre("agents/a.md", "agents/b.md", "agents/team/c.md"));
  EXPECT_EQ(BytesFromWire(said.files[0].text), kSound);
  EXPECT_THAT(said.files[0].faults, IsEmpty());
  EXPECT_EQ(said.looked.incomplete, "");
  EXPECT_THAT(Look("agents", DefinitionFormat::kCodex).Paths(), ElementsAre("agents/t.toml"));
  EXPECT_THAT(Look("agents/a.md").Paths(), ElementsAre("agents/a.md"));
  EXPECT_THAT(Look("nothing").Paths(), IsEmpty());
  EXPECT_EQ(Look("nothing").looked.incomplete, "");
}

TEST_F(DefinitionsCell, WhatIsNoFileOrLeadsOutIsAFaultOfItsOwn) {
  std::ofstream(outer_ + "/secret.md") << kSound;
  Write("agents/a.md");
  Write("docs/inside.md");
  fs::create_symlink("../../secret.md", At("agents/out.md"));
  fs::create_symlink("/etc/passwd", At("agents/passwd.md"));
  fs::create_symlink("../docs/inside.md", At("agents/in.md"));
  fs::create_symlink("loop.md", At("agents/loop.md"));
  ASSERT_EQ(::mkfifo(At("agents/fifo.md").c_str(), 0644), 0);
  Said said = Look("agents");
  EXPECT_THAT(said.Paths(), ElementsAre("agents/a.md", "agents/fifo.md", "agents/in.md", "agents/loop.md", "agents/out.md", "agents/passwd.md"));
  for (const auto& file : said.files) {
    const bool sound = file.path == "agents/a.md" || file.path == "agents/in.md";
    EXPECT_EQ(file.faults.empty(), sound) << file.path;
    EXPECT_EQ(file.text.empty(), !sound) << file.path;
  }
  // A folder that is a link out, or a loop of them, is not entered.
  fs::create_symlink(outer_, At("away"));
  EXPECT_THAT(Look("away").Paths(), IsEmpty());
  EXPECT_THAT(Look("away").looked.incomplete, testing::Not(IsEmpty()));
  fs::create_symlink("..", At("agents/up"));
  EXPECT_EQ(Look("agents").files.size(), 6u);
  EXPECT_THAT(Look("../repo/agents").Paths(), IsEmpty());
}

TEST_F(DefinitionsCell, ThereIsAnEndToThem) {
  for (size_t i = 0; i < kMaxForeignFiles + 10; ++i) Write("agents/" + std::to_string(1000 + i) + ".md");
  Said said = Look("agents");
  EXPECT_EQ(said.files.size(), kMaxForeignFiles);
  EXPECT_THAT(said.looked.incomplete, HasSubstr("more than 256 files"));
  Write("deep/1/2/3/4/x.md");
  EXPECT_THAT(Look("deep").looked.incomplete, HasSubstr("deeper than 4"));
}

TEST_F(DefinitionsCell, HugeAndOddFilesAreTold) {
  Write("agents/huge.md", std::string(1 << 20, '-'));
  Write("agents/zero.md", std::string("---\nname: \0\n---\n", 16));
  Write("agents/n\xff\n.md");
  Said said = Look("agents");
  ASSERT_EQ(said.files.size(), 3u);
  EXPECT_THAT(said.files[0].faults.at(0).message, HasSubstr("at most 262144 bytes"));
  EXPECT_EQ(said.files[1].path, "agents/n\\xff\\n.md");
  EXPECT_THAT(said.files[2].faults.at(0).message, HasSubstr("NUL"));
}

TEST_F(DefinitionsCell, AnotherFrameEndsIt) {
  CellOptions options;
  options.workspace = folder_.c_str();
  CellUnderTest cell(options);
  TaskFrame task;
  task.kind = CellKind::kDefinitions;
  cell.Start(task);
  cell.Say("cite", CiteFrame{});
  cell.Hear<FaultFrame>("fault");
  EXPECT_EQ(cell.Wait(), kExitProtocol);
}

}  // namespace
}  // namespace paddock::subagents
