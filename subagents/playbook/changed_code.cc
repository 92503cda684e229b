#include "subagents/playbook/changed_code.h"

#include <algorithm>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxPlaces = 20, kFewBlocks = 3;

// Lines of a hunk that stand together with one sign, and those of the other sign behind them.
struct Block {
  std::vector<const DiffLine*> removed, added;
  int64_t at = 1;  // where they are, behind the change
};

std::vector<Block> BlocksOf(const Hunk& hunk) {
  std::vector<Block> blocks;
  // git says of a hunk that only removes which line is before it.
  const bool shows_new = std::any_of(hunk.lines.begin(), hunk.lines.end(), [](const DiffLine& line) { return line.new_line > 0; });
  int64_t at = hunk.new_start + (shows_new ? 0 : 1);
  bool open = false;
  for (const DiffLine& line : hunk.lines) {
    if (line.sign == ' ') open = false;
    if (line.sign != ' ') {
      if (!open) blocks.push_back({{}, {}, std::max<int64_t>(1, at)});
      open = true;
      (line.sign == '-' ? blocks.back().removed : blocks.back().added).push_back(&line);
    }
    if (line.new_line > 0) at = line.new_line + 1;
  }
  return blocks;
}

struct Side {
  std::vector<std::string> code;  // of each line
  std::string all, bare;  // one behind the other; without what strings hold
  bool ends_in_code = true;
};

Side SideOf(CodeReader reader, std::string_view path, bool is_known, const std::vector<const DiffLine*>& lines) {
  Side side;
  for (const DiffLine* line : lines) {
    CodeReader again = reader;
    for (const char c : BareCode(&again, line->text))
      if (c != ' ' && c != '\t') side.bare += c;
    std::string code = CodeOf(&reader, line->text);
    if (MatchesPart(code, R"re((?i)^[\w\s.*:]*version\w*(?:\[\])?[=:(]+["'][\w.+-]+["']\)?[;,]?$)re")) code.clear();
    // A line of a comment that began above what was seen.
    if (!is_known && IsCommentLine(path, line->text)) code.clear();
    if (!code.empty()) side.all += reader.indent_counts() ? code + "\n" : code;
    side.code.push_back(std::move(code));
  }
  side.ends_in_code = !reader.within();
  return side;
}

// Those of them that are no comments.
std::vector<std::string> CodeLinesOf(const std::vector<const DiffLine*>& lines, const Side& side) {
  std::vector<std::string> code;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!side.code[i].empty()) code.push_back(lines[i]->text);
  return code;
}

}  // namespace

int64_t LineBehind(const std::vector<Hunk>& hunks, int64_t line, bool* kept) {
  int64_t moved = 0;
  *kept = true;
  for (const Hunk& hunk : hunks) {
    int64_t removed = 0, added = 0;
    for (const DiffLine& one : hunk.lines) {
      if (one.old_line > line) return line + moved + added - removed;
      if (one.old_line == line) {
        *kept = one.sign == ' ';
        return *kept ? one.new_line : std::max<int64_t>(1, hunk.new_start);
      }
      removed += one.sign == '-' ? 1 : 0;
      added += one.sign == '+' ? 1 : 0;
    }
    // A hunk that only adds stands behind its old line.
    if (hunk.old_start > line || (hunk.old_start == line && removed > 0)) return line + moved;
    if (removed == 0 && hunk.old_start >= line && std::none_of(hunk.lines.begin(), hunk.lines.end(), [](const DiffLine& one) { return one.sign == ' '; })) return line + moved;
    moved += added - removed;
  }
  return line + moved;
}

ChangedCode CodeChangedBy(const FileDiff& file, const std::vector<const FileDiff*>& later, const SeenLines* lines) {
  ChangedCode out;
  CodeReaders readers(file.path, lines);
  size_t blocks = 0;
  for (const Hunk& hunk : file.hunks)
    for (const Block& block : BlocksOf(hunk)) {
      if (out.lines.size() >= kMaxPlaces) return out;
      int64_t now = block.at;
      bool kept = true;
      for (const FileDiff* one : later) now = LineBehind(one->hunks, now, &kept);
      bool known = false;
      const CodeReader reader = readers.At(now, &known);
      const Side before = SideOf(reader, file.path, known, block.removed), after = SideOf(reader, file.path, known, block.added);
      if (before.all == after.all && before.ends_in_code == after.ends_in_code) continue;
      out.only_text = out.only_text && before.bare == after.bare;
      const auto holds = [](const Side& side, const std::string& code) { return std::find(side.code.begin(), side.code.end(), code) != side.code.end(); };
      for (const std::string& code : before.code)
        if (!code.empty() && !holds(after, code)) out.only_adds = false;
      std::vector<int64_t> places;
      for (size_t i = 0; i < block.added.size(); ++i)
        if (!after.code[i].empty() && !holds(before, after.code[i])) {
          int64_t line = block.added[i]->new_line;
          for (const FileDiff* one : later) line = LineBehind(one->hunks, line, &kept);
          places.push_back(line);
        }
      const ChangeKind kind = KindOfChange(CodeLinesOf(block.removed, before), CodeLinesOf(block.added, after));
      out.kind = std::max(out.kind, kind);
      ++blocks;
      if (block.added.empty()) out.gone.push_back(std::max<int64_t>(1, now));
      if (places.empty()) places.push_back(now);
      if (kind == ChangeKind::kTelling) out.telling.insert(out.telling.end(), places.begin(), places.end());
      for (const int64_t line : places)
        if (out.lines.size() < kMaxPlaces && (out.lines.empty() || out.lines.back() != line)) out.lines.push_back(std::max<int64_t>(1, line));
    }
  // One condition among much else tells little.
  if (blocks > kFewBlocks && out.kind == ChangeKind::kTelling) out.kind = ChangeKind::kPlain;
  return out;
}

}  // namespace paddock::subagents
