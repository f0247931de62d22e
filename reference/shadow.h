// The schedule oracle: are this program's schedule and storage correct at these parameters?
//
// It executes the schedule Theta over a shadow memory, with the places given by the layout. Every
// place holds the name of the value last written to it, for a reduction with the contributions so
// far; every read checks that it finds the value given by the read relation. All operands of an
// execution are read before it writes.
//
// Vector loops run in the orders they permit (lane_order.h). Parallel loops run in one order, and
// two executions that may run at the same time must not touch one place if one of them writes,
// except atomic contributions to one result of a reduction and atomic steps of one update. Such
// steps come in any order: a place holds the value that they started from and the set of steps so
// far, and a reader requires the set that precedes it in the algorithm.
//
// A buffer allocated by a loop is a different one in each iteration of that loop and of the loops
// around it: a place is { (t0, .., tp, b[e]) }, and what one iteration stores there is invisible to
// the others. In local memory, one thread of a block touches each place; executions in no thread
// loop, which may still get one, do not count. An instance may run several times: a read must find
// its value in the place where it looks. A value without a layout entry conflicts with no other: a
// read then only checks that it is made before.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "layers/program.h"
#include "reference/points.h"

namespace strata::reference {

enum class Fault {
  unknown_instance,   // a branch runs an instance outside the domain
  same_time,          // two executions have the same time
  not_scheduled,      // an instance of an output never runs
  value_missing,      // a read finds a place to which the value was never written
  value_overwritten,  // a read finds another value where its value was
  contribution_lost,  // a contribution finds another value in place of its result
  race,               // concurrent executions touch one place, and one of them writes
  out_of_bounds,      // a value is stored outside the input, or outside the buffer's extents
  out_of_scope,       // outside the loops that allocate the buffer it touches
  lanes_collide,      // two lanes of one vector instruction write one place
  output_lost,        // an output does not end with the value made last in Theta0
  several_threads,    // two threads of a block touch one place of local memory
  constant_written,   // a value is stored in constant memory
};
std::string to_string(Fault fault);

struct Violation {
  Fault fault;
  std::vector<std::string> executions;  // "S[2, 0] at [0, 2, 0, 0, 0]"
  std::string value, place;             // empty if none is involved
};
std::string to_string(const Violation& violation);

struct OracleOptions {
  bool storage = true;            // false: check the order only, as if the layout were empty
  std::set<std::string> outputs;  // arrays that are outputs, besides those in output buffers
  int mixed_orders = 4;           // how many mixed orders of lanes are tried
  // Where the lower bound of a thread loop is in doubt (threads.h): are two threads found only if
  // they surely differ?
  bool surely_threads = true;
};

// The first violations found (at most fifty); empty if the program is legal at these parameters.
std::vector<Violation> judge_schedule(const Program& program, const Parameters& parameters,
                                      const OracleOptions& options = {});

}  // namespace strata::reference
