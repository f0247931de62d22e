// Processors: what runs the iterations of a loop, and the properties that follow.
#pragma once

#include <optional>
#include <string>

namespace strata {

// "block" and "thread" are of a GPU: a launch runs a grid of blocks, each of which runs its
// threads. "node" is a rank of a cluster: the iterations that one rank runs are in order.
enum class Processor { sequential, parallel, vector, unrolled, block, thread, node };

// How the iterations of a loop run relative to each other.
enum class Iterations {
  in_order,  // each finishes before the next starts
  at_once,   // any of them may run at the same time, in any order
  lockstep   // lanes: each instruction of the body runs for all of them
};

// A row of the table of processors (processor.cpp): all properties that the compiler depends on.
struct ProcessorTraits {
  Processor processor;
  std::string name;  // in program texts
  Iterations iterations;
  // Each iteration gets a lane or a copy of the body: the number of iterations must have a constant
  // bound, the loop cannot run over tiles of a parametric size, and when it is strip-mined, the
  // loop inside a strip gets the tag, not the loop over the strips.
  bool constant_extent;
  // The generated code has a loop.
  bool stays_loop;
  // A loop of a launch: its iterations run on a GPU.
  bool of_launch;
  // Its iterations run on ranks, each of which has a memory of its own.
  bool of_ranks;
};

const ProcessorTraits& traits(Processor processor);

inline bool in_order(Processor p) { return traits(p).iterations == Iterations::in_order; }
// On different threads, of the CPU or of a GPU.
inline bool is_concurrent(Processor p) { return traits(p).iterations == Iterations::at_once; }
inline bool is_of_launch(Processor p) { return traits(p).of_launch; }
inline bool is_of_ranks(Processor p) { return traits(p).of_ranks; }
inline bool has_lanes(Processor p) { return traits(p).iterations == Iterations::lockstep; }
// True for unrolled loops: the body is repeated for each iteration.
inline bool is_copied(Processor p) { return in_order(p) && !traits(p).stays_loop; }

std::string to_string(Processor processor);
std::optional<Processor> processor_named(const std::string& name);
// "sequential, parallel, .. or unrolled"
std::string names_of_processors();

}  // namespace strata
