// One program drawn, its commands, and what became of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/finding.h"
#include "tests/fuzz/program_generator.h"
#include "tests/fuzz/statistics.h"

namespace strata::fuzz {

struct Options {
  std::int64_t most_commands = 14;
  std::int64_t percent_by_machine = 15;  // how many legal programs are compiled through Halide
  bool oracle = true;                    // false: the library's word is taken, nothing is compiled
  Compiler compiler;                     // none: no machine code
  // Called with the text of each command before it is judged.
  std::function<void(const std::string&)> tell;
};

// To be called from a handler of signals: what the integer set library works on for the case ends,
// as if out of budget.  The case is counted as interrupted, and nothing is found in it any more.
void interrupt_case();

// Draws the program of "seed" and commands for it, and judges each of them.  Counts in
// "statistics".
std::vector<Finding> run_case(std::uint64_t seed, const Options& options, Statistics& statistics);

}  // namespace strata::fuzz
