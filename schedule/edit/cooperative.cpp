#include "schedule/edit/cooperative.h"

#include <isl/aff.h>
#include <isl/fixed_box.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <numeric>

#include "core/sets/coalesce.h"
#include "core/sets/small_integer.h"
#include "layers/flow/order.h"
#include "schedule/legality/extent.h"

namespace strata {

namespace {

// { pre -> [x] } from { [pre, x] }.
isl::map from_prefix(const isl::set& all, int prefix) {
  isl_map* map = isl_map_from_range(all.copy());
  return isl::manage(isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, unsigned(prefix)));
}

// { S[i] -> b[e] : S[i] touches the value of "array" in e }
isl::map in_places(const Program& program, const isl::map& touched, const std::string& array) {
  const auto store = program.layout.store.find(array);
  return store == program.layout.store.end() ? touched
                                             : touched.apply_range(isl::map(store->second));
}

// { [e] -> [e'] : e' is e but for the last index, which is larger by one }
isl::map neighbours(const isl::space& places) {
  const unsigned last = unsigned(isl_space_dim(places.get(), isl_dim_set)) - 1;
  auto next = places.identity_multi_aff_on_domain();
  next = next.set_at(int(last), next.at(int(last)).add_constant(1));
  return next.as_map();
}

// Do iterations that differ by one in the loop at "level" touch neighbouring elements?
bool is_dense(const isl::map& time, const isl::map& places, int level) {
  if (isl_map_dim(places.get(), isl_dim_out) == 0) return false;
  const isl::map at = time.reverse().apply_range(places);  // { t -> b[e] }
  auto next = time.range().space().identity_multi_aff_on_domain();
  next = next.set_at(level, next.at(level).add_constant(1));
  const isl::map pairs = at.range_product(at.preimage_domain(next));  // { t -> [e -> e'] }
  const isl::map beside = neighbours(places.range().space());
  return !pairs.is_empty() &&
         pairs.is_subset(isl::manage(isl_map_from_domain_and_range(
             pairs.space().domain().universe_set().release(), beside.wrap().release())));
}

// { [pre, t] : pre in "all" }, the times of the range of "time".
isl::set beginning_with(const isl::set& all, const isl::map& time) {
  const unsigned more = time.range_tuple_dim() - all.tuple_dim();
  return isl::manage(isl_set_add_dims(all.copy(), isl_dim_set, more));
}

// { [pre, x] : lo(pre) <= x < lo(pre) + widths }
isl::set points(const IterationBox& box) {
  isl::map all = isl::manage(isl_map_universe(isl_multi_aff_get_space(box.lower.get())));
  for (int n = 0; n < int(box.widths.size()); ++n) {
    const isl::pw_aff lower(box.lower.at(n));
    const isl::multi_aff x = all.range().space().identity_multi_aff_on_domain();
    const isl::pw_aff value(x.at(n));
    const auto above = [&](const isl::pw_aff& a, const isl::pw_aff& b) {
      return isl::manage(isl_pw_aff_ge_map(a.copy(), b.copy()));
    };
    const isl::pw_aff end =
        lower.add_constant(isl::val(lower.ctx(), long(box.widths[std::size_t(n)]) - 1));
    all = all.intersect(above(value, lower).reverse()).intersect(above(end, value));
  }
  isl_set* flat = isl_set_flatten(isl_map_wrap(all.copy()));
  return isl::manage(flat);
}

// A convex superset of "runs" = { S[i] -> [pre, t] }: the box, if it is one of the t, which are a
// function of i without it.
isl::map widened(const isl::map& runs, int around, const IterationBox& box) {
  const isl::map own = isl::manage(isl_map_from_basic_map(
      isl_map_affine_hull(isl_map_project_out(runs.copy(), isl_dim_out, 0, unsigned(around)))));
  const bool whole = isl_multi_aff_dim(box.lower.get(), isl_dim_in) == around &&
                     own.range_tuple_dim() == unsigned(box.widths.size());
  if (!whole || !own.is_single_valued())
    return isl::manage(
        isl_map_from_basic_map(isl_map_simple_hull(isl_map_compute_divs(runs.copy()))));
  const isl::map any =
      isl::manage(isl_map_insert_dims(own.copy(), isl_dim_out, 0, unsigned(around)));
  return any.intersect_range(points(box));
}

// Does the definition read an array that a loop allocates?
bool reads_own_buffer(const Program& program, const Definition& d) {
  return std::any_of(d.reads.begin(), d.reads.end(), [&](const Read& read) {
    const std::string array = program.algorithm->array_read(read);
    return !allocating_loops(program.mapping, buffer_of(program.layout, array)).empty();
  });
}

bool reads_inputs(const Program& program, const Definition& d) {
  return std::all_of(d.reads.begin(), d.reads.end(), [&](const Read& read) {
    return program.algorithm->find_input(read.producer) != nullptr;
  });
}

}  // namespace

std::optional<Path> launch_around(const Mapping& mapping, const Path& path) {
  const auto around = loops_along(mapping, path);
  const auto block = std::find_if(around.begin(), around.end(), [](const Loop* loop) {
    return loop->processor == Processor::block;
  });
  if (block == around.end()) return std::nullopt;
  return prefix(path, std::size_t(block - around.begin()) + 1);
}

