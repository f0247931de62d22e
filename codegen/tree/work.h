// How long a loop takes on one thread: an estimate, from the finished tree and the machine.
//
// The time of a statement in a loop is counted for all its copies and lanes in one iteration of the
// innermost loop around it that is one in the code. A vector of L values of type T takes V = ceil(L
// / lanes(T)) registers. The statement takes the largest of these, of all copies together:
//
//   operations   V / fma_units cycles each, a multiplication and an addition are one; 8 V for
//                sqrt, and for / and % by what is not a constant, integers lane by lane; 30 V for a
//                C function
//   loads        V / loads each; 1 for each lane if the index depends on data; nothing if the loop
//                does not change the index, since the value stays in a register
//   stores       V each, or nothing likewise; 20 for each lane of an atomic step
//   a sum        fma_latency, if each iteration adds to the same place
//
// An iteration takes at least a cycle, a condition one, an allocation on the heap 100. Caches and
// statements that overlap are left out: the estimate tells microseconds from milliseconds. An
// extern function, and a loop whose bounds depend on data, take unknown time: infinity.
#pragma once

#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/machine/machine.h"

namespace strata {

struct RepeatedWork;
struct ConditionalWork;

// cycles + the sum over the loops of their iterations * the work of one + that of conditions.
// Bounds and conditions may depend on the iterators of loops around them: these are taken in the
// middle of their ranges.
struct Work {
  double cycles = 0;
  std::vector<RepeatedWork> loops;
  std::vector<ConditionalWork> conditions;

  bool is_constant() const { return loops.empty() && conditions.empty(); }
};

struct RepeatedWork {
  const For* loop;
  Work inside;
};

struct ConditionalWork {
  Expr condition;
  Work then, otherwise;
};

// All iterations of a loop, as seen at its entry: its bounds and those inside depend on parameters,
// on the iterators of loops around it and of loops inside. Unknown if it has more than 64 loops and
// conditions.
Work work_of(const For& loop, const Machine& machine);

bool is_unknown(const Work& work);

}  // namespace strata
