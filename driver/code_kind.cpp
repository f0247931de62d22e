#include "codegen/object/file_of.h"
#include "driver/back_end.h"
#include "driver/jit_kernel.h"

namespace strata {

namespace {

std::string kind_of_code() {
  const std::string ours = file_of(reinterpret_cast<const void*>(&code_kind));
  if (ours.empty()) return "";
  std::string kind = "Strata, " + ours;
  for (const BackEnd& back_end : back_ends()) {
    const std::string its = back_end.kind();
    if (its.empty()) return "";
    kind += "; " + its;
  }
  return kind;
}

}  // namespace

const std::string& code_kind() {
  static const std::string kind = kind_of_code();
  return kind;
}

}  // namespace strata
