// A program and its schedule, compiled, against the layer I interpreter.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "layers/program.h"
#include "tests/fuzz/sizes.h"
#include "tests/judge/interpreter.h"

namespace strata::fuzz {

// In mode "fast" every operation may be rounded once less, and a reduction come in another order.
// Values of drawn programs are sums, products, maxima and minima of numbers that are not negative:
// each rounding changes a result by no more than its own relative error, and on the way to one
// value lie fewer than 4000 of them: |found - expected| <= 4000 * epsilon * |expected|.
double float_bound(Type type);

// The first element of "actual" that is not as expected, told as text, or "": bit for bit, but for
// floats in mode "fast".
std::string difference(const judge::Array& expected, const judge::Array& actual, Floats mode);

// Runs "kernel" of the finished program at "size" on these contents of buffers; tells what is wrong
// with its outputs (those of "expected"), or "".
struct Run {
  Parameters size;
  judge::Arrays before, expected;
};
using KernelRunner = std::function<std::string(const Run&)>;
// Compiles a kernel of a finished program for this machine.
using Compiler = std::function<KernelRunner(const Kernel&, const Program& finished)>;

struct Differential {
  bool compiled = false;     // there is a loop tree
  bool by_machine = false;   // and machine code
  std::string not_compiled;  // else why not: the code that refused, which may
  std::vector<std::string> mismatches;
  // Of the finished program, where the oracle breaks it.
  std::vector<std::string> illegal;
  std::string finished;  // the program that was compiled, as text
};

// The arguments of the kernel: those buffers that are no temporaries, or, where there are none yet
// but inputs, everything that no iteration has for itself and that no memory was chosen for.
std::vector<std::string> arguments_of(const Program& program);

// Commands may change the algorithm (rfactor, cache_at, inlining), not its values: the first element
// of an array of "before" whose last value another one has in "after", told as text, or "".
std::string difference_of_values(const Program& before, const Program& after);

// Finishes and lowers a legal program, judges it by the oracle, runs its loop tree in several
// orders, compares executions with Theta; and compiles it where "compiler" is given.
Differential differential(const Program& program, Floats mode, const Compiler& compiler = {});

}  // namespace strata::fuzz
