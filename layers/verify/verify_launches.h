// The rules of the loops of a launch on a GPU (layers/processor.h: block and thread).
//
//  R210 (E0106) around a branch stand at most three block and three thread loops, in this order:
//       sequential loops of the host, blocks, loops of the block that all its threads pass together
//       (sequential or unrolled), threads, loops of the thread. No loop inside a block is parallel
//       or steps over tiles of a parametric size, and there is a block loop if there is a thread
//       loop.
//  R211 (E0106) a block loop around a block loop holds nothing else, and so does a thread loop
//       around a thread loop: what stood between two of them would be run neither by one thread nor
//       by all.
//  R212 (E0106) the grid is a box: with pre the loops of the host, the iterations of a block loop,
//           { (pre, b_1, .., b_q) -> b_(q+1) }, are a function of pre alone.
//  R213 (E0106) a loop with a barrier (LoopHead::barrier) stands between blocks and threads: thread
//       loops are inside of it and not around it, so that all threads of a block pass it together.
//  R214 (E0106) an asynchronous branch (Branch::asynchronous) stands in a block and copies: its
//       values are those of one array, as they are, which is not in memory of the block, and its
//       own buffer is in shared memory.
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

void verify_launch_nesting(const Program& program, const Request& request);  // R210
void verify_launch_bodies(const Program& program, const Request& request);   // R211
void verify_grids(const Program& program, const Request& request);           // R212
void verify_barriers(const Program& program, const Request& request);        // R213
void verify_async_copies(const Program& program, const Request& request);    // R214

}  // namespace strata
