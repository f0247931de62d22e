// What the fuzzer looks for: places where library and judges disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/command_generator.h"
#include "tests/fuzz/differential.h"

namespace strata::fuzz {

enum class FindingKind { mismatch, illegal_accepted, false_refusal };
std::string to_string(FindingKind kind);

// What a judge has found.
struct Found {
  FindingKind kind;
  std::string name;  // its class: the fault, the code of the refusal, "compiled" or "exception"
  std::string what;  // as the judge tells it
};

// The same, with all that it takes to see it again.
struct Finding {
  Found found;
  std::uint64_t seed = 0;              // of the program
  Program start;                       // as it was drawn
  std::vector<DrawnCommand> commands;  // given one after the other; the last one was found out
  Floats mode = Floats::exact;
};

// ---- one command ----

enum class Verdict { accepted, refused, inapplicable };

struct JudgedCommand {
  Verdict verdict = Verdict::inapplicable;
  std::optional<Program> next;        // where it is accepted
  std::optional<Code> code;           // else why not
  std::optional<std::string> design;  // the kind of a refusal that no execution confirms
  std::optional<Found> found;
};
// Gives the command, and asks the oracle about the program that it makes, legal or not.  A command
// that is refused for something else than legality is inapplicable.
// Without the oracle the library's word is taken.
JudgedCommand judge_command(const Program& program, const DrawnCommand& command,
                            bool oracle = true);

// The program after the command, not judged; nothing if the command has no meaning here.
std::optional<Program> unjudged_after(const Program& program, const DrawnCommand& command);

// ---- a legal program ----

struct JudgedProgram {
  Differential differential;
  std::optional<Found> found;
};
// "start" is the program before all commands, if they are known.
JudgedProgram judge_program(const Program& program, Floats mode, const Compiler& compiler,
                            const Program* start = nullptr);

// ---- all together ----

// Gives the commands one after the other, leaving out those that are refused, and tells what the
// last one, or the program that they make, is found out for, if it is of the same kind and name.
std::optional<Found> replay(const Finding& finding, const Compiler& compiler);

// The program in which it is seen, as text that parses, under comments that tell the finding.
std::string to_text(const Finding& finding);

}  // namespace strata::fuzz
