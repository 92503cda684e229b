#include "subagents/playbook/import_rules.h"

#include <re2/re2.h>

#include <algorithm>

#include "subagents/playbook/import_text.h"
#include "subagents/playbook/repo_view.h"

namespace paddock::subagents {

using namespace imports;

namespace {

// Of C and POSIX, of those without a folder.
bool IsStandardHeader(std::string_view name) {
  static const std::set<std::string_view> kNames = {
      "aio.h", "alloca.h", "ar.h", "assert.h", "complex.h", "cpio.h", "ctype.h", "dirent.h", "dlfcn.h", "elf.h", "endian.h", "err.h", "errno.h", "fcntl.h", "features.h", "fenv.h", "float.h", "fmtmsg.h",
      "fnmatch.h", "ftw.h", "getopt.h", "glob.h", "grp.h", "iconv.h", "inttypes.h", "iso646.h", "langinfo.h", "libgen.h", "limits.h", "link.h", "locale.h", "malloc.h", "math.h", "memory.h", "monetary.h", "mqueue.h",
      "ndbm.h", "netdb.h", "nl_types.h", "poll.h", "pthread.h", "pwd.h", "regex.h", "sched.h", "search.h", "semaphore.h", "setjmp.h", "signal.h", "spawn.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h",
      "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "strings.h", "syslog.h", "tar.h", "termios.h", "tgmath.h", "threads.h", "time.h", "uchar.h", "ucontext.h", "ulimit.h", "unistd.h",
      "utime.h", "utmpx.h", "values.h", "wchar.h", "wctype.h", "wordexp.h", "windows.h"};
  return kNames.contains(name);
}

// The folders that Python imports from, whichever has the module.
constexpr std::string_view kAnyRoot = "*";

// Of ImportReader's open_: an import of types that goes on, by its first words or by each of its names so far.
constexpr std::string_view kTypes = "types", kTypeNames = "type names";

bool AllTypes(std::string_view names) {
  bool any = false;
  for (std::string_view one : Split(names, ",")) {
    one = TrimItem(one);
    if (one.empty()) continue;
    if (!one.starts_with("type ") || one.starts_with("type as ")) return false;
    any = true;
  }
  return any;
}

}  // namespace

void ImportReader::Found(std::string path, bool deferred) {
  if (path != path_) out_.push_back({UnitOf(path), std::move(path), deferred});
}

std::vector<Import> ImportReader::Read(std::string_view line, int64_t number) {
  out_.clear();
  if (language_ == nullptr || line.size() > 2000) return {};
  // What begins "import type {" is for types however many lines stand between.
  if (number != last_ + 1 && open_ != kTypes) open_.clear();
  last_ = number;
  switch (language_ - ImportLanguages().data()) {
    case 0: C(line); break;
    case 1: Python(line); break;
    case 2: Script(line); break;
    case 3: Go(line); break;
    case 4: Rust(line); break;
    case 5: Java(line); break;
    case 6: Ruby(line); break;
  }
  return std::move(out_);
}

void ImportReader::C(std::string_view line) {
  static const RE2 kInclude(R"re(^\s*#\s*(?:include|import)\s*(["<])([^">]+)[">])re");
  std::string quote, name;
  if (!RE2::PartialMatch(Piece(line), kInclude, &quote, &name)) return;
  if (auto beside = Joined(FolderName(path_), name); quote == "\"" && beside && index_.Has(*beside)) return Found(*beside, false);
  // <string.h> is no file of ours, whatever has that name; another one is where it lies in the one folder named for what users include.
  if (quote == "<" && name.find('/') == std::string::npos) {
    if (IsStandardHeader(name) || BaseName(path_) == name) return;
    if (auto file = index_.InIncludeFolder(name)) return Found(*file, false);
    missed_ = missed_ || index_.MayBeOnIncludePath(name);
    return;
  }
  while (name.starts_with("../")) name.erase(0, 3);
  if (auto file = index_.EndingWith(name, path_)) return Found(*file, false);
  missed_ = missed_ || (!IsStandardHeader(BaseName(name)) && index_.HasName(BaseName(name)));
}

