// Kernels of several ranks, judged without MPI.
#pragma once

#include <strata/strata.h>

#include <optional>
#include <string>
#include <vector>

#include "reference/loop_tree_ranks.h"

namespace strata::test::ranks_oracle {

// A program as it is judged: finished, and its kernel.
struct Lowered {
  Program program;
  Kernel kernel;
  bool at_most = false;  // some message may have more values than needed
};
Lowered lowered(const Function& f, const std::vector<Buffer>& arguments);

// One choice of sizes and cuts.
struct Choice {
  reference::Parameters parameters;
  std::vector<std::int64_t> cuts;
  std::uint64_t seed = 1;
};
// The cuts of "ranks" blocks of 0 <= i < n; some may be empty.
Choice chosen(std::int64_t n, std::int64_t steps, int ranks, std::uint64_t seed);

struct Verdict {
  std::string fault;  // or ""
  std::int64_t values = 0, messages = 0, least = 0;
};
// Runs the kernel. It is a fault if a value is wrong, or if more values than the least are sent.
Verdict judge(const Lowered& lowered, const Kernel& kernel, const Choice& choice);

// A random program of steps with one to three stages, distributed; empty if a command is refused.
struct Drawn {
  Function f{"drawn"};
  std::vector<Buffer> buffers;
  bool accepted = false;
};
Drawn drawn(std::uint64_t seed);

// Draws, lowers and judges a program on 1 to 5 ranks. "" if all is right; nothing if there is no
// kernel.
std::optional<std::string> fault_in(std::uint64_t seed);

}  // namespace strata::test::ranks_oracle
