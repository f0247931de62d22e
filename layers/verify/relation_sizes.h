// How large the relations of a program are; the cost of every question grows with their size.
#pragma once

#include <string>
#include <vector>

#include "core/sets/quotients.h"
#include "layers/program.h"

namespace strata {

struct SizedRelation {
  std::string what;  // "the reads of part by y"
  RelationSize size;
};

// The domains and reads of the algorithm, and the times and instances of the branches: the
// relations that commands make and questions compose.
std::vector<SizedRelation> relation_sizes(const Program& program);

}  // namespace strata
