// Who runs the iterations of a loop, and what follows from that.
#pragma once

#include <optional>
#include <string>

namespace strata {

enum class Processor { sequential, parallel, vector, unrolled };

// How the iterations of a loop run, one against another.
enum class Iterations {
  in_order,  // each is done before the next begins
  at_once,   // threads: any of them may run at the same time, in any order
  lockstep   // lanes: each instruction of the body is done for all of them
};

// A row of the table of processors (processor.cpp): whatever the compiler asks about one.
struct ProcessorTraits {
  Processor processor;
  std::string name;  // in texts
  Iterations iterations;
  // Code is made for each iteration by itself: their number must have a constant bound, a loop
  // over tiles of a parametric size cannot be one, and of a loop that is cut into strips the loop
  // inside a strip has the tag.
  bool constant_extent;
  // There is a loop in the code, with a beginning, an end and iterations that come later.
  bool stays_loop;
};

const ProcessorTraits& traits(Processor processor);

inline bool in_order(Processor p) { return traits(p).iterations == Iterations::in_order; }
inline bool has_threads(Processor p) { return traits(p).iterations == Iterations::at_once; }
inline bool has_lanes(Processor p) { return traits(p).iterations == Iterations::lockstep; }
// Is there code for each iteration by itself, one after the other: an unrolled loop?
inline bool is_copied(Processor p) { return in_order(p) && !traits(p).stays_loop; }

std::string to_string(Processor processor);
std::optional<Processor> processor_named(const std::string& name);

}  // namespace strata
