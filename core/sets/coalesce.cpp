#include "core/sets/coalesce.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace strata {

std::vector<isl::basic_set> disjuncts(const isl::set& set) {
  std::vector<isl::basic_set> all;
  set.foreach_basic_set([&](isl::basic_set part) { all.push_back(part); });
  return all;
}

namespace {

// True if some disjunct has a quotient, and there is another to merge it with.
bool may_be_wrong(const isl::set& set) {
  if (set.n_basic_set() < 2) return false;
  return std::ranges::any_of(disjuncts(set), [](const isl::basic_set& part) {
    return isl_basic_set_dim(part.get(), isl_dim_div) > 0;
  });
}

// Those of "parts" that are not among "others".
std::vector<isl::basic_set> not_in(const std::vector<isl::basic_set>& parts,
                                   const std::vector<isl::basic_set>& others) {
  std::vector<isl::basic_set> rest;
  std::ranges::copy_if(parts, std::back_inserter(rest), [&](const isl::basic_set& part) {
    return std::ranges::none_of(others, [&](const isl::basic_set& other) {
      return isl_basic_set_plain_is_equal(other.get(), part.get()) == isl_bool_true;
    });
  });
  return rest;
}

// True if every new disjunct of the result is a subset of the disjuncts that it replaces.
bool is_right(const isl::set& set, const isl::set& result) {
  if (!may_be_wrong(set) || result.n_basic_set() == set.n_basic_set()) return true;
  const auto before = disjuncts(set), after = disjuncts(result);
  isl::set replaced = isl::set::empty(set.space());
  for (const isl::basic_set& part : not_in(before, after)) replaced = replaced.unite(part);
  return std::ranges::all_of(not_in(after, before), [&](const isl::basic_set& part) {
    return isl::set(part).is_subset(replaced);
  });
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

namespace {

using Piece = std::pair<isl::multi_aff, isl::set>;

Piece* find_piece(std::vector<Piece>& pieces, const isl::multi_aff& value) {
  const auto found = std::ranges::find_if(
      pieces, [&](const Piece& piece) { return piece.first.plain_is_equal(value); });
  return found == pieces.end() ? nullptr : &*found;
}

// { x : function(x) = value }, for each value.
std::vector<Piece> pieces_of(const isl::pw_aff& function) {
  std::vector<Piece> pieces;
  function.foreach_piece([&](isl::set domain, isl::multi_aff value) {
    if (Piece* const known = find_piece(pieces, value))
      known->second = known->second.unite(domain);
    else
      pieces.emplace_back(value, domain);
  });
  return pieces;
}

isl::pw_aff function_of(const std::vector<Piece>& pieces, isl::space space) {
  isl_pw_aff* result = isl_pw_aff_empty(space.release());
  for (const auto& [value, domain] : pieces)
    result = isl_pw_aff_union_add(result,
                                  isl_pw_aff_alloc(domain.copy(), value.at(0).as_aff().release()));
  return isl::manage(result);
}

}  // namespace

isl::pw_aff coalesced(const isl::pw_aff& function) {
  std::vector<Piece> before = pieces_of(function);
  if (std::ranges::none_of(before, [](const Piece& p) { return may_be_wrong(p.second); }))
    return function.coalesce();
  // isl coalesces a function in place, in all copies, so this makes a copy of its own.
  const isl::pw_aff result = function.neg().neg().coalesce();
  for (const auto& [value, domain] : pieces_of(result)) {
    const Piece* const same = find_piece(before, value);
    if (!same || !is_right(same->second, domain)) return function_of(before, function.space());
  }
  return result;
}

}  // namespace strata
