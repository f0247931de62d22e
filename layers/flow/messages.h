// The messages of a program whose loops run on ranks: which values travel, and when
// (docs/distributed.md).
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// Values of one definition that one rank has computed and another needs. A rank exchanges all its
// messages of one place together: it packs and sends, waits, and unpacks.
struct Message {
  std::string definition;  // P, which computes the values
  std::string partition;
  // The place: before node "position" of the body of the loop at path "loop", in each iteration of
  // this loop and those around it. If the path is empty: before a node of the kernel, once.
  Path loop;
  int position = 0;
  // { [t0, .., tp] -> P[y] : P[y] travels in this iteration }, one relation for each order of the
  // blocks (two_blocks). The program's parameters and the bounds of two blocks are parameters of
  // the relations: own_block of this rank and other_block of the other (layers/flow/ranks.h).
  std::vector<isl::map> outgoing, incoming;
};

// The messages that the mapping needs, in the order of their places. The block of the receiver is
// [l, h), that of the sender is [l', h'). In comparisons, x and y are the iterators of the node
// loops:
//
//     need   { P[y] -> w : C[x] reads P[y], l <= x < h, l' <= y < h', w the place before C[x] }
//     first  need - need . { w -> w' : w is before w' }
//
// So a value travels to a rank once, at the place before its first use there. The place before C[x]
// is in the body of the outermost loop, outside of C's node loop, at which every such pair is in
// order: P[y] runs in an earlier iteration, or in the same iteration and in a node before C's. If
// P[y] is outside of that loop, the innermost loop around both decides. E0210 if there is no such
// loop, E0402 if the program needs an exchange that is not supported, E0207 if contributions to one
// sum run on several ranks.
std::vector<Message> messages_of(const Program& program, const Mapping& complete,
                                 const Request& request);

// What is known about the blocks of two ranks, as two cases: facts_of holds for both blocks, and
// the own one is below the other, or above it.
std::vector<isl::set> two_blocks(const RankPartition& partition, isl::ctx ctx);

}  // namespace strata
