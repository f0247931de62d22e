// The programs that the tests run on ranks.
#pragma once

#include <strata/strata.h>

#include <string>
#include <vector>

namespace strata::test::ranks {

// Writes the object and the header of a kernel.
void write(Function& f, const std::vector<Buffer>& buffers);

// Parameters T and N, and a partition of N rows.
struct Rows {
  Function f;
  Param T, N;
  Partition rows;
  Var t, i;
  explicit Rows(const std::string& name)
      : f(name),
        T(f.param("T")),
        N(f.param("N")),
        rows(f.partition("rows", N)),
        t("t", 0, T + 1),
        i("i", 0, N) {
    f.assume(T >= 0);
  }
};

// Programs whose messages carry sums, tuples, conditional updates or several arrays.
void make_results();
// Programs that read far away, and gathers.
void make_reads();

}  // namespace strata::test::ranks
