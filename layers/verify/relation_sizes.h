// How large the relations of a program are: what every question about it costs grows with that.
#pragma once

#include <string>
#include <vector>

#include "core/sets/quotients.h"
#include "layers/program.h"

namespace strata {

struct SizedRelation {
  std::string what;  // "the reads of y from part"
  RelationSize size;
};

// The domains and reads of the algorithm, the times and instances of the branches: what commands
// make, and questions compose.
std::vector<SizedRelation> relation_sizes(const Program& program);

}  // namespace strata
