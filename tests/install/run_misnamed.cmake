# Builds copies of ${project} in ${scratch}, with ${helpers}, whose kernels have the name of their
# library or another one, and checks the messages.

set(ENV{LC_ALL} C)
file(REMOVE_RECURSE "${scratch}")

# expect(<file> <kernel> <how> <text> [<argument>..]): the build "ends" successfully or "fails", and
# prints the text; if that is empty, strata_add_library must print nothing.  The arguments are
# further ones of strata_add_library.
function(expect file kernel ends text)
  string(REPLACE ";" "_" build "${scratch}/${file}_${kernel}_${ARGN}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${build}" -G "${generator}"
            "-Dhelpers=${helpers}" "-Dfile=${file}" "-Dkernel=${kernel}" "-Dmore=${ARGN}" "-DCMAKE_C_COMPILER=${cc}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" OUTPUT_VARIABLE said
                  ERROR_VARIABLE said RESULT_VARIABLE status)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if((ends STREQUAL "fails" AND status EQUAL 0) OR (ends STREQUAL "ends" AND NOT status EQUAL 0))
    message(FATAL_ERROR "the build of ${file}.o with ${kernel} ended with ${status}: ${said}")
  endif()
  string(FIND "${said}" "strata_add_library(made): " any)
  string(FIND "${said}" "${text}" at)
  if(at EQUAL -1 OR (text STREQUAL "" AND NOT any EQUAL -1))
    message(FATAL_ERROR "not said of ${file}.o with ${kernel}: \"${text}\", but: ${said}")
  endif()
endfunction()

expect(made made "ends" "")
expect(other other "fails" "strata_add_library(made): made_generator should write made.o and made.h \
into the folder that it is given, and has written other. The files and the Function have the name of \
the library: Function f(\"made\"), or another one that FUNCTION tells")
expect(made other "ends" "strata_add_library(made): made.h declares no kernel made: its \
Function has another name")
expect(made made "fails" "strata_add_library(made): OUTPUTS has loops, but made_generator has not \
written made.txt. A program made with strata/generator.h does; leave it out of OUTPUTS, or write the \
file" OUTPUTS loops)

# Arguments that contradict each other are refused when the project is configured.
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${scratch}/twice" -G "${generator}"
          "-Dhelpers=${helpers}" -Dfile=made -Dkernel=made "-Dmore=target=host;TARGET;x86-64"
          "-DCMAKE_C_COMPILER=${cc}"
  OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE status)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
string(FIND "${said}" "strata_add_library(made): TARGET and PARAMS target= say the same twice: leave \
one of them out" at)
if(status EQUAL 0 OR at EQUAL -1)
  message(FATAL_ERROR "TARGET beside PARAMS target= is not refused: ${said}")
endif()
