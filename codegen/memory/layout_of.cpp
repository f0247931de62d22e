#include "codegen/memory/layout_of.h"

namespace strata {

isl::map store_of(const Layout& layout, const std::string& array, const Request& request) {
  const auto found = layout.store.find(array);
  if (found == layout.store.end())
    throw request.refused(Code::E0502_code_generation_failed, array + " has no place in a buffer");
  return found->second;
}

}  // namespace strata
