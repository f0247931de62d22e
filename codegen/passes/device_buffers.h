// Temporary buffers of launches.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

// Puts each temporary buffer outside of launches that some launch touches in global memory, or in
// the heap if code of the host touches it as well: then it also has memory on the device, and
// DeviceCopy moves it. What an author put on the stack stays there, for the back end to refuse.
Kernel with_device_buffers(const Kernel& kernel);

}  // namespace strata
