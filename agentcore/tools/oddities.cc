#include "agentcore/tools/oddities.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::agentcore {
namespace {

struct Words {
  OddKind kind;
  const char* one;
  const char* many;
};
constexpr Words kWords[] = {
    {OddKind::kChanged, "thing changed while it was looked at, so that what is told of it may not fit together",
     "things changed while they were looked at, so that what is told of them may not fit together"},
    {OddKind::kUnreadableFile, "file can't be read by the jail (no permission)", "files can't be read by the jail (no permission)"},
    {OddKind::kUnreadableFolder, "folder can't be read by the jail, and nothing in it was seen", "folders can't be read by the jail, and nothing in them was seen"},
    {OddKind::kLinkOut, "link leads out of the repository and is not followed", "links lead out of the repository and are not followed"},
    {OddKind::kLinkBroken, "link leads to nothing", "links lead to nothing"},
    {OddKind::kLinkLoop, "link leads in a circle", "links lead in a circle"},
    {OddKind::kFifo, "FIFO is never opened", "FIFOs are never opened"},
    {OddKind::kSocket, "socket is never opened", "sockets are never opened"},
    {OddKind::kDevice, "device is never opened", "devices are never opened"},
    {OddKind::kGit, ".git is no folder (a worktree, a submodule, or a trap) and is not followed", ".git are no folders (worktrees, submodules, or traps) and are not followed"},
    {OddKind::kIgnoreFile, ".gitignore is no regular file, or can't be read, and was left out", ".gitignore files are no regular files, or can't be read, and were left out"},
    {OddKind::kIgnoreRules, "set of ignore rules is too large or too costly to apply whole: ignored files may be among those seen",
     "sets of ignore rules are too large or too costly to apply whole: ignored files may be among those seen"},
    {OddKind::kHardLink, "file has further names that were not listed (hard links), perhaps outside of the repository",
     "files have further names that were not listed (hard links), perhaps outside of the repository"},
    {OddKind::kOddName, "name holds characters that can't be seen, or bytes that are no text", "names hold characters that can't be seen, or bytes that are no text"},
    {OddKind::kLargeFile, "file is larger than 64 MiB, and only its beginning can be read", "files are larger than 64 MiB, and only their beginning can be read"},
    {OddKind::kTooDeep, "thing lies too deep, or has too long a path, to be looked at", "things lie too deep, or have too long a path, to be looked at"},
    {OddKind::kHidden, "file or folder is hidden by the profile", "files or folders are hidden by the profile"},
};

}  // namespace

std::string SentenceOf(const Oddity& oddity) {
  std::string text = std::to_string(oddity.count) + " ";
  for (const Words& words : kWords)
    if (words.kind == oddity.kind) text += oddity.count == 1 ? words.one : words.many;
  for (size_t i = 0; i < oddity.examples.size(); ++i) text += (i == 0 ? ": " : ", ") + NameInSentence(oddity.examples[i]);
  if (oddity.count > std::ssize(oddity.examples) && !oddity.examples.empty()) text += ", ...";
  return text;
}

Oddity* Oddities::Of(OddKind kind) {
  auto at = std::lower_bound(list_.begin(), list_.end(), kind, [](const Oddity& one, OddKind other) { return one.kind < other; });
  if (at == list_.end() || at->kind != kind) at = list_.insert(at, Oddity{kind, 0, {}});
  return &*at;
}

void Oddities::Add(OddKind kind, std::string_view path_bytes, int64_t count) {
  if (count <= 0) return;
  Oddity* oddity = Of(kind);
  oddity->count += count;
  if (oddity->examples.size() >= kOddExamples || path_bytes.empty()) return;
  std::string text = PathToText(path_bytes.substr(0, 4 * kOddExampleBytes));
  if (text.size() > kOddExampleBytes || path_bytes.size() > 4 * kOddExampleBytes) text = std::string(TruncateUtf8(text, kOddExampleBytes - 3)) + "...";
  oddity->examples.push_back(std::move(text));
}

void Oddities::AddAll(const Oddities& other) {
  for (const Oddity& one : other.list_) {
    Oddity* mine = Of(one.kind);
    mine->count += one.count;
    for (const std::string& example : one.examples)
      if (mine->examples.size() < kOddExamples) mine->examples.push_back(example);
  }
}

void Oddities::TakeLarger(const Oddity& other) {
  Oddity* mine = Of(other.kind);
  if (other.count > mine->count) *mine = other;
}

int64_t Oddities::count(OddKind kind) const {
  for (const Oddity& one : list_)
    if (one.kind == kind) return one.count;
  return 0;
}

Json Oddities::ToFacts() const {
  Json list = Json::array();
  for (const Oddity& one : list_) list.push_back(ToJson(one));
  return list;
}

std::string Oddities::Sentences() const {
  std::string text;
  for (const Oddity& one : list_) text += "\n" + SentenceOf(one) + ".";
  return text;
}

std::vector<Oddity> OdditiesOf(const Json& facts) {
  std::vector<Oddity> list;
  if (!facts.is_object()) return list;
  const auto odd = facts.find("odd");
  if (odd == facts.end() || !odd->is_array()) return list;
  for (const Json& item : *odd)
    if (auto one = FromJson<Oddity>(item)) list.push_back(*std::move(one));
  return list;
}

}  // namespace paddock::agentcore
