#include "subagents/playbook/changed_code.h"

#include <algorithm>
#include <set>

#include "subagents/playbook/code_lines.h"
#include "subagents/playbook/definition_rules.h"
#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxPlaces = 20, kFewBlocks = 3;
constexpr int64_t kMovedAtMost = 400, kBeside = 10;  // lines

// Lines of a hunk that stand together with one sign, and those of the other sign behind them.
struct Block {
  std::vector<const DiffLine*> removed, added;
  const DiffLine *above = nullptr, *below = nullptr;  // unchanged, where the hunk has them
  int64_t at = 1;  // where they are, behind the change
};

std::vector<Block> BlocksOf(const Hunk& hunk) {
  std::vector<Block> blocks;
  // git says of a hunk that only removes which line is before it.
  const bool shows_new = std::any_of(hunk.lines.begin(), hunk.lines.end(), [](const DiffLine& line) { return line.new_line > 0; });
  int64_t at = hunk.new_start + (shows_new ? 0 : 1);
  bool open = false;
  const DiffLine* last = nullptr;  // unchanged, and nothing behind it
  for (const DiffLine& line : hunk.lines) {
    if (line.sign == ' ' && open) blocks.back().below = &line;
    if (line.sign == ' ') open = false, last = &line;
    if (line.sign != ' ') {
      if (!open) blocks.push_back({{}, {}, last, nullptr, std::max<int64_t>(1, at)});
      open = true;
      last = nullptr;
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
    if (MatchesPart(code, R"re((?i)^[\w\s.*:]*version\w*(?:\[\])?[=:(]+["'][\w.+-]+["']\)?[;,]?$|^#define\w*version\w*(?:["'][\w.+-]*["'])?$)re")) code.clear();
    // A line of a comment that began above what was seen.
    if (!is_known && IsCommentLine(path, line->text)) code.clear();
    if (!code.empty()) side.all += reader.indent_counts() ? code + "\n" : code;
    side.code.push_back(std::move(code));
  }
  side.ends_in_code = !reader.within();
  return side;
}

// Where lines of a change are in the file as it is now.
class PlacesNow {
 public:
  PlacesNow(const FileDiff& file, const std::vector<const FileDiff*>& later, bool in_order, const SeenLines* lines)
      : path_(file.path), later_(later), in_order_(in_order), lines_(lines) {
    if (lines) working_ = WorkingLines(path_, *lines);
  }

  int64_t Follow(int64_t line, bool* kept) const {
    *kept = true;
    bool here = true;
    for (const FileDiff* one : later_) line = LineBehind(one->hunks, line, &here), *kept = *kept && here;
    return std::max<int64_t>(1, line);
  }

  // Of an added line; 0: nobody knows. *again: it was changed since.
  int64_t OfAdded(const DiffLine& line, bool* again) const {
    bool kept = true;
    const int64_t now = Follow(line.new_line, &kept);
    *again = in_order_ && !kept;
    if (in_order_) return now;
    return AddedSince(line.text) ? 0 : Reading(line.text, now);
  }

  // The line before which something went; 0: nobody knows.
  int64_t OfGone(const Block& block) const {
    bool kept = true;
    const int64_t now = Follow(block.at, &kept);
    if (in_order_) return now;
    if (const int64_t found = block.below ? Reading(block.below->text, now) : 0; found > 0) return found;
    const int64_t found = block.above ? Reading(block.above->text, std::max<int64_t>(1, now - 1)) : 0;
    return found > 0 ? found + 1 : 0;
  }

  bool Works(int64_t line) const { return !Knows(line) || working_.contains(line); }

  // The nearest line above that does something, and else the one below; *is_above says which. 0: there is none near.
  int64_t Beside(int64_t line, bool* is_above) const {
    *is_above = true;
    const auto next = working_.lower_bound(line);
    if (next != working_.begin() && line - *std::prev(next) <= kBeside) return *std::prev(next);
    *is_above = false;
    return next != working_.end() && *next - line <= kBeside ? *next : 0;
  }

 private:
  bool Knows(int64_t line) const { return lines_ && lines_->contains(line); }

  bool AddedSince(const std::string& text) const {
    return std::any_of(later_.begin(), later_.end(), [&](const FileDiff* file) {
      return std::any_of(file->hunks.begin(), file->hunks.end(), [&](const Hunk& hunk) { return std::any_of(hunk.lines.begin(), hunk.lines.end(), [&](const DiffLine& one) { return one.sign == '+' && SameWords(one.text, text); }); });
    });
  }

  // This line if it reads so, else the only one about it that does; 0: there is none, or one of several.
  int64_t Reading(const std::string& text, int64_t line) const {
    if (lines_ == nullptr) return 0;
    int64_t only = 0;
    for (auto at = lines_->lower_bound(line - kMovedAtMost); at != lines_->end() && at->first <= line + kMovedAtMost; ++at) {
      if (!SameWords(at->second.text, text)) continue;
      if (at->first == line) return line;
      only = only == 0 ? at->first : -1;
    }
    return std::max<int64_t>(0, only);
  }

  static bool SameWords(std::string_view a, std::string_view b) {
    const auto trimmed = [](std::string_view text) {
      const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
      return first == text.npos ? std::string_view() : text.substr(first, last + 1 - first);
    };
    return trimmed(a) == trimmed(b);
  }

  const std::string path_;
  const std::vector<const FileDiff*>& later_;
  const bool in_order_;
  const SeenLines* const lines_;
  std::set<int64_t> working_;
};

// Those of them that are no comments.
std::vector<std::string> CodeLinesOf(const std::vector<const DiffLine*>& lines, const Side& side) {
  std::vector<std::string> code;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!side.code[i].empty()) code.push_back(lines[i]->text);
  return code;
}

