#include "schedule/legality/modulus.h"

#include <isl/set.h>

#include "core/sets/coalesce.h"
#include "schedule/legality/scope.h"
#include "schedule/legality/storage.h"

namespace strata {

namespace {

// A larger modulus saves too little to be worth offering.
constexpr std::int64_t largest_offered = 4096;

// The pairs of values that may not share a place, in all views in which they can meet.
isl::union_map conflicts_in(const Program& program, const std::string& buffer) {
  const ProgramView whole(program);
  isl::union_map all = isl::union_map::empty(program.session->isl());
  for (const ProgramView* place : meeting_places(whole, buffer))
    all = all.unite(find_conflicts(*place, buffer));
  return all;
}

// { [|index(e) - index(e')|] : X(e) -> X(e') in "conflicts" } without 0, for all parameter values.
isl::set distances(const isl::union_map& conflicts, const Program& program,
                   const std::string& array, const isl::map& index) {
  isl::set all = isl::set(program.session->isl(), "{ [d] : false }");
  for (const Definition* a : program.algorithm->definitions_of(array))
    for (const Definition* b : program.algorithm->definitions_of(array)) {
      const auto from = isl::map(a->defines.intersect_domain(a->domain)).apply_range(index);
      const auto to = isl::map(b->defines.intersect_domain(b->domain)).apply_range(index);
      const isl::union_map here =
          conflicts.apply_domain(from.to_union_map()).apply_range(to.to_union_map());
      here.foreach_map([&](isl::map pairs) {
        const isl::set d = pairs.deltas().project_out_all_params();
        all = all.unite(d).unite(isl::manage(isl_set_neg(d.copy())));
      });
    }
  return coalesced(all.intersect(isl::set(program.session->isl(), "{ [d] : d > 0 }")));
}

std::optional<std::int64_t> smallest_apart(const isl::set& distances) {
  if (distances.is_empty()) return 1;
  const isl::val most = distances.dim_max_val(0);
  if (!most.is_int() || most.gt(largest_offered)) return std::nullopt;
  for (std::int64_t m = 1;; ++m) {
    const isl::set multiples(distances.ctx(), "{ [d] : d mod " + std::to_string(m) + " = 0 }");
    if (multiples.is_disjoint(distances)) return m;
  }
}

}  // namespace

std::optional<std::int64_t> smallest_modulus(const Program& collapsed, const std::string& array,
                                             const isl::map& index) {
  if (!has_own_buffer(collapsed.layout, array)) return std::nullopt;
  std::optional<std::int64_t> smallest;
  const bool known = collapsed.session->within_budget([&] {
    const auto conflicts = conflicts_in(collapsed, buffer_of(collapsed.layout, array));
    smallest = smallest_apart(distances(conflicts, collapsed, array, index));
  });
  return known ? smallest : std::nullopt;
}

}  // namespace strata
