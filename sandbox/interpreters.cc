#include <algorithm>
#include <string_view>

#include "sandbox/profile_lint.h"

namespace paddock::sandbox {
namespace {

// Without their versions. Editors and debuggers have a language inside, so have find, make and what builds; env and xargs
// put command lines together; valgrind runs code that it only reads. What starts one program that it is told (timeout,
// nice) is not here: that program has to be in the list, which a jail enforces.
constexpr std::string_view kInterpreters[] = {
    "sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "ksh93", "rksh", "mksh", "fish", "csh", "tcsh", "busybox", "toybox",
    "python", "pypy", "perl", "ruby", "irb", "node", "nodejs", "deno", "bun", "lua", "luajit", "texlua", "tclsh", "wish", "expect", "php", "php-cgi",
    "guile", "scheme", "sbcl", "clisp", "racket", "R", "Rscript", "julia", "octave", "ghci", "runghc", "runhaskell", "ocaml", "erl", "escript", "elixir", "iex",
    "java", "jshell", "groovy", "scala", "kotlin", "mono", "dotnet", "pwsh", "gjs", "qjs", "wasmtime", "tcc", "cling",
    "awk", "gawk", "mawk", "nawk", "original-awk",
    "gdb", "lldb", "vi", "vim", "view", "vimdiff", "nvim", "emacs",
    "env", "xargs", "find", "parallel", "make", "gmake", "ninja", "samu", "cmake", "ctest", "meson", "scons", "npm", "npx", "yarn", "cargo", "go",
    "valgrind"};

bool IsListed(std::string_view name) { return std::find(std::begin(kInterpreters), std::end(kInterpreters), name) != std::end(kInterpreters); }

}  // namespace

bool IsInterpreter(const std::string& program) {
  std::string_view name = program;
  if (const size_t slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
  // ld-linux-x86-64.so.2, ld-2.36.so, ld-musl-x86_64.so.1, ld.so: each starts any file that it may read (ld.so(8)).
  if (name.starts_with("ld") && name.find(".so") != name.npos) return true;
  if (name.starts_with("qemu-")) return true;
  if (IsListed(name)) return true;
  while (!name.empty() && (name.back() == '.' || name.back() == '-' || (name.back() >= '0' && name.back() <= '9'))) name.remove_suffix(1);
  return IsListed(name);
}

}  // namespace paddock::sandbox
