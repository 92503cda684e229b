#include <gtest/gtest.h>

#include <string>

#include "agentcore/model/intent.h"

namespace paddock::agentcore {
namespace {

TEST(Intent, Announcements) {
  for (const char* text : {
           "I will now read the file.", "Let me search for the definition.", "Next, I'll check the tests.", "I'll start by listing the files.", "Let's look at main.c:", "Now let me examine the build files.",
           "The build fails in two places. Let me read the log.", "I'm going to search for TODO comments.", "First, I need to look at the directory structure.", "Okay, let me see what's in src/.", "Let me read src/main.c",
           "I found the parser. Now I'll check how it is called...", "To understand the bug, I will read parser.cc and its tests.", "I\xE2\x80\x99ll open the configuration next.", "I should check the header first.",
           "Great. I am going to inspect the Makefile", "Here is what I will do next:", "The following files are of interest:", "**Next step:** let me run the search again.", "I want to verify this in the tests.",
           "We need to look at the lock file.", "Let me first list the files.", "Let me also check the other callers.", "I'll continue with the second file.", "Let me report what I found.",
           "It is in util.c.\n\nLet me read it. This should show the cause.", "I'll use search_text to find it.",
           "Ich werde jetzt die Datei lesen.", "Lass mich die Tests ansehen.", "Als N\xC3\xA4" "chstes pr\xC3\xBC" "fe ich die Konfiguration.", "Je vais lire le fichier.", "Commen\xC3\xA7ons par examiner le r\xC3\xA9pertoire.",
           "Voy a leer el archivo.", "D\xC3\xA9jame buscar la funci\xC3\xB3n.", "Vou analisar o c\xC3\xB3" "digo.", "Ora leggo il file.", "让我看一下这个文件。", "接下来我将检查测试。", "我先读取 main.c。", "ファイルを確認します。", "Сейчас прочитаю файл.", "Давайте посмотрим на тесты.",
       })
    EXPECT_TRUE(AnnouncesCall(text)) << text;
}

TEST(Intent, Answers) {
  for (const char* text : {
           "", " ", "The bug is in parser.c, line 12.", "I read the file and found nothing.", "The function checks its input.", "Would you like me to check the tests?", "If you want, I'll look at the tests too.",
           "Let me know if you need more.", "I can read more files if you like.", "You should read the manual.", "The tests will check this.", "I looked at main.c. It has no bugs.", "In summary, the code is sound.",
           "Done.", "42", "No.", "The answer is: 42", "Run `make check` to see it.", "The README says \"let me read the file\" in its first line.", "> Let me read the file.", "\"I will read the file\" is what the comment says.",
           "I have checked all files; none has a secret.", "It will read the file at start-up.", "I will not read files outside of the repository.", "I cannot open this file.", "I'll be brief: there is no bug here.",
           "Let me explain: the loop ends too early, since the bound is wrong.", "Let me summarize. The parser accepts both forms.", "Should I check the others?", "He said that we will look at it later.",
           "First I read the file. Then I checked the tests. All is well.", "```\nlet me read\n```", "Let me read the file.\n\nThe file defines three functions, all of them unused.",
           "Die Datei enth\xC3\xA4lt keine Fehler.", "Le fichier est correct.", "El archivo no tiene errores.", "这个文件没有问题。", "Вы можете прочитать файл.", "ファイルに問題はありません。", "Wenn Sie wollen, lese ich die Datei.", "I need to know which file you mean.",
       })
    EXPECT_FALSE(AnnouncesCall(text)) << text;
}

TEST(Intent, LongTextsAndBadBytes) {
  EXPECT_TRUE(AnnouncesCall(std::string(1'000'000, 'x') + "\n\nLet me read it."));
  EXPECT_FALSE(AnnouncesCall(std::string(1'000'000, '.')));
  EXPECT_FALSE(AnnouncesCall("\xFF\xC3\x28\xE4"));
}

}  // namespace
}  // namespace paddock::agentcore
