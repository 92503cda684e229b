#include "subagents/playbook/diff.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

namespace paddock::subagents {
namespace {

constexpr size_t kMaxFiles = 2000, kMaxLines = 60'000;
constexpr int64_t kMaxLine = int64_t{1} << 40, kMaxCount = int64_t{1} << 40;

// "@@ -1,2 +3,4 @@ ..."
bool ReadHunkHead(std::string_view line, Hunk* hunk, int64_t* old_left, int64_t* new_left) {
  static const RE2 kHead(R"(^@@ -(\d{1,12})(?:,(\d{1,12}))? \+(\d{1,12})(?:,(\d{1,12}))? @@)");
  std::string old_start, old_count, new_start, new_count;
  if (!RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), kHead, &old_start, &old_count, &new_start, &new_count)) return false;
  hunk->old_start = std::min<int64_t>(std::stoll(old_start), kMaxLine);
  hunk->new_start = std::min<int64_t>(std::stoll(new_start), kMaxLine);
  *old_left = old_count.empty() ? 1 : std::stoll(old_count);
  *new_left = new_count.empty() ? 1 : std::stoll(new_count);
  return true;
}

std::string_view WithoutReturn(std::string_view text) {
  constexpr std::string_view kVisibleReturn = "\\u{D}";
  if (text.ends_with(kVisibleReturn)) text.remove_suffix(kVisibleReturn.size());
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// Takes hunks line by line.
class HunkReader {
 public:
  explicit HunkReader(FileDiff* file) : file_(file) {}

  // False where the line belongs to no hunk.
  bool Take(std::string_view line, bool count) {
    Hunk hunk;
    if (count && line.starts_with("@@ ")) End();
    if (ReadHunkHead(line, &hunk, &old_left_, &new_left_)) {
      old_ = hunk.old_start;
      new_ = hunk.new_start;
      file_->hunks.push_back(std::move(hunk));
      return true;
    }
    if (file_->hunks.empty() || (count && old_left_ <= 0 && new_left_ <= 0)) return line.starts_with("\\ ");
    const char sign = line.empty() ? ' ' : line[0];
    if (sign == '\\') return true;  // "\ No newline at end of file"
    if (sign != ' ' && sign != '+' && sign != '-') return false;
    if (lines_++ >= kMaxLines) {
      file_->whole = false;
      return true;
    }
    DiffLine out{sign, 0, 0, std::string(WithoutReturn(line.empty() ? line : line.substr(1)))};
    if (sign != '+') out.old_line = old_++, --old_left_;
    if (sign != '-') out.new_line = new_++, --new_left_;
    file_->hunks.back().lines.push_back(std::move(out));
    return true;
  }

  // No more of the hunk will come, and its head told of more lines.
  void End() {
    if (old_left_ > 0 || new_left_ > 0) file_->whole = false;
  }

 private:
  FileDiff* file_;
  int64_t old_ = 1, new_ = 1, old_left_ = 0, new_left_ = 0;
  size_t lines_ = 0;
};

// "a/src/x.c\t2020-01-01" → "src/x.c"; "" for /dev/null.
std::string PathOf(std::string_view text) {
  text = WithoutReturn(text.substr(0, text.find('\t')));
  if (text == "/dev/null") return "";
  if (text.starts_with("a/") || text.starts_with("b/")) text.remove_prefix(2);
  return std::string(text.substr(0, 4096));
}

// A head alone: nothing that can be judged.
bool SaysNothing(const FileDiff& file) { return file.hunks.empty() && !file.binary && file.status == "changed"; }

}  // namespace

int64_t FileDiff::Count(char sign) const {
  int64_t count = 0;
  for (const auto& hunk : hunks)
    for (const auto& line : hunk.lines) count += line.sign == sign ? 1 : 0;
  return count;
}

FileDiff ReadDiffArtifact(const agentcore::Artifact& artifact) {
  FileDiff file;
  file.path = artifact.path;
  auto text = [&](const char* key) { return artifact.facts.is_object() && artifact.facts.contains(key) && artifact.facts[key].is_string() ? artifact.facts[key].get<std::string>() : std::string(); };
  file.old_path = text("old_path");
  if (auto status = text("status"); !status.empty()) file.status = status;
  file.binary = artifact.facts.is_object() && artifact.facts.value("binary", Json(false)) == Json(true);
  HunkReader reader(&file);
  for (const auto& line : artifact.lines) reader.Take(line, false);
  if (!artifact.facts.is_object()) return file;
  // A bound of the tool, or of what stands between it and us.
  const auto told = [&](const char* key) {
    const Json count = artifact.facts.value(key, Json());
    return count.is_number_integer() ? std::clamp<int64_t>(count.get<int64_t>(), 0, kMaxCount) : -1;
  };
  file.added = told("added");
  file.removed = told("removed");
  file.whole = file.whole && artifact.facts.value("truncated", Json(false)) != Json(true) && told("cut_lines") <= 0 && file.Added() == file.Count('+') && file.Removed() == file.Count('-');
  return file;
}

std::vector<FileDiff> ReadUnifiedDiff(std::string_view text, int64_t* left_out) {
  std::vector<FileDiff> files;
  files.reserve(kMaxFiles);  // `file` points into it
  FileDiff beyond;
  FileDiff* file = nullptr;
  std::optional<HunkReader> reader;
  int64_t more = 0;
  std::string old_path;
  bool had_old = false;
  auto begin = [&](std::string path) {
    if (reader) reader->End();
    // What turned out to be nothing leaves its place.
    if (file == nullptr || (!SaysNothing(*file) && file != &beyond)) file = files.size() < kMaxFiles ? &files.emplace_back() : &beyond;
    if (file == &beyond && !SaysNothing(beyond)) ++more;
    *file = FileDiff();
    file->path = std::move(path);
    reader.emplace(file);
  };
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (reader && reader->Take(line, true)) continue;
    if (line.starts_with("diff --git a/")) {
      const size_t b = line.find(" b/");
      begin(b == std::string_view::npos ? "" : std::string(WithoutReturn(line.substr(b + 3)).substr(0, 4096)));
    } else if (line.starts_with("--- ")) {
      old_path = PathOf(line.substr(4));
      had_old = true;
      continue;
    } else if (line.starts_with("+++ ") && had_old) {
      const std::string path = PathOf(line.substr(4));
      if (file == nullptr || !file->hunks.empty() || (file->path != path && file->path != old_path)) begin(path.empty() ? old_path : path);
      file->path = path.empty() ? old_path : path;
      file->old_path = old_path;
      if (old_path.empty()) file->status = "added";
      else if (path.empty()) file->status = "removed";
      else if (old_path != path) file->status = "renamed";
    } else if (file != nullptr && line.starts_with("new file mode")) {
      file->status = "added";
    } else if (file != nullptr && line.starts_with("deleted file mode")) {
      file->status = "removed";
    } else if (file != nullptr && (line.starts_with("Binary files ") || line.starts_with("GIT binary patch"))) {
      file->binary = true;
    }
    had_old = false;
  }
  if (reader) reader->End();
  if (!SaysNothing(beyond)) ++more;
  if (left_out != nullptr) *left_out = more;
  std::erase_if(files, [](const FileDiff& each) { return each.path.empty() || SaysNothing(each); });
  return files;
}

}  // namespace paddock::subagents
