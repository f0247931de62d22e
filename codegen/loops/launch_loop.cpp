// The loops of a launch. A GPU runs all blocks of a box, and all threads of a block. So a loop has
// the same range in all blocks (or threads), and a condition around what only some of them run.
#include <algorithm>

#include "codegen/loops/generation.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/loops/scan.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/thread_variable.h"

namespace strata {

StmtPtr Generation::launch_loop(const Nest& nest, const isl::set& iterations,
                                const Position& position) {
  if (nest.loop().processor == Processor::block) return block_loop(nest, iterations, position);
  const auto range = thread_range_(points(nest.whole, position), nest.depth);
  if (!range)
    throw failed("isl finds no constant range around the iterations of the thread loop " +
                 nest.loop().name);
  return whole_loop(nest, iterations, *range, position);
}

// { : [t0, .., t<depth>] runs in some block }. Tiles of parametric sizes that are blocks, too, are
// left out like other blocks: their first and last values are those of one block.
isl::set Generation::values_in_all_blocks(const Nest& nest, Position position) {
  const auto is_block = [&](int depth) {
    return std::count(position.blocks.begin(), position.blocks.end(), depth) > 0;
  };
  std::vector<int>& tiles = position.tiles;
  tiles.erase(std::remove_if(tiles.begin(), tiles.end(), is_block), tiles.end());
  isl::set values = points(nest.times, position);
  for (const int depth : position.blocks) values = without_iterator_(values, depth);
  return values;
}

// for b in first .. last + 1: if (b runs) body. "first" and "last" do not depend on other blocks
// (R212).
StmtPtr Generation::block_loop(const Nest& nest, const isl::set& iterations,
                               const Position& position) {
  const isl::set values = values_in_all_blocks(nest, position);
  Position around = position;
  around.blocks.push_back(nest.depth);
  for (std::size_t axis = 0; axis < thread_axes; ++axis)
    around = with_value(around, thread_variable(axis), variable(thread_variable(axis)));
  if (nest.loop().tile_size) return tile_loop(nest, values, around);
  const isl::set some = beyond(without_iterator_(values, nest.depth), position.here);
  const Position outside = knowing(around, some);
  const ValueRange range = value_range(values, nest.depth);
  const auto build = isl::ast_build::from_context(outside.here);
  For result = new_loop(nest);
  result.lower = expr(build.expr_from(range.first.gist(outside.here)), outside);
  result.upper = simplified(expr(build.expr_from(range.last.gist(outside.here)), outside) + 1);
  result.extent = constant_difference(result.upper, result.lower);
  const isl::pw_aff block = parameter_named(values, iterator_name(nest.depth));
  Position inside = with_value(outside, iterator_name(nest.depth), variable(result.variable));
  inside = knowing(inside, range.first.le_set(block).intersect(block.le_set(range.last)));
  result.body = guarded(nest, iterations, inside);
  if (!result.body) return nullptr;
  return under(some, position.here, make_stmt(std::move(result)), nest, position);
}

}  // namespace strata
