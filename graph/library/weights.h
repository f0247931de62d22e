// The file of a model's constants.
#pragma once

#include <string>
#include <vector>

#include "graph/library/c_text.h"

namespace strata::graph {

// The bytes of the file (strata/model.h), and where the arrays lie in it.
struct Weights {
  std::string bytes;
  WeightsLayout layout;
};
Weights weights_of(const std::vector<NDArray>& constants);

}  // namespace strata::graph
