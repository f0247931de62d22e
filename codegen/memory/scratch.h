// Buffers that every iteration of a loop has for itself (Loop::allocations).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "codegen/loops/ast.h"
#include "codegen/nests/nest.h"
#include "codegen/nests/time_space.h"
#include "core/error.h"
#include "layers/flow/communication.h"
#include "layers/program.h"

namespace strata {

// "lifetimes" has the buffers that the loop of "nest" allocates. For each of them that this copy of
// the loop mentions, the box hull of
//     { [t0, .., tp] -> b[..] : an execution with these times touches it },
// tp being the iterator of the loop. An extent is a constant if one holds for all iterations: then
// only the origin depends on the iteration. The box of all copies of the loop, full tiles and
// others, is used if its extents are constant: then lanes that are switched off have room, and
// unrolled accesses have constant places.
//
// In a launch a buffer is local or shared (block_memory.h). In local memory the box is that of one
// thread of the block, and its origin depends on the thread:
//     { [t0, .., tp], thread -> b[..] : an execution of the thread touches it },
// without gaps at regular distances (packing.h).
//
// Boxes of all copies are found once: "found" has them.
struct FoundBoxes {
  std::map<const Loop*, std::vector<OwnBox>> in_launches;
  // Outside of launches, by the loop and the branches that its copy has.
  std::map<std::pair<const Loop*, std::vector<int>>, std::vector<OwnBox>> outside;
};
std::vector<OwnBox> own_boxes(const Nest& nest, const std::vector<Lifetime>& lifetimes,
                              const TimeSpace& space, const Program& program,
                              const Request& request, FoundBoxes& found);

// The same lifetimes, where kernels on ranks take their memory, before the first message: the
// kernel itself, not each iteration of a loop, has what would be in the heap, if the iterations run
// one after the other; the box is then that of all iterations.
std::vector<Lifetime> with_heap_at_entry(std::vector<Lifetime> lifetimes, const Mapping& mapping,
                                         const std::vector<Nest>& nests, const TimeSpace& space,
                                         const Program& program, const Request& request);

// The lifetimes of the buffers that the loop allocates.
std::vector<Lifetime> lifetimes_in(const Loop& loop, const Mapping& mapping,
                                   const std::vector<Lifetime>& lifetimes);

}  // namespace strata
