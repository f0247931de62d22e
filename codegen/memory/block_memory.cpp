#include "codegen/memory/block_memory.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/loops/scan.h"
#include "codegen/loops/whole_range.h"
#include "codegen/tree/thread_variable.h"
#include "core/sets/difference.h"

namespace strata {

namespace {

bool any_of_processor(const std::vector<const Loop*>& loops, Processor processor) {
  return std::any_of(loops.begin(), loops.end(),
                     [&](const Loop* loop) { return loop->processor == processor; });
}

// { : the loop runs }. Its steps are those of all values of a parametric tile around it.
isl::set steps(const Nest& loop, const std::vector<const Loop*>& loops) {
  isl::set at = bound(loop.whole);
  for (int level = 0; level < loop.depth; ++level)
    if (loops[std::size_t(level)]->tile_size)
      at = without_iterator(at.intersect(inside_tile(at, level)), level);
  return at;
}

// { : index = the thread's on this loop }, all iterators being parameters.
isl::set at_thread(const isl::set& at, const isl::pw_aff& index, const Nest& loop,
                   const std::vector<const Loop*>& loops, const Request& request) {
  const auto range = thread_range(steps(loop, loops), loop.depth);
  if (!range)
    throw request.refused(
        Code::E0502_code_generation_failed,
        "isl finds no constant range around the iterations of the thread loop " + loop.loop().name);
  const isl::pw_aff t = parameter_named(at, iterator_name(loop.depth));
  return at.intersect(index.eq_set(t.sub(range->lower)));
}

Error misplaced(const LayoutBuffer& buffer, const std::string& what, const std::string& mend,
                const Request& request) {
  return request.refused(Code::E0308_size_does_not_fit,
                         buffer.name + " is " + traits(buffer.memory).place + ", but " + what,
                         mend);
}

Error several_threads(const LayoutBuffer& buffer, const std::string& mend, const Request& request) {
  return request.refused(
      Code::E0309_several_threads,
      "several threads touch one place of " + buffer.name + ", of which each thread has its own",
      mend);
}

}  // namespace

Allocator allocator(const std::vector<const Loop*>& around,
                    const std::vector<const Loop*>& inside) {
  return {any_of_processor(around, Processor::block), any_of_processor(around, Processor::thread),
          any_of_processor(inside, Processor::block)};
}

isl::set with_thread_indices(const isl::set& times, const std::vector<const Nest*>& threads,
                             const std::vector<const Loop*>& loops, int depth,
                             const Request& request) {
  const auto around =
      std::size_t(std::count_if(loops.begin(), loops.begin() + depth + 1, [](const Loop* loop) {
        return loop->processor == Processor::thread;
      }));
  isl::set at = bound(times);
  for (std::size_t axis = 0; axis < thread_axes; ++axis) {
    if (threads.size() <= axis && axis < threads.size() + around) continue;
    const isl::pw_aff index = parameter_named(at, thread_variable(axis));
    at = axis < threads.size()
             ? at_thread(at, index, *threads[threads.size() - 1 - axis], loops, request)
             : at.intersect(index.eq_set(index.sub(index)));
  }
  return at.unbind_params(iterator_tuple(times));
}

bool has_one_owner(const isl::set& places) {
  isl_map* owners = isl_map_from_domain(places.copy());
  for (std::size_t axis = 0; axis < thread_axes; ++axis) {
    const int position =
        isl_map_find_dim_by_name(owners, isl_dim_param, thread_variable(axis).c_str());
    if (position < 0) continue;
    const int last = isl_map_dim(owners, isl_dim_out);
    owners = isl_map_move_dims(owners, isl_dim_out, unsigned(last), isl_dim_param,
                               unsigned(position), 1);
  }
  return is_function(isl::manage(owners));
}

Memory memory_in_block(const LayoutBuffer& buffer, const Allocator& where,
                       const std::function<bool()>& has_one_owner, const std::string& loop,
                       const Request& request) {
  if (where.has_blocks)
    throw request.refused(Code::E0308_size_does_not_fit,
                          "each iteration of the block loop " + loop + " allocates " + buffer.name +
                              ", but other block loops stand inside of it",
                          "allocate it at the innermost block loop, or inside of it");
  switch (buffer.memory) {
    case Memory::automatic:
      if (has_one_owner()) return Memory::local;
      if (where.in_threads)
        throw several_threads(buffer, "allocate it outside of the threads", request);
      return Memory::shared;
    case Memory::local:
      if (has_one_owner()) return Memory::local;
      throw several_threads(buffer, "put it in shared memory", request);
    case Memory::shared:
      if (!where.in_threads) return Memory::shared;
      throw misplaced(buffer, "loop " + loop + ", which allocates it, is inside of the threads",
                      "allocate it at a loop outside of the threads, or make it local", request);
    default:
      throw misplaced(buffer,
                      "loop " + loop + ", which allocates it in each iteration, is in a launch",
                      "put it in shared or local memory, or leave out set_memory", request);
  }
}

}  // namespace strata
