// A sparse and a dense matrix, and their product by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/spmm/plain_spmm.h"
#include "spmm.h"

namespace spmm_example {

struct Case {
  std::int64_t n, k, m;
  strata::Array<std::int32_t> row, col;
  strata::Array<float> val, b, c, expected;

  // Rows of 0 to 2 * mean entries, in any columns.
  Case(std::int64_t rows, std::int64_t inner, std::int64_t columns, std::int64_t mean)
      : n(rows),
        k(inner),
        m(columns),
        row({n + 1}),
        col({0}),
        val({0}),
        b({k, m}),
        c({n, m}),
        expected({n, m}) {
    examples::Random random(12345);
    row(0) = 0;
    for (std::int64_t i = 0; i < n; ++i)
      row(i + 1) = row(i) + std::int32_t(random.below(2 * mean + 1));
    col = strata::Array<std::int32_t>({row(n)});
    val = strata::Array<float>({row(n)});
    for (std::int32_t& column : col) column = std::int32_t(random.below(k));
    examples::fill(val, 1);
    examples::fill(b, 2);
  }
  int run() { return spmm(n, k, m, col.extent(0), row, col, val, b, c); }
  void by_kernel() {
    if (run() != 0) throw std::runtime_error(strata_last_error());
  }
  void by_hand() {
    plain_spmm(n, m, row.data(), col.data(), val.data(), b.data(), expected.data());
  }
  // Both add in the order of the entries; one of them may use fused multiply-adds.
  bool is_right() const {
    for (std::size_t x = 0; x < c.size(); ++x)
      if (!(std::fabs(c.data()[x] - expected.data()[x]) <= 1e-4f)) return false;
    return true;
  }
};

}  // namespace spmm_example
