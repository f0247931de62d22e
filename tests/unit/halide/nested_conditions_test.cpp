// Guards of unrolled rows of a register tile that imply each other.
#include <catch2/catch.hpp>

#include "tests/unit/entry/kernels.h"
#include "tests/unit/entry/views.h"
#include "tests/unit/halide/assembly.h"

namespace strata::test::nested_conditions_test {

namespace {

constexpr std::int64_t rows = 6, lanes = 8;

// for each row r under its condition: y[r, 0 .. 8) = the value at (r, lane)
StmtPtr in_rows(const std::string& name, const std::string& buffer, const Expr& value,
                bool descending) {
  const Expr r = v("r" + name), lane = v("l" + name);
  const StmtPtr row =
      loop("l" + name, n(0), n(lanes), store(buffer, {r, lane}, value), Processor::vector);
  const Expr guard = descending ? p("N") + r >= n(rows) : p("N") >= r + n(1);
  return loop("r" + name, n(0), n(rows), make_stmt(If{guard, row, nullptr}), Processor::unrolled);
}

// y[r, j] = sum over k of a[r, k] b[k, j] for the first N rows of 6, or for the last ones.
Kernel product(bool descending = false) {
  const Expr K = p("K"), k = v("k");
  const auto sums = [](const std::string& name) {
    return load("s", f32, {v("r" + name), v("l" + name)});
  };
  const Expr step = sums("1") + load("b", f32, {k, v("l1")}) * load("a", f32, {v("r1"), k});
  const StmtPtr body = block({in_rows("0", "s", constant(f32, 0), descending),
                              loop("k", n(0), K, in_rows("1", "s", step, descending)),
                              in_rows("2", "y", sums("2"), descending)});
  return kernel("product", {"N", "K"},
                {argument("a", f32, Access::read, {n(rows), K}),
                 argument("b", f32, Access::read, {K, n(lanes)}),
                 argument("y", f32, Access::written, {n(rows), n(lanes)})},
                make_stmt(Allocate{"s", f32, {n(0), n(0)}, {n(rows), n(lanes)}, body}),
                Floats::fast);
}

}  // namespace

TEST_CASE("rows under conditions that imply each other have their sums", "[halide]") {
  for (const bool descending : {false, true}) {
    const JitKernel k(product(descending));
    for (const std::int64_t size : {-1, 0, 1, 2, 5, 6, 7})
      for (const std::int64_t steps : {0, 1, 3}) {
        Array<float> a({rows, steps}), b({steps, lanes}), y({rows, lanes}, -1.0f);
        for (std::int64_t x = 0; x < rows * steps; ++x) a.data()[x] = float(x % 7 - 3);
        for (std::int64_t x = 0; x < lanes * steps; ++x) b.data()[x] = float(x % 5 + 1);
        REQUIRE(k.call({size, steps}, {a, b, y}) == 0);
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t j = 0; j < lanes; ++j) {
            float sum = 0;
            for (std::int64_t t = 0; t < steps; ++t) sum += a(r, t) * b(t, j);
            const bool runs = descending ? size + r >= rows : size >= r + 1;
            CHECK(y(r, j) == (runs ? sum : -1.0f));
          }
      }
  }
}

TEST_CASE("rows under conditions that imply each other share what the first one loads",
          "[halide][assembly]") {
  CHECK(Assembly(product()).count("vfmadd\\S+ps\\s+-?\\d*\\(") == 0);
}

}  // namespace strata::test::nested_conditions_test
