// The threads of a block in the loop tree.
//
// An Allocate of local memory (Memory::local) that stands in a launch outside of thread loops gives
// each thread a buffer of its own. Its origin may depend on the thread: it may name the variables
// here, the indices of the thread in its block, from 0, which are bound inside the outermost block
// loop. A buffer in shared memory belongs to the block.
#pragma once

#include <cstddef>
#include <string>

namespace strata {

inline constexpr std::size_t thread_axes = 3;

// "thread.x", "thread.y", "thread.z". No loop or parameter has such a name.
inline std::string thread_variable(std::size_t axis) {
  return std::string("thread.") + "xyz"[axis];
}

}  // namespace strata
