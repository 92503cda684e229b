#include "agentcore/tools/patch.h"

#include <algorithm>

#include "agentcore/tools/rows.h"

namespace paddock::agentcore {
namespace {

constexpr std::string_view kEscapes = "\a\b\t\n\v\f\r\"\\", kLetters = "abtnvfr\"\\";

// ":100644 100755 abc def M\tpath[\tpath]".
bool TakeRaw(std::string_view line, PatchFile* file) {
  if (!line.starts_with(':')) return false;
  line.remove_prefix(1);
  std::string_view fields = TakePart(&line, '\t');
  const std::string_view old_mode = TakePart(&fields, ' '), new_mode = TakePart(&fields, ' '), old_id = TakePart(&fields, ' '), new_id = TakePart(&fields, ' ');
  if (fields.empty() || line.empty()) return false;
  file->path = UnquotedName(TakePart(&line, '\t'));
  if (!line.empty()) {
    file->old_path = std::move(file->path);
    file->path = UnquotedName(line);
  }
  switch (fields.front()) {
    case 'A': file->status = "added"; break;
    case 'D': file->status = "removed"; break;
    case 'R': file->status = "renamed"; break;
    case 'C': file->status = "copied"; break;
    case 'T': file->status = "type"; break;
    default: file->status = old_mode != new_mode && old_id == new_id ? "mode" : "changed";
  }
  return true;
}

std::string HeadOf(const PatchFile& file) {
  return "diff --git " + QuotedName("a/" + (file.old_path.empty() ? file.path : file.old_path)) + " " + QuotedName("b/" + file.path);
}

// "@@ -1,3 +4 @@ function": how many lines of the old and of the new file follow.
bool HunkCounts(std::string_view line, int64_t* old_lines, int64_t* new_lines) {
  for (auto [mark, count] : {std::pair{"@@ -", old_lines}, {"+", new_lines}}) {
    if (!line.starts_with(mark)) return false;
    line.remove_prefix(std::string_view(mark).size());
    std::string_view range = TakePart(&line, ' ');
    TakePart(&range, ',');
    *count = range.empty() ? 1 : Number(range);
    if (*count < 0) return false;
  }
  return line.starts_with("@@");
}

// The hunk that begins at `rest`, into the file; takes it off.
void TakeHunk(std::string_view* rest, PatchFile* file) {
  int64_t old_left = 0, new_left = 0;
  const std::string_view head = TakePart(rest, '\n');
  if (!HunkCounts(head, &old_left, &new_left)) return;
  file->lines.push_back(head);
  // The remark that there is no newline at the end of a file belongs to no count.
  while (!rest->empty() && (old_left > 0 || new_left > 0 || rest->front() == '\\')) {
    const std::string_view line = TakePart(rest, '\n');
    const char mark = line.empty() ? ' ' : line.front();
    if (mark == '+') --new_left, ++file->added;
    else if (mark == '-') --old_left, ++file->removed;
    else if (mark != '\\') --old_left, --new_left;
    file->lines.push_back(line);
  }
}

}  // namespace

std::vector<PatchFile> ParsePatch(std::string_view output) {
  std::vector<PatchFile> files;
  std::string_view rest = output;
  for (bool raw = false; !rest.empty();) {
    if (raw && !rest.starts_with(':')) break;
    PatchFile file;
    if (TakeRaw(TakePart(&rest, '\n'), &file)) {
      files.push_back(std::move(file));
      raw = true;
    }
  }
  PatchFile* open = nullptr;
  for (size_t next = 0; !rest.empty();) {
    if (open && rest.starts_with("@@ ")) {
      TakeHunk(&rest, open);
      continue;
    }
    const std::string_view line = TakePart(&rest, '\n');
    if (open && line.starts_with("Binary files ")) open->binary = true;
    if (!line.starts_with("diff --git ")) continue;
    // What changed its type has two parts with one head.
    if (open && line == HeadOf(*open)) continue;
    const auto found = std::find_if(files.begin() + static_cast<std::ptrdiff_t>(next), files.end(), [&](const PatchFile& file) { return line == HeadOf(file); });
    open = found == files.end() ? nullptr : &*found;
    if (open) next = static_cast<size_t>(found - files.begin()) + 1;
  }
  for (PatchFile& file : files)
    if (file.status == "mode" && (file.binary || !file.lines.empty())) file.status = "changed";  // of the working tree there are no ids
  return files;
}

std::string QuotedName(std::string_view bytes) {
  std::string out;
  bool quoted = false;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (const size_t at = kEscapes.find(c); at != kEscapes.npos) {
      out += '\\';
      out += kLetters[at];
      quoted = true;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)), static_cast<char>('0' + (byte & 7))};
      quoted = true;
    } else {
      out += c;
    }
  }
  return quoted ? "\"" + out + "\"" : out;
}

std::string UnquotedName(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string out;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\') {
      out += c;
      continue;
    }
    if (rest.empty()) return std::string(text);
    if (const size_t at = kLetters.find(rest.front()); at != kLetters.npos) {
      out += kEscapes[at];
      rest.remove_prefix(1);
      continue;
    }
    const auto digit = [&](size_t i) { return rest[i] >= '0' && rest[i] <= '7'; };
    if (rest.size() < 3 || !digit(0) || !digit(1) || !digit(2)) return std::string(text);
    out += static_cast<char>((rest[0] - '0') * 64 + (rest[1] - '0') * 8 + (rest[2] - '0'));
    rest.remove_prefix(3);
  }
  return out;
}

}  // namespace paddock::agentcore
