#include "codegen/memory/scratch.h"

#include <isl/aff.h>

#include <algorithm>

#include "codegen/memory/block_memory.h"
#include "codegen/memory/touched.h"
#include "codegen/tree/allocate.h"

namespace strata {

namespace {

// Calls "visitor" on each branch under "nest", with the thread loops inside of "nest" around it.
template <typename Visitor>
void for_each_thread_leaf(const Nest& nest, std::vector<const Nest*> threads,
                          const Visitor& visitor) {
  if (!nest.loop) return visitor(nest, threads);
  for (const Nest& inner : nest.body) {
    std::vector<const Nest*> around = threads;
    if (inner.loop && inner.loop->processor == Processor::thread) around.push_back(&inner);
    for_each_thread_leaf(inner, around, visitor);
  }
}

// What the iterations of a loop touch.
class LoopAccesses {
 public:
  LoopAccesses(const Nest& nest, const TimeSpace& space, const Program& program,
               const Request& request)
      : nest_(nest), space_(space), program_(program), request_(request) {}

  // What this copy of the loop touches, or all its copies together.
  AllTouched here() const {
    return touched([](const Nest& leaf, const auto&) { return leaf.times; });
  }
  AllTouched anywhere() const {
    return touched([](const Nest& leaf, const auto&) { return leaf.whole; });
  }
  // And for each thread of the block.
  AllTouched by_thread() const {
    return touched([&](const Nest& leaf, const std::vector<const Nest*>& threads) {
      return with_thread_indices(leaf.whole, threads, request_);
    });
  }

  Allocator allocator() const {
    std::vector<const Loop*> around, inside;
    for_each_leaf(nest_, [&](const Nest& leaf) {
      const auto& loops = space_.branches[leaf.branch].loops;
      const auto own = loops.begin() + nest_.depth + 1;
      around.assign(loops.begin(), own);
      inside.insert(inside.end(), own, loops.end());
    });
    return strata::allocator(around, inside);
  }

 private:
  template <typename Times>
  AllTouched touched(const Times& times) const {
    AllTouched all;
    for_each_thread_leaf(nest_, {}, [&](const Nest& leaf, const auto& threads) {
      const TimeBranch& branch = space_.branches[leaf.branch];
      add_touched(all, program_, *branch.definition,
                  instances_inside(times(leaf, threads), branch, nest_.depth), request_);
    });
    return all;
  }

  const Nest& nest_;
  const TimeSpace& space_;
  const Program& program_;
  const Request& request_;
};

// The box of a buffer that is mentioned but not touched: reads under conditions that never hold.
PlaceBox empty_box(const LayoutBuffer& buffer, const isl::set& places) {
  const isl::pw_aff zero = isl::set::universe(places.params().space()).pw_aff_on_domain(0);
  const std::vector<isl::pw_aff> zeros(std::size_t(buffer.dimensions), zero);
  return {&buffer, zeros, zeros};
}

bool is_constant(const PlaceBox& box) {
  return std::all_of(box.extents.begin(), box.extents.end(), [](const isl::pw_aff& extent) {
    return isl_pw_aff_is_cst(extent.get()) == isl_bool_true;
  });
}

// In the memory of blocks and threads sizes are constants: the most that any iteration touches.
PlaceBox with_constant_extents(PlaceBox box) {
  for (isl::pw_aff& extent : box.extents) {
    const isl::val most = extent.max_val();
    if (most.is_int()) extent = extent.domain().pw_aff_on_domain(most);
  }
  return box;
}

}  // namespace

std::vector<OwnBox> own_boxes(const Nest& nest, const std::vector<Lifetime>& lifetimes,
                              const TimeSpace& space, const Program& program,
                              const Request& request) {
  std::vector<OwnBox> boxes;
  if (lifetimes.empty()) return boxes;
  const LoopAccesses accesses(nest, space, program, request);
  const Allocator where = accesses.allocator();
  const AllTouched all = accesses.anywhere(), here = accesses.here();
  const AllTouched by_thread = where.in_block ? accesses.by_thread() : AllTouched();
  for (const Lifetime& life : lifetimes) {
    const auto touched = here.find(life.buffer);
    if (touched == here.end()) continue;
    const LayoutBuffer& buffer = *program.layout.find(life.buffer);
    const auto places = [&](const AllTouched& some) {
      return some.at(life.buffer).places.intersect_params(space.context);
    };
    if (!where.in_block) require_outside_memory(buffer, request);
    const Memory memory = where.in_block
                              ? memory_in_block(buffer, where, has_one_owner(places(by_thread)),
                                                nest.loop->name, request)
                              : buffer.memory;
    if (touched->second.places.is_empty()) {
      boxes.push_back({life, empty_box(buffer, touched->second.places), memory});
      continue;
    }
    if (where.in_block) {
      const AllTouched& some = memory == Memory::local ? by_thread : all;
      boxes.push_back({life, with_constant_extents(box_hull(buffer, places(some))), memory});
      continue;
    }
    const PlaceBox whole = box_hull(buffer, places(all));
    boxes.push_back({life, is_constant(whole) ? whole : box_hull(buffer, places(here)), memory});
  }
  return boxes;
}

}  // namespace strata
