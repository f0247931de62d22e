// All GPU examples.
#pragma once

#include <functional>
#include <vector>

#include "examples/gpu/batched.h"
#include "examples/gpu/blur.h"
#include "examples/gpu/convolution.h"
#include "examples/gpu/histogram.h"
#include "examples/gpu/lstm_cell.h"
#include "examples/gpu/product.h"
#include "examples/gpu/row_sums.h"
#include "examples/gpu/stencil.h"
#include "examples/gpu/stencil_tiles.h"
#include "examples/gpu/tensor_product.h"
#include "examples/gpu/transpose.h"

namespace gpu_examples {

using Make = Scheduled (*)(On);

inline const std::vector<Make>& all() {
  static const std::vector<Make> makers{blur,      product,   stencil,       stencil_tiles,
                                        histogram, row_sums,  batched,       convolution,
                                        transpose, lstm_cell, tensor_product};
  return makers;
}

}  // namespace gpu_examples
