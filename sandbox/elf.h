// What a program of the system's own needs to start: its loader and its libraries, as its ELF headers say (elf(5),
// ld.so(8)). Only for files that root installed: nobody else's bytes are read here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock::sandbox {

struct ElfNeeds {
  std::string interpreter;             // PT_INTERP; empty for a static program
  std::vector<std::string> libraries;  // DT_NEEDED, in order
  std::vector<std::string> folders;    // DT_RUNPATH, or DT_RPATH, as written
};

// kInvalid when the file is no ELF program of this machine or is damaged.
Result<ElfNeeds> ReadElf(const std::string& path);

// The interpreter that a "#!" line names; empty when the file does not begin with one.
Result<std::string> ScriptInterpreter(const std::string& path);

// Is every folder on the way to `path`, and the file, root's and writable by root alone? Symbolic links must be resolved.
bool InstalledByRoot(const std::string& path);

struct NeededFile {
  std::string name;  // absolute, as the loader will look for it
  std::string file;  // what it is, without symbolic links
};

// The loader and all libraries, also those of libraries, of a program that root installed. kNotFound names the library
// that is missing and who needs it.
Result<std::vector<NeededFile>> NeededFiles(const std::string& program);

// The libraries that any C or C++ program may ask for, for programs whose bytes are not read: those that are installed.
std::vector<NeededFile> CommonLibraries();

}  // namespace paddock::sandbox
