#include "schedule/band.h"

#include <isl/map.h>

#include <algorithm>

namespace strata {

isl::multi_aff band_iterators(isl::ctx ctx, int count) {
  return isl::space::unit(ctx).add_unnamed_tuple(unsigned(count)).identity_multi_aff_on_domain();
}

BandMap band_map(const isl::multi_aff& iterators, const std::vector<isl::aff>& images) {
  auto change =
      iterators.space().domain().add_unnamed_tuple(unsigned(images.size())).zero_multi_aff();
  for (int n = 0; n < int(images.size()); ++n) change = change.set_at(n, images[n]);
  return change.as_map();
}

BandMap strips(isl::ctx ctx, const std::vector<TileSize>& sizes) {
  const int count = int(sizes.size());
  const auto t = band_iterators(ctx, 2 * count);
  isl::set inside = t.space().domain().universe_set();
  std::vector<isl::aff> loops;
  for (int n = 0; n < count; ++n) {
    const isl::aff rest = t.at(count + n);
    if (sizes[n].is_parameter()) {
      loops.push_back(rest);
      inside = inside.intersect(rest.eq_set(t.at(n)));
      continue;
    }
    const isl::val size(ctx, long(sizes[n].number()));
    loops.push_back(t.at(n).scale(size).add(rest));
    const isl::aff zero = rest.sub(rest);
    inside = inside.intersect(rest.ge_set(zero)).intersect(rest.lt_set(zero.add_constant(size)));
  }
  return band_map(t, loops).intersect_domain(inside).reverse();
}

std::vector<Loop> loops_of_band(const Mapping& mapping, const Path& outermost, int count) {
  std::vector<Loop> loops;
  const Node* node = &node_at(mapping, outermost);
  for (int n = 0; n < count; ++n) {
    const Loop& loop = node->loop();
    loops.push_back({loop.name, loop.processor, {}, {}, loop.border, loop.tile_size});
    node = &node->loop().body.front();
  }
  return loops;
}

namespace {

BandMap identity(isl::ctx ctx, int count) { return band_iterators(ctx, count).as_map(); }

// { [x, y] -> [x', y'] : x -> x' in a and y -> y' in b }
isl::map beside(const isl::map& a, const isl::map& b) {
  return isl::manage(isl_map_flat_product(a.copy(), b.copy()));
}

}  // namespace

void rewrite_time(Branch& branch, int level, int count, const BandMap& change) {
  isl::map time = branch.time;
  const int after = int(time.range_tuple_dim()) - level - count;
  auto whole = beside(beside(identity(time.ctx(), level), change), identity(time.ctx(), after));
  // Without redundancies the loops of i are i = 64 i0 + 4 i1 + i2 and bounds, as an author would
  // write them: quotients would make every later question slower.
  time = isl::manage(isl_map_remove_redundancies(time.apply_range(whole).release()));
  branch.time = TimeMap::from(time);
}

namespace {

// The buffers that the loops of a band allocate stay with the innermost of them, or with the loop
// in the same position; where the number of loops changes, the other ones go outermost, where
// their iterations are the most.
std::vector<std::vector<std::string>> moved_allocations(
    const std::vector<std::vector<std::string>>& old, std::size_t loops) {
  std::vector<std::vector<std::string>> result(loops);
  for (std::size_t n = 0; n < old.size(); ++n) {
    const bool innermost = n + 1 == old.size();
    auto& to = result[innermost ? loops - 1 : old.size() == loops ? n : 0];
    to.insert(to.end(), old[n].begin(), old[n].end());
  }
  return result;
}

// Those of a loop stay with the loop of its name, else with the one in its position among the last,
// inside of the tiles.
void move_prefetches(std::vector<Loop>& loops, const std::vector<Loop>& old) {
  for (std::size_t n = 0; n < old.size(); ++n) {
    const auto same = std::find_if(loops.begin(), loops.end(),
                                   [&](const Loop& loop) { return loop.name == old[n].name; });
    const bool kept = loops.size() == old.size() && same != loops.end();
    const std::size_t inside = loops.size() - std::min(loops.size(), old.size() - n);
    add_prefetches(kept ? *same : loops[inside], old[n].prefetches);
  }
}

}  // namespace

void rewrite_band(Mapping& mapping, const Path& outermost, int count,
                  const std::vector<Loop>& loops, const BandMap& change) {
  Node& top = node_at(mapping, outermost);
  std::vector<Loop> old, made = loops;
  std::vector<std::vector<std::string>> old_allocations;
  std::vector<Node> body;
  body.push_back(std::move(top));
  for (int n = 0; n < count; ++n) {
    Node outer = std::move(body.front());
    body = std::move(outer.loop().body);
    old_allocations.push_back(std::move(outer.loop().allocations));
    old.push_back(std::move(outer.loop()));
  }
  auto allocations = moved_allocations(old_allocations, loops.size());
  move_prefetches(made, old);
  for (auto loop = made.rbegin(); loop != made.rend(); ++loop) {
    Loop outer = std::move(*loop);
    outer.body = std::move(body);
    outer.allocations = std::move(allocations.back());
    allocations.pop_back();
    body.clear();
    body.push_back(Node{std::move(outer)});
  }
  top = std::move(body.front());
  const int level = int(outermost.size()) - 1;
  for_each_branch(top, [&](Branch& branch) {
    rewrite_time(branch, level, count, change);
    if (branch.placed > level) branch.placed += int(loops.size()) - count;
  });
}

}  // namespace strata
