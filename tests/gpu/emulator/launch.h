// A launch of a kernel, block after block.
#pragma once

#include <array>
#include <random>

#include "tests/gpu/emulator/thread.h"

namespace strata::emulator {

// Runs all blocks, in a drawn order. The threads of a block run one after the other, in a drawn
// order, each up to a barrier, a product or an exchange: all threads of the block, or of the warp,
// must come to the same one. Asynchronous copies arrive where their thread waits for them. In the
// beginning shared memory holds anything.
//
// Fault, with the instruction: an access outside of all memory or not aligned, a barrier that some
// threads miss, a division by zero, a thread that does not end.
void run(const Kernel& kernel, const std::array<unsigned, 3>& grid, std::size_t shared_bytes,
         const std::vector<std::uint8_t>& parameters, const DeviceMemory& memory,
         std::mt19937_64& random);

}  // namespace strata::emulator
