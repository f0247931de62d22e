// The barriers of a kernel, judged by running it thread by thread.
#pragma once

#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "layers/program.h"
#include "reference/interpreter.h"

namespace strata::test {

// The loops of a kernel, its barriers and its waits for copies: "b(k(l ~ | t |))" has two barriers
// in each iteration of k, and a wait before the first.
std::string shape(const Kernel& kernel);
int count_barriers(const Kernel& kernel);
int count_waits(const Kernel& kernel);
// The gaps that have a barrier. Where loops are cut into pieces, a gap has a barrier in each, and
// the one in a first or last piece need not be necessary.
int count_gaps(const Program& program);
// The kernel without its n-th barrier, or wait.
Kernel without_barrier(const Kernel& kernel, int n);
Kernel without_wait(const Kernel& kernel, int n);

// What is wrong with runs of the kernel at this size, threads in several orders; "" if nothing is:
// its findings, and the first wrong place of an output.
std::string wrong_in_runs(const Kernel& kernel, const Program& program,
                          const reference::Parameters& size);

// Requires that the kernel runs without a race at all sizes, and with one at some size when any
// single barrier is taken away.
void require_fewest_barriers(const Program& program,
                             const std::vector<reference::Parameters>& sizes);
// The same of waits for asynchronous copies, which are needed each.
void require_fewest_waits(const Program& program, const std::vector<reference::Parameters>& sizes);

}  // namespace strata::test
