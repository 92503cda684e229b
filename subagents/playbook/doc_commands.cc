#include "subagents/playbook/doc_commands.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/line_rules.h"

namespace paddock::subagents {
namespace {

constexpr size_t kMaxCommands = 300;

size_t Indent(std::string_view line) {
  size_t columns = 0;
  for (char c : line) {
    if (c == ' ') ++columns;
    else if (c == '\t') columns += 8 - columns % 8;
    else break;
  }
  return columns;
}

// Without options whose value the workflow fills in: `mvn test -D x=${{ matrix.java }}` is `mvn test`. One that names a folder, a file or a module stays.
std::string WithoutFilledOptions(std::string_view text) {
  static const RE2 kOption(R"((\s--?[A-Za-z][\w.-]*(?:[ =]?["']?[\w./-]*=?)?\$\{\{[^{}]*\}\}[\w./-]*["']?))");
  std::string out(text), found;
  for (re2::StringPiece rest(text.data(), text.size()); RE2::FindAndConsume(&rest, kOption, &found);)
    if (size_t at = out.find(found); at != std::string::npos && !MatchesPart(found, R"(^\s(-[CfmpBS]\b|--(prefix|directory|manifest-path|project|build|file|test-dir)\b))")) out.erase(at, found.size());
  return out;
}

class Collector {
 public:
  Collector(const RepoView& view, const CommandWorld& world) : view_(view), world_(world) {}

  void Add(std::string_view text, DocSource source, const std::string& path, int64_t line) {
    for (auto& command : ParseCommandLine(text, world_, &cwd_)) {
      if (command.kind == CommandKind::kOther || out_.size() >= kMaxCommands) continue;
      if (source == DocSource::kInline && command.extras > 3) continue;
      // `tests/all.py` in a sentence names a file; `./tests/all.py` runs it.
      if (source == DocSource::kInline && command.tool.starts_with("script:") && !text.starts_with("./") && text.find(' ') == std::string_view::npos) continue;
      out_.push_back({std::move(command), source, path, line});
    }
  }

