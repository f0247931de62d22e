#include "codegen/memory/scratch.h"

#include <isl/aff.h>

#include <algorithm>
#include <optional>
#include <set>

#include "codegen/memory/block_memory.h"
#include "codegen/memory/packing.h"
#include "codegen/memory/touched.h"
#include "codegen/tree/allocate.h"
#include "codegen/tree/realization.h"
#include "core/sets/small_integer.h"

namespace strata {

namespace {

// Calls "visitor" on each branch under "nest", with the thread loops inside of "nest" around it.
template <typename Visitor>
void for_each_thread_leaf(const Nest& nest, std::vector<const Nest*> threads,
                          const Visitor& visitor) {
  if (!nest.is_loop()) return visitor(nest, threads);
  for (const Nest& inner : nest.body()) {
    std::vector<const Nest*> around = threads;
    if (inner.is_loop() && inner.loop().processor == Processor::thread) around.push_back(&inner);
    for_each_thread_leaf(inner, around, visitor);
  }
}

std::set<std::string> buffers_of(const std::vector<Lifetime>& lifetimes) {
  std::set<std::string> names;
  for (const Lifetime& life : lifetimes) names.insert(life.buffer);
  return names;
}

bool mentions_one(const Program& program, const Definition& definition,
                  const std::set<std::string>& buffers) {
  const std::set<std::string> mentioned = mentioned_buffers(program, definition);
  return std::any_of(buffers.begin(), buffers.end(),
                     [&](const std::string& name) { return mentioned.count(name) > 0; });
}

// What the iterations of a loop touch of some buffers.
class LoopAccesses {
 public:
  LoopAccesses(const Nest& nest, std::set<std::string> buffers, const TimeSpace& space,
               const Program& program, const Request& request)
      : nest_(nest),
        buffers_(std::move(buffers)),
        space_(space),
        program_(program),
        request_(request) {}

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
      return with_thread_indices(leaf.whole, threads, space_.branches[leaf.branch()].loops,
                                 nest_.depth, request_);
    });
  }

 private:
  template <typename Times>
  AllTouched touched(const Times& times) const {
    AllTouched all;
    for_each_thread_leaf(nest_, {}, [&](const Nest& leaf, const auto& threads) {
      const TimeBranch& branch = space_.branches[leaf.branch()];
      if (branch.message) return;  // it moves what others touch
      if (!mentions_one(program_, *branch.definition, buffers_)) return;
      add_touched(all, program_, *branch.definition,
                  instances_inside(times(leaf, threads), branch, nest_.depth), request_, buffers_);
    });
    return all;
  }

  const Nest& nest_;
  const std::set<std::string> buffers_;
  const TimeSpace& space_;
  const Program& program_;
  const Request& request_;
};

Allocator allocator_at(const Nest& nest, const TimeSpace& space) {
  std::vector<const Loop*> around, inside;
  for_each_leaf(nest, [&](const Nest& leaf) {
    const auto& loops = space.branches[leaf.branch()].loops;
    const auto own = loops.begin() + nest.depth + 1;
    around.assign(loops.begin(), own);
    inside.insert(inside.end(), own, loops.end());
  });
  return allocator(around, inside);
}

// The box of a buffer that is mentioned but not touched: reads under conditions that never hold.
PlaceBox empty_box(const LayoutBuffer& buffer, const isl::set& places) {
  const isl::pw_aff zero = isl::set::universe(places.params().space()).pw_aff_on_domain(0);
  const std::vector<isl::pw_aff> zeros(std::size_t(buffer.dimensions), zero);
  return {&buffer, zeros, zeros, {}};
}

bool is_constant(const PlaceBox& box) {
  return std::all_of(box.extents.begin(), box.extents.end(), [](const isl::pw_aff& extent) {
    return isl_pw_aff_is_cst(extent.get()) == isl_bool_true;
  });
}