void ImportReader::Python(std::string_view line) {
  static const RE2 kFrom(R"(^\s*from\s+(\.*)([\w.]*)\s+import\s*\(?\s*([^#()]*))"), kImport(R"(^\s*import\s+([^#;]+))"), kOpens(R"(^(\s*from\s+[\w.]+\s+import\s*\()[^)#]*(?:#.*)?$)");
  std::string open;
  // A name on a line of its own, which its module stands above.
  const bool goes_on = !open_.empty();
  if (goes_on) {
    open = open_ + std::string(line.substr(0, line.find_first_of("#)")));
    if (line.substr(0, line.find('#')).find(')') != std::string_view::npos) open_.clear();
    line = open;
  } else {
    RE2::PartialMatch(Piece(line), kOpens, &open_);
  }
  const bool deferred = Indented(line);
  auto module = [&](std::string_view base, std::string dotted) -> std::optional<std::string> {
    std::replace(dotted.begin(), dotted.end(), '.', '/');
    if (base == kAnyRoot) return index_.PythonModule(dotted);
    const std::string stem = dotted.empty() ? std::string(base) : InFolder(base, dotted);
    for (const char* end : {".py", "/__init__.py", ".pyx", ".pyi"})
      if (index_.Has(stem + end)) return stem + end;
    return std::nullopt;
  };
  auto bases = [&](size_t dots) {
    std::vector<std::string> out;
    if (dots == 0) {
      out.emplace_back(kAnyRoot);
      const std::string here(FolderName(path_));
      if (!index_.Has(InFolder(here, "__init__.py"))) out.push_back(here);
      return out;
    }
    std::string folder(FolderName(path_));
    for (; dots > 1; --dots) folder = std::string(FolderName(folder));
    out.push_back(std::move(folder));
    return out;
  };
  std::string dots, name, names;
  if (RE2::PartialMatch(Piece(line), kFrom, &dots, &name, &names)) {
    for (const auto& base : bases(dots.size())) {
      bool any = false;
      const auto whole = module(base, name);
      for (std::string_view one : Split(names, ",")) {
        one = TrimItem(one);
        if (one.empty() && !TrimItem(names).empty()) continue;  // behind the last comma
        one = one.substr(0, one.find(' '));
        auto part = one.empty() ? std::nullopt : module(base, (name.empty() ? "" : name + ".") + std::string(one));
        if (part) Found(*part, deferred);
        else if (whole && !goes_on) Found(*whole, deferred);
        any = any || part || whole;
      }
      if (any) return;
    }
    return;
  }
  if (!RE2::PartialMatch(Piece(line), kImport, &names)) return;
  for (std::string_view one : Split(names, ",")) {
    one = TrimItem(one);
    std::string dotted(one.substr(0, one.find(' ')));
    for (const auto& base : bases(0))
      if (auto file = module(base, dotted)) {
        Found(*file, deferred);
        break;
      }
  }
}

void ImportReader::Script(std::string_view line) {
  static const RE2 kName(R"re((?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)['"]([^'"]+)['"])re");
  static const RE2 kOfTypes(R"(^\s*(import|export)\s+type\s+([{*]|\w+(\s*[,=]|\s+from\b))|\bimport\()"), kBraces(R"(^\s*(?:import|export)\s*\{([^}]*)\}\s*from\b)");
  static const RE2 kOpens(R"(^\s*(?:import|export)\s+(type\s+)?(\w+\s*,\s*)?\{([^}'"]*)$)"), kTypeName(R"(^\s*type\s+[\w$]+(\s+as\s+[\w$]+)?\s*,?\s*$)");
  std::string_view text = TrimItem(line);
  if (text.starts_with("//") || text.starts_with("*") || text.starts_with("/*")) return;
  std::string name, type, first;
  if (RE2::PartialMatch(Piece(line), kOpens, &type, &first, &name)) {
    open_ = !type.empty() ? kTypes : first.empty() && (TrimItem(name).empty() || AllTypes(name)) ? kTypeNames : "";
    return;
  }
  if (!open_.empty() && RE2::PartialMatch(Piece(line), kTypeName)) return;
  const bool closes = !open_.empty() && text.starts_with('}');
  open_.clear();
  re2::StringPiece rest = Piece(line);
  const bool deferred = Indented(line) || closes || RE2::PartialMatch(Piece(line), kOfTypes) || (RE2::PartialMatch(Piece(line), kBraces, &name) && AllTypes(name));
  while (RE2::FindAndConsume(&rest, kName, &name)) {
    if (name.starts_with('#')) {
      for (const std::string& file : FilesImportedAs(index_.package_imports, name))
        if (index_.Has(file)) Found(file, deferred);
      continue;
    }
    std::optional<std::string> stem;
    if (name.starts_with("./") || name.starts_with("../") || name == "." || name == "..") {
      stem = Joined(FolderName(path_), name);
    } else {
      for (std::string_view prefix = name; !prefix.empty(); prefix = FolderName(prefix)) {
        auto found = index_.packages.find(std::string(prefix));
        if (found == index_.packages.end()) continue;
        stem = InFolder(found->second, std::string_view(name).substr(std::min(name.size(), prefix.size() + 1)));
        if (stem->ends_with('/')) stem->pop_back();
        break;
      }
    }
    if (!stem) continue;
    std::string bare = *stem;
    for (const char* end : {".js", ".mjs", ".cjs", ".jsx"})
      if (bare.ends_with(end)) bare.resize(bare.size() - std::string_view(end).size());
    bool done = false;
    for (const std::string& base : {*stem, bare, InFolder(*stem, "index"), InFolder(*stem, "src/index"), InFolder(*stem, "lib/index"), InFolder(*stem, "src/main")})
      for (const char* end : {"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte"})
        if (!done && index_.Has(base + end)) done = true, Found(base + end, deferred);
  }
}

