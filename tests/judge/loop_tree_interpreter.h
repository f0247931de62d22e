// The loop-tree interpreter: runs a kernel over checked memory and tells what it did.
//
// Every load and store is checked against the box of its buffer, every load against never having
// been written.  Nothing here throws for what a kernel does wrong: it becomes a finding.
#pragma once

#include "codegen/tree/loop_tree.h"
#include "tests/judge/interpreter.h"

namespace strata::judge {

// The freedom that processors leave, and how this run uses it.
struct RunOptions {
  enum class Lanes {
    outer,      // lane after lane, each through the whole body
    innermost,  // every execution for all lanes: all read, then all write
    mixed,      // each vector loop one or the other, by the seed
  };
  Lanes lanes = Lanes::outer;
  // 0: parallel iterations in order; else shuffled by this seed.
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
  // Where it stands in the kernel's text with all loops written out: the numbers of statements in
  // blocks and the values of loops, outermost first.  Sorted by it, executions are as if no loop
  // were parallel or a vector.
  Point position;
};

struct TreeRun {
  std::vector<std::string> findings;  // the first hundred
  std::vector<Executed> trace;
  Arrays buffers;        // the arguments afterwards
  std::map<std::string, std::size_t> allocations;  // how often each temporary buffer was made
  bool refused = false;  // an assumption does not hold: nothing ran
  bool failed = false;   // a checked index was out of range
};

// "arguments" holds what buffers contain at the start: elements it lacks are undefined.
TreeRun run_tree(const Kernel& kernel, const Parameters& parameters, const Arrays& arguments,
                 const RunOptions& options = {}, const Externs& externs = {});

// The kernel once with each of its bodies alone.
std::vector<Kernel> versions(const Kernel& kernel);

// The first place where the buffers after a run are not as final_contents says, told as text, or
// "".  Places outside an argument's box are not touched by the kernel: nothing may be due there.
std::string first_wrong_place(const Arrays& expected, const TreeRun& run);

}  // namespace strata::judge