// In the memory of blocks and threads sizes are constants: the most that any iteration touches. isl
// finds it for integer functions, but may write one as (i - j) / 3 where 3 divides i - j.
PlaceBox with_constant_extents(PlaceBox box) {
  for (isl::pw_aff& extent : box.extents) {
    const isl::val most = extent.floor().max_val();
    if (most.is_int()) extent = extent.domain().pw_aff_on_domain(most);
  }
  return box;
}

// Computes the boxes of the buffers of one loop.
class Boxing {
 public:
  Boxing(const Nest& nest, const std::vector<Lifetime>& lifetimes, const TimeSpace& space,
         const Program& program, const Request& request)
      : nest_(nest),
        lifetimes_(lifetimes),
        space_(space),
        program_(program),
        request_(request),
        accesses_(nest, buffers_of(lifetimes), space, program, request) {}

  // Of all copies of the loop together, in a launch.
  std::vector<OwnBox> in_launch(const Allocator& where) {
    std::vector<OwnBox> boxes;
    all_ = accesses_.anywhere();
    for (const Lifetime& life : lifetimes_) {
      if (!all_.count(life.buffer)) continue;
      const LayoutBuffer& buffer = *program_.layout.find(life.buffer);
      const auto one_owner = [&] { return has_one_owner(places(by_thread(), life)); };
      const Memory memory = memory_in_block(buffer, where, one_owner, nest_.loop().name, request_);
      const isl::set some = places(memory == Memory::local ? by_thread() : all_, life);
      PlaceBox box =
          some.is_empty() ? empty_box(buffer, some) : with_constant_extents(hull(buffer, some));
      if (memory == Memory::local && buffer.extents.empty() && !some.is_empty())
        box = packed(box, some, program_.algorithm->parameters, *program_.session);
      boxes.push_back({life, std::move(box), memory});
    }
    return boxes;
  }

  // And outside of launches.
  std::vector<OwnBox> outside() {
    std::vector<OwnBox> boxes;
    all_ = accesses_.anywhere();
    for (const Lifetime& life : lifetimes_) {
      if (!all_.count(life.buffer)) continue;
      const LayoutBuffer& buffer = *program_.layout.find(life.buffer);
      require_outside_memory(buffer, request_);
      boxes.push_back({life, box(buffer, places(all_, life)), buffer.memory});
    }
    return boxes;
  }

  // Boxes of this copy, where those of all copies have no constant extents.
  std::vector<OwnBox> of_this_copy(std::vector<OwnBox> boxes) const {
    if (std::all_of(boxes.begin(), boxes.end(),
                    [](const OwnBox& own) { return is_constant(own.box); }))
      return boxes;
    const AllTouched here = accesses_.here();
    for (OwnBox& own : boxes)
      if (!is_constant(own.box)) own.box = box(*own.box.buffer, places(here, own.life));
    return boxes;
  }

 private:
  PlaceBox hull(const LayoutBuffer& buffer, const isl::set& places) const {
    return box_hull(buffer, places, program_.algorithm->parameters);
  }
  PlaceBox box(const LayoutBuffer& buffer, const isl::set& places) const {
    return places.is_empty() ? empty_box(buffer, places) : hull(buffer, places);
  }
  isl::set places(const AllTouched& some, const Lifetime& life) const {
    return some.at(life.buffer).places.intersect_params(space_.context);
  }

  const AllTouched& by_thread() {
    if (by_thread_.empty()) by_thread_ = accesses_.by_thread();
    return by_thread_;
  }

  const Nest& nest_;
  const std::vector<Lifetime>& lifetimes_;
  const TimeSpace& space_;
  const Program& program_;
  const Request& request_;
  const LoopAccesses accesses_;
  AllTouched all_, by_thread_;
};

// The number of elements, if it is the same in all iterations.
std::optional<std::int64_t> constant_size(const PlaceBox& box) {
  if (!is_constant(box)) return std::nullopt;
  std::int64_t total = 1;
  for (const isl::pw_aff& extent : box.extents) {
    const auto count = small_integer(extent.max_val());
    if (!count || __builtin_mul_overflow(total, *count, &total)) return std::nullopt;
  }
  return total;
}

