# cmake -Dlibrary=LIBRARY -Dname=NAME -Dfolder=FOLDER -Dgenerator=TARGET -Doutputs=LIST
#       -P StrataGenerated.cmake:
# checks the output of the generator of strata_add_library(LIBRARY FUNCTION NAME). Fails, with the
# reason, unless FOLDER has NAME.o and NAME.h, and NAME.s, NAME.txt and NAME.html if LIST has
# assembly, loops and html; prints a notice if NAME.h does not declare a kernel NAME.
function(names_of kernels variable)
  list(TRANSFORM kernels REPLACE "[.][oh]$" "")
  list(REMOVE_DUPLICATES kernels)
  list(JOIN kernels ", " text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

foreach(file "${name}.o" "${name}.h")
  if(EXISTS "${folder}/${file}")
    continue()
  endif()
  file(GLOB written RELATIVE "${folder}" "${folder}/*.o" "${folder}/*.h")
  names_of("${written}" others)
  if(others STREQUAL "" OR others STREQUAL name)
    set(others "no kernel")
  endif()
  message(FATAL_ERROR
    "strata_add_library(${library}): ${generator} should write ${name}.o and ${name}.h into the folder \
that it is given, and has written ${others}.  The files and the Function have the name \
of the library: Function f(\"${name}\"), or another one that FUNCTION tells")
endforeach()

# The assembly and the page of one target of several are NAME.TARGET.s and NAME.TARGET.html.
foreach(output "assembly .s" "loops .txt" "html .html")
  separate_arguments(output)
  list(POP_FRONT output kind end)
  file(GLOB written "${folder}/${name}${end}" "${folder}/${name}.*${end}")
  if("${outputs}" MATCHES "${kind}" AND NOT written)
    message(FATAL_ERROR
      "strata_add_library(${library}): OUTPUTS has ${kind}, but ${generator} has not written \
${name}${end}.  A program made with strata/generator.h does; leave it out of OUTPUTS, or write the file")
  endif()
endforeach()

file(READ "${folder}/${name}.h" header)
if(NOT header MATCHES "int ${name}[(]")
  message(NOTICE
    "strata_add_library(${library}): ${name}.h declares no kernel ${name}: its Function has another name")
endif()
