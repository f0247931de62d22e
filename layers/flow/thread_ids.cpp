#include "layers/flow/thread_ids.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <optional>

#include "core/sets/coalesce.h"
#include "core/sets/constant_range.h"
#include "layers/flow/order.h"

namespace strata {

namespace {

constexpr unsigned axes = 3;

// { [t0, .., t(l-1)] -> [t_l] : an execution under the loop runs then }
isl::map iterations_of(const Mapping& mapping, const Path& loop, const isl::set& context) {
  std::optional<isl::set> all;
  for (const Placed& placed : branches(mapping)) {
    if (!is_inside(placed.path, loop)) continue;
    const isl::set times =
        leading_levels(executions(*placed.branch), unsigned(loop.size())).range();
    all = all ? all->unite(times) : times;
  }
  const isl::set runs = coalesced(all->intersect_params(context));
  isl_map* map = isl_map_from_range(runs.copy());
  return isl::manage(
      isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, unsigned(loop.size()) - 1));
}

// { [t0, .., t(d-1)] -> t_l - lower_l }
isl::pw_aff index_of(const Mapping& mapping, const Path& loop, const isl::multi_aff& time,
                     const isl::set& context) {
  const int level = int(loop.size()) - 1;
  const isl::pw_aff t(time.at(level));
  const auto range = constant_range(iterations_of(mapping, loop, context));
  if (!range) return t;
  isl::multi_aff outer = time.space().domain().add_unnamed_tuple(unsigned(level)).zero_multi_aff();
  for (int n = 0; n < level; ++n) outer = outer.set_at(n, time.at(n));
  return t.sub(range->lower.pullback(isl::pw_multi_aff(outer)));
}

}  // namespace

isl::map thread_ids(const Mapping& mapping, const Placed& placed, const isl::set& context) {
  const auto levels = unsigned(placed.loops.size());
  const isl::multi_aff time =
      isl::space::unit(context.ctx()).add_unnamed_tuple(levels).identity_multi_aff_on_domain();
  isl::multi_pw_aff ids(time.space().domain().add_unnamed_tuple(axes).zero_multi_aff());
  int axis = int(axes);
  for (unsigned level = levels; level-- > 0 && axis > 0;)
    if (placed.loops[level]->processor == Processor::thread)
      ids = ids.set_at(--axis, index_of(mapping, prefix(placed.path, level + 1), time, context));
  return ids.as_map();
}

}  // namespace strata
