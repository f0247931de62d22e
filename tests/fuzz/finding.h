// Findings of the fuzzer: disagreements between library and judges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "automatic/autoschedule.h"
#include "tests/fuzz/command_generator.h"
#include "tests/fuzz/differential.h"

namespace strata::fuzz {

enum class FindingKind { mismatch, illegal_accepted, false_refusal };
std::string to_string(FindingKind kind);

// A command, or the lowering of a program, that takes more seconds of CPU is a mismatch named
// "time": the budget stands for 2 s on an idle machine.
#ifdef __SANITIZE_ADDRESS__
constexpr double most_seconds = 30;
#else
constexpr double most_seconds = 5;
#endif

// A disagreement found by a judge.
struct Found {
  FindingKind kind;
  std::string name;  // its class: the fault, the refusal's code, "compiled" or "exception"
  std::string what;  // in the words of the judge
};

// What autoschedule is asked for.
struct Wish {
  std::string cpu;
  AutomaticOptions options;
};

// A disagreement with everything needed to reproduce it.
struct Finding {
  Found found;
  std::uint64_t seed = 0;              // of the program
  Program start;                       // as drawn
  std::vector<DrawnCommand> commands;  // given in order; the last one exposed the finding
  Floats mode = Floats::exact;
  std::optional<Wish> wish = {};  // if autoschedule exposed it, after the commands
};

// ---- one command ----

enum class Verdict { accepted, refused, inapplicable };

struct JudgedCommand {
  Verdict verdict = Verdict::inapplicable;
  std::optional<Program> next;        // if accepted
  std::optional<Code> code;           // otherwise why not
  std::optional<std::string> design;  // the kind of a refusal that no execution confirms
  std::optional<Found> found;
  double seconds = 0;  // of CPU that the library took
};
// Gives the command, and lets the oracle judge the resulting program, legal or not. A command
// refused for a reason other than legality is inapplicable. Without "oracle" the library is
// trusted.
JudgedCommand judge_command(const Program& program, const DrawnCommand& command,
                            bool oracle = true);

// The program after the command, not judged; nothing if the command does not apply.
std::optional<Program> unjudged_after(const Program& program, const DrawnCommand& command);

// ---- a legal program ----

struct JudgedProgram {
  Differential differential;
  std::optional<Found> found;
};
// "start" is the program before all commands, if they are known; "arguments" are the kernel's, by
// default those of differential.h.
JudgedProgram judge_program(const Program& program, Floats mode, const Compiler& compiler,
                            const Program* start = nullptr,
                            const std::vector<std::string>& arguments = {});

// ---- all together ----

// Gives the commands in order, without those that are refused, and autoschedules if that is wished.
// Returns the finding for the last one, or for the program that they make, if it has the same kind
// and name.
std::optional<Found> replay(const Finding& finding, const Compiler& compiler);

// The program that shows the finding, as text that parses, with comments that describe the finding.
std::string to_text(const Finding& finding);

}  // namespace strata::fuzz
