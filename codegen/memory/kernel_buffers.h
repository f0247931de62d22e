// The buffers of a kernel: its arguments, and the temporary ones that live as long as it runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/memory/boxes.h"
#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/program.h"

namespace strata {

// The arguments of these names, in this order, with the boxes that are touched.  A buffer whose
// extents the author gave has these extents.
std::vector<ArgumentBuffer> argument_buffers(const Layout& layout,
                                             const std::vector<std::string>& names,
                                             const std::map<std::string, Box>& touched);

// "body" in the allocations of the buffers that are touched, are no arguments and belong to no loop.
// E0308 (codegen/tree/allocate.h).
StmtPtr in_kernel_buffers(const Program& program, const std::vector<std::string>& arguments,
                          const std::map<std::string, Box>& touched, StmtPtr body,
                          const Request& request);

}  // namespace strata
