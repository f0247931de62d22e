#include "codegen/tree/realization.h"

#include <algorithm>

namespace strata {

std::optional<std::int64_t> constant_size(const Allocate& what) {
  std::int64_t total = 1;
  for (std::size_t d = 0; d < what.extents.size(); ++d) {
    if (what.extents[d].op() != Op::constant) return std::nullopt;
    const std::int64_t extent = std::max<std::int64_t>(what.extents[d].node().integer, 0);
    const std::int64_t count = what.packed.empty() ? extent : packed_extent(extent, what.packed[d]);
    if (__builtin_mul_overflow(total, count, &total)) return std::nullopt;
  }
  return std::max<std::int64_t>(total, 1);
}

bool is_on_stack(std::optional<std::int64_t> elements, Type type, Memory memory) {
  if (memory == Memory::local) return elements.has_value();
  if (memory != Memory::automatic) return memory == Memory::stack;
  return elements && *elements <= largest_on_stack / bytes(type);
}

bool is_on_stack(const Allocate& what) {
  return is_on_stack(constant_size(what), what.type, what.memory);
}

bool can_be_lanes(const StmtPtr& body) {
  if (const auto* loop = std::get_if<For>(body.get())) {
    const bool lanes = has_lanes(loop->processor) && loop->extent && *loop->extent > 1;
    return !lanes && !is_concurrent(loop->processor) && !takes_arrays(loop->lower) &&
           !takes_arrays(loop->upper) && can_be_lanes(loop->body);
  }
  if (const auto* s = std::get_if<If>(body.get()))
    return !takes_arrays(s->condition) && can_be_lanes(s->then) &&
           (!s->otherwise || can_be_lanes(s->otherwise));
  if (const auto* s = std::get_if<Block>(body.get()))
    return std::all_of(s->body.begin(), s->body.end(), can_be_lanes);
  if (const auto* s = std::get_if<Allocate>(body.get()))
    return is_on_stack(*s) && can_be_lanes(s->body);
  if (std::holds_alternative<Launch>(*body) || std::holds_alternative<Barrier>(*body) ||
      std::holds_alternative<AwaitCopies>(*body) || std::holds_alternative<DeviceCopy>(*body) ||
      std::holds_alternative<Mma>(*body))
    return false;
  if (std::holds_alternative<PrefetchBox>(*body) || std::holds_alternative<Free>(*body))
    return true;
  const Execute& s = std::get<Execute>(*body);
  return !s.atomic && !takes_arrays(s.value) &&
         std::none_of(s.indices.begin(), s.indices.end(), takes_arrays) &&
         std::none_of(s.others.begin(), s.others.end(),
                      [](const Execute::Other& other) { return takes_arrays(other.value); });
}

bool is_vector(const For& loop) {
  return has_lanes(loop.processor) && loop.lockstep && loop.extent && *loop.extent > 1 &&
         can_be_lanes(loop.body);
}

bool is_loop(const For& loop) {
  return !is_vector(loop) && !(is_copied(loop.processor) && loop.extent);
}

}  // namespace strata
