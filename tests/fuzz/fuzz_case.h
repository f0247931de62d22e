// One random program with its commands, and the judges' findings.
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
  std::int64_t percent_by_machine = 15;  // percentage of legal programs that are compiled
  bool oracle = true;                    // false: trust the library, compile nothing
  bool general = true;                   // false: only programs whose commands are drawn with them
  std::int64_t percent_autoscheduled = 0;  // percentage of programs that schedule themselves
  Compiler compiler;                       // empty: no machine code
  // Called with the text of each command before it is judged.
  std::function<void(const std::string&)> on_command;
};

// To be called from a signal handler: ends the isl operations of the case as if out of budget. The
// case is counted as interrupted and has no further findings.
void interrupt_case();

// One program of five is for a GPU, so that the commands of the others need no GPU's.
Hardware hardware_of(std::uint64_t seed);

// Draws the program of "seed" and commands for it, judges each command, and counts in "statistics".
std::vector<Finding> run_case(std::uint64_t seed, const Options& options, Statistics& statistics);

}  // namespace strata::fuzz
