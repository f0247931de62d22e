// The executions of a schedule, point by point: { (S[i], t) : t in Theta_S(i) }. The iterator of a
// loop over tiles of a parametric size is floor(t / size), for the parameter's value.
#pragma once

#include <set>

#include "layers/program.h"
#include "reference/points.h"

namespace strata::reference {

// The index of a definition in the algorithm. Throws std::runtime_error if there is none.
std::size_t definition_number(const Algorithm& algorithm, const std::string& definition);

// A branch of the forest with the loops around it, outermost first.
struct Leaf {
  const Branch* branch;
  std::vector<int> path;  // b0 .. bd
  std::vector<const Loop*> around;
};
// All branches in static order; the pointers point into "mapping".
std::vector<Leaf> leaves(const Mapping& mapping);

// One execution.
struct Scheduled {
  std::size_t definition = 0;  // its index in the algorithm
  Point instance;
  std::vector<int> path;  // b0 .. bd
  Point iterators;        // t0 .. t(d-1)
  std::vector<const Loop*> around;

  Point time() const;  // [b0, t0, b1, .., bd]
};

// The buffers allocated by loops of the mapping (Loop::allocations).
std::set<std::string> allocated_buffers(const Mapping& mapping);
// The number of loops around the execution down to and including the one that allocates the buffer;
// 0 if none does.
std::size_t allocation_depth(const Scheduled& execution, const std::string& buffer);

// Throws std::runtime_error if a branch names an unknown definition, or if its time does not have
// one dimension per loop around it.
std::vector<Scheduled> executions(const Mapping& mapping, const Algorithm& algorithm,
                                  const Parameters& parameters);

// "S[2, 0]"; "S[2, 0] at [0, 2, 0, 0, 0]"
std::string name_of(const Algorithm& algorithm, const Scheduled& execution);
std::string to_string(const Algorithm& algorithm, const Scheduled& execution);

// The executions of the reference order, in that order. Throws if two have the same time.
std::vector<Scheduled> reference_executions(const Algorithm& algorithm,
                                            const Parameters& parameters);

}  // namespace strata::reference
