// Compares a compiled program and schedule with the layer I interpreter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/nests/masking.h"
#include "codegen/tree/loop_tree.h"
#include "layers/program.h"
#include "reference/interpreter.h"
#include "tests/fuzz/sizes.h"

namespace strata::fuzz {

// In mode "fast" every operation may be rounded once less, and contributions of a reduction may
// come in another order. Values of random programs are sums, products, maxima and minima of
// non-negative numbers: each rounding changes a result by at most its own relative error, and fewer
// than 4000 roundings lead to one value: |found - expected| <= 4000 * epsilon * |expected|.
double float_bound(Type type);

// Describes the first element of "actual" that differs from "expected", or returns "": bit for bit,
// except for floats in mode "fast".
std::string difference(const reference::Array& expected, const reference::Array& actual,
                       Floats mode);

// Runs "kernel" of the finished program at "size" on the buffer contents "before"; describes an
// error in its outputs (the buffers of "expected"), or returns "".
struct Run {
  Parameters size;
  reference::Arrays before, expected;
};
using KernelRunner = std::function<std::string(const Run&)>;
// Compiles a kernel of a finished program for this machine, as one that has such masks.
using Compiler = std::function<KernelRunner(const Kernel&, const Program& finished, Masks)>;

struct Differential {
  bool compiled = false;     // a loop tree was generated
  bool by_machine = false;   // machine code was generated
  std::string not_compiled;  // otherwise the code of the permitted refusal
  // The code of a refusal for the copies between host and device that the author asks for: what is
  // compiled is the program without them.
  std::string copies_refused;
  std::vector<std::string> mismatches;
  // Violations that the oracle finds in the finished program.
  std::vector<std::string> illegal;
  int runs_on_ranks = 0;  // of the program with loops distributed (on_ranks.h)
  double seconds = 0;     // of CPU: to finish the program or to lower it, the longest
  std::string finished;   // the program that was compiled, as text
};

// The arguments of the kernel: the buffers that are not temporaries. If only inputs are marked so
// far, all buffers that are not allocated by a loop and have no chosen memory.
std::vector<std::string> arguments_of(const Program& program);

// Commands may change the algorithm (rfactor, cache_at, inlining), but not its values. Describes
// the first element of an array of "before" whose last value differs in "after", or returns "".
std::string difference_of_values(const Program& before, const Program& after);

// Finishes and lowers a legal program, judges it by the oracle, runs its loop tree in several
// orders and compares executions with Theta; compiles it if "compiler" is given. The kernel has
// "arguments", or if there are none those of arguments_of.
Differential differential(const Program& program, Floats mode, const Compiler& compiler = {},
                          const std::vector<std::string>& arguments = {});

}  // namespace strata::fuzz
