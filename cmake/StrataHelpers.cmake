# strata_add_library(<name> GENERATOR <target> [SHARED] [MPI] [FUNCTION <function>]
#                    [TARGET <machines>] [PARAMS <key=value>...]
#                    [OUTPUTS <assembly|loops|html>...] [AUTOSCHEDULE <log>]
#                    [DEPENDS <file>...])
#
# Runs the executable <target> at build time, as
#   <target> <output folder> <key=value>...
# It must write <function>.o and <function>.h, for a Function of that name, by default <name>, into
# the output folder; a program made with strata/generator.h does. They become the static library
# <name>, or a shared one: targets that link it get the header, the object and the runtime.
#   TARGET   the parameter target=, as "x86-64-v3,x86-64-v4"
#   OUTPUTS  the parameter outputs=: what else is written, <function>.s, <function>.txt or <function>.html
#   AUTOSCHEDULE  the parameter tuning=, the path of a log of strata/tune.h, which the generator
#            replays: tune(f, .., {.log = *tuning, .replay = true}), which measures nothing
#   SHARED   with the runtime as a shared library: all kernels of a process then share its threads
#   MPI      with strata/mpi.h, its library and MPI: for kernels on several ranks
# The generator runs again when one of the DEPENDS files changes.
#
#   add_executable(blur_generator blur_generator.cpp)
#   target_link_libraries(blur_generator PRIVATE Strata::strata)
#   strata_add_library(blur GENERATOR blur_generator PARAMS tile=64)
#   target_link_libraries(app PRIVATE blur)
function(strata_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;MPI" "GENERATOR;FUNCTION;TARGET;AUTOSCHEDULE"
                        "PARAMS;OUTPUTS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "strata_add_library(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET "${arg_GENERATOR}")
    message(FATAL_ERROR "strata_add_library(${name}): GENERATOR must name an executable target, "
      "'${arg_GENERATOR}' is not a target")
  endif()
  if(arg_MPI AND NOT TARGET Strata::mpi)
    message(FATAL_ERROR "strata_add_library(${name}): MPI needs the target Strata::mpi: install "
      "openmpi-bin and libopenmpi-dev of Debian before Strata is built, and ask for it with "
      "find_package(Strata COMPONENTS strata mpi)")
  endif()
  if(NOT arg_FUNCTION)
    set(arg_FUNCTION "${name}")
  endif()
  foreach(own target outputs)
    string(TOUPPER "${own}" keyword)
    if(arg_${keyword} AND "${arg_PARAMS}" MATCHES "(^|;)${own}=")
      message(FATAL_ERROR "strata_add_library(${name}): ${keyword} and PARAMS ${own}= say the same "
        "twice: leave one of them out")
    endif()
  endforeach()
  if(arg_TARGET)
    list(APPEND arg_PARAMS "target=${arg_TARGET}")
  endif()
  if(arg_AUTOSCHEDULE)
    if("${arg_PARAMS}" MATCHES "(^|;)tuning=")
      message(FATAL_ERROR "strata_add_library(${name}): AUTOSCHEDULE and PARAMS tuning= say the "
        "same twice: leave one of them out")
    endif()
    get_filename_component(log "${arg_AUTOSCHEDULE}" ABSOLUTE)
    list(APPEND arg_PARAMS "tuning=${log}")
    list(APPEND arg_DEPENDS "${log}")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.strata")
  set(written "${folder}/${arg_FUNCTION}.o" "${folder}/${arg_FUNCTION}.h")
  # Of several targets, each has its assembly and its page: NAME.TARGET.s.
  string(REPLACE "," ";" versions "${arg_TARGET}")
  list(TRANSFORM versions PREPEND "${folder}/${arg_FUNCTION}.")
  list(LENGTH versions count)
  if(count LESS 2)
    set(versions "${folder}/${arg_FUNCTION}")
  endif()
  set(others "")
  foreach(output IN LISTS arg_OUTPUTS)
    if(output STREQUAL "assembly")
      list(TRANSFORM versions APPEND ".s" OUTPUT_VARIABLE files)
      list(APPEND others ${files})
    elseif(output STREQUAL "loops")
      list(APPEND others "${folder}/${arg_FUNCTION}.txt")
    elseif(output STREQUAL "html")
      list(TRANSFORM versions APPEND ".html" OUTPUT_VARIABLE files)
      list(APPEND others ${files})
    else()
      message(FATAL_ERROR
        "strata_add_library(${name}): OUTPUTS are assembly, loops and html, not '${output}'")
    endif()
  endforeach()
  set(outputs "")
  if(arg_OUTPUTS)
    list(JOIN arg_OUTPUTS "," outputs)
    list(APPEND arg_PARAMS "outputs=${outputs}")
  endif()

  set(check "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/StrataGenerated.cmake")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT ${written}
    BYPRODUCTS ${others}
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${folder}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
    COMMAND ${arg_GENERATOR} "${folder}" ${arg_PARAMS}
    COMMAND ${CMAKE_COMMAND} "-Dlibrary=${name}" "-Dname=${arg_FUNCTION}" "-Dfolder=${folder}"
            "-Dgenerator=${arg_GENERATOR}" "-Doutputs=${outputs}" -P "${check}"
    DEPENDS ${arg_GENERATOR} ${arg_DEPENDS} "${check}"
    COMMENT "Generating ${arg_FUNCTION}.o and ${arg_FUNCTION}.h with ${arg_GENERATOR}"
    VERBATIM)

  if(arg_SHARED)
    add_library(${name} SHARED ${written})
    target_link_libraries(${name} PUBLIC
      $<$<BOOL:${arg_MPI}>:Strata::shared_mpi> Strata::shared_runtime)
  else()
    add_library(${name} STATIC ${written})
    target_link_libraries(${name} INTERFACE $<$<BOOL:${arg_MPI}>:Strata::mpi> Strata::runtime)
  endif()
  set_source_files_properties("${folder}/${arg_FUNCTION}.o" PROPERTIES
    EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE "${folder}")
