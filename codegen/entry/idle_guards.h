// Which conditions in a launch may be left out?
//
//     thread i1: unrolled i2: if (N > 8 i1 + i2) { s[8 i1 + i2] = s[8 i1 + i2] + p[8 i1 + i2] * q }
//
// Where a tile of results is cut by the domain's boundary, its iterations beyond are idle. They may
// run all the same, for what they cost less than the conditions do, if nobody can tell:
//
//  - the statement stores to the thread's own memory, at places p of which the condition is a
//    demand D(p) that nothing else decides;
//  - every access to this memory, by whatever statement, is at a p with D(p): so what an idle
//    iteration stores is at a place that no other execution touches;
//  - what it loads is in memory that the launch allocates, all in bounds;
//  - its operations have a value whatever their operands are.
#pragma once

#include <set>

#include "codegen/tree/loop_tree.h"

namespace strata {

// The conditions under which nothing but idle iterations is left out.
std::set<const If*> idle_guards(const Launch& launch);

}  // namespace strata
