#include "codegen/memory/rank_boxes.h"

#include <isl/set.h>

#include "codegen/loops/linear_bounds.h"
#include "codegen/memory/touched.h"
#include "codegen/tree/index_math.h"
#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"

namespace strata {

namespace {

// The bounds of the hull of places on dimension d.
LinearBounds bounds_on(const isl::set& all, unsigned d, const isl::set& context) {
  const isl::set places = coalesced(without_existentials(all.intersect_params(context)));
  const isl::set one = on_dimension(places, d);
  const isl::set known = context.intersect(isl::set::universe(one.params().space()));
  return linear_bounds(isl::manage(isl_set_simple_hull(one.copy())), known);
}

// The box around places, which are some of those that exist. If the hull has no bound, that of the
// places that exist, or the exact one.
ArgumentBuffer::Around hull_around(const isl::set& places, const isl::set& existing,
                                   const isl::set& context, const ArgumentBuffer& exact) {
  ArgumentBuffer::Around box;
  for (unsigned d = 0; d < places.tuple_dim(); ++d) {
    const LinearBounds own = bounds_on(places, d, context);
    const bool known = own.lower().defined() && own.upper().defined();
    const LinearBounds all = known ? own : bounds_on(existing, d, context);
    const auto first_of = [](const Expr& a, const Expr& b, const Expr& c) {
      return a.defined() ? a : b.defined() ? b : c;
    };
    box.lowers.push_back(first_of(own.lower(), all.lower(), exact.lowers[d]));
    const Expr upper = first_of(own.upper(), all.upper(), exact.uppers[d] - 1);
    box.uppers.push_back(simplified(upper + 1));
  }
  return box;
}

AllTouched touched_by_ranks(const Program& program, const TimeSpace& space, bool reads,
                            const Request& request) {
  AllTouched all;
  for (const TimeBranch& branch : space.branches) {
    if (branch.message) continue;
    Definition definition = *branch.definition;
    if (!reads) definition.reads.clear();
    add_touched(all, program, definition, branch.instances, request);
  }
  return all;
}

}  // namespace

void add_rank_boxes(std::vector<ArgumentBuffer>& arguments, const Program& program,
                    const TimeSpace& space, const Request& request) {
  const AllTouched read = touched_by_ranks(program, space, true, request);
  const AllTouched made = touched_by_ranks(program, space, false, request);
  for (ArgumentBuffer& b : arguments)
    for (const auto& [all, box] : {std::pair(&read, &b.touched), {&made, &b.computed}}) {
      const auto found = all->find(b.name);
      if (found != all->end())
        *box = hull_around(found->second.places, existing_places(found->second, program, request),
                           space.context, b);
      box->lowers.resize(b.lowers.size(), constant(i64, 0));
      box->uppers.resize(b.lowers.size(), constant(i64, 0));
    }
}

}  // namespace strata
