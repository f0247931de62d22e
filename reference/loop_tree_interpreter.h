// The loop-tree interpreter: runs a kernel over checked memory and records what it did.
//
// Launches see the device sides of buffers, which only DeviceCopy fills from the host's.
//
// Every load and store is checked against the box of its buffer, and every load must find a written
// element. A wrong kernel never throws: each fault becomes a finding.
#pragma once

#include "codegen/tree/loop_tree.h"
#include "reference/interpreter.h"

namespace strata::reference {

// How this run uses the freedom that processors leave.
struct RunOptions {
  enum class Lanes {
    outer,      // lane after lane, each through the whole body
    innermost,  // every execution for all lanes: all read, then all write
    mixed,      // each vector loop one way or the other, by the seed
  };
  Lanes lanes = Lanes::outer;
  // 0: parallel iterations in order; otherwise shuffled by this seed.
  std::uint64_t seed = 0;
};

struct LoopIteration {
  std::string name;
  Processor processor;
  std::int64_t value;
};

struct Executed {
  std::string computation;
  Point instance;
  std::vector<LoopIteration> loops;  // outermost first
  // The position in the kernel's text with all loops written out: the indices of statements in
  // blocks and the values of loops, outermost first. Sorting by it gives the order without
  // parallel and vector loops.
  Point position;
};

struct TreeRun {
  std::vector<std::string> findings;  // the first hundred
  std::vector<Executed> trace;
  Arrays buffers;                                  // the arguments after the run
  std::map<std::string, std::size_t> allocations;  // how often each temporary buffer was allocated
  // How often each buffer was copied between host and device.
  std::map<std::string, std::size_t> to_device, to_host;
  bool refused = false;  // an assumption does not hold: nothing ran
  bool failed = false;   // a checked index was out of range
};

// "arguments" holds what buffers contain at the start: elements it lacks are undefined.
TreeRun run_tree(const Kernel& kernel, const Parameters& parameters, const Arrays& arguments,
                 const RunOptions& options = {}, const Externs& externs = {});

// One kernel per body of the kernel, with that body alone.
std::vector<Kernel> versions(const Kernel& kernel);

// Describes the first place where the buffers after a run differ from final_contents, or returns
// "". The kernel does not touch places outside an argument's box: nothing may be expected there.
std::string first_wrong_place(const Arrays& expected, const TreeRun& run);

}  // namespace strata::reference
