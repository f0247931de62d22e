// The rules of layer II (layers/mapping.h), each as a function that throws the request's error.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// R201 (E0208): every branch names a definition that the author schedules, maps that definition's
// instances, and has one time dimension for each loop around it.
void verify_branches(const Program& program, const Request& request);

// R202 (E0208): every loop has at least one node; names of the loops around one branch are distinct
// identifiers.
void verify_loops(const Program& program, const Request& request);

// R203 (E0203): no two instances of a definition run at one time:
//     Theta_S . Theta_S^-1  is a subset of the identity,
// even if all iterations of a loop over parametric tiles are in one tile.  Branches with different
// static prefixes never run at one time.
void verify_injective(const Program& program, const Request& request);

// R204 (E0204): every instance of a definition whose values are stored in an output runs, as does
// the initial value of every result there.  Other instances run as far as readers need them, which
// is a question of legality.
void verify_total(const Program& program, const Request& request);

// R205 (E0208): no buffer is allocated by two loops around one branch.
void verify_allocations(const Program& program, const Request& request);

// R206 (E0106): loops over tiles of a parametric size.
void verify_tiles(const Program& program, const Request& request);

// R207 (E0208 if the loop has no branch of the definition, else E0106): loops that prefetch.
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
// All rules in the order of verification: a rule may rely on those before it.  This is the only
// list: commands check the rules in it (schedule/legality/questions.h).
const std::vector<MappingRule>& mapping_rules();

// Throws the error of the first violated rule.
void verify_mapping(const Program& program, const Request& request);

}  // namespace strata
