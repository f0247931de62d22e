// Runs a function in process and judges it.
//
//   Judged S(f, {in.buffer(), s.buffer()});
//   S.check({10});                                // all that the judges know, at N = 10
//   S.check({10})["s"].integer({1, 2})            // an element as the kernel left it
//
// check() runs the kernel on data that differs from element to element, in memory of every shape
// (guarded.h), and fails the test
//  - where the kernel returns an error,
//  - where an element is not what the layer I interpreter says: bit for bit, but for floats of the
//    mode "fast", which may differ by the bound given,
//  - where it writes anything else.
// At small sizes it also fails the test where the schedule oracle finds a fault in the finished
// program, or where the loop tree does not execute Theta, each instance once, with these results.
#pragma once

#include <strata/strata.h>

#include <map>

#include "codegen/tree/loop_tree.h"
#include "layers/program.h"
#include "tests/execution/guarded.h"
#include "tests/judge/inputs.h"
#include "tests/judge/loop_tree_interpreter.h"

namespace strata::test {

struct Options {
  Floats floats = Floats::exact;
  // |actual - expected| <= bound * max(1, |expected|), for floats in the mode "fast".
  double bound = 0;
  judge::Externs externs;
  std::uint64_t seed = 1;
  std::size_t most_for_tree = 3000;   // instances up to which the loop tree is judged ..
  std::size_t most_for_oracle = 250;  // .. and the schedule
};

class Judged {
 public:
  Judged(const Function& f, const std::vector<Buffer>& arguments, Options options = {});

  // Parameters in order of declaration, those that are read from inputs included: "given" must have
  // the same there.  Inputs that "given" has not are random.  Returns what the
  // arguments contain afterwards.
  judge::Arrays check(const std::vector<std::int64_t>& parameters,
                      const judge::Arrays& given = {});

  // What the loop tree executes at these parameters, in order.
  std::vector<judge::Executed> trace(const std::vector<std::int64_t>& parameters);

  const JitFunction& kernel() const { return kernel_; }
  const Kernel& tree() const { return tree_; }
  const Program& program() const { return program_; }
  judge::Parameters named(const std::vector<std::int64_t>& parameters) const;

 private:
  struct Expectation {
    judge::Parameters parameters;
    judge::Arrays before, after;  // of buffers
    judge::Instances idle;
    std::size_t steps = 0;
  };

  // Without those that the kernel reads from inputs.
  std::vector<std::int64_t> arguments_among(const std::vector<std::int64_t>& parameters) const;
  Expectation expect(const std::vector<std::int64_t>& parameters, const judge::Arrays& given) const;
  judge::Arrays run(const Expectation& expected, const std::vector<std::int64_t>& parameters,
                    Shape shape) const;
  std::string difference(const judge::Array& expected, const judge::Array& actual) const;
  void judge_trees(const Expectation& expected) const;
  void judge_tree(const Kernel& tree, const Expectation& expected) const;
  void judge_order(const Expectation& expected) const;

  Options options_;
  std::vector<std::string> arguments_;
  Program program_;  // finished: every value has a place
  Kernel tree_;
  JitFunction kernel_;
};

}  // namespace strata::test
