// The messages of a program whose loops run on ranks: which values travel, and when
// (docs/distributed.md).
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Values that travel between two ranks, { [t0, .., tp] -> P[y] : P[y] travels in this iteration },
// in one order of their blocks. The program's parameters and the bounds of two blocks are
// parameters of the relation: own_block of this rank and other_block of the other
// (layers/flow/ranks.h).
struct PairValues {
  bool below;  // the own block is below the other one
  isl::map values;
};

// The values of one definition in a message. A result of a reduction travels once, when it is
// complete: its instance is that of its initial value.
struct MessageValues {
  std::string definition;  // P, which computes the values, or P_init
  // Disjoint relations of one disjunct each, unless "at_most". They are sent and received in this
  // order: outgoing[n] of one rank is incoming[n] of the other.
  std::vector<PairValues> outgoing, incoming;
  bool at_most = false;  // some of them may not be read, or are sent twice
};

// What a rank exchanges with each other rank at one place: it packs and sends all its values
// together, waits, and unpacks.
struct Message {
  std::string partition;
  // The place: before node "position" of the body of the loop at path "loop", in each iteration of
  // this loop and those around it. If the path is empty: before a node of the kernel, once.
  Path loop;
  int position = 0;
  std::vector<MessageValues> values;  // in the order of the definitions
};

// The messages that the mapping needs, in the order of their places. The block of the receiver is
// [l, h), that of the sender is [l', h'). In comparisons, x and y are the iterators of the node
// loops:
//
//     need   { P[y] -> w : C[x] reads P[y], l <= x < h, l' <= y < h', w the place before C[x] }
//     first  need - need . { w -> w' : w is before w' }
//
// So a value travels to a rank once, at the place before its first use there. For a reduction P[y]
// is the result, and all contributions to it are in order with its readers. The place before C[x]
// is in the body of the outermost loop, outside of C's node loop, at which every such pair is in
// order: P[y] runs in an earlier iteration, or in the same iteration and in a node before C's. If
// P[y] is outside of that loop, the innermost loop around both decides. E0210 if there is no such
// loop, E0402 if the program needs an exchange that is not supported, E0207 if contributions to one
// sum run on several ranks.
std::vector<Message> messages_of(const Program& program, const Mapping& complete,
                                 const Request& request);

// What is known about the blocks of two ranks: facts_of holds for both, and the own one is below
// the other, or above it.
isl::set two_blocks(const RankPartition& partition, bool below, isl::ctx ctx);

}  // namespace strata
