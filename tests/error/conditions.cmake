# Compiles statements that use an expression as a C++ truth value, and checks compiler messages.
#   -Dcompiler= -Dsource= -Dscratch=

set(ENV{LC_ALL} C)
file(MAKE_DIRECTORY "${scratch}")

# compiles(<name> <statement> <text>): compiling the statement, where a, b and c are expressions,
# must print the text, or nothing if it is empty.
function(compiles name statement text)
  set(file "${scratch}/${name}.cpp")
  file(WRITE "${file}" "#include <strata/strata.h>
strata::Expr f(strata::Expr a, strata::Expr b, strata::Expr c) {
  ${statement}
  return a;
}
")
  execute_process(COMMAND "${compiler}" -std=c++20 -fsyntax-only "-I${source}" "-I${source}/include" "${file}"
                  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
  string(FIND "${said}" "${text}" at)
  if((text STREQUAL "" AND NOT status EQUAL 0) OR at EQUAL -1
     OR (NOT text STREQUAL "" AND status EQUAL 0))
    message(FATAL_ERROR "${name}: not said: \"${text}\", but, with status ${status}: ${said}")
  endif()
endfunction()

set(told "write select(c, a, b), or X.where(c)")
compiles(choice "return c ? a : b;" "${told}")
compiles(branch "if (a > b && !c) return b;" "${told}")
compiles(operators "return (a > b && !c) || c || true;" "")
