// Which index of an input an index of an output decides.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// The relation { [o] -> [a] } of the elements of an input that an element of an output needs, at
// one dimension e of the input.
struct Follow {
  enum class Kind {
    unread,   // there are none
    offset,   // a(e) = o(dim) + c, where "step" divides each c (0: c = 0)
    decided,  // of the indices of the output, a(e) depends on o(dim) alone
    other,
  };
  Kind kind = Kind::unread;
  int dim = 0;
  std::int64_t step = 0;
};

// For each dimension of the input, along all ways from it to the output.
std::vector<Follow> followed(const Tensor& output, const Tensor& input);

}  // namespace strata::graph
