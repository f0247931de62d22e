#include "core/sets/announced_work.h"

#include <isl/ctx.h>
#include <isl/map.h>

namespace strata {

namespace {

constexpr double operations_of_a_pair = 1000;

// The number of disjuncts plus the number of their existentials.
double weight(const isl::map& map) {
  double weight = 0;
  map.foreach_basic_map([&](const isl::basic_map& one) {
    weight += 1 + isl_basic_map_dim(one.get(), isl_dim_div);
  });
  return weight;
}

}  // namespace

void announce_work(isl::ctx ctx, double operations) {
  const unsigned long budget = isl_ctx_get_max_operations(ctx.get());
  if (budget != 0 && operations > double(budget)) throw TooMuchWork();
}

isl::map composed(const isl::map& a, const isl::map& b, const isl::map& c) {
  announce_work(a.ctx(), operations_of_a_pair * weight(a) * weight(b) * weight(c));
  return a.apply_range(b).apply_range(c);
}

}  // namespace strata
