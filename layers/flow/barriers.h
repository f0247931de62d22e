// The barriers of a launch: where all threads of a block wait for each other.
//
// A *uniform body* is the body of the innermost block loop, or of a sequential or unrolled loop
// between blocks and threads. Its nodes are *phases* 0 .. n-1. *Gap* p follows phase p; gap n-1
// ends the iteration of the loop around. Let touches = { t -> b[e] } be what a branch reads and
// writes in memories that the threads of a block share. Two executions are in conflict if
//
//     t' and t are in one block, touch one place, one of them writes, tid(t') != tid(t),
//     and t' B t holds by the uniform body: by its phases, or by the iterations of its loop
//
// where B is the order of layers/flow/order.h: a value is made and then read, read and then
// overwritten, or written twice. A conflict between phases a and b must meet a barrier in one of
// the gaps
//
//     a .. b-1                  in one iteration
//     a .. n-1 and 0 .. b-1     from an iteration to the next one
//     any                       with an iteration between
//
// unless a loop inside a phase surely has a barrier on the way. Barriers are placed in the inner
// bodies first, and in each body in the fewest gaps (layers/flow/stabbing.h). So no barrier can be
// left out. If the author gave a barrier (LoopHead::barrier), the others are as few as possible
// with it.
//
// An asynchronous copy (Branch::asynchronous) is done when its thread has waited for it. If t' of a
// conflict is such a copy, its thread waits before one of the barriers in between. As few of these
// barriers as possible get a wait. Executions of one thread need no barrier. They need a wait if
//
//     t' is asynchronous, t' and t touch one place, one of them writes, and t' B t
//
// The search for the gaps of these waits is the same, with the waits before barriers given. A gap
// may be in any body inside block loops, also in the body of a thread loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layers/mapping.h"

namespace strata {

// What holds at a barrier. All threads of the block see what was written before it to "shared" and
// to "global" memory. With "copies", each thread waits for its asynchronous copies first. A fence
// with "copies" alone is a wait without a barrier.
struct Fenced {
  bool shared = false, global = false, copies = false;
  bool operator==(const Fenced&) const = default;
};

// What one branch reads, or writes, of a buffer.
struct Touching {
  std::string buffer;
  isl::map places;  // { [t0, .., t(d-1)] -> [places] }; equal places are the same bytes
  Fenced memory;    // where the buffer is
  bool writes = false;
  bool atomic = false;  // the read or write of an atomic step; two of these do not conflict
};

// A branch inside of block loops.
struct BlockBranch {
  Placed placed;
  isl::set times;  // { [t0, .., t(d-1)] : the branch runs at this time }
  // tid = { [t0, .., t(d-1)] -> [z, y, x] }, the thread of the block that runs the branch at this
  // time. If it is unknown, any two executions count as those of different threads.
  std::optional<isl::map> thread;
  std::vector<Touching> touchings;
  bool asynchronous = false;
};

struct Gap {
  Path body;  // the path of the loop whose body has the gap
  int after;  // the node before the gap
  Fenced fence;
};

// The gaps that need a barrier or a wait. "branches" are all branches of some launches.
std::vector<Gap> barriers(const std::vector<BlockBranch>& branches);

}  // namespace strata
