// What variants in Halide's own front end share.
#pragma once

#include <Halide.h>

#include "benchmarks/common/process.h"

namespace benchmarks {

// The array as Halide sees it, whose innermost dimension is the first.
template <typename T>
Halide::Buffer<T> halide_buffer(strata::Array<T>& array) {
  std::vector<int> extents(array.extents().rbegin(), array.extents().rend());
  return Halide::Buffer<T>(array.data(), extents);
}

}  // namespace benchmarks
