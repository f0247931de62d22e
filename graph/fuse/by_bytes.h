// Which operators become one kernel: those of FuseOps, joined where that saves memory traffic.
#pragma once

#include "graph/fuse/block_graph.h"
#include "graph/fuse/partition.h"

namespace strata::graph {

// The partition of a block, by the rules of FuseOps (partition.h). With options.by_bytes, groups
// are then joined, those first whose results have the most bytes.
//
// Let r be the last result of a joined group, and s the result of one of its parts: a *stage*. d is
// the greatest number with
//
//     { r[o] -> s[a] : r(o) needs s(a) }  within  { r[o] -> s[a] : o(e) = a(e), e < d }
//
// along all ways from s to r (kept_dims.h). So the kernel can compute s in its first d loops over
// r, each element once, and a part of s need never leave the caches. A group P, all groups on the
// ways from P to where its uses meet, and the group there are joined if for each stage
//
//     d > 0,
//     a part that reduces has at most one more dimension than these loops, and so has r: a row,
//     one iteration of the d loops needs at most half of the second cache of it,
//     and the loops that all stages share have an iteration for every core, four times over.
//
// So nothing is computed twice. Symbols of extents count 1000. A joined group has at most
// options.max_depth nodes, and options.max_stages operators that reduce.
ExplainedPartition explained_partition(const BlockGraph& block, const PartitionOptions& options);

}  // namespace strata::graph
