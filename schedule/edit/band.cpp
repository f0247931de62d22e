#include "schedule/edit/band.h"

#include <isl/map.h>

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

std::vector<LoopHead> loops_of_band(const Mapping& mapping, const Path& outermost, int count) {
  std::vector<LoopHead> heads;
  const Node* node = &node_at(mapping, outermost);
  for (int n = 0; n < count; ++n) {
    heads.push_back(name_and_tags(node->loop()));
    node = &node->loop().body.front();
  }
  return heads;
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
  // Without redundant constraints, splitting i leaves i = 64 i0 + 4 i1 + i2 and bounds, as an
  // author would write them; quotients would slow down every later question.
  time = isl::manage(isl_map_remove_redundancies(time.apply_range(whole).release()));
  branch.time = TimeMap::from(time);
}

void rewrite_band(Mapping& mapping, const Path& outermost, int count,
                  const std::vector<LoopHead>& loops, const BandMap& change, int around) {
  Node& top = node_at(mapping, outermost);
  std::vector<LoopHead> old, made = loops;
  std::vector<Node> body;
  body.push_back(std::move(top));
  for (int n = 0; n < count; ++n) {
    Node outer = std::move(body.front());
    body = std::move(outer.loop().body);
    old.push_back(std::move(outer.loop()));
  }
  move_belongings(made, old);
  for (auto head = made.rbegin(); head != made.rend(); ++head) {
    Loop outer{std::move(*head), std::move(body)};
    body.clear();
    body.push_back(Node{std::move(outer)});
  }
  top = std::move(body.front());
  const int level = int(outermost.size()) - 1;
  for_each_branch(top, [&](Branch& branch) {
    rewrite_time(branch, level - around, count + around, change);
    if (branch.reader_loops > level) branch.reader_loops += int(loops.size()) - count;
  });
}

void permute_band(isl::ctx ctx, Mapping& mapping, const Path& outermost,
                  const std::vector<int>& from) {
  const int count = int(from.size());
  const auto loops = loops_of_band(mapping, outermost, count);
  const auto t = band_iterators(ctx, count);
  std::vector<LoopHead> permuted;
  std::vector<isl::aff> images;
  for (const int level : from) {
    permuted.push_back(loops[std::size_t(level)]);
    images.push_back(t.at(level));
  }
  rewrite_band(mapping, outermost, count, permuted, band_map(t, images));
}

}  // namespace strata
