#include "core/sets/small_integer.h"

namespace strata {

std::optional<std::int64_t> small_integer(const isl::val& value) {
  const isl::val limit = isl::val(value.ctx(), 62).pow2();
  if (!value.is_int() || value.ge(limit) || value.le(limit.neg())) return std::nullopt;
  return value.num_si();
}

}  // namespace strata
