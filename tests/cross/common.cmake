# The beginning of the scripts in this folder.
if(missing)
  message("SKIPPED: not found when the build was configured: ${missing} (packages \
g++-aarch64-linux-gnu and qemu-user of Debian)")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../script.cmake")
