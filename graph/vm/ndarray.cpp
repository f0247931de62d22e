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
  const auto memory =
      std::make_shared<std::byte[]>(state_->size * bytes_of(type) + array_alignment);
  place(aligned_begin(memory.get()), memory);
}

void NDArray::place(std::byte* elements, std::shared_ptr<void> memory) {
  State& s = *state_;
  s.memory = std::move(memory);
  s.elements = elements;
  strata_buffer_init(&s.buffer, s.buffer.type, elements, rank(), s.dimensions.data(),
                     s.extents.data());
}

NDArray NDArray::around(strata_type type, std::vector<std::int64_t> extents, std::byte* elements,
                        std::shared_ptr<void> owner) {
  NDArray array;
  array.state_ = described(type, std::move(extents));
  array.place(elements, std::move(owner));
  return array;
}

std::size_t NDArray::bytes() const { return size() * bytes_of(type()); }

NDArray NDArray::viewed(std::vector<std::int64_t> extents) const {
  const NDArray view = around(type(), std::move(extents), raw(), memory());
  if (view.size() != size())
    throw std::invalid_argument("strata::graph::NDArray::viewed: another number of elements");
  return view;
}

NDArray NDArray::copied() const {
  NDArray copy(type(), extents());
  std::memcpy(copy.raw(), raw(), bytes());
  return copy;
}

}  // namespace strata::graph
