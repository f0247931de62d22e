// Which index of an output decides each index of an input.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// The relation { [o] -> [a] : element o of the output needs element a of the input }, at one
// dimension e of the input.
struct Follow {
  enum class Kind {
    unread,   // the relation is empty
    offset,   // a(e) = o(dim) + c, where "step" divides each c (0: c = 0)
    decided,  // among the output's indices, a(e) depends on o(dim) alone
    other,
  };
  Kind kind = Kind::unread;
  int dim = 0;
  std::int64_t step = 0;
};

// What each dimension of the input follows, along all ways from the input to the output.
std::vector<Follow> followed(const Tensor& output, const Tensor& input);

// Is each index of the input decided by the output's index at the same dimension?
bool keeps_dimensions(const Tensor& output, const Tensor& input);

}  // namespace strata::graph
