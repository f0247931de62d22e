// Small buffers on the stack of nests that stand one after the other.
#include <catch2/catch.hpp>

#include "tests/unit/entry/kernels.h"
#include "tests/unit/entry/views.h"
#include "tests/unit/halide/assembly.h"

namespace strata::test::stack_memory_test {

namespace {

constexpr std::int64_t rows = 6, lanes = 8;

StmtPtr row(const std::string& buffer, const Expr& r, const Expr& value) {
  return loop("l", n(0), n(lanes), store(buffer, {r, v("l")}, value), Processor::vector);
}

StmtPtr unrolled_rows(const std::string& buffer, const Expr& value, const Expr& last = n(rows)) {
  const StmtPtr guarded = make_stmt(If{v("r") < last, row(buffer, v("r"), value), nullptr});
  return loop("r", n(0), n(rows), guarded, Processor::unrolled);
}

StmtPtr with_own(const std::string& buffer, const std::vector<StmtPtr>& body) {
  return make_stmt(Allocate{buffer, f32, {n(0), n(0)}, {n(rows), n(lanes)}, block(body)});
}

// y[r, j] = sum over k >= r of a[r, k] b[k, j], in registers.
StmtPtr sums() {
  const Expr r = v("r"), l = v("l"), k = v("k");
  const Expr step = load("s", f32, {r, l}) + load("b", f32, {k, l}) * load("a", f32, {r, k});
  return with_own("s", {unrolled_rows("s", constant(f32, 0)),
                        loop("k", n(0), p("K"), unrolled_rows("s", step, k + n(1))),
                        unrolled_rows("y", load("s", f32, {r, l}))});
}

// z[r, j] = y[5 - r, j] + 1 through a buffer that is indexed by variables, so in memory.
StmtPtr turned() {
  const Expr r = v("r"), l = v("l");
  const Expr above = load("y", f32, {r, l}) + constant(f32, 1);
  return with_own("t", {loop("r", n(0), n(rows), row("t", r, above)),
                        loop("r", n(0), n(rows), row("z", r, load("t", f32, {n(5) - r, l})))});
}

Kernel kernel_of(const StmtPtr& body) {
  const Expr K = p("K");
  return kernel("nests", {"K"},
                {argument("a", f32, Access::read, {n(rows), K}),
                 argument("b", f32, Access::read, {K, n(lanes)}),
                 argument("y", f32, Access::read_and_written, {n(rows), n(lanes)}),
                 argument("z", f32, Access::written, {n(rows), n(lanes)})},
                body, Floats::fast);
}

}  // namespace

TEST_CASE("sums stay in registers beside a later buffer in memory", "[halide]") {
  const auto stored = [](const StmtPtr& body) {
    return Assembly(kernel_of(body)).count("vmov\\w+\\s+%ymm\\d+, .*\\(%rsp");
  };
  CHECK(stored(turned()) > 0);
  CHECK(stored(block({sums(), turned()})) <= stored(sums()) + stored(turned()));
}

TEST_CASE("nests with stack buffers of one size have their results", "[halide]") {
  const JitKernel k(kernel_of(block({sums(), turned()})));
  for (const std::int64_t steps : {0, 1, 3, 9}) {
    Array<float> a({rows, steps}), b({steps, lanes}), y({rows, lanes}), z({rows, lanes});
    for (std::int64_t x = 0; x < rows * steps; ++x) a.data()[x] = float(x % 7 - 3);
    for (std::int64_t x = 0; x < lanes * steps; ++x) b.data()[x] = float(x % 5 + 1);
    REQUIRE(k.call({steps}, {a, b, y, z}) == 0);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < lanes; ++j) {
        float sum = 0;
        for (std::int64_t t = r; t < steps; ++t) sum += a(r, t) * b(t, j);
        CHECK(y(r, j) == sum);
        CHECK(z(5 - r, j) == sum + 1);
      }
  }
}

}  // namespace strata::test::stack_memory_test
