# The beginning of the scripts in this folder.
if(missing)
  message("SKIPPED: not found when the build was configured: ${missing} (packages \
g++-aarch64-linux-gnu and qemu-user of Debian)")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")

# make_host(<compiler> <folder> <runtime>): the program "host" from the kernels in the folder.
function(make_host compiler folder runtime)
  run("${compiler}" -std=c99 -Wall -Wextra -Werror "-I${folder}" "-I${source}/include"
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/host.c" "${folder}/waves.o" "${folder}/counts.o"
      "${folder}/lengths.o" "${runtime}" -lpthread -ldl -lm -o "${folder}/host")
endfunction()
