// Arrays of any element type and rank, for programs that run graphs.
//
//   NDArray x = NDArray::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
//   x.data<float>()[1 * 3 + 2] = 7;     // dense, the last index innermost
//   kernel(..., {x, y});                // a kernel takes it as any buffer
//
// A handle: copies share the elements, as with numpy. Threads may read an array at the same time,
// but not while another one writes to it.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace strata::graph {

inline bool is_same_type(strata_type a, strata_type b) {
  return a.code == b.code && a.bits == b.bits;
}

class NDArray {
 public:
  // No array: defined() is false, and no other member may be called.
  NDArray() = default;
  // An array of zeros. std::length_error if an extent is negative, or the size in bytes overflows.
  NDArray(strata_type type, std::vector<std::int64_t> extents);
  // std::invalid_argument if there are not as many values as elements.
  template <typename T>
  static NDArray of(std::vector<std::int64_t> extents, const std::vector<T>& values) {
    NDArray array(element_type<T>(), std::move(extents));
    if (values.size() != array.size())
      throw std::invalid_argument("strata::graph::NDArray::of: another number of values");
    std::copy(values.begin(), values.end(), array.data<T>());
    return array;
  }
  template <typename T>
  static NDArray scalar(T value) {
    return of<T>({}, {value});
  }
  // Dense elements, the last index innermost, in the memory of "owner", which stays alive as long
  // as a handle lives.
  static NDArray around(strata_type type, std::vector<std::int64_t> extents, std::byte* elements,
                        std::shared_ptr<void> owner);

  bool defined() const { return state_ != nullptr; }
  strata_type type() const { return state_->buffer.type; }
  int rank() const { return static_cast<int>(state_->extents.size()); }
  const std::vector<std::int64_t>& extents() const { return state_->extents; }
  std::size_t size() const { return state_->size; }  // in elements
  std::size_t bytes() const;

  // std::invalid_argument if the elements are of another type.
  template <typename T>
  T* data() const {
    if (!is_same_type(element_type<T>(), type()))
      throw std::invalid_argument("strata::graph::NDArray::data: elements of another type");
    return reinterpret_cast<T*>(raw());
  }
  std::byte* raw() const { return state_->elements; }

  // The same elements in another shape, as reshape of numpy.  std::invalid_argument if it has
  // another number of elements.
  NDArray viewed(std::vector<std::int64_t> extents) const;
  NDArray copied() const;
  // What keeps the elements alive.
  const std::shared_ptr<void>& memory() const { return state_->memory; }
  // Do the two share their elements?
  bool shares(const NDArray& other) const { return memory() == other.memory(); }

  // As an argument of a kernel; valid as long as a handle lives.
  operator halide_buffer_t*() const { return strata_argument(&state_->buffer); }

 private:
  struct State {
    std::shared_ptr<void> memory;
    std::byte* elements;
    std::size_t size;
    std::vector<std::int64_t> extents;
    std::vector<strata_dimension> dimensions;
    strata_buffer buffer;
  };
  static std::shared_ptr<State> described(strata_type type, std::vector<std::int64_t> extents);
  void place(std::byte* elements, std::shared_ptr<void> memory);

  std::shared_ptr<State> state_;
};

}  // namespace strata::graph