void ImportReader::Go(std::string_view line) {
  static const RE2 kImport(R"re(^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w.-]+(?:/[^"]*)?)"\s*(?://.*)?$)re");
  std::string name;
  if (!RE2::PartialMatch(Piece(line), kImport, &name)) return;
  for (std::string_view prefix = name; !prefix.empty(); prefix = FolderName(prefix)) {
    auto module = index_.go_modules.find(std::string(prefix));
    if (module == index_.go_modules.end()) continue;
    return Found(InFolder(module->second, std::string_view(name).substr(std::min(name.size(), prefix.size() + 1))) + (name.size() == prefix.size() && !module->second.empty() ? "" : "/"), false);
  }
}

void ImportReader::Java(std::string_view line) {
  static const RE2 kImport(R"(^\s*import\s+(?:static\s+)?([\w.]+?)(\.[*_])?\s*;?\s*(?:as\s+\w+)?\s*$)");
  std::string name, all;
  if (!RE2::PartialMatch(Piece(line), kImport, &name, &all)) return;
  std::replace(name.begin(), name.end(), '.', '/');
  for (std::string_view path = name; path.find('/') != std::string_view::npos; path = FolderName(path))
    for (const char* end : {".java", ".kt", ".scala", ".groovy"})
      if (auto file = index_.EndingWith(std::string(path) + end, path_)) return Found(*file, false);
}

// What stands deeper than a module's body stands in a method, mostly; what is autoloaded is loaded when it is first named.
void ImportReader::Ruby(std::string_view line) {
  static const RE2 kLine(R"re(^(\s*)(require_relative|require|load|autoload)\b\s*\(?\s*(?::\w+\s*,\s*)?(File\.(?:expand_path|join)\s*\(?\s*)?(__dir__\s*,\s*)?['"]([^'"#]+)['"](\s*,\s*(?:__dir__|File\.dirname\(__FILE__\)))?)re");
  std::string indent, verb, made, before, name, behind;
  if (!RE2::PartialMatch(Piece(line), kLine, &indent, &verb, &made, &before, &name, &behind)) return;
  const bool deferred = verb == "autoload" || indent.size() > 2;
  if (!name.ends_with(".rb")) name += ".rb";
  const bool beside = verb == "require_relative" || !before.empty() || !behind.empty();
  if (!made.empty() && !beside) return;
  if (beside || name.starts_with("./") || name.starts_with("../")) {
    if (name.starts_with("/")) name.erase(0, 1);
    if (auto file = Joined(FolderName(path_), name); file && index_.Has(*file)) Found(*file, deferred);
    return;
  }
  // Of what is on the load path, the folders "lib": the nearest above this file, else the only one.
  for (std::string_view folder = FolderName(path_);; folder = FolderName(folder)) {
    if (const std::string file = InFolder(folder, "lib/" + name); index_.Has(file)) return Found(file, deferred);
    if (folder.empty()) break;
  }
  if (auto file = index_.EndingWith("lib/" + name, path_)) Found(*file, deferred);
}

}  // namespace paddock::subagents
