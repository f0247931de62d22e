# strata_add_benchmark(NAME [LABEL text] [KERNEL target] [PLAIN file.c]): the programs of a
# benchmark, one per variant, built from these files of the current folder, in namespace
# NAME_benchmark:
#   NAME_case.h        sizes, data and results (benchmarks/common/case.h)
#   NAME_algorithm.h   the algorithm and its schedule; generates NAME.h, the kernel's header, by
#                      Halide's back end and by that of C
#   NAME_definition.h  optional, for strata-auto: the algorithm as in its definition, where that of
#                      NAME_algorithm.h has the shape that its author's schedule needs
#   plain_NAME.c       plain C, for gcc, gcc -fopenmp if it has a pragma omp, Polly, and Pluto if it
#                      has a pragma scop
#   PEER.cpp           another variant, a class with run() given to benchmarks::process
# LABEL is the name in tables and in the target benchmark_LABEL, KERNEL a library that already has
# the kernel, replacing NAME_algorithm.h, and PLAIN a plain C file elsewhere.  NAME is a C
# identifier that no example has.
function(strata_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;KERNEL;PLAIN" "")
  if(NOT arg_LABEL)
    set(arg_LABEL ${name})
  endif()
  if(NOT arg_PLAIN)
    set(arg_PLAIN "${CMAKE_CURRENT_SOURCE_DIR}/plain_${name}.c")
  endif()
  add_custom_target(benchmark_${arg_LABEL})
  add_dependencies(strata_benchmarks benchmark_${arg_LABEL})
  if(NOT arg_KERNEL)
    set(arg_KERNEL ${name})
    strata_add_benchmark_kernel(${name})
  endif()

  benchmark_program(strata any "${STRATA_BENCHMARK_COMMON}/strata.cpp")
  set(generator ${arg_KERNEL}_generator)
  benchmark_strata_variant(strata-c STRATA_BACKEND=c)
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${name}_definition.h")
    set(generator ${name}_definition_generator)
    benchmark_generator(${name} ${generator} definition definition)
  endif()
  benchmark_strata_variant(strata-auto "" schedule=automatic)
  add_library(${name}_plain OBJECT EXCLUDE_FROM_ALL "${STRATA_BENCHMARK_COMMON}/plain.cpp")
  benchmark_defaults(${name} ${name}_plain)
  target_link_libraries(${name}_plain PRIVATE ${arg_KERNEL})
  benchmark_plain_c(gcc any "${arg_PLAIN}")
  file(STRINGS "${arg_PLAIN}" omp REGEX "#pragma omp")
  if(omp)
    benchmark_plain_c(gcc-openmp several "${arg_PLAIN}")
  endif()
  benchmark_plain_c(polly one "${arg_PLAIN}")
  benchmark_plain_c(polly-parallel several "${arg_PLAIN}")
  file(STRINGS "${arg_PLAIN}" scop REGEX "#pragma scop")
  if(scop)
    set(transformed "${CMAKE_CURRENT_BINARY_DIR}/pluto_${name}.c")
    set(pluto "${STRATA_BENCHMARK_COMMON}/pluto.sh")
    add_custom_command(OUTPUT "${transformed}"
      COMMAND "${pluto}" "${STRATA_BENCHMARK_POLYCC}" "${arg_PLAIN}" "${transformed}"
      DEPENDS "${arg_PLAIN}" "${pluto}" VERBATIM)
    benchmark_plain_c(pluto any "${transformed}")
    benchmark_plain_c(pluto-ivdep any "${transformed}")
  endif()

  file(GLOB peers RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS *.cpp)
  foreach(file IN LISTS peers)
    get_filename_component(peer ${file} NAME_WE)
    if(benchmark_${peer}_MISSING)
      benchmark_says(${peer} any "\"missing\": \"${benchmark_${peer}_MISSING}\"")
      continue()
    endif()
    benchmark_program(${peer} any ${file})
    target_include_directories(${name}_${peer} SYSTEM PRIVATE ${benchmark_${peer}_INCLUDE})
    target_link_libraries(${name}_${peer} PRIVATE ${benchmark_${peer}_LIBRARY})
  endforeach()
  if(halide.cpp IN_LIST peers)
    target_compile_definitions(${name}_halide PRIVATE
      "STRATA_HALIDE_PLUGINS=\"$<TARGET_FILE_DIR:Halide::Halide>\"")
    foreach(scheduler Mullapudi2016 Adams2019)
      string(TOLOWER ${scheduler} variant)
      benchmark_says(${variant} any "\"program\": \"$<TARGET_FILE:${name}_halide>\", \
\"environment\": {\"STRATA_BENCHMARK_AUTOSCHEDULER\": \"${scheduler}\"}")
    endforeach()
  endif()
endfunction()

set(STRATA_BENCHMARK_COMMON "${CMAKE_CURRENT_LIST_DIR}")

# The library of the kernel in NAME_algorithm.h.  A benchmark calls it for each further kernel that
# one of its variants runs.
function(strata_add_benchmark_kernel name)
  benchmark_generator(${name} ${name}_generator algorithm scheduled)
  strata_add_library(${name} GENERATOR ${name}_generator)
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# The program TARGET, which writes the kernel that FUNCTION() in NAME_PART.h makes.
function(benchmark_generator name target part function)
  add_executable(${target} EXCLUDE_FROM_ALL "${STRATA_BENCHMARK_COMMON}/generator.cpp")
  benchmark_defaults(${name} ${target})
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    "BENCHMARK_ALGORITHM=\"${folder}/${name}_${part}.h\"" BENCHMARK_PROGRAM=${function})
  target_link_libraries(${target} PRIVATE Strata::strata)
