// What the reviewer says of changes like those in which it once missed a fault, or saw one that was none.
#include <gmock/gmock.h>

#include "subagents/playbook/line_rules.h"
#include "subagents/playbook/review_checks.h"
#include "tests/subagents/changed_file.h"
#include "tests/subagents/playbook_repo.h"

namespace paddock::subagents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// But for what is said of every change of a build file.
std::string FaultsOf(const FileDiff& file) {
  auto changes = ClaimsOfChanges({file});
  std::erase_if(changes, [](const auto& claim) { return claim.title.starts_with("It is built") || claim.title.starts_with("What the project's own servers run"); });
  return TitlesOf(ClaimsOfLines({file})) + TitlesOf(changes);
}

TEST(PlaybookReviewFaults, AreNamed) {
  for (const auto& [path, lines, title] : std::initializer_list<ChangeCase>{
           {"contrib/a.cpp", {"+  std::system( command.c_str() );"}, "runs a shell"},
           {"pkg/docker/scripts/up.sh", {"+curl -k https://example.org/x"}, "TLS certificates are not checked"},
           {"tools/up.sh", {"+chmod 777 /output"}, "Everybody may write"},
           {"a.cpp", {"+  curl_easy_setopt(curl, CURLOPT_USERPWD, \"somebody:secrets\");"}, "A name and a password stand in the code"},
           {"a.go", {"+\t_ = row.Scan(&value)"}, "The error of row.Scan is ignored"},
           {"a.go", {"+\tsession := fmt.Sprint(rand.Int())"}, "can be foretold"},
           {"A.java", {"+    String token = Long.toString(new Random().nextLong());"}, "can be foretold"},
           {"A.java", {"+    file.setWritable(true, false);"}, "Everybody may write"},
           {"src/a.rs", {"+    let _ = fs::write(path, text);"}, "The error of fs::write is ignored"},
           {"src/a.rs", {"+    Command::new(\"sh\").arg(\"-c\").arg(&line).output()?;"}, "A shell runs a text"},
           {"src/a.rs", {"+    let sql = format!(\"SELECT a FROM b WHERE c = '{}'\", name);"}, "SQL is put together"},
           {"src/a.rs", {"+    Command::new(\"sh\").arg(\"-c\").arg(&line).output().unwrap();"}, "A shell runs a text"},
           {".github/workflows/ci.yml", {"+permissions: write-all"}, "Each job may write everything"},
           {".github/workflows/ci.yml", {"+        run: go test ./... || true"}, "It passes when its tests fail"},
           {".github/workflows/ci.yml", {"+    - run: make test || true"}, "It passes when its tests fail"},
           {"Makefile", {" check: all", "-\t./xmltest", "+\t-./xmltest"}, "make goes on where the tests fail"},
           {"a.py", {"+CACHE = '/home/eva/.cache/x.db'"}, "A path of one person's machine"},
           {"a.go", {"+const path = \"/Users/eva/projects/x.json\""}, "A path of one person's machine"},
           {"a.py", {" ", "         \"\"\"", "+        breakpoint()"}, "A breakpoint was left in"},
           {"tests/a_test.py", {" def test_a(self):", "-        self.assertEqual(f(1), 1)", "         g()"}, "An assertion was removed from tests/a_test.py"},
           {"test/a.js", {" test('a', t => {", "-  t.same(f(1), 1)", "-  t.equal(f(2), 1)", "   t.end()"}, "2 assertions were removed from test/a.js"},
           {"xmltest.cpp", {"-\t\tXMLTest( \"Parse\", false, failed );", " \t\tx();"}, "An assertion was removed from xmltest.cpp"},
           {"tests/test_a.py", {" def test_a():", "-    assert f(1) == 1", "     g()"}, "An assertion was removed from tests/test_a.py"},
           {"test/test_a.rb", {"-    assert_kind_of Numeric, n", "     g"}, "An assertion was removed from test/test_a.rb"},
           {"test/test_a.rb", {"+    skip \"later\""}, "A test is switched off"},
           {"test/example.c", {"     test_flush(a);", "-    test_sync(a, b);", "     free(a);"}, "A test is not called any more"},
           {"a.c", {"+#if 0", "+  f();", "+#endif"}, "Code that is switched off"},
           {"a.c", {"+    return malloc(n * size);"}, "malloc() of a product"},
           {"a.rb", {"+    http.verify_mode = OpenSSL::SSL::VERIFY_NONE"}, "TLS certificates are not checked"},
           {"a.rb", {"+    rescue StandardError", "+      nil"}, "An exception is swallowed"},
           {"a.rb", {"+    db.execute(\"SELECT a FROM b WHERE c = '#{d}'\")"}, "SQL is put together"},
           {"a.rb", {"+    File.chmod(0777, path)"}, "Everybody may write"},
           {"a.rb", {"+    puts \"DEBUG #{x}\""}, "Debug output"},
           {"tests/CMakeLists.txt", {" add_test(NAME version COMMAND v)", "-add_test(NAME reader COMMAND r)"}, "A test is not registered any more"},
           {"a.c", {"+  node **nodes = malloc(count * sizeof(node *));", "+  for (k = 0; k < count; k ++) {", "+    nodes[k] = get(k);", "+  }"}, "What was allocated is used without a check"},
           {"a.cpp", {"+  char* all = static_cast<char*>( malloc( length * times + 1 ) );", "+  memcpy( all, text, length );"}, "What was allocated is used without a check"},
           {"a.cpp", {" const size_t n = Length();", "-  const size_t most = MaxSize();", "-  if ( n >= most ) {", "-    SetError( kReadError );", "-    return _errorID;", "-  }", "   buffer = new char[n];"}, "A check was removed from a.cpp"},
           {"a.go", {"-\tif len(f.Short) > 1 {", "-\t\tmsg := fmt.Sprintf(\"%q\", f.Short)", "-\t\t_, _ = fmt.Fprint(out, msg)", "-\t\tpanic(msg)", "-\t}", " \tc := f.Short[0]"}, "A check was removed from a.go"}})
    EXPECT_THAT(FaultsOf(ChangedFile(path, lines, 40)), HasSubstr(title)) << path << lines[0];
  EXPECT_THAT(InvalidPatterns(), IsEmpty());
}

