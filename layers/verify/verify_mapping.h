// The rules of layer II (layers/mapping.h).
//
//  R201 (E0208) every branch names a definition that the author schedules, maps that definition's
//       instances, and has one time dimension for each loop around it
//  R202 (E0208) every loop has at least one node; names of the loops around one branch are distinct
//       identifiers
//  R203 (E0203) no two instances of a definition run at one time:
//           Theta_S . Theta_S^-1  is a subset of the identity,
//       even if all iterations of a loop over parametric tiles are in one tile. Branches with
//       different static prefixes never run at one time.
//  R204 (E0204) every instance of a definition whose values are stored in an output runs, as does
//       the initial value of every result there. Other instances run as far as readers need them,
//       which is a question of legality.
//  R205 (E0106) no buffer is allocated by two loops around one branch
//  R206 a loop over tiles of a parametric size is sequential or parallel (E0106), and its size is a
//       parameter of the program (E0208)
//  R207 a loop that prefetches for a definition contains a branch of it (E0208); it is sequential
//       or parallel, is not inside a vector loop, and does not run over tiles of a parametric size;
//       the branch is not run by a GPU; the prefetched buffer is not on the stack, and not private
//       to an iteration of the loop or of one further in (E0106)
//  R208 (E0106) the tags of a loop fit its processor (find_misfit in layers/loop_head.h)
//  R209 (E0208) the pieces of a definition, its branches if there are several, have distinct names,
//       which are identifiers; the only branch of a definition has no name
//  R210 to R214: the loops of a launch (layers/verify/verify_launches.h)
//  R215: products on tensor cores (layers/verify/verify_products.h)
//  R216: the loops that ranks share (layers/verify/verify_ranks.h)
//  R217, R218: copies between host and GPU (layers/verify/verify_coherence.h)
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// When a rule has to hold.
enum class Holds {
  always,       // after every command
  for_kernels,  // before code is generated: it depends on the kernel's arguments
};

struct MappingRule {
  std::string name;         // "R201"
  std::vector<Code> codes;  // of its refusals
  Holds holds;
  // Throws the request's error.
  void (*verify)(const Program& program, const Request& request);
};
// All rules in the order of verification: a rule may rely on those before it. This is the only
// list: commands check the rules in it (schedule/legality/questions.h).
const std::vector<MappingRule>& mapping_rules();

// Throws the error of the first violated rule.
void verify_mapping(const Program& program, const Request& request);

}  // namespace strata
