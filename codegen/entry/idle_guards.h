// The conditions in a launch that code may leave out.
//
//     thread i1: unrolled i2: if (N > 8 i1 + i2) { s[8 i1 + i2] = s[8 i1 + i2] + p[8 i1 + i2] * q }
//
// Where the domain's boundary cuts a tile of results, the iterations beyond it are idle. They cost
// less than the conditions do. So they may run, if nothing else can tell that they did:
//
//  - the statement stores to the thread's own memory, at places p, and the condition is a demand
//    D(p) on the place alone;
//  - every statement accesses this memory only at places p with D(p), so no other execution touches
//    a place at which an idle iteration stores;
//  - the statement loads only from memory that the launch allocates, within its bounds;
//  - the operations of the statement have a value for all operands.
#pragma once

#include <set>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The conditions that exclude nothing but idle iterations.
std::set<const If*> idle_guards(const Launch& launch);

}  // namespace strata
