#include "driver/profile_text.h"

#include <strata/runtime.h>

#include <cstdio>
#include <cstdlib>

#include "runtime/profile.h"

namespace strata {

std::string profile_text(const std::string& kernel, const Request& request) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = open_memstream(&text, &size);
  const int code = memory ? strata_profile_to(kernel.c_str(), memory) : strata_error_cannot_write;
  if (memory) std::fclose(memory);
  const std::string table(text ? text : "", size);
  std::free(text);
  if (code == 0) return table;
  throw request.refused(Code::E0106_bad_argument,
                        code == strata_error_no_profile ? kernel + " has not been called"
                                                        : "there is no memory for the table",
                        code == strata_error_no_profile ? "call it first" : "");
}

}  // namespace strata
