// Launches become calls of a device's runtime, and their kernels text for its driver.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/arithmetic/values.h"
#include "codegen/halide/passes/device_text.h"

namespace strata::halide {

// Takes what follows the mark (offload_mark.h) out of "body" by Halide's inject_gpu_offload, whose
// failures become the kernel's.  In OpenCL's text no operations are joined if "exact".  Returns the
// texts of the kernels, and the device's state, as buffers that the module must contain.
std::vector<Halide::Buffer<>> offload(HStmt& body, const std::string& kernel,
                                      const Halide::Target& target, bool exact,
                                      const std::vector<ConstantBuffer>& constants = {});

}  // namespace strata::halide
