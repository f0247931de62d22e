// The messages of a program whose loops run on ranks: which values travel, and when
// (docs/distributed.md).
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Values of one definition that a rank needs and another rank has made.  All messages to and from a
// rank at one place are exchanged together: packed and sent, waited for, unpacked.
struct Message {
  std::string definition;  // P, of the values
  std::string partition;
  // The place: in each iteration of the loops down to the one at path "loop" (empty: in the
  // kernel), before node "position" of its body.
  Path loop;
  int position = 0;
  // { [t0, .., tp] -> P[y] : P[y] travels in this iteration }, one relation for each order of the
  // blocks (two_blocks).  Parameters beside those of the program: the blocks own_block and
  // other_block (layers/flow/ranks.h) of this rank and of the other.
  std::vector<isl::map> outgoing, incoming;
};

// The messages that the mapping needs, in the order of their places.  With the blocks [l, h) of the
// receiver and [l', h') of the sender, and x, y the values at node levels:
//
//     need   { P[y] -> w : C[x] reads P[y], l <= x < h, l' <= y < h', w the place before C[x] }
//     first  need - need . { w -> w' : w is before w' }
//
// so a value travels once to a rank, to the place before its first use there.  The place before
// C[x] is at the outermost loop, outside of C's node loop, at which every such pair is in order:
// P[y] in an earlier iteration, or in the same one and in a node before C's; P[y] outside of that
// loop, at the loop around both that has them in different nodes. E0210 if there is no such loop,
// E0402 for what is not supported, E0207 for a sum whose contributions run on several
// ranks.
std::vector<Message> messages_of(const Program& program, const Mapping& complete,
                                 const Request& request);

// What is known of the blocks of two ranks: facts_of both, and own is below other; or above it.
std::vector<isl::set> two_blocks(const RankPartition& partition, isl::ctx ctx);

}  // namespace strata
