// The barriers of a launch: where all threads of a block wait for each other.
//
// A *uniform body* is the body of the innermost block loop, or of a sequential or unrolled loop
// between blocks and threads.  Its nodes are *phases* 0 .. n-1; *gap* p follows phase p, and gap
// n-1 ends the iteration of the loop around.  With touches = { t -> b[e] } over what a branch reads
// and writes in memories that the threads of a block share, two executions are in conflict if
//
//     t' and t are in one block, touch one place, one of them writes, tid(t') != tid(t),
//     and t' B t holds by the uniform body: by its phases, or by the iterations of its loop
//
// (a value is made and read, read and overwritten, or written twice).  A conflict between phases a
// and b must meet a barrier in one of the gaps
//
//     a .. b-1                  in one iteration
//     a .. n-1 and 0 .. b-1     from an iteration to the next one
//     any                       with an iteration between
//
// unless a loop inside a phase surely has a barrier on the way.  Bodies are done from the inside
// out, each with the fewest gaps (layers/flow/stabbing.h).  So no barrier can be left out.  Where
// an author has one (LoopHead::barrier), the others are as few as there can be with it.
//
// An asynchronous copy (Branch::asynchronous) is done when its thread has waited for it.  Where t'
// in a conflict is one, its thread waits before one of the barriers in between; among those, the
// fewest.  Executions of one thread need no barrier, but a wait:
//
//     t' is asynchronous, t' and t touch one place, one of them writes, and t' B t
//
// The gaps for these are found in the same way, in all bodies inside of blocks, those of threads
// among them, given the waits before barriers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layers/mapping.h"

namespace strata {

// Memories whose contents all threads of a block have to find after a barrier, and whether they
// wait for their asynchronous copies before it.  Without a memory there is the wait alone.
struct Fenced {
  bool shared = false, global = false, copies = false;
  bool operator==(const Fenced&) const = default;
};

// What one branch reads, or writes, of a buffer.
struct Touching {
  std::string buffer;
  isl::map places;  // { [t0, .., t(d-1)] -> [places] }, equal where bytes are
  Fenced memory;    // the one that the buffer is in
  bool writes = false;
  bool atomic = false;  // the read or the write of a step: two in one buffer are in no conflict
};

// A branch inside of blocks.
struct BlockBranch {
  Placed placed;
  isl::set times;  // { [t0, .., t(d-1)] : it runs then }
  // tid = { [t0, .., t(d-1)] -> [z, y, x] }, the thread of the block that runs then; if it is not
  // known, any two threads may differ.
  std::optional<isl::map> thread;
  std::vector<Touching> touchings;
  bool asynchronous = false;
};

struct Gap {
  Path body;  // of the loop whose body it is in
  int after;  // the node before it
  Fenced fence;
};

// The gaps with a barrier or a wait, all that "branches" of some launches need.
std::vector<Gap> barriers(const std::vector<BlockBranch>& branches);

}  // namespace strata
