// The buffers of a kernel: its arguments, and the temporaries that no loop allocates.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/loops/own_buffers.h"
#include "codegen/memory/boxes.h"
#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/flow/communication.h"
#include "layers/program.h"

namespace strata {

// The arguments of these names, in this order, with the boxes that are touched. If the author gave
// extents for a buffer, its box has them.
std::vector<ArgumentBuffer> argument_buffers(const Layout& layout,
                                             const std::vector<std::string>& names,
                                             const std::map<std::string, Box>& touched);

// The temporary buffers that a call of the kernel allocates once, with the boxes that are touched.
// E0308 (codegen/tree/allocate.h).
std::vector<OwnBuffer> kernel_buffers(const Layout& layout, const std::vector<Lifetime>& lifetimes,
                                      const std::map<std::string, Box>& touched,
                                      const Request& request);

}  // namespace strata
