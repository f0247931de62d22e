# Common settings of all targets of the project.

# ccache finds a precompiled header by what its headers are after preprocessing, which shows neither
# macros nor comments. But macros are what metered.h is for, and gcc knows a header with
# `#pragma once` by its bytes. So the bytes of the project's own precompiled headers count, too.
if(PROJECT_IS_TOP_LEVEL)
  find_program(STRATA_CCACHE ccache)
  mark_as_advanced(STRATA_CCACHE)
  set(own "${PROJECT_SOURCE_DIR}/core/sets/metered.h:${PROJECT_SOURCE_DIR}/core/sets/operands.h")
  foreach(language C CXX)
    if(STRATA_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER
          "${CMAKE_COMMAND}" -E env "CCACHE_EXTRAFILES=${own}" "${STRATA_CCACHE}")
    endif()
  endforeach()
endif()

# The language level, the warnings and the include roots of every target.
function(strata_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF C_STANDARD 11 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra $<$<BOOL:${STRATA_WERROR}>:-Werror>)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

# strata_precompile(<target> <header>...): precompiles headers of other projects for all files of
# the target. strata_precompile(<target> FROM <other>): reuses those of another target with the same
# flags. Headers of this project are not precompiled, since a change in one would rebuild everything,
# but for the one that stands for isl's.
function(strata_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "")
  if(arg_FROM)
    target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
  else()
    target_precompile_headers(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS})
  endif()
endfunction()

# Headers that most files of the compiler include.
set(STRATA_COMMON_HEADERS <core/sets/metered.h> <algorithm> <functional> <map> <memory> <optional> <set>
                          <string> <vector>)

# strata_sources(<out> [SUBFOLDER...]): the .cpp files of the current folder and of these
# subfolders. A later build finds new files by itself.
function(strata_sources out)
  set(patterns "*.cpp")
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns "${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# strata_add_folder(<target> [SUBFOLDERS f...] [EXCLUDE file...] [LINKS t...] [PRECOMPILED h...]):
# the library of the current folder, also as Strata::<target without strata_>. EXCLUDE leaves files
# out; LINKS names the targets whose headers its sources may include; PRECOMPILED names headers to
# precompile, by default those of strata_core.
function(strata_add_folder target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SUBFOLDERS;EXCLUDE;LINKS;PRECOMPILED")
  strata_sources(sources ${arg_SUBFOLDERS})
  list(TRANSFORM arg_EXCLUDE PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(REMOVE_ITEM sources "" ${arg_EXCLUDE})
  add_library(${target} STATIC ${sources})
  strata_target_defaults(${target})
  target_link_libraries(${target} PUBLIC ${arg_LINKS})
  if(arg_PRECOMPILED)
    strata_precompile(${target} ${arg_PRECOMPILED})
  else()
    strata_precompile(${target} FROM strata_core)
  endif()
  string(REPLACE "strata_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(Strata::${name} ALIAS ${target})
endfunction()
