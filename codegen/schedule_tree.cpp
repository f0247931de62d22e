#include "codegen/schedule_tree.h"

#include <isl/schedule.h>
#include <isl/schedule_node.h>

namespace strata {

namespace {

// { B[t0, .., t(d-1)] -> [t_depth] } for every branch in "domain"
isl::multi_union_pw_aff iterator_at(const isl::union_set& domain, int depth) {
  isl::union_pw_aff iterator;
  domain.foreach_set([&](const isl::set& times) {
    const isl::aff t = times.space().identity_multi_aff_on_domain().at(depth);
    const isl::union_pw_aff one = isl::pw_aff(t).to_union_pw_aff();
    iterator = iterator.is_null() ? one : iterator.union_add(one);
  });
  return isl::multi_union_pw_aff(iterator);
}

// isl may generate several loops for one band where its iterations are not convex.  Of a parallel
// loop it generates one, with guards inside.
isl::schedule kept_in_one_piece(const isl::schedule& schedule) {
  const auto band = schedule.root().first_child();
  const auto atomic = isl::manage(
      isl_schedule_node_band_member_set_ast_loop_type(band.copy(), 0, isl_ast_loop_atomic));
  return isl::manage(isl_schedule_node_get_schedule(atomic.get()));
}

isl::schedule tree(const Nest& nest) {
  if (!nest.loop)
    return isl::schedule::from_domain(with_explicit_prefixes(nest.times).to_union_set());
  const isl::schedule body = schedule_tree(nest.body);
  const auto iterator = iterator_at(body.domain(), nest.depth);
  const isl::schedule result =
      isl::manage(isl_schedule_insert_partial_schedule(body.copy(), iterator.copy()));
  return nest.loop->processor == Processor::parallel ? kept_in_one_piece(result) : result;
}

}  // namespace

isl::schedule schedule_tree(const std::vector<Nest>& nests) {
  isl::schedule result;
  for (const Nest& nest : nests) {
    const isl::schedule next = tree(nest);
    result = result.is_null()
                 ? next
                 : isl::manage(isl_schedule_sequence(result.copy(), next.copy()));
  }
  return result;
}

}  // namespace strata