  // Fences, indented blocks, prompts, and spans of inline code.
  void Document(const std::string& path) {
    bool fenced = false, after_break = true, plain = IsPlainText(path);
    std::string fence;
    int64_t last = 0;
    cwd_.clear();
    for (const auto& [number, line] : *view_.LinesOf(path)) {
      std::string_view text = line.text;
      if (number != last + 1) fenced = false, after_break = true, cwd_.clear();
      last = number;
      size_t first = text.find_first_not_of(" \t");
      if (first == std::string_view::npos) {
        after_break = true;
        continue;
      }
      std::string_view trimmed = text.substr(first);
      if (!plain && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) && trimmed.find("```", 3) == std::string_view::npos) {
        if (!fenced || trimmed.starts_with(fence)) {
          fenced = !fenced;
          fence = std::string(trimmed.substr(0, 3));
          cwd_.clear();
          continue;
        }
      }
      bool prompt = trimmed.starts_with("$ ") || trimmed.starts_with("% ");
      bool block = fenced || prompt || Indent(text) >= (plain ? 2u : 3u);
      if (!block) cwd_.clear();
      // In plain text a whole paragraph line that is nothing but a command counts too ("make test").
      if (block || (plain && (after_break || plain_run_) && text.size() < 40)) {
        size_t before = out_.size();
        if (!line.cut) Add(text, DocSource::kBlock, path, number);
        plain_run_ = out_.size() > before;
      } else {
        plain_run_ = false;
      }
      if (!fenced && !line.cut) Spans(text, path, number);
      after_break = false;
    }
  }

  void Spans(std::string_view text, const std::string& path, int64_t number) {
    std::string cwd;
    std::swap(cwd, cwd_);  // a span says nothing of the block's folder
    for (int n = 0; n < 8; ++n) {
      size_t open = text.find_first_of("`\"");
      if (open == std::string_view::npos) break;
      char mark = text[open];
      size_t start = text.find_first_not_of(mark, open);
      if (start == std::string_view::npos) break;
      size_t close = text.find(mark, start);
      if (close == std::string_view::npos) break;
      cwd_.clear();
      // Quotation marks hold prose more often than commands: two words at least.
      std::string_view span = text.substr(start, close - start);
      if (mark == '`' || span.find(' ') != std::string_view::npos) Add(span, DocSource::kInline, path, number);
      size_t next = text.find_first_not_of(mark, close);
      if (next == std::string_view::npos) break;
      text = text.substr(next);
    }
    std::swap(cwd, cwd_);
  }

  static constexpr const char* kFolder = R"re(^\s*(?:- )?working-directory:\s*["']?(?:\./)?([^"'#]+?)/?["']?\s*(?:#.*)?$)re";

  // The folder that a step of GitHub's says it runs in, in a line of its own: its keys stand `indent` deep. "" where it says none.
  static std::string FolderOfStep(const SeenLines& lines, int64_t run, size_t indent) {
    static constexpr int64_t kReach = 30;
    for (int64_t n = run; n > run - kReach && lines.contains(n); --n) {
      if (auto folder = FirstGroup(lines.at(n).text, kFolder)) return *folder;
      if (MatchesPart(lines.at(n).text, R"(^\s*- )") && Indent(lines.at(n).text) + 2 == indent) break;
    }
    for (int64_t n = run + 1; n < run + kReach && lines.contains(n); ++n) {
      const std::string& text = lines.at(n).text;
      if (text.find_first_not_of(" \t") == std::string::npos) continue;
      if (Indent(text) < indent) break;
      if (auto folder = FirstGroup(text, kFolder)) return *folder;
    }
    return "";
  }

  // YAML: `run: command`, `run: |` with its indented lines, and items of `script:` lists.
  void Ci(const std::string& path) {
    size_t block_indent = 0;
    std::string default_folder;  // of the workflow or the job whose keys stand so deep
    size_t default_indent = 0;
    bool in_block = false, github = path.find(".github/") != std::string::npos;
    cwd_.clear();
    for (const auto& [number, line] : *view_.LinesOf(path)) {
      std::string_view text = line.text;
      size_t first = text.find_first_not_of(" \t");
      if (first == std::string_view::npos || line.cut) continue;
      if (Indent(text) < default_indent) default_folder.clear();
      if (in_block && Indent(text) <= block_indent && !(text[first] == '-' && !github && Indent(text) == block_indent)) in_block = false;
      if (in_block) {
        std::string_view item = text.substr(first);
        if (item.starts_with("- ")) item.remove_prefix(2);
        Add(WithoutFilledOptions(item), DocSource::kCi, path, number);
        continue;
      }
      std::string_view rest = text.substr(first);
      size_t indent = Indent(text);
      if (rest.starts_with("- ")) rest.remove_prefix(2), indent += 2;
      size_t colon = rest.find(':');
      if (colon == std::string_view::npos) continue;
      std::string_view key = rest.substr(0, colon);
      static constexpr std::string_view kKeys[] = {"run", "script", "before_script", "install", "command", "test_script", "build_script"};
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) continue;
      std::string_view value = rest.substr(colon + 1);
      size_t start = value.find_first_not_of(' ');
      value = start == std::string_view::npos ? std::string_view() : value.substr(start);
      cwd_.clear();
      if (github && value.empty()) {  // "defaults: run: working-directory: x"
        const auto next = view_.LinesOf(path)->find(number + 1);
        default_folder = next == view_.LinesOf(path)->end() ? "" : FirstGroup(next->second.text, kFolder).value_or("");
        default_indent = indent >= 2 ? indent - 2 : 0;
        continue;
      }
      std::string folder = github ? FolderOfStep(*view_.LinesOf(path), number, indent) : "";
      if (folder.empty()) folder = default_folder;
      // Of a folder that the workflow fills in, or that isn't there, nothing is known.
      if (!folder.empty() && folder != "." && (!IsPlainPath(folder) || !world_.has_folder(folder))) continue;
      if (folder != ".") cwd_ = folder;
      if (value.empty() || value[0] == '|' || value[0] == '>') {
        in_block = true;
        block_indent = indent;
      } else {
        if (value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0]) value = value.substr(1, value.size() - 2);
        Add(WithoutFilledOptions(value), DocSource::kCi, path, number);
      }
    }
  }

  std::vector<DocCommand> Done() { return std::move(out_); }

 private:
  static bool IsPlainText(std::string_view path) {
    return BaseName(path).find('.') == std::string_view::npos;  // README, INSTALL
  }

  const RepoView& view_;
  const CommandWorld& world_;
  std::vector<DocCommand> out_;
  std::string cwd_;
  bool plain_run_ = false;
};

}  // namespace

bool IsCiPath(std::string_view path) {
  return MatchesWhole(path, R"(\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|\.cirrus\.yml|\.circleci/config\.yml|azure-pipelines\.yml|\.?appveyor\.yml|\.build\.yml|\.woodpecker\.ya?ml|\.drone\.yml)");
}

bool IsDocPath(std::string_view path) {
  std::string_view base = BaseName(path);
  return !IsCiPath(path) && (MatchesWhole(base, R"((?i)(README|INSTALL|CONTRIBUTING|HACKING|BUILD(ING)?|DEVELOP\w*|TESTING|USAGE)[^/]*)") ||
                             MatchesWhole(base, R"((?i).*\.(md|rst|txt|adoc|markdown|pod))")) &&
         !MatchesWhole(base, R"((?i)CMakeLists\.txt|BUILD|BUILD\.bazel|build\.\w+|.*\.(sh|py|c|h|cc|go|rs|json|toml|xml|gradle|kts|zig|bat|in))") &&
         !MatchesWhole(base, R"((?i)(requirements|license|copying|change\w*|history|news|authors)[^/]*)");
}

std::vector<DocCommand> FindDocCommands(const RepoView& view, const CommandWorld& world) {
  Collector collector(view, world);
  for (const auto& path : view.ReadFiles()) {
    if (IsForeignPath(path)) continue;
    if (IsCiPath(path)) collector.Ci(path);
    else if (IsDocPath(path)) collector.Document(path);
  }
  return collector.Done();
}

}  // namespace paddock::subagents
