#include "codegen/passes/launches.h"

#include <algorithm>

#include "codegen/tree/index_math.h"
#include "codegen/tree/launch_axes.h"

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

// Is there a thread loop in the statement, or a barrier for all threads?
bool runs_in_threads(const StmtPtr& s) {
  const auto* loop = std::get_if<For>(s.get());
  bool found = std::holds_alternative<Barrier>(*s) || std::holds_alternative<AwaitCopies>(*s) ||
               (loop && loop->processor == Processor::thread);
  for_each_inside(*s, [&](const StmtPtr& inside) { found = found || runs_in_threads(inside); });
  return found;
}

// Says which threads of a block of "threads" run what.
class Guarded {
 public:
  explicit Guarded(const std::vector<std::int64_t>& threads) : threads_(threads) {}

  // Outside of all thread loops: the first thread alone runs code without a thread loop or barrier
  // inside.
  StmtPtr outside(const StmtPtr& s) const {
    const auto* loop = std::get_if<For>(s.get());
    if (loop && loop->processor == Processor::thread) return thread_loop(*loop, true);
    if (std::holds_alternative<Free>(*s)) return s;  // the end of a life, which no thread runs
    if (!runs_in_threads(s)) return guard(std::vector<std::int64_t>(threads_.size(), 1), s);
    return with_insides(*s, [this](const StmtPtr& part) { return outside(part); });
  }

 private:
  // A thread has no iteration if its index is too large, or if it is not the first on an axis that
  // has no loop here.
  StmtPtr thread_loop(For loop, bool is_outermost) const {
    const std::size_t axis = axis_of(loop);
    std::vector<std::int64_t> counts = threads_;
    counts[axis] = *loop.extent;
    for (std::size_t a = axis + 1; is_outermost && a < counts.size(); ++a) counts[a] = 1;
    loop.body = guard(counts, inside(loop.body));
    return make_stmt(std::move(loop));
  }

  StmtPtr inside(const StmtPtr& s) const {
    const auto* loop = std::get_if<For>(s.get());
    if (loop && loop->processor == Processor::thread) return thread_loop(*loop, false);
    return with_insides(*s, [this](const StmtPtr& part) { return inside(part); });
  }

  StmtPtr guard(const std::vector<std::int64_t>& counts, const StmtPtr& body) const {
    return counts == threads_ ? body : make_stmt(ThreadGuard{counts, body});
  }

  const std::vector<std::int64_t>& threads_;
};

StmtPtr with_launches_in(const StmtPtr& s) {
  const auto* loop = std::get_if<For>(s.get());
  if (loop && loop->processor == Processor::block) {
    std::vector<std::int64_t> threads = threads_in(loop->body);
    if (threads.empty()) threads.push_back(1);
    const StmtPtr body = Guarded(threads).outside(s);
    return make_stmt(Launch{loop->variable, grid_of(*loop), std::move(threads), body});
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
