#include "codegen/object/file_of.h"

#include <dlfcn.h>
#include <sys/stat.h>

namespace strata {

std::string file_of(const void* function) {
  Dl_info info;
  struct stat file;
  if (!dladdr(function, &info) || stat(info.dli_fname, &file) != 0) return "";
  return std::to_string(file.st_size) + " bytes of " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

}  // namespace strata
