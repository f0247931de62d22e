#include "layers/flow/last_writers.h"

#include <isl/constraint.h>
#include <isl/flow.h>
#include <isl/map.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "core/sets/meter.h"
#include "layers/flow/order.h"

namespace strata {

namespace {

// { S[i] -> D[j] : D[j] is the last writer before S[i] of the element that S[i] reads }, as isl
// computes it.
isl::union_map computed_flow(const Algorithm& algorithm, const isl::map& elements,
                             const std::string& array) {
  isl_union_access_info* info = isl_union_access_info_from_sink(elements.to_union_map().release());
  info = isl_union_access_info_set_must_source(info, writers(algorithm, array).release());
  const isl::union_map order = theta(algorithm.reference);
  info = isl_union_access_info_set_schedule_map(info, order.copy());
  isl_union_flow* flow =
      costlier(last_writer, [&] { return isl_union_access_info_compute_flow(info); });
  auto dependence = isl::manage(isl_union_flow_get_must_dependence(flow));
  isl_union_flow_free(flow);
  return dependence.reverse();
}

// { t -> t' : t'_q < t_q, or t'_q = t_q - 1 if "next"; equal on the levels outside }
isl::map earlier_at(isl::ctx ctx, unsigned q, bool next) {
  isl_space* space = isl_space_alloc(ctx.get(), 0, q + 1, q + 1);
  isl_map* order = isl_map_universe(isl_space_copy(space));
  for (unsigned p = 0; p < q; ++p)
    order = isl_map_equate(order, isl_dim_in, int(p), isl_dim_out, int(p));
  order = isl_map_order_gt(order, isl_dim_in, int(q), isl_dim_out, int(q));
  if (next) {
    isl_constraint* one =
        isl_constraint_alloc_equality(isl_local_space_from_space(isl_space_copy(space)));
    one = isl_constraint_set_coefficient_si(one, isl_dim_in, int(q), 1);
    one = isl_constraint_set_coefficient_si(one, isl_dim_out, int(q), -1);
    order = isl_map_add_constraint(order, isl_constraint_set_constant_si(one, -1));
  }
  isl_space_free(space);
  return isl::manage(order);
}

// { t -> t' : equal on "levels" levels }
isl::map equal_on(isl::ctx ctx, unsigned levels) {
  return isl::manage(isl_map_identity(isl_space_alloc(ctx.get(), 0, levels, levels)));
}

// A definition that writes the array, its place in the reference order, and all pairs
// { S[i] -> D[j] : D[j] writes what S[i] reads }.
struct Source {
  Placed placed;
  isl::map pairs;
};

class LastWriters {
 public:
  LastWriters(const Algorithm& algorithm, const Definition& reader, const isl::map& elements,
              const std::string& array)
      : reader_(branches_of(algorithm.reference, reader.name).front()),
        left_(elements.domain()),
        found_(isl::union_map::empty(left_.ctx())) {
    for (const Definition* d : algorithm.definitions_of(array)) {
      const isl::map defines = d->defines.intersect_domain(d->domain);
      const Placed placed = branches_of(algorithm.reference, d->name).front();
      sources_.push_back({placed, elements.apply_range(defines.reverse())});
    }
  }

  // Finds the nearest writers. After it, the instances in left() have no writer at the positions
  // searched.
  void find() {
    for (int q = int(reader_.loops.size()); q >= 0 && !left_.is_empty(); --q)
      if (!search_position(q) || (q > 0 && !search_loop(q - 1))) return;
  }

  const isl::set& left() const { return left_; }
  const isl::union_map& found() const { return found_; }

 private:
  // Searches the writers that share "q" loops with the reader and are before it in the body of the
  // innermost of them. False if an instance has several.
  bool search_position(int q) {
    std::vector<isl::map> all;
    for (const Source& source : sources_)
      if (shared_loops(reader_, source.placed) == q && source.placed.path < reader_.path)
        all.push_back(ordered(source, equal_on(left_.ctx(), unsigned(q))));
    return take(all);
  }

  // Searches the writers in the previous iteration of the loop at level "q". False if an instance
  // has several, or if a writer is in an earlier iteration.
  bool search_loop(int q) {
    const auto ctx = left_.ctx();
    std::vector<isl::map> all;
    for (const Source& source : sources_)
      if (shared_loops(reader_, source.placed) > q)
        all.push_back(ordered(source, earlier_at(ctx, unsigned(q), true)));
    if (!take(all)) return false;
    return std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
      return shared_loops(reader_, source.placed) <= q ||
             ordered(source, earlier_at(ctx, unsigned(q), false)).is_empty();
    });
  }

  isl::map ordered(const Source& source, const isl::map& order) const {
    return pairs_ordered(source.pairs.intersect_domain(left_), reader_, order, source.placed);
  }

  // Adds these pairs to the pairs found, if each instance of the reader has at most one writer
  // among them. False if an instance has several.
  bool take(std::vector<isl::map>& all) {
    std::erase_if(all, [](const isl::map& one) { return one.is_empty(); });
    for (std::size_t a = 0; a < all.size(); ++a) {
      if (!all[a].is_single_valued()) return false;
      for (std::size_t b = 0; b < a; ++b)
        if (!all[a].domain().is_disjoint(all[b].domain())) return false;
    }
    for (const isl::map& one : all) {
      found_ = found_.unite(one.to_union_map());
      left_ = left_.subtract(one.domain());
    }
    left_ = coalesced(left_);
    return true;
  }

  Placed reader_;
  std::vector<Source> sources_;
  isl::set left_;
  isl::union_map found_;
};

}  // namespace

isl::union_map writers(const Algorithm& algorithm, const std::string& array) {
  isl::union_map all;
  for (const Definition* d : algorithm.definitions_of(array)) {
    auto one = isl::map(d->defines.intersect_domain(d->domain)).to_union_map();
    all = all.is_null() ? one : all.unite(one);
  }
  return all;
}

isl::union_map last_writers(const Algorithm& algorithm, const Definition& reader,
                            const isl::map& elements, const std::string& array) {
  if (!elements.is_single_valued()) return computed_flow(algorithm, elements, array);
  LastWriters nearest(algorithm, reader, elements, array);
  nearest.find();
  if (nearest.left().is_empty()) return nearest.found();
  return nearest.found().unite(
      computed_flow(algorithm, elements.intersect_domain(nearest.left()), array));
}

}  // namespace strata
