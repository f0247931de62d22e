#include "schedule/legality/facts.h"

#include <isl/map.h>
#include <isl/set.h>

namespace strata {

namespace {

bool equal(std::monostate, std::monostate) { return false; }

template <typename T>
bool equal(const T& a, const T& b) {
  return a == b;
}

bool equal(const isl::map& a, const isl::map& b) {
  return isl_map_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

bool equal(const isl::set& a, const isl::set& b) {
  return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

}  // namespace

bool same(const FactValue& a, const FactValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& value) { return equal(value, std::get<std::decay_t<decltype(value)>>(b)); },
      a);
}

}  // namespace strata
