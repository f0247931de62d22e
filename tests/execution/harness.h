// Runs a function in process and judges it.
//
//   Judged S(f, {in.buffer(), s.buffer()});
//   S.check({10});                                // all checks of the judges, at N = 10
//   S.check({10})["s"].integer({1, 2})            // an element after the run
//
// check() runs the kernel on random data, in memory of every shape (guarded.h), and fails the test
//  - if the kernel returns an error,
//  - if an element differs from the layer I interpreter's: bit for bit, except that floats in the
//    mode "fast" may differ by the given bound,
//  - if it writes anything else.
// At small sizes it also fails the test if the schedule oracle finds a fault in the finished
// program, or if the loop tree does not execute Theta, each instance once, with these results.
#pragma once

#include <strata/strata.h>

#include <map>

#include "codegen/tree/loop_tree.h"
#include "layers/program.h"
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "tests/execution/guarded.h"

namespace strata::test {

// With the back end of C.
inline CodegenOptions codegen_in_c() {
  CodegenOptions options;
  options.backend = "c";
  return options;
}

struct Options {
  Floats floats = Floats::exact;
  // |actual - expected| <= bound * max(1, |expected|), for floats in the mode "fast".
  double bound = 0;
  reference::Externs externs;
  std::uint64_t seed = 1;
  std::string target = "host";
  std::string backend = "";           // CodegenOptions::backend
  std::size_t most_for_tree = 3000;   // the maximum number of instances for judging the loop tree
  std::size_t most_for_oracle = 250;  // and the schedule
};

class Judged {
 public:
  Judged(const Function& f, const std::vector<Buffer>& arguments, Options options = {});

  // Parameters are in order of declaration, including those that are read from inputs, which must
  // have the same values in "given". Inputs missing in "given" are random. Returns the contents
  // of the arguments after the run.
  reference::Arrays check(const std::vector<std::int64_t>& parameters,
                          const reference::Arrays& given = {});

  // The executions of the loop tree at these parameters, in order.
  std::vector<reference::Executed> trace(const std::vector<std::int64_t>& parameters);

  const JitFunction& kernel() const { return kernel_; }
  const Kernel& tree() const { return tree_; }
  const Program& program() const { return program_; }
  reference::Parameters named(const std::vector<std::int64_t>& parameters) const;

 private:
  struct Expectation {
    reference::Parameters parameters;
    reference::Arrays before, after;  // of buffers
    reference::Instances idle;
    std::size_t steps = 0;
  };

  // The parameters without those that the kernel reads from inputs.
  std::vector<std::int64_t> arguments_among(const std::vector<std::int64_t>& parameters) const;
  Expectation expect(const std::vector<std::int64_t>& parameters,
                     const reference::Arrays& given) const;
  reference::Arrays run(const Expectation& expected, const std::vector<std::int64_t>& parameters,
                        Shape shape) const;
  std::string difference(const reference::Array& expected, const reference::Array& actual) const;
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
