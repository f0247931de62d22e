// Temporary buffers of launches.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// For each temporary buffer that is allocated outside of launches, and that a launch touches: puts
// it in global memory, or in the heap if the host touches it too. In the heap it also has memory on
// the device, and DeviceCopy moves its values. What an author put on the stack stays there, and the
// back end refuses it.
Kernel with_device_buffers(const Kernel& kernel);

}  // namespace strata
