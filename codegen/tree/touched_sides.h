// Which code touches a buffer: launches, or the host.
#pragma once

#include <set>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata {

struct TouchedSides {
  std::set<std::string> host, device;  // names of buffers
};

// The buffers that are read, written or prefetched inside launches, and outside of them, before or
// after block loops become launches (codegen/passes/launches.h).
TouchedSides touched_sides(const StmtPtr& s);

// Are all arrays that the kernel touches copies on the device?  Those are dense.
bool is_dense_on_device(const Kernel& kernel);

}  // namespace strata
