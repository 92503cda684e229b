# cmake -DOUTPUT=FILE.cc -P embed.cmake -- A.md B.md ...
# Writes a C++ file that holds the given Markdown files as string literals (see builtin_data.h).
set(entries "")
set(taking FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  set(argument "${CMAKE_ARGV${i}}")
  if(argument STREQUAL "--")
    set(taking TRUE)
  elseif(taking)
    get_filename_component(name "${argument}" NAME_WE)
    file(READ "${argument}" text)
    string(FIND "${text}" ")paddock_md\"" clash)
    if(NOT clash EQUAL -1)
      message(FATAL_ERROR "${argument}: holds the end of a raw string literal")
    endif()
    string(APPEND entries "    {\"${name}\", R\"paddock_md(${text})paddock_md\"},\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}" "// Written by subagents/embed.cmake.
#include \"subagents/builtin_data.h\"

namespace paddock::subagents {

const BuiltinFile kBuiltinFiles[] = {
${entries}    {nullptr, nullptr}};

}  // namespace paddock::subagents
")
