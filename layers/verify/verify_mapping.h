// The rules of layer II (layers/mapping.h), each a function that throws the request's refusal.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// R201 (E0208): every branch names a definition that the author schedules, maps that definition's
// instances, and has one time dimension for each loop around it.
void verify_branches(const Program& program, const Request& request);

// R202 (E0208): every loop holds something; names of the loops around one branch are distinct
// identifiers.
void verify_loops(const Program& program, const Request& request);

// R203 (E0203): no two instances of a definition run at one time:
//     Theta_S . Theta_S^-1  is inside the identity,
// also where all iterations of a loop over parametric tiles are in one tile.
// Branches of different static prefix never meet.
void verify_injective(const Program& program, const Request& request);

// R204 (E0204): every instance of a definition whose values live in an output runs, and the initial
// value of every result there.  The others run as far as somebody needs them, which is a question of
// legality.
void verify_total(const Program& program, const Request& request);

// R205 (E0208): no buffer is allocated by two loops around one branch.
void verify_allocations(const Program& program, const Request& request);

// R206 (E0106): of loops over tiles whose size is a parameter.
void verify_tiles(const Program& program, const Request& request);

// R207 (E0208 where the definition stands elsewhere, else E0106): of loops that prefetch.
void verify_prefetches(const Program& program, const Request& request);

// When a rule has to hold.
enum class Holds {
  always,       // after every command
  for_kernels,  // before code is generated: it depends on the kernel's arguments
};

struct MappingRule {
  std::string name;         // "R201"
  std::vector<Code> codes;  // of its refusals
  Holds holds;
  void (*verify)(const Program& program, const Request& request);
};
// All of them, in the order in which they are verified: a later one may rely on those before it.
// This is the one list: commands ask what is in it (schedule/legality/questions.h).
const std::vector<MappingRule>& mapping_rules();

// Throws the refusal of the first rule that does not hold.
void verify_mapping(const Program& program, const Request& request);

}  // namespace strata