endfunction()

# strata_add_model(<name> ONNX <file> [TARGET <machines>] [BACKEND <name>] [BIND <dim=number>...])
#
# Makes the ONNX model a static library <name> at build time (docs/models.md): programs that link it
# get <name>.h, the kernels and the runtime. <name>_WEIGHTS is the path of its weights.
#   TARGET   the CPU, or a list of CPUs whose versions each kernel has, as "x86-64-v3,x86-64-v4"
#   BACKEND  halide or c
#   BIND     numbers for named dims of the model
#
#   strata_add_model(ocr ONNX det.onnx BIND batch=1)
#   target_link_libraries(app PRIVATE ocr)
function(strata_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ONNX;TARGET;BACKEND" "BIND")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "strata_add_model(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_ONNX)
    message(FATAL_ERROR "strata_add_model(${name}): ONNX must name the file of the model")
  endif()
  foreach(bound IN LISTS arg_BIND)
    if(NOT bound MATCHES "^[^=]+=[0-9]+$")
      message(FATAL_ERROR "strata_add_model(${name}): BIND takes dim=number, not '${bound}'")
    endif()
  endforeach()
  get_filename_component(model "${arg_ONNX}" ABSOLUTE)
  set(options "name=${name}" ${arg_BIND})
  foreach(option target backend)
    string(TOUPPER "${option}" keyword)
    if(arg_${keyword})
      list(APPEND options "${option}=${arg_${keyword}}")
    endif()
  endforeach()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.strata")
  set(kernels "${folder}/${name}_kernels.a")
  add_custom_command(
    OUTPUT "${folder}/${name}.c" "${folder}/${name}.h" "${kernels}" "${folder}/${name}.weights"
    COMMAND Strata::save_model "${model}" "${folder}" ${options}
    DEPENDS Strata::save_model "${model}"
    COMMENT "Compiling the model ${name}"
    VERBATIM)
  add_library(${name} STATIC "${folder}/${name}.c" "${folder}/${name}.h")
  target_link_libraries(${name} PUBLIC "${kernels}" Strata::runtime)
  target_include_directories(${name} PUBLIC "${folder}")
  set(${name}_WEIGHTS "${folder}/${name}.weights" PARENT_SCOPE)
endfunction()