bool OnlyImports(const std::string& path, const Block& block, const Side& before, const Side& after) {
  const auto imports = [&](const std::vector<const DiffLine*>& lines, const Side& side) {
    for (size_t i = 0; i < lines.size(); ++i)
      if (!side.code[i].empty() && !IsImportLine(path, lines[i]->text)) return false;
    return true;
  };
  return imports(block.removed, before) && imports(block.added, after);
}

// A place for what left no line of its own.
void AddGone(const Block& block, const PlacesNow& now, std::vector<int64_t>* places, ChangedCode* out) {
  const int64_t line = now.OfGone(block);
  if (line == 0) return;
  bool above = false;
  const int64_t place = now.Works(line) && block.added.empty() ? line : now.Beside(line, &above);
  if (place == 0 || (!above && !block.added.empty())) return;
  places->push_back(place);
  (above ? out->behind : out->gone).push_back(place);
}

}  // namespace

int64_t LineBehind(const std::vector<Hunk>& hunks, int64_t line, bool* kept) {
  int64_t moved = 0;
  *kept = true;
  for (const Hunk& hunk : hunks) {
    int64_t removed = 0, added = 0, place = hunk.new_start;  // where what went was
    for (const DiffLine& one : hunk.lines) {
      if (one.old_line > line) return line + moved + added - removed;
      if (one.old_line == line) {
        *kept = one.sign == ' ';
        return *kept ? one.new_line : std::max<int64_t>(1, place);
      }
      if (one.new_line > 0) place = one.new_line + 1;
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

ChangedCode CodeChangedBy(const FileDiff& file, const std::vector<const FileDiff*>& later, bool in_order, const SeenLines* lines) {
  ChangedCode out;
  CodeReaders readers(file.path, lines);
  const PlacesNow now(file, later, in_order, lines);
  size_t blocks = 0;
  for (const Hunk& hunk : file.hunks)
    for (const Block& block : BlocksOf(hunk)) {
      if (out.lines.size() >= kMaxPlaces) return out;
      bool kept = true, known = false;
      const CodeReader reader = readers.At(now.Follow(block.at, &kept), &known);
      const Side before = SideOf(reader, file.path, known, block.removed), after = SideOf(reader, file.path, known, block.added);
      if ((before.all == after.all && before.ends_in_code == after.ends_in_code) || OnlyImports(file.path, block, before, after)) continue;
      out.only_text = out.only_text && before.bare == after.bare;
      const auto holds = [](const Side& side, const std::string& code) { return std::find(side.code.begin(), side.code.end(), code) != side.code.end(); };
      for (const std::string& code : before.code)
        if (!code.empty() && !holds(after, code)) out.only_adds = false;
      std::vector<int64_t> places;
      bool lost = false;  // an added line, which is no more or elsewhere
      for (size_t i = 0; i < block.added.size(); ++i) {
        if (IsIdleLine(file.path, block.added[i]->text, after.code[i]) || holds(before, after.code[i])) continue;
        bool again = false;
        const int64_t line = now.OfAdded(*block.added[i], &again);
        if (line == 0 || !now.Works(line)) {
          lost = true;
          continue;
        }
        places.push_back(line);
        if (again) out.again.push_back(line);
      }
      const ChangeKind kind = KindOfChange(CodeLinesOf(block.removed, before), CodeLinesOf(block.added, after));
      out.kind = std::max(out.kind, kind);
      ++blocks;
      if (places.empty() && !lost) AddGone(block, now, &places, &out);
      if (kind == ChangeKind::kTelling) out.telling.insert(out.telling.end(), places.begin(), places.end());
      for (const int64_t line : places)
        if (out.lines.size() < kMaxPlaces && (out.lines.empty() || out.lines.back() != line)) out.lines.push_back(line);
    }
  // One condition among much else tells little.
  if (blocks > kFewBlocks && out.kind == ChangeKind::kTelling) out.kind = ChangeKind::kPlain;
  return out;
}

}  // namespace paddock::subagents
