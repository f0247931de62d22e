// Are two sets or relations equal by a look at their constraints? False says nothing.
#pragma once

#include <isl/map.h>
#include <isl/set.h>

#include "core/sets/relation.h"

namespace strata {

inline bool plainly_equal(const isl::set& a, const isl::set& b) {
  return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}
inline bool plainly_equal(const isl::map& a, const isl::map& b) {
  return isl_map_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

}  // namespace strata
