// Schedules by themselves, judged as an author's.
#pragma once

#include "automatic/autoschedule.h"
#include "tests/fuzz/finding.h"

namespace strata::fuzz {

// What autoschedule is asked for a program: a machine, threads, sizes, arguments, and what to
// leave.
Wish draw_wish(Random& random, const Program& program, Floats mode);

// The arguments of the kernel that the wish is for.
std::vector<std::string> arguments_of(const Program& program, const Wish& wish);

// The program that autoschedule makes; the one before if it fails.
Program after_wish(const Program& program, const Wish& wish);

struct JudgedWish {
  Automatic automatic;
  double seconds = 0;  // of CPU that autoschedule took
  // Candidates with a command that was refused, though their rule holds it to be legal.
  std::vector<std::string> refused = {};
  JudgedProgram judged = {};  // the program that it made
};
// The rules of the chosen candidate: "product", "plain", ..
std::vector<std::string> rules_of(const Report& report);

// Autoschedules the program. A mismatch is an error, more than 20 s of CPU, commands that do not
// replay to the same program, a program that cannot be compiled though the one before can, and what
// judge_program finds. "start" is the program before all commands.
JudgedWish judge_wish(const Program& program, const Wish& wish, Floats mode,
                      const Compiler& compiler, const Program& start);

}  // namespace strata::fuzz
