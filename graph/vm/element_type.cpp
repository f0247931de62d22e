#include "graph/vm/element_type.h"

#include "graph/vm/ndarray.h"

namespace strata::graph {

std::string name_of(strata_type type) {
  static const char* const kinds[] = {"int", "uint", "float", "handle", "bfloat"};
  if (is_same_type(type, strata_uint(1))) return "bool";
  return kinds[type.code] + std::to_string(type.bits);
}

std::optional<strata_type> find_element_type(const std::string& name) {
  for (const strata_type type :
       {strata_uint(1), strata_int(8), strata_int(16), strata_int(32), strata_int(64),
        strata_uint(8), strata_uint(16), strata_uint(32), strata_uint(64), strata_float(16),
        strata_float(32), strata_float(64), strata_bfloat16()})
    if (name_of(type) == name) return type;
  return {};
}

}  // namespace strata::graph
