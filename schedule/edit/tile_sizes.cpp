#include "schedule/edit/tile_sizes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <set>

#include "schedule/edit/band.h"
#include "schedule/legality/legality.h"

namespace strata {

namespace {

using Sizes = std::map<std::string, std::int64_t>;

void collect(const std::vector<Node>& nodes, std::set<std::string>& sizes) {
  for (const Node& node : nodes) {
    if (!node.is_loop()) continue;
    if (node.loop().tile_size) sizes.insert(*node.loop().tile_size);
    collect(node.loop().body, sizes);
  }
}

// { [t] -> [floor(t / size)] }, written without a quotient.
BandMap tile_number(isl::ctx ctx, std::int64_t size) {
  const auto t = band_iterators(ctx, 2);  // [t, tile]
  const isl::aff rest = t.at(0).sub(t.at(1).scale(isl::val(ctx, long(size))));
  const isl::aff zero = rest.sub(rest);
  const isl::set pairs =
      rest.ge_set(zero).intersect(rest.lt_set(zero.add_constant(isl::val(ctx, long(size)))));
  isl_map* relation = isl_map_from_range(pairs.copy());
  relation = isl_map_move_dims(relation, isl_dim_in, 0, isl_dim_out, 0, 1);
  return isl::manage(relation);
}

void count_tiles(std::vector<Node>& nodes, int depth, const Sizes& sizes, isl::ctx ctx) {
  for (Node& node : nodes) {
    if (!node.is_loop()) continue;
    Loop& loop = node.loop();
    if (loop.tile_size) {
      const BandMap number = tile_number(ctx, sizes.at(*loop.tile_size));
      loop.tile_size.reset();
      for_each_branch(node, [&](Branch& branch) { rewrite_time(branch, depth, 1, number); });
    }
    count_tiles(node.loop().body, depth + 1, sizes, ctx);
  }
}

isl::set fixed(const isl::set& context, const std::string& parameter, std::int64_t size) {
  const int position = isl_set_find_dim_by_name(context.get(), isl_dim_param, parameter.c_str());
  return isl::manage(isl_set_fix_si(context.copy(), isl_dim_param, unsigned(position), int(size)));
}

// Advances to the next combination of sizes; returns false after the last.
bool advance(Sizes& sizes) {
  static const std::map<std::int64_t, std::int64_t> next{{1, 2}, {2, 3}, {3, 1000}};
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    const auto larger = next.find(size->second);
    size->second = larger == next.end() ? 1 : larger->second;
    if (larger != next.end()) return true;
  }
  return false;
}

}  // namespace

Program with_tile_sizes(const Program& program, const Sizes& sizes) {
  Program result = program;
  Algorithm algorithm = *program.algorithm;
  for (const auto& [parameter, size] : sizes)
    algorithm.context = Context::from(fixed(algorithm.context, parameter, size));
  result.algorithm = std::make_shared<const Algorithm>(std::move(algorithm));
  result.proofs = nullptr;
  count_tiles(result.mapping.roots, 0, sizes, program.session->isl());
  return result;
}

std::optional<Violation> find_violation_at_some_size(const Program& program) {
  std::set<std::string> parameters;
  collect(program.mapping.roots, parameters);
  if (parameters.empty() || parameters.size() > 3) return std::nullopt;
  Sizes sizes;
  for (const std::string& parameter : parameters) sizes[parameter] = 1;
  do {
    if (auto found = find_violation(with_tile_sizes(program, sizes))) {
      isl::set context = program.algorithm->context;
      for (const auto& [parameter, size] : sizes) context = fixed(context, parameter, size);
      found->pairs = found->pairs.intersect_params(context);
      return found;
    }
  } while (advance(sizes));
  return std::nullopt;
}

}  // namespace strata
