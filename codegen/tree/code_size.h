// Estimates how much code a back end will generate for a kernel, before it starts.
//
// n(e) counts the operations of an expression: its distinct nodes other than leaves. A value in
// "lanes" lanes takes r = max(1, ceil(lanes * bytes(T) / 64)) registers of 64 bytes and has the
// weight w = r + r^3 / 1000. An execution has
//
//   straight = sum over its values of (1 + n) * w, and n of its indices
//   scalars  = 1 if lanes is 1, else 0
//   vectors  = r if lanes is more than 1 and it loads from memory and stores to memory, the stack
//              apart; else 0
//
// and the condition of an If adds n * w to straight. All are summed over a piece of straight code:
// the code in a loop that stays a loop, or in the kernel, without the inner loops that stay loops,
// each of which counts 2. An unrolled loop of c iterations repeats its body c times, a vector loop
// in lockstep multiplies the lanes. The size of a kernel is
//
//   (sum over its pieces of straight + straight^2 / 4000 + scalars^2 + vectors^3 / 220)
//       * (1 + pieces / 100)
//
// of its "body" alone: "fallback" has fewer statements, and its loops stay loops (loop_tree.h).
//
// Code of launches has no squares: no back end of a GPU turns scalars into vectors.
//
// The squares, the factor for pieces and the cubes model the measured time of Halide and LLVM for
// pairs of statements, many loops, vectors of many registers, and many vectors stored in one piece
// (docs/benchmarks.md).
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// A loop whose iterations become copies of its body, or lanes.
struct CopyingLoop {
  std::string name;
  Processor processor;
  std::int64_t copies;
};

struct CodeSize {
  double units = 0;
  // The largest statement: what it computes, and the loops around it that repeat it, outermost
  // first.
  std::string computation;
  std::vector<CopyingLoop> loops;
};

CodeSize code_size(const Kernel& kernel);

}  // namespace strata