TEST(PlaybookReviewFaults, OthersAreNot) {
  for (const auto& [path, lines] : std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           // The umask takes away from what is made.
           {"a.go", {"+\tf, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0666)"}},
           {"a.c", {"+  fd = open(path, O_CREAT | O_WRONLY, 0666);"}},
           {"a.py", {"+os.makedirs(path, 0o777)"}},
           {"a.go", {"+\t_ = f.Close()", "+\t_, _ = fmt.Fprintf(w, \"x\")"}},
           {"a.go", {"-\trow.Scan(&value)", "+\t_ = row.Scan(&value)"}},
           {"tools/a.js", {"+console.log(1)"}},
           {"contrib/a.cpp", {"+  printf( \"debug on\\n\" );"}},
           {"a.py", {"+#### Writes the header; TODO list of the release: see there ####"}},
           {"a.js", {"+router.get('/home/profile', show)"}},
           {"a.yml", {"+path: /home/runner/work/x"}},
           {"a.py", {" def f():", "     \"\"\"", "+    breakpoint() stops here.", "     \"\"\""}},
           {"Makefile", {" clean:", "+\t-$(RM) test.o"}},
           {".github/workflows/ci.yml", {"+    - run: rm -r tests/out || true"}},
           {"tests/a_test.py", {"-        self.assertEqual(f(1), 1)", "+        self.assertEqual(f(1), 2)"}},
           {"test/a.go", {"-\tt.Fatal(err)"}},
           {"a.c", {"+  char *p = malloc(n);", "+  if (!p) return -1;", "+  p[0] = 0;"}},
           {"a.c", {"+  p = malloc(n);", "+  if (p == NULL)", "+    goto fail;", "+  memcpy(p, q, n);"}},
           {"a.c", {"+  return malloc(count * sizeof(int));"}},
           {"test/test_a.rb", {"+    skip \"no fork\" unless Process.respond_to?(:fork)"}},
           {"test/example.c", {"-    test_sync(a, b);", "+    test_sync(b, a);"}},
           {"tests/a_test.py", {"-    def test_a_(self):", "+    def test_a(self):", "         f()"}},
           {"a.rb", {"+    rescue StandardError => e", "+      warn e.message"}},
           // Examples in comments that document.
           {"a.h", {"+// This is how a set is used:", "+//    set_t set;", "+//    set_start(&set);", "+//    set_end(&set);"}},
           {"a.go", {"+// Simple ones:", "+//", "+//\t--arg a=1     -> map[string]string{ \"a\": \"1\" }", "+//\t--arg a=2     -> map[string]string{ \"a\": \"2\" }", "+//\t--arg a=3     -> map[string]string{ \"a\": \"3\" }", "+// Others."}}})
    EXPECT_EQ(FaultsOf(ChangedFile(path, lines, 40)), "") << path << lines[0];
}

