# How every target of the project is made.

if(PROJECT_IS_TOP_LEVEL)
  find_program(STRATA_CCACHE ccache)
  mark_as_advanced(STRATA_CCACHE)
  foreach(language C CXX)
    if(STRATA_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${STRATA_CCACHE}")
    endif()
  endforeach()
endif()

# Language level, warnings and the include roots, the same for every target.
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

# strata_sources(<out> [SUBFOLDER...]): the .cpp files of the current folder and of these folders
# in it. A new file is taken up by the next build.
function(strata_sources out)
  set(patterns "*.cpp")
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns "${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# strata_add_folder(<target> [SUBFOLDERS f...] [EXCLUDE file...] [LINKS t...]): the library of the
# current folder. LINKS names the targets that its sources may include from.
function(strata_add_folder target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SUBFOLDERS;EXCLUDE;LINKS")
  strata_sources(sources ${arg_SUBFOLDERS})
  list(TRANSFORM arg_EXCLUDE PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(REMOVE_ITEM sources "" ${arg_EXCLUDE})
  add_library(${target} STATIC ${sources})
  strata_target_defaults(${target})
  target_link_libraries(${target} PUBLIC ${arg_LINKS})
  string(REPLACE "strata_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(Strata::${name} ALIAS ${target})
endfunction()
