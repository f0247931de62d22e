# Commands of the scripts in this folder.
if(missing)
  message("SKIPPED: not found when the build was configured: ${missing} (packages \
g++-aarch64-linux-gnu and qemu-user of Debian)")
  return()
endif()
set(ENV{LC_ALL} C)
file(REMOVE_RECURSE "${scratch}")
file(MAKE_DIRECTORY "${scratch}")

# run(<command>...): fails unless the command succeeds.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed with ${status}: ${command}")
  endif()
endfunction()