TEST(PlaybookReviewFaults, AssertionsThatAreMadeAnewElsewhereAreNotGone) {
  FileDiff file = ChangedFile("tests/a_test.py", {"-        self.assertEqual(f(1), 1)", "         g()"}, 40);
  file.hunks.push_back(Hunk{90, 89, {{'+', 0, 90, "        self.assertTrue(h(1))"}}});
  EXPECT_EQ(TitlesOf(file), "");
}

TEST(PlaybookReviewFaults, ATestInTheTopFolderIsBesideWhatIsThere) {
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("heat.go", {"+a = 1", "+b = 2", "+c = 3"}), ChangedFile("door_test.go", {"+x"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("oven.cpp", {"+a = 1;", "+b = 2;", "+c = 3;"}), ChangedFile("xmltest.cpp", {"+x"})}), IsEmpty());
  EXPECT_THAT(ChangedWithoutTests({ChangedFile("src/a.py", {"+a = 1", "+b = 2", "+c = 3"}), ChangedFile("tests/test_b.py", {"+x"})}), ElementsAre("src/a.py"));
}

TEST(PlaybookReviewFaults, FilesThatAProgramMadeAnewAreOneFinding) {
  const std::string head = "# This file is made automatically. Do not edit.\n";
  for (const bool several : {false, true}) {
    std::map<std::string, std::string> tree{{"a.yml", head + "x: 1\n"}};
    std::map<std::string, std::vector<std::string>> change{{".github/workflows/a.yml", {"@@ -2 +2 @@", "-x: 0", "+x: 1"}}};
    tree[".github/workflows/a.yml"] = head + "x: 1\n";
    for (const char* name : {"b", "c"}) {
      if (!several) break;
      const std::string path = ".github/workflows/" + std::string(name) + ".yml";
      tree[path] = head + "x: 1\n";
      change[path] = {"@@ -2 +2 @@", "-x: 0", "+x: 1"};
    }
    PlaybookRepo repo(tree);
    repo.more = [&](const agentcore::ToolCall&) -> std::optional<agentcore::ToolResult> { return DiffResult(change); };
    const Report report = repo.Run("reviewer", "review the working tree");
    EXPECT_TRUE(repo.EveryCitationHolds(report));
    EXPECT_THAT(Titles(report), several ? HasSubstr("3 files that a program makes were changed") : HasSubstr("A file that a program makes was changed")) << report.summary;
    EXPECT_EQ(Titles(report).find("makes w"), Titles(report).rfind("makes w")) << "one finding: " << Titles(report);
  }
}

}  // namespace
}  // namespace paddock::subagents
