#include <Halide.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/module.h"

namespace strata {

namespace {

// The size and the time of the program or library that contains a function; empty if its file is
// not found.
std::string file_of(const void* function) {
  Dl_info info;
  struct stat file;
  if (!dladdr(function, &info) || stat(info.dli_fname, &file) != 0) return "";
  return std::to_string(file.st_size) + " bytes of " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec);
}

std::string kind_of_code() {
  const std::string ours = file_of(reinterpret_cast<const void*>(&code_kind));
  const std::string halides = file_of(reinterpret_cast<const void*>(&Halide::get_host_target));
  if (ours.empty() || halides.empty()) return "";
  return "Strata, " + ours + "; Halide, " + halides + "; " + halide::host_target().to_string();
}

}  // namespace

const std::string& code_kind() {
  static const std::string kind = kind_of_code();
  return kind;
}

}  // namespace strata
