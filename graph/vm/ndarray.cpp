#include "graph/vm/ndarray.h"

#include <cstring>

namespace strata::graph {

namespace {

constexpr std::size_t alignment = 64;

std::size_t bytes_of(strata_type type) { return (std::size_t{type.bits} + 7) / 8; }

std::size_t size_of(const std::vector<std::int64_t>& extents, std::size_t element) {
  std::int64_t count = 1, bytes = 0;
  for (const std::int64_t extent : extents)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      throw std::length_error(
          "strata::graph::NDArray: an extent is negative or their product overflows");
  if (__builtin_mul_overflow(count, static_cast<std::int64_t>(element), &bytes) ||
      __builtin_add_overflow(bytes, static_cast<std::int64_t>(alignment), &bytes))
    throw std::length_error("strata::graph::NDArray: the size in bytes overflows");
  return static_cast<std::size_t>(count);
}

}  // namespace

std::shared_ptr<NDArray::State> NDArray::described(strata_type type,
                                                   std::vector<std::int64_t> extents) {
  auto state = std::make_shared<State>();
  state->size = size_of(extents, bytes_of(type));
  state->extents = std::move(extents);
  state->dimensions.resize(state->extents.size());
  state->buffer.type = type;
  return state;
}

NDArray::NDArray(strata_type type, std::vector<std::int64_t> extents)
    : state_(described(type, std::move(extents))) {
  State& s = *state_;
  s.memory = std::make_shared<std::byte[]>(s.size * bytes_of(type) + alignment);
  const auto start = reinterpret_cast<std::uintptr_t>(s.memory.get());
  s.elements = s.memory.get() + (alignment - start % alignment) % alignment;
  strata_buffer_init(&s.buffer, type, s.elements, rank(), s.dimensions.data(), s.extents.data());
}

std::size_t NDArray::bytes() const { return size() * bytes_of(type()); }

NDArray NDArray::viewed(std::vector<std::int64_t> extents) const {
  NDArray view;
  view.state_ = described(type(), std::move(extents));
  State& s = *view.state_;
  if (s.size != size())
    throw std::invalid_argument("strata::graph::NDArray::viewed: another number of elements");
  s.memory = state_->memory;
  s.elements = state_->elements;
  strata_buffer_init(&s.buffer, type(), s.elements, view.rank(), s.dimensions.data(),
                     s.extents.data());
  return view;
}

NDArray NDArray::copied() const {
  NDArray copy(type(), extents());
  std::memcpy(copy.raw(), raw(), bytes());
  return copy;
}

}  // namespace strata::graph
