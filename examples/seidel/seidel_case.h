// A grid, and sweeps over it by the kernel and by hand, in place.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstring>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/seidel/plain_seidel.h"
#include "seidel.h"

namespace seidel_example {

inline strata::Array<float> some_grid(std::int64_t n, std::int64_t m) {
  strata::Array<float> grid({n, m});
  examples::fill(grid, 12345);
  return grid;
}

inline void by_kernel(int threads, std::int64_t sweeps, strata::Array<float>& grid) {
  strata_set_number_of_threads(threads);
  if (seidel(sweeps, grid.extent(0), grid.extent(1), grid) != 0)
    throw std::runtime_error(strata_last_error());
}

inline void by_hand(std::int64_t sweeps, strata::Array<float>& grid) {
  plain_seidel(sweeps, grid.extent(0), grid.extent(1), grid.data());
}

inline bool same_bits(const strata::Array<float>& a, const strata::Array<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace seidel_example
