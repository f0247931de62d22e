#include "codegen/passes/launches.h"

#include <algorithm>

#include "codegen/tree/index_math.h"

namespace strata {

namespace {

// Calls "visitor" on the outermost loops of a processor in "s".
template <typename Visitor>
void for_outermost(Processor processor, const StmtPtr& s, const Visitor& visitor) {
  const auto* loop = std::get_if<For>(s.get());
  if (loop && loop->processor == processor) return visitor(*loop);
  for_each_inside(*s, [&](const StmtPtr& inside) { for_outermost(processor, inside, visitor); });
}

// The numbers of blocks, innermost loop first.
std::vector<Expr> grid_of(const For& loop) {
  std::vector<Expr> grid;
  for_outermost(Processor::block, loop.body, [&](const For& inner) { grid = grid_of(inner); });
  grid.push_back(simplified(loop.upper - loop.lower));
  return grid;
}

StmtPtr with_launches_in(const StmtPtr& s) {
  const auto* loop = std::get_if<For>(s.get());
  if (loop && loop->processor == Processor::block) {
    std::vector<std::int64_t> threads = threads_in(loop->body);
    if (threads.empty()) threads.push_back(1);
    return make_stmt(Launch{loop->variable, grid_of(*loop), std::move(threads), s});
  }
  return with_insides(*s, with_launches_in);
}

}  // namespace

std::vector<std::int64_t> threads_in(const StmtPtr& s) {
  std::vector<std::int64_t> most;
  for_outermost(Processor::thread, s, [&](const For& loop) {
    std::vector<std::int64_t> counts = threads_in(loop.body);
    counts.push_back(*loop.extent);
    most.resize(std::max(most.size(), counts.size()), 1);
    for (std::size_t axis = 0; axis < counts.size(); ++axis)
      most[axis] = std::max(most[axis], counts[axis]);
  });
  return most;
}

Kernel with_launches(const Kernel& kernel) { return with_bodies(kernel, with_launches_in); }

}  // namespace strata
