// Launches become calls of a device's runtime, and their kernels text for its driver.
#pragma once

#include <string>
#include <vector>

#include "codegen/device/device_text.h"
#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// What the text of a kernel depends on besides its statement: whether OpenCL must not contract
// operations; CUDA's compute capability, if the target's name gives it; arguments in constant
// memory.
struct DeviceText {
  bool exact = false;
  int capability = 0;
  std::vector<device::ConstantBuffer> constants = {};
};

// Applies Halide's inject_gpu_offload to what follows the mark (offload_mark.h) in "body"; its
// failures become the kernel's. Returns the texts of the kernels, and the device's state, as
// buffers that the module must contain.
std::vector<Halide::Buffer<>> offload(HStmt& body, const std::string& kernel,
                                      const Halide::Target& target, const DeviceText& text);

}  // namespace strata::halide
