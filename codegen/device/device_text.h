// The text of a device's kernels: OpenCL C, or PTX.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::device {

// A kernel in the text: its name there, the name that it gets, the threads of a block, and how many
// blocks are wanted on a multiprocessor (0: no wish).
struct DeviceKernel {
  std::string name, renamed;
  std::array<int, 3> threads;
  std::int64_t min_blocks = 0;
};

// The text with the kernel's new name. In PTX the kernel also says how many threads a block has
// (".maxntid"): else the driver compiles it for 64 registers a thread, as Halide's runtime asks;
// and how many blocks are wanted on a multiprocessor (".minnctapersm").
std::string with_kernel(const std::string& text, const DeviceKernel& kernel);

// PTX for GPUs of this compute capability, and of later ones, if Halide does not know it: it is
// later than 8.6.
std::string with_capability(const std::string& text, int capability);

// OpenCL C with its variables _17, _18, .. numbered from 0 in their order, whatever was compiled
// before in this process.
std::string with_canonical_numbers(const std::string& text);

// The text with the loops of atomic steps (arithmetic/atomic_steps.h) as they must be: each looks
// at its place once. Halide's look twice, and would combine with one value and compare with
// another. E0502 if a loop has another form than expected.
std::string with_single_looks(const std::string& text, const std::string& kernel);

// An argument of launches, by its name in OpenCL C, that none of them writes.
struct ConstantBuffer {
  std::string symbol;
  std::int64_t bytes;
};

// OpenCL C in which these arguments are __constant, the smallest first, where the device has room
// for them.
std::string with_constant_buffers(const std::string& text, std::vector<ConstantBuffer> buffers);

// OpenCL C in which no products and sums are joined.
std::string with_nothing_joined(const std::string& text);

}  // namespace strata::device
