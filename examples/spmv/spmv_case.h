// A sparse matrix, a vector, and their product by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/spmv/plain_spmv.h"
#include "spmv.h"

namespace spmv_example {

struct Case {
  strata::Array<std::int32_t> row, col;
  strata::Array<float> val, x, y;

  // Rows of 0 to 2 * mean entries, in any columns.
  Case(std::int64_t n, std::int64_t m, std::int64_t mean)
      : row({n + 1}), col({0}), val({0}), x({m}), y({n}) {
    examples::Random random(12345);
    row(0) = 0;
    for (std::int64_t i = 0; i < n; ++i)
      row(i + 1) = row(i) + std::int32_t(random.below(2 * mean + 1));
    col = strata::Array<std::int32_t>({row(n)});
    val = strata::Array<float>({row(n)});
    for (std::int32_t& c : col) c = std::int32_t(random.below(m));
    examples::fill(val, 1);
    examples::fill(x, 2);
  }

  void by_kernel(int threads) {
    strata_set_number_of_threads(threads);
    if (spmv(y.extent(0), x.extent(0), col.extent(0), row, col, val, x, y) != 0)
      throw std::runtime_error(strata_last_error());
  }
  void by_hand(strata::Array<float>& out) {
    plain_spmv(y.extent(0), row.data(), col.data(), val.data(), x.data(), out.data());
  }
  // Both add in the order of the entries; one of them may use fused multiply-adds.
  bool is_close_to(const strata::Array<float>& other) const {
    for (std::int64_t i = 0; i < y.extent(0); ++i)
      if (!(std::fabs(y(i) - other(i)) <= 1e-4f)) return false;
    return true;
  }
};

}  // namespace spmv_example