std::vector<std::int64_t> threads_of_block(const Program& program, const Path& launch) {
  std::vector<std::int64_t> most;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, launch)) continue;
    std::size_t axis = 0;
    for (std::size_t level = placed.loops.size(); level-- > 0;) {
      if (placed.loops[level]->processor != Processor::thread) continue;
      const auto count = constant_extent(program, prefix(placed.path, level + 1));
      most.resize(std::max(most.size(), axis + 1), 1);
      most[axis] = std::max(most[axis], count.value_or(1));
      ++axis;
    }
  }
  return most;
}

std::optional<IterationBox> iteration_box(const Program& program, const Path& outermost,
                                          int count) {
  const int level = int(outermost.size()) - 1;
  std::optional<isl::set> all;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, outermost)) continue;
    const isl::set times =
        leading_levels(executions(*placed.branch), unsigned(level + count)).range();
    all = all ? all->unite(times) : times;
  }
  const isl::set iterations = coalesced(all->intersect_params(program.algorithm->context));
  const isl::fixed_box hull =
      isl::manage(isl_map_get_range_simple_fixed_box_hull(from_prefix(iterations, level).get()));
  if (!hull.is_valid()) return std::nullopt;
  IterationBox box{hull.offset(), {}};
  for (int n = 0; n < count; ++n) {
    const auto width = small_integer(hull.size().at(n));
    if (!width) return std::nullopt;
    box.widths.push_back(*width);
  }
  return box;
}

void widen(Program& program, const Path& outermost, const IterationBox& box) {
  const Program& before = program;
  for_each_branch(node_at(program.mapping, outermost), [&](Branch& branch) {
    const Definition& d = *before.algorithm->find(branch.definition);
    const isl::map runs = coalesced(executions(branch).intersect_params(before.algorithm->context));
    const bool plain = isl_map_n_basic_map(runs.get()) <= 1;
    const bool inside = branch.reader_loops >= int(outermost.size());
    if (plain || inside || reads_own_buffer(before, d)) return;
    const isl::map convex = widened(runs, branch.reader_loops, box);
    const isl::set here = coalesced(leading_levels(runs, unsigned(branch.reader_loops)).range());
    const isl::map in_iterations = convex.intersect_range(beginning_with(here, convex));
    branch.time = TimeMap::from(in_iterations);
    if (!d.inferred && reads_inputs(before, d))
      branch.instances = InstanceSet::from(isl::set(d.domain));
  });
}

BandMap cooperative_mapping(const IterationBox& box, const std::vector<int>& order,
                            const std::vector<std::int64_t>& threads) {
  const int pre = int(isl_multi_aff_dim(box.lower.get(), isl_dim_in));
  const int count = int(box.widths.size()), axes = int(threads.size());
  const isl::ctx ctx = box.lower.ctx();
  const auto all = band_iterators(ctx, pre + count + axes + 1);  // [pre, x, t, step]
  const auto to_pre = band_map(all, [&] {
    std::vector<isl::aff> images;
    for (int n = 0; n < pre; ++n) images.push_back(all.at(n));
    return images;
  }());
  const isl::aff zero = all.at(0).sub(all.at(0));
  isl::set inside = all.space().domain().universe_set();
  const auto within = [&](const isl::pw_aff& value, std::int64_t size) {
    const isl::pw_aff none(zero);
    inside = inside.intersect(value.ge_set(none))
                 .intersect(value.lt_set(none.add_constant(isl::val(ctx, long(size)))));
  };
  const isl::pw_multi_aff prefixes = to_pre.as_pw_multi_aff();
  isl::pw_aff index(zero), thread(zero);
  for (const int n : order) {
    const isl::pw_aff lower = isl::pw_aff(box.lower.at(n)).pullback(prefixes);
    const isl::pw_aff from_lower = isl::pw_aff(all.at(pre + n)).sub(lower);
    within(from_lower, box.widths[std::size_t(n)]);
    index = index.scale(isl::val(ctx, long(box.widths[std::size_t(n)]))).add(from_lower);
  }
  thread = isl::pw_aff(all.at(pre + count + axes));  // the step is the slowest
  for (int n = 0; n < axes; ++n) {
    const std::int64_t size = threads[std::size_t(axes - 1 - n)];
    const isl::pw_aff t(all.at(pre + count + n));
    within(t, size);
    thread = thread.scale(isl::val(ctx, long(size))).add(t);
  }
  inside = inside.intersect(index.eq_set(thread));
  const isl::map to_threads = from_prefix(inside, pre + count);  // { [pre, x] -> [t, step] }
  isl_map* keep = isl_map_project_out(to_threads.domain().identity().release(), isl_dim_out,
                                      unsigned(pre), unsigned(count));
  return isl::manage(isl_map_flat_range_product(keep, to_threads.copy()));
}

std::vector<int> dense_last(const Program& program, const Placed& placed, int level, int count) {
  const Definition& d = *program.algorithm->find(placed.branch->definition);
  std::vector<int> order(std::size_t(count), 0);
  std::iota(order.begin(), order.end(), 0);
  const isl::map time = executions(*placed.branch);
  const auto moved_last = [&](const isl::map& places) {
    for (int n = count; n-- > 0;) {
      if (!is_dense(time, places, level + n)) continue;
      std::rotate(order.begin() + n, order.begin() + n + 1, order.end());
      return true;
    }
    return false;
  };
  for (const Read& read : d.reads) {
    const Definition* producer = program.algorithm->find(read.producer);
    isl::map values = read.relation;
    if (producer) values = values.apply_range(producer->defines);
    if (!read.may && moved_last(in_places(program, values, program.algorithm->array_read(read))))
      return order;
  }
  moved_last(in_places(program, d.defines, d.array));
  return order;
}

}  // namespace strata
