// Buffers that a block of a GPU has for itself: in which memory they are, and who touches them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/nests/nest.h"
#include "core/error.h"
#include "layers/layout.h"

namespace strata {

// Where a loop stands that allocates buffers.
struct Allocator {
  bool in_block = false;    // it is a block loop, or inside of one
  bool in_threads = false;  // it is a thread loop, or inside of one
  bool has_blocks = false;  // block loops stand inside of it
};
// "around" are the loops from the outermost one to the allocating one, "inside" those in it.
Allocator allocator(const std::vector<const Loop*>& around, const std::vector<const Loop*>& inside);

// { B[t] in times : thread.<axis> = the index of the thread that runs t }, the indices being
// parameters (codegen/tree/thread_variable.h): t_l - lower_l, lower_l the first of the steps that
// the code makes of the thread loop at level l (codegen/loops/whole_range.h), and 0 on the axes
// that no loop around has. "threads" has the thread loops inside of the allocating one, outermost
// first. The thread loops at the levels 0 .. depth of "loops", the allocating one among them, have
// one iteration for what it allocates: their axes are free.
isl::set with_thread_indices(const isl::set& times, const std::vector<const Nest*>& threads,
                             const std::vector<const Loop*>& loops, int depth,
                             const Request& request);

// Does one thread touch each place?  "places" = { b[e] : thread .. touches it }:
//     { b[e] -> (x, y, z) }  is single-valued.
bool has_one_owner(const isl::set& places);

// The memory of a buffer that a loop of a launch allocates: the author's, or local if one thread
// touches each place and shared if not; "has_one_owner" tells where that matters. E0308 if the
// buffer cannot be in that memory there, E0309 if it is to be local and several threads touch one
// place.
Memory memory_in_block(const LayoutBuffer& buffer, const Allocator& where,
                       const std::function<bool()>& has_one_owner, const std::string& loop,
                       const Request& request);

}  // namespace strata
