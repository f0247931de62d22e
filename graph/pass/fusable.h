// The blocks that FuseOps looks at, and its options.
#pragma once

#include <functional>

#include "graph/fuse/partition.h"
#include "graph/ir/module.h"
#include "graph/pass/context.h"
#include "graph/pass/groups.h"

namespace strata::graph {

// Is the function primitive, or for another compiler?
bool is_closed(const GraphFunction& function);

// Calls f(function, block) for the dataflow blocks whose operators may be fused: those of functions
// that are not closed.
void for_each_open_block(const Module& module,
                         const std::function<void(const GraphFunction&, const Block&)>& f);

PartitionOptions partition_options(const PassContext& context, const Fusion& fusion);

}  // namespace strata::graph
