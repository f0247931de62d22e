// A kernel of several ranks without MPI: each rank runs the loop tree over a memory of its own, and
// messages go through queues. The ranks take turns in a random order, at every message.
#pragma once

#include "reference/loop_tree_interpreter.h"

namespace strata::reference {

struct RanksRun {
  std::vector<TreeRun> ranks;
  // About messages: another size or other arrays than expected, messages that nobody receives,
  // ranks that wait for ever.
  std::vector<std::string> findings;
  std::int64_t messages = 0, values = 0;  // sent by all ranks; each scalar is a value
};

// The kernel has one partition, with these cuts. Each rank has its part of the arguments.
RanksRun run_on_ranks(const Kernel& kernel, const Parameters& parameters,
                      const std::vector<std::int64_t>& cuts, const Arrays& arguments,
                      std::uint64_t seed);

// Describes the first finding, or the first place whose last value is wrong on a rank that has made
// it, or that no rank has made; "" if there is none. "expected" are the final_contents; nobody
// makes what "idle" instances keep.
std::string first_fault(const Program& program, const Parameters& parameters,
                        const Arrays& expected, const Instances& idle, const RanksRun& run);

// The least number of values that must be sent: for each value, the ranks that read it and have not
// made it. The ranks of instances are those that executed them in the run. Counts one scalar for
// each value of an array, by all reads of the reference interpreter; reads of old values by updates
// with a predicate are not among these.
std::int64_t least_values(const Program& program, const Parameters& parameters,
                          const Arrays& inputs, const RanksRun& run);

}  // namespace strata::reference
