#include "core/sets/difference.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/set.h>

#include <vector>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"

namespace strata {

namespace {

// The same of all pairs of points of the set, whatever their number.
isl::val difference_of_pairs(const isl::set& set) {
  const unsigned outside = set.tuple_dim() - 1;
  isl_map* last = isl_map_from_range(isl_set_reset_tuple_id(set.copy()));
  last = isl_map_move_dims(last, isl_dim_in, 0, isl_dim_out, 0, outside);
  isl_map* pairs = isl_map_flat_range_product(isl_map_copy(last), last);
  const isl::set all = isl::manage(isl_map_wrap(pairs)).flatten();
  isl_aff* difference = isl_aff_zero_on_domain(isl_local_space_from_space(all.space().release()));
  difference = isl_aff_set_coefficient_si(difference, isl_dim_in, int(outside) + 1, 1);
  difference = isl_aff_set_coefficient_si(difference, isl_dim_in, int(outside), -1);
  const isl::aff by = isl::manage(difference);
  return isl::manage(isl_set_max_val(all.get(), by.get()));
}

// { x in a : f(x) < 0 }
isl::set negative(const isl::set& a, const isl::aff& f) {
  isl_set* below = isl_set_from_basic_set(isl_aff_neg_basic_set(f.copy()));
  return isl::manage(isl_set_intersect(a.copy(), below));
}

struct Bound {
  isl::aff f;
  bool equal;  // f = 0, else f >= 0
};

isl_stat add_bound(isl_constraint* constraint, void* user) {
  const bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
  static_cast<std::vector<Bound>*>(user)->push_back(
      {isl::manage(isl_constraint_get_aff(constraint)), equal});
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

}  // namespace

// The hull of several basic sets has at least the difference of the set, each of them at most.
isl::val largest_difference(const isl::set& set) {
  if (set.n_basic_set() < 2) return difference_of_pairs(set);
  const isl::basic_set hull = isl::manage(isl_set_simple_hull(set.copy()));
  const isl::val most = difference_of_pairs(isl::set(hull));
  for (const isl::basic_set& one : disjuncts(set))
    if (difference_of_pairs(isl::set(one)).eq(most)) return most;
  return difference_of_pairs(set);
}

isl::set without(const isl::set& a, const isl::set& b) {
  if (b.n_basic_set() != 1 || size_of(b).unknown > 0) return a.subtract(b);
  std::vector<Bound> bounds;
  const isl::basic_set one = disjuncts(b).front();
  isl_basic_set_foreach_constraint(one.get(), add_bound, &bounds);
  isl::set result = isl::set::empty(a.space());
  const auto add = [&](const isl::set& piece) {
    if (!piece.is_empty()) result = result.unite(piece);
  };
  for (const Bound& bound : bounds) {
    add(negative(a, bound.f));
    if (bound.equal) add(negative(a, bound.f.neg()));
  }
  return result;
}

bool is_function(const isl::map& map) {
  const isl::space range = map.space().range();
  const isl::set same = range.identity_multi_aff_on_domain().as_map().wrap();
  const isl::set all = map.space().domain().universe_set();
  return map.range_product(map).is_subset(
      isl::manage(isl_map_from_domain_and_range(all.copy(), same.copy())));
}

}  // namespace strata
