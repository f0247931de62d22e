#include "core/coalesce.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace strata {

namespace {

// Does some disjunct have a quotient, and is there another to merge it with?
bool may_be_wrong(const isl::set& set) {
  bool quotients = false;
  set.foreach_basic_set([&](isl::basic_set part) {
    quotients = quotients || isl_basic_set_dim(part.get(), isl_dim_div) > 0;
  });
  return quotients && set.n_basic_set() > 1;
}

bool is_right(const isl::set& set, const isl::set& result) {
  return !may_be_wrong(set) || result.n_basic_set() == set.n_basic_set() || result.is_subset(set);
}

}  // namespace

isl::set coalesced(const isl::set& set) {
  const isl::set result = set.coalesce();
  return is_right(set, result) ? result : set;
}

isl::map coalesced(const isl::map& map) {
  const isl::map result = map.coalesce();
  return is_right(map.wrap(), result.wrap()) ? result : map;
}

// Piece by piece where one may be wrong: isl coalesces the domains in place, in all copies.
isl::pw_aff coalesced(const isl::pw_aff& function) {
  std::vector<std::pair<isl::multi_aff, isl::set>> pieces;
  function.foreach_piece([&](isl::set domain, isl::multi_aff value) {
    const auto known = std::ranges::find_if(
        pieces, [&](const auto& piece) { return piece.first.plain_is_equal(value); });
    if (known == pieces.end())
      pieces.emplace_back(value, domain);
    else
      known->second = known->second.unite(domain);
  });
  if (std::ranges::none_of(pieces, [](const auto& p) { return may_be_wrong(p.second); }))
    return function.coalesce();
  isl_pw_aff* result = isl_pw_aff_empty(function.space().release());
  for (const auto& [value, domain] : pieces)
    result = isl_pw_aff_union_add(
        result, isl_pw_aff_alloc(coalesced(domain).release(), value.at(0).as_aff().release()));
  return isl::manage(result);
}

}  // namespace strata
