// Kernels as machine code in this process.
#pragma once

#include "tests/fuzz/differential.h"

namespace strata::fuzz {

// Compiles a share of the kernels by the C back end, and the others by Halide's. Each run of a
// kernel uses memory of every shape in turn (guarded.h) and must not change anything but its
// outputs. Empty for a kernel with launches on a GPU: device_code runs those, where there is a
// device.
Compiler machine_code(int percent_by_c);
// Compiles a kernel with launches by Halide, for the device at hand (tests/gpu/halide_devices.h);
// empty for others.
KernelRunner device_code(const Kernel& kernel, const Program& finished, Masks masks);
// Runs nothing: writes each kernel with launches as an object for CUDA, FOLDER/N.o, and its program
// beside it, FOLDER/N.strata.
Compiler ptx_objects(const std::string& folder);

}  // namespace strata::fuzz