bool run_in_order(const Mapping& mapping, const Path& loop) {
  const std::vector<const Loop*> around = loops_along(mapping, loop);
  return std::all_of(around.begin(), around.end(), [](const Loop* one) {
    return !is_concurrent(one->processor) && !has_lanes(one->processor);
  });
}

// The nest of a loop, which has no copies; null if it never runs.
const Nest* nest_of(const std::vector<Nest>& nests, const Path& loop) {
  const std::vector<Nest>* body = &nests;
  const Nest* found = nullptr;
  for (const int node : loop) {
    const auto inside = std::find_if(body->begin(), body->end(), [&](const Nest& nest) {
      return nest.is_loop() && nest.node == node;
    });
    if (inside == body->end()) return nullptr;
    found = &*inside;
    body = &found->body();
  }
  return found;
}

bool mentions(const Nest& nest, const std::string& buffer, const TimeSpace& space,
              const Program& program) {
  bool found = false;
  for_each_leaf(nest, [&](const Nest& leaf) {
    found = found || mentions_one(program, *space.branches[leaf.branch()].definition, {buffer});
  });
  return found;
}

std::vector<int> branches_in(const Nest& nest) {
  std::vector<int> all;
  for_each_leaf(nest, [&](const Nest& leaf) { all.push_back(leaf.branch()); });
  return all;
}

template <typename Key, typename Make>
const std::vector<OwnBox>& found_or_made(std::map<Key, std::vector<OwnBox>>& found, const Key& key,
                                         const Make& make) {
  const auto known = found.find(key);
  return known != found.end() ? known->second : found.emplace(key, make()).first->second;
}

}  // namespace

std::vector<Lifetime> lifetimes_in(const Loop& loop, const Mapping& mapping,
                                   const std::vector<Lifetime>& lifetimes) {
  std::vector<Lifetime> all;
  for (const Lifetime& life : lifetimes)
    if (!life.loop.empty() && &node_at(mapping, life.loop).loop() == &loop) all.push_back(life);
  return all;
}

std::vector<Lifetime> with_heap_at_entry(std::vector<Lifetime> lifetimes, const Mapping& mapping,
                                         const std::vector<Nest>& nests, const TimeSpace& space,
                                         const Program& program, const Request& request) {
  for (Lifetime& life : lifetimes) {
    if (life.loop.empty() || !run_in_order(mapping, life.loop)) continue;
    const Nest* const nest = nest_of(nests, life.loop);
    if (!nest || !program.layout.find(life.buffer)->extents.empty()) continue;
    FoundBoxes none;
    for (const OwnBox& box : own_boxes(*nest, {life}, space, program, request, none))
      if (!is_on_stack(constant_size(box.box), box.box.buffer->type, box.memory))
        life = {life.buffer, {}, 0, int(mapping.roots.size())};
  }
  return lifetimes;
}

std::vector<OwnBox> own_boxes(const Nest& nest, const std::vector<Lifetime>& lifetimes,
                              const TimeSpace& space, const Program& program,
                              const Request& request, FoundBoxes& found) {
  if (lifetimes.empty()) return {};
  Boxing boxing(nest, lifetimes, space, program, request);
  const Allocator where = allocator_at(nest, space);
  if (!where.in_block) {
    const std::vector<OwnBox>& all = found_or_made(found.outside, {&nest.loop(), branches_in(nest)},
                                                   [&] { return boxing.outside(); });
    return boxing.of_this_copy(all);
  }
  const std::vector<OwnBox>& all =
      found_or_made(found.in_launches, &nest.loop(), [&] { return boxing.in_launch(where); });
  std::vector<OwnBox> boxes;
  for (const OwnBox& box : all)
    if (mentions(nest, box.life.buffer, space, program)) boxes.push_back(box);
  return boxes;
}

}  // namespace strata
