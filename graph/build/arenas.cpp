#include "graph/build/arenas.h"

#include <algorithm>

#include "graph/build/lowered.h"
#include "graph/build/memory_calls.h"

namespace strata::graph {

void Arenas::add(const std::vector<PlannedArray>& arrays,
                 const std::vector<const Binding*>& makers) {
  std::vector<bool> has_place(arrays.size());
  for (std::size_t first = 0; first < arrays.size(); ++first) {
    if (has_place[first]) continue;
    Planned arena;
    for (std::size_t k = first; k < arrays.size(); ++k) {
      if (has_place[k] || arrays[k].known > arrays[first].first) continue;
      has_place[k] = true;
      place_of_[makers[k]->value.node().get()] = {arenas_.size(), arena.arrays.size()};
      arena.arrays.push_back(arrays[k]);
    }
    arenas_.push_back(std::move(arena));
  }
}

void Arenas::rewrite(Rewriter& r, const Binding& b) {
  const auto found = place_of_.find(b.value.node().get());
  if (found == place_of_.end()) return r.keep(b);
  const auto [number, place] = found->second;
  Planned& arena = arenas_[number];
  if (!arena.storage.defined()) make(r, arena);
  const Value offset =
      arena.plan.defined()
          ? r.emit(call_packed(builtin::tuple_field,
                               {arena.plan, integer_value(std::int64_t(place) + 1)}, {}, true),
                   "offset")
          : integer_value(arena.constant.offsets[place]);
  bind_array(r, b, arena.storage, offset);
}

void Arenas::make(Rewriter& r, Planned& arena) const {
  Shape sizes;
  std::vector<std::int64_t> lives;
  std::vector<ArenaArray> numbers;
  for (const PlannedArray& array : arena.arrays) {
    sizes.push_back(array.bytes);
    const auto first = std::int64_t(array.first), last = std::int64_t(array.last);
    lives.insert(lives.end(), {first, last});
    if (const auto bytes = constant_dim(array.bytes)) numbers.push_back({*bytes, first, last});
  }
  Value bytes;
  if (numbers.size() == arena.arrays.size()) {
    arena.constant = arena_of(numbers);
    bytes = integer_value(arena.constant.bytes);
  } else {
    arena.plan =
        r.emit(call_packed(builtin::plan_arena, {shape_value(sizes), integers_value(lives)},
                           ValueType::shape(int(arena.arrays.size()) + 1), true),
               "plan");
    bytes = r.emit(call_packed(builtin::tuple_field, {arena.plan, integer_value(0)}, {}, true),
                   "bytes");
  }
  arena.storage = emit_storage(r, bytes, "uint8");
}

}  // namespace strata::graph
