#include "graph/vm/ndarray.h"

#include <cstring>

namespace strata::graph {

namespace {

std::size_t bytes_of(strata_type type) { return (std::size_t{type.bits} + 7) / 8; }

}  // namespace

std::shared_ptr<NDArray::State> NDArray::described(strata_type type,
                                                   std::vector<std::int64_t> extents) {
  auto state = std::make_shared<State>();
  state->size = dense_size("strata::graph::NDArray", extents, bytes_of(type));
  state->extents = std::move(extents);
  state->dimensions.resize(state->extents.size());
  state->buffer.type = type;
  return state;
}

NDArray::NDArray(strata_type type, std::vector<std::int64_t> extents)
    : state_(described(type, std::move(extents))) {
  State& s = *state_;
  s.memory = std::make_shared<std::byte[]>(s.size * bytes_of(type) + array_alignment);
  s.elements = aligned_begin(s.memory.get());
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
