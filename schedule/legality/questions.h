// The table of all questions that a program is asked.
#pragma once

#include <string>
#include <vector>

#include "schedule/legality/scheduled.h"
#include "schedule/legality/violation.h"

namespace strata {

// When a question is asked.
enum class Asked {
  always,         // of what every command leaves, also inside a group
  after_groups,   // of what a command outside a group, or a whole group, leaves
  unless_waived,  // the same, but for what unchecked() takes on
  of_kernels,     // before code is generated: it depends on the kernel's arguments
  of_outputs,     // the same, once the kernel is known to be legal
  of_exact_sums,  // where the kernel is to compute floats exactly
};

// A row of the table: either a rule, which says how a program is formed and throws what it refuses,
// or a question of sets, which offers its violations and returns false where these were enough.
struct Question {
  std::string about;        // "R201", "storage"
  std::vector<Code> codes;  // of its refusals
  Asked asked;
  void (*verify)(const Program& program, const Request& request) = nullptr;
  bool (*ask)(const Scheduled& scheduled, const Found& found) = nullptr;
};

// All rows, in the order in which they are asked: the rules of the mapping (layers/verify/verify_mapping.h)
// first, since all others rely on them.
const std::vector<Question>& questions();

}  // namespace strata
