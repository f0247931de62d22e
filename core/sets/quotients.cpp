#include "core/sets/quotients.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "core/sets/coalesce.h"
#include "core/sets/meter.h"

namespace strata {

namespace {

int existentials(const isl::basic_set& set) { return isl_basic_set_dim(set.get(), isl_dim_div); }

int unknown_existentials(const isl::basic_set& set) {
  const int all = existentials(set);
  if (all == 0) return 0;
  return all - existentials(isl::manage(isl_basic_set_remove_unknown_divs(set.copy())));
}

bool is_smaller(const isl::set& a, const isl::set& b) {
  const RelationSize x = size_of(a), y = size_of(b);
  return std::tie(x.disjuncts, x.existentials) < std::tie(y.disjuncts, y.existentials);
}

// Is it one basic set without existentials, or empty?
bool is_basic(const isl::set& set) {
  const RelationSize size = size_of(set);
  return size.disjuncts <= 1 && size.existentials == 0;
}

// Units of work (meter.h) after which one projection is given up: a set with existentials of
// unknown quotients then makes later questions harder, but not by as much.
constexpr double most_work = 1'500'000;

// { x : [x -> e] in "pairs" }, where e is the largest or the smallest for x; nothing if there is
// none, or if that takes too much work (if the budget around ends, later operations fail, too).
std::optional<isl::set> at_extreme(const isl::map& pairs, bool largest) {
  const isl::set all = pairs.wrap();
  const isl::multi_aff x = pairs.space().domain().identity_multi_aff_on_domain();
  isl::set result = isl::set::empty(pairs.space().domain());
  try {
    const Meter part(pairs.ctx().get(), most_work);
    const Costlier programming(parametric_programming);
    const auto extreme = isl::manage(largest ? isl_map_lexmax_pw_multi_aff(pairs.copy())
                                             : isl_map_lexmin_pw_multi_aff(pairs.copy()));
    extreme.foreach_piece([&](isl::set, isl::multi_aff e) {
      result = result.unite(all.preimage(x.range_product(e)));
    });
  } catch (const isl::exception&) {
    return std::nullopt;
  }
  return coalesced(result);
}

// { [x] : [x, e] in "set" for some e }
std::optional<isl::set> without_last(const isl::set& set) {
  const unsigned others = set.tuple_dim() - 1;
  const auto pairs = isl::manage(
      isl_map_move_dims(isl_map_from_range(set.copy()), isl_dim_in, 0, isl_dim_out, 0, others));
  const auto largest = at_extreme(pairs, true);
  if (largest && is_basic(*largest)) return largest;
  const auto smallest = at_extreme(pairs, false);
  if (!largest || !smallest) return largest ? largest : smallest;
  return is_smaller(*smallest, *largest) ? smallest : largest;
}

// { S[x] : [x] in "flat" } in "space".
isl::set in_space(const isl::set& flat, const isl::space& space) {
  isl_space* both = isl_space_map_from_domain_and_range(space.copy(), flat.space().release());
  return flat.preimage(isl::manage(isl_multi_aff_identity(both)));
}

// Lifts all existentials to dimensions, then eliminates these one by one.
isl::set explicit_quotients(const isl::basic_set& set) {
  const isl::set whole(set);
  if (unknown_existentials(set) == 0) return whole;
  isl_set* lifted = isl_set_from_basic_set(isl_basic_set_lift(set.copy()));
  isl::set flat = isl::manage(isl_set_flatten(lifted));
  for (int left = existentials(set); left > 0; --left) {
    const auto next = without_last(flat);
    if (!next || size_of(*next).disjuncts > most_cases) return whole;
    flat = *next;
  }
  return in_space(flat, set.space());
}

}  // namespace

isl::set explicit_quotients(const isl::set& set) {
  if (size_of(set).unknown == 0) return set;
  isl::set result = isl::set::empty(set.space());
  for (const isl::basic_set& one : disjuncts(set)) result = result.unite(explicit_quotients(one));
  return isl::manage(isl_set_remove_redundancies(coalesced(result).release()));
}

isl::map explicit_quotients(const isl::map& map) {
  if (size_of(map).unknown == 0) return map;
  return explicit_quotients(map.wrap()).unwrap();
}

isl::set without_existentials(const isl::set& set) {
  return coalesced(isl::manage(isl_set_remove_divs(set.copy())));
}

isl::map without_existentials(const isl::map& map) {
  return coalesced(isl::manage(isl_map_remove_divs(map.copy())));
}

isl::fixed_box fixed_box_around(const isl::set& set) {
  const isl::fixed_box box = set.simple_fixed_box_hull();
  return box.is_valid() ? box : without_existentials(set).simple_fixed_box_hull();
}

isl::fixed_box fixed_box_around_range(const isl::map& map) {
  const isl::fixed_box box = map.range_simple_fixed_box_hull();
  return box.is_valid() ? box : without_existentials(map).range_simple_fixed_box_hull();
}

RelationSize size_of(const isl::set& set) {
  RelationSize size;
  for (const isl::basic_set& one : disjuncts(set)) {
    size.disjuncts += 1;
    size.existentials = std::max(size.existentials, existentials(one));
    size.unknown = std::max(size.unknown, unknown_existentials(one));
  }
  return size;
}

RelationSize size_of(const isl::map& map) { return size_of(map.wrap()); }

}  // namespace strata
