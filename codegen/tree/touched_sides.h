// Which code touches a buffer: launches, or the host.
#pragma once

#include <set>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata {

struct TouchedSides {
  std::set<std::string> host, device;  // names of buffers
};

// The buffers that are read, written or prefetched inside launches, and outside of them.
TouchedSides touched_sides(const StmtPtr& s);

}  // namespace strata
