// Products of warps.
#pragma once

#include <vector>

#include "tests/gpu/emulator/thread.h"

namespace strata::emulator {

constexpr std::size_t threads_of_warp = 32;

// mma.sync of the threads of a warp, in their order. Fragments of matrices are those of the tables
// of the PTX ISA ("Matrix fragments for mma.m16n8k8", "mma.m16n8k16").
void multiply(const Instruction& product, std::vector<Thread>::iterator warp);

}  // namespace strata::emulator
