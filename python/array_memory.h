// The memory of a strata.Array, on the host or on a GPU.
#pragma once

#include <strata/runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/type.h"
#include "graph/vm/ndarray.h"
#include "python/dlpack.h"

namespace strata::python {

// Dense memory of zeros, with the last axis innermost. On a GPU, memory for no elements has one
// element, since GPUs need a handle of memory.
class ArrayMemory {
 public:
  // KernelFailure if the device cannot be used, or does not have enough memory; bad_alloc on the
  // host.
  ArrayMemory(dlpack::Device device, const std::vector<std::int64_t>& extents, Type type);
  // Holds the elements of another array, on the host.
  explicit ArrayMemory(const graph::NDArray& array);
  ~ArrayMemory();
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;

  dlpack::Device device() const { return device_; }
  bool is_on_host() const { return device_.type == dlpack::cpu; }
  // The address of the memory, or its cl_mem.
  void* data() const;
  // Copies all elements between this and an array of the same type and shape, which is on this
  // device or in host memory. KernelFailure if the driver fails.
  void copy_from(halide_buffer_t* array) { copy(array, strata_argument(&buffer_)); }
  void copy_to(halide_buffer_t* array) { copy(strata_argument(&buffer_), array); }
  void copy_from(ArrayMemory& other) { copy_from(strata_argument(&other.buffer_)); }

 private:
  void copy(halide_buffer_t* from, halide_buffer_t* to) const;

  dlpack::Device device_;
  std::shared_ptr<void> host_;
  std::vector<strata_dimension> dimensions_;
  strata_buffer buffer_;
};

}  // namespace strata::python
