// The table of all legality questions.
#pragma once

#include <string>
#include <vector>

#include "schedule/legality/program_view.h"
#include "schedule/legality/violation.h"

namespace strata {

// When a question is asked.
enum class Asked {
  always,          // after every command, also inside a group
  after_groups,    // after a command outside a group, or after a whole group
  unless_waived,   // the same, except for violations that unchecked() accepts
  before_codegen,  // before code generation: depends on the kernel's arguments
  for_outputs,     // the same, once the kernel is known to be legal
  for_exact_sums,  // if the kernel must compute floats exactly
};

// A row of the table: either a rule for the form of a program, which throws its refusal, or a
// question about sets, which reports each violation to "found" and returns false if that stopped
// it.
struct Question {
  std::string about;        // "R201", "storage"
  std::vector<Code> codes;  // that it can report
  Asked asked;
  void (*verify)(const Program& program, const Request& request) = nullptr;
  bool (*check)(const ProgramView& view, const Found& found) = nullptr;
};

// All rows in the order in which they are asked. The rules of the mapping
// (layers/verify/verify_mapping.h) come first, since all others rely on them.
const std::vector<Question>& questions();

}  // namespace strata
