// The schedule oracle: is this program's schedule and storage right at these parameters?
//
// It executes Theta, A and L over a shadow memory.  Every place holds the name of the value last
// written to it, for a reduction with the contributions so far; every read checks that it finds
// the value that the read relation wants.  All operands of an execution are read before it writes.
// Vector loops run in the orders they permit (lane_order.h); parallel loops run in one order, and
// two executions that may run at the same time must not touch one place if one of them writes,
// but for contributions to one result of a reduction that the layout calls atomic, and steps of an
// update that it calls so.  Such steps come in any order: a place holds the value that they began
// with and the set of them so far, and a reader wants the set that the algorithm has before it.
// A buffer that a loop allocates is another one in each iteration of that loop and of those around
// it: a place is { (t0, .., tp, b[e]) }, and what one iteration puts there no other one finds.
// An instance may run several times: a read asks for its value in the place where it looks.
// Without a layout entry a value is in nobody's way: a read then asks only that it is made before.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "layers/program.h"
#include "tests/judge/points.h"

namespace strata::judge {

enum class Fault {
  unknown_instance,   // a branch runs what is no instance
  same_time,          // two executions at one time
  not_scheduled,      // an instance of an output never runs
  value_missing,      // a read finds a place where the value was never put before
  value_overwritten,  // a read finds something else where the value was
  contribution_lost,  // a contribution finds something else where its result began
  race,               // concurrent executions touch one place, and one writes
  out_of_bounds,      // a value is put outside of the input, or of the buffer's extents
  out_of_scope,       // outside of the loops that allocate the buffer it touches
  lanes_collide,      // two lanes of one vector instruction write one place
  output_lost,        // an output does not hold in the end the value made last in Theta0
};
std::string to_string(Fault fault);

struct Violation {
  Fault fault;
  std::vector<std::string> executions;  // "S[2, 0] at [0, 2, 0, 0, 0]"
  std::string value, place;             // empty where none is involved
};
std::string to_string(const Violation& violation);

struct OracleOptions {
  bool storage = true;            // false: order alone, as if nothing were in the layout
  std::set<std::string> outputs;  // arrays that are outputs, besides those in output buffers
  int mixed_orders = 4;           // how many mixed orders of lanes to try
};

// The first violations found (at most fifty); empty if the program is legal at these parameters.
std::vector<Violation> judge_schedule(const Program& program, const Parameters& parameters,
                                      const OracleOptions& options = {});

}  // namespace strata::judge
