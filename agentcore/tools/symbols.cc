#include "agentcore/tools/symbols.h"

#include <sys/stat.h>

#include <algorithm>

#include "agentcore/tools/read_only_tools.h"
#include "agentcore/tools/rows.h"
#include "agentcore/tools/run_program.h"
#include "agentcore/tools/tool_programs.h"
#include "agentcore/tools/walk.h"
#include "agentcore/tools/workspace_file.h"
#include "agentcore/tools/workspace_path.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

constexpr size_t kBatchFiles = 200, kBatchBytes = 64u << 10;
constexpr size_t kMaxFiles = 50'000;
constexpr size_t kMaxName = 300, kMaxSignature = 400;

// \t, \n, \\ and \xHH, as ctags writes what would break a line of its own (tags(5)).
std::string Unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "abtnvfr\\", kBytes = "\a\b\t\n\v\f\r\\";
  const auto hex = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
    } else if (const size_t at = kLetters.find(text[i + 1]); at != kLetters.npos) {
      out += kBytes[at];
      ++i;
    } else if (text[i + 1] == 'x' && i + 3 < text.size() && hex(text[i + 2]) >= 0 && hex(text[i + 3]) >= 0) {
      out += static_cast<char>(hex(text[i + 2]) * 16 + hex(text[i + 3]));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

void TakeField(std::string_view field, Symbol* symbol) {
  const std::string_view key = TakePart(&field, ':');
  if (key == "kind") symbol->kind = Unescaped(field);
  else if (key == "line") symbol->line = Number(field);
  else if (key == "end") symbol->end = std::max<int64_t>(0, Number(field));
  else if (key == "language") symbol->language = Unescaped(field);
  else if (key == "signature") symbol->signature = Unescaped(field);
  else if (key == "scope") TakePart(&field, ':'), symbol->scope = Unescaped(field);
}

ProgramOrder OrderOf(const std::string& file, const ToolContext& context) {
  ProgramOrder order;
  order.file = file;
  order.arguments = {"--options=NONE", "--quiet=yes", "--output-format=u-ctags", "--sort=no", "--excmd=number", "--fields=neKlsSZz", "--pseudo-tags=", "--links=no",
                     "--kinds-C=+p", "--kinds-C++=+p", "-f", "-"};
  order.environment = EnvironmentWith({"LC_ALL=C", "CTAGS="}, "CTAGS");
  order.folder_fd = context.root_fd;
  order.deadline = context.deadline;
  return order;
}

struct Batch {
  size_t begin, end;
};

// All of `files`, the first batch last.
std::vector<Batch> Batches(const std::vector<std::string>& files) {
  std::vector<Batch> batches;
  for (size_t next = 0; next < files.size();) {
    Batch batch{next, next};
    for (size_t bytes = 0; batch.end < files.size() && batch.end - batch.begin < kBatchFiles && bytes < kBatchBytes; ++batch.end) bytes += files[batch.end].size() + 3;
    batches.push_back(batch);
    next = batch.end;
  }
  std::reverse(batches.begin(), batches.end());
  return batches;
}

}  // namespace

std::vector<Symbol> ParseTags(std::string_view output) {
  std::vector<Symbol> symbols;
  while (!output.empty()) {
    std::string_view line = TakePart(&output, '\n');
    Symbol symbol;
    symbol.name = Unescaped(TakePart(&line, '\t'));
    symbol.path = Unescaped(TakePart(&line, '\t'));
    if (symbol.path.starts_with("./")) symbol.path.erase(0, 2);
    TakePart(&line, '\t');  // the line's number once more
    while (!line.empty()) TakeField(TakePart(&line, '\t'), &symbol);
    if (!symbol.name.empty() && !symbol.path.empty() && symbol.line > 0) symbols.push_back(std::move(symbol));
  }
  return symbols;
}