endfunction()

# A wheel's library finds the wheel's other libraries by the program's RPATH, not by its RUNPATH.
function(benchmark_defaults name target)
  strata_target_defaults(${target})
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    BENCHMARK_NAMESPACE=${name}_benchmark
    "BENCHMARK_CASE=\"${folder}/${name}_case.h\"")
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endfunction()

# Below, "name", "generator", "arg_LABEL" and "arg_KERNEL" are variables of the caller.

# THREADS: the program supports "one" thread, "several" or "any" number.
macro(benchmark_says variant threads what)
  set_property(GLOBAL APPEND PROPERTY STRATA_BENCHMARK_VARIANTS
    "{\"kernel\": \"${arg_LABEL}\", \"variant\": \"${variant}\", \"threads\": \"${threads}\", ${what}}")
endmacro()

macro(benchmark_program variant threads)
  add_executable(${name}_${variant} EXCLUDE_FROM_ALL ${ARGN})
  benchmark_defaults(${name} ${name}_${variant})
  target_compile_options(${name}_${variant} PRIVATE -march=native)
  target_link_libraries(${name}_${variant} PRIVATE ${arg_KERNEL})
  add_dependencies(benchmark_${arg_LABEL} ${name}_${variant})
  benchmark_says(${variant} ${threads} "\"program\": \"$<TARGET_FILE:${name}_${variant}>\"")
endmacro()

# benchmark_strata_variant(VARIANT ENVIRONMENT PARAMETER..): the kernel's object as the generator
# makes it with this environment (NAME=VALUE) and these parameters.
macro(benchmark_strata_variant variant environment)
  set(folder_of_variant "${CMAKE_CURRENT_BINARY_DIR}/${name}_${variant}_kernel")
  set(object_of_variant "${folder_of_variant}/${arg_KERNEL}.o")
  file(MAKE_DIRECTORY "${folder_of_variant}")
  add_custom_command(OUTPUT "${object_of_variant}"
    COMMAND ${CMAKE_COMMAND} -E env ${environment} $<TARGET_FILE:${generator}>
            "${folder_of_variant}" ${ARGN}
    DEPENDS ${generator} VERBATIM)
  set_source_files_properties("${object_of_variant}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  benchmark_program(${variant} any "${STRATA_BENCHMARK_COMMON}/strata.cpp" "${object_of_variant}")
endmacro()

macro(benchmark_plain_c compiler threads source)
  if(benchmark_${compiler}_MISSING)
    benchmark_says(${compiler} ${threads} "\"missing\": \"${benchmark_${compiler}_MISSING}\"")
  else()
    set(object "${CMAKE_CURRENT_BINARY_DIR}/plain_${name}_${compiler}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${benchmark_${compiler}_COMMAND} -MD -MF "${object}.d" -c
              "${source}" -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM)
    benchmark_program(${compiler} ${threads} $<TARGET_OBJECTS:${name}_plain> "${object}")
    target_link_libraries(${name}_${compiler} PRIVATE ${benchmark_${compiler}_LINK})
  endif()
endmacro()
