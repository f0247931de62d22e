// Reads arrays of other Python packages as arguments of kernels. No other file does.
#pragma once

#include <Python.h>
#include <strata/runtime.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/type.h"
#include "graph/vm/ndarray.h"
#include "python/call_device.h"
#include "python/dlpack.h"
#include "python/operands.h"

namespace strata::python {

// The memory of an array, held until the view is destroyed. Index k of the program is axis k.
class ArrayView {
 public:
  ArrayView() {}  // not "= default", which would clear all dimensions in each call
  ~ArrayView();
  ArrayView(const ArrayView&) = delete;
  ArrayView& operator=(const ArrayView&) = delete;

  // Views the elements of "object" in host memory, through the buffer protocol, or else through
  // DLPack. "what" names it in errors: "blur: argument x". TypeError if it is not an array;
  // KernelFailure if no kernel can take it.
  void take(nb::handle object, const std::string& what);
  // Views the elements of "object" on the call's device, through DLPack.
  void take_resident(nb::handle object, const std::string& what, CallDevice& device);

  Type type() const { return type_; }
  int rank() const { return buffer_.dimensions; }
  std::int64_t extent(int axis) const { return dimensions_[rank() - 1 - axis].extent; }
  bool is_read_only() const { return read_only_; }
  // Are the elements dense, with the last axis innermost?
  bool is_dense() const;
  void* data() const { return buffer_.host; }
  halide_buffer_t* argument() { return strata_argument(&buffer_); }
  bool is_on_device() const { return buffer_.device != 0; }
  // Waits until the array's device has done all work of the stream. Returns 0 or a code.
  int wait() { return strata_wait_for_device(argument()); }

 private:
  struct Layout {
    void* data;
    int rank;
    const Py_ssize_t* extents;
    const Py_ssize_t* strides;  // null: dense, the last axis innermost
    bool in_bytes;              // strides are in bytes; else in elements
  };

  bool take_buffer(nb::handle object, const std::string& what);
  bool take_dlpack(nb::handle object, const std::string& what);
  const dlpack::Tensor& consumed(nb::handle capsule, const std::string& what);
  template <typename Managed>
  Managed* owned(nb::handle capsule, const char* name, const char* used);
  void describe(const Layout& layout, const std::string& what);

  strata_buffer buffer_{};
  strata_dimension dimensions_[STRATA_MAX_RANK];
  Type type_ = f32;
  bool read_only_ = false;
  Py_buffer view_{};              // view_.obj is null if the array came by DLPack
  std::shared_ptr<void> tensor_;  // the structure of DLPack; its deleter frees it
  nb::object reinterpreted_;      // an array whose type has no letter in the buffer protocol
};

// A new strata.Array.
nb::object new_array(const std::vector<std::int64_t>& shape, Type type, dlpack::Device device);
// A strata.Array that shares these elements.
nb::object new_array(const graph::NDArray& array, Type type);

}  // namespace strata::python