ToolOutcome<SymbolSearch> FindSymbols(const ToolContext& context, const std::vector<std::string>& files, const std::function<bool(Symbol)>& take) {
  const std::string ctags = FindProgram("ctags");
  if (ctags.empty()) return std::unexpected(NoProgram(ProgramsOf("outline").front()));
  SymbolSearch search;
  std::vector<Batch> left = Batches(files);  // the next one last
  while (!left.empty()) {
    const Batch batch = left.back();
    left.pop_back();
    ProgramOrder order = OrderOf(ctags, context);
    for (size_t i = batch.begin; i < batch.end; ++i) order.arguments.push_back("./" + files[i]);  // never an option
    auto end = RunProgram(order);
    if (!end && IsOutOfDescriptors(end.error().sys_errno)) return std::unexpected(OutOfDescriptors("ctags could not be started", end.error().sys_errno));
    if (!end)
      return std::unexpected(ToolError{ToolStatus::kFailed, "ctags could not be started: " + end.error().message,
                                       "use search_text for names; the profile's system calls must allow @process, as in read-only-tools",
                                       {CallText("search_text", Json{{"pattern", "main"}, {"path", "."}})}});
    // One file that ctags can't bear must not hide the others: they are asked for in halves.
    if (end->signal && !end->timed_out && !end->cut && batch.end - batch.begin > 1) {
      const size_t middle = batch.begin + (batch.end - batch.begin) / 2;
      left.push_back({middle, batch.end});
      left.push_back({batch.begin, middle});
      if (context.deadline.passed()) left.clear();
      search.deadline_passed = left.empty();
      continue;
    }
    search.files = static_cast<int64_t>(batch.end);
    if (end->signal && !end->timed_out && !end->cut && search.crashed.size() < kMaxCrashed) search.crashed.push_back(files[batch.begin]);
    search.cut = search.cut || end->cut;
    // Of output that was cut the last line may be half one.
    std::string_view output = end->output;
    if (!end->ended_well()) output = output.substr(0, output.rfind('\n') + 1);
    for (Symbol& symbol : ParseTags(output))
      if (!take(std::move(symbol))) return search;
    search.deadline_passed = end->timed_out || context.deadline.passed();
    if (search.deadline_passed) break;
  }
  return search;
}

std::string CrashNote(const SymbolSearch& search) {
  std::string note;
  for (const std::string& path : search.crashed) note += (note.empty() ? "ctags crashed at " : ", ") + PathToText(path);
  return note.empty() ? "" : note + ": what these files define is not known.";
}

ToolOutcome<SourceFiles> FilesForSymbols(const ToolContext& context, const std::string& start, const std::function<bool(const std::string&)>& wanted) {
  SourceFiles found;
  auto st = StatInside(context.root_fd, start);
  if (!st) return std::unexpected(std::move(st).error());
  if (!S_ISDIR(st->st_mode)) {
    if (auto file = OpenRegularFile(context.root_fd, start); !file) return std::unexpected(std::move(file).error());
    found.paths.push_back(start);
    return found;
  }
  WalkOptions options;
  options.start = start;
  options.details = true;
  options.hidden = context.hidden;
  options.deadline = context.deadline;
  GlobCost cost{.deadline = context.deadline};
  bool full = false;
  auto walked = Walk(context.root_fd, options, &cost, [&](const WalkEntry& entry) {
    if (entry.kind != EntryKind::kFile || entry.size == 0 || entry.size > kMaxSearchedBytes) return true;
    if (context.deadline.passed() || found.paths.size() == kMaxFiles) return full = true, false;
    std::string path(entry.path);
    if (!wanted || wanted(path)) found.paths.push_back(std::move(path));
    return true;
  });
  if (!walked) return std::unexpected(std::move(walked).error());
  found.complete = walked->complete() && !full;
  found.hidden = walked->odd.count(OddKind::kHidden);
  return found;
}

std::string SymbolRow(const Symbol& symbol) {
  return Row({std::to_string(symbol.line), std::to_string(symbol.end), Column(symbol.kind, 64), Column(symbol.name, kMaxName), Column(symbol.scope, kMaxName),
              Column(symbol.signature, kMaxSignature)});
}

}  // namespace paddock::agentcore
