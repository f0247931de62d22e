// Loops, conditions, temporary buffers and layouts, compared with plain loops.
#include <catch2/catch.hpp>

#include "tests/unit/entry/kernels.h"
#include "tests/unit/entry/views.h"

namespace strata::test::statement_test {

namespace {

float sample(std::int64_t i, std::int64_t j) { return static_cast<float>((i * 37 + j * 11) % 101); }

// y[i, j] = x[i, j] + 2 x[i, j + 1] + N in tiles of 8 with a remainder; x has one more column.
Kernel row_stencil(Processor outer, Processor inner) {
  const Expr N = p("N"), M = p("M"), i = v("i"), t = v("t"), j = v("j"), r = v("r");
  const auto at = [&](const Expr& column) {
    return store(
        "y", {i, column},
        load("x", f32, {i, column}) + load("x", f32, {i, column + n(1)}) * 2.0f + cast(f32, N));
  };
  const StmtPtr tiles = loop("t", n(0), M / n(8), steps("j", t * n(8), 8, at(j), inner));
  const StmtPtr rest = loop("r", M / n(8) * n(8), M, at(r), inner);
  return kernel("row_stencil", {"N", "M"},
                {argument("x", f32, Access::read, {N, M + n(1)}),
                 argument("y", f32, Access::written, {N, M})},
                loop("i", n(0), N, block({tiles, rest}), outer));
}

void check_row_stencil(const JitKernel& k, std::int64_t rows, std::int64_t columns) {
  Array<float> x({rows, columns + 1}), y({rows, columns}, -1.0f);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j <= columns; ++j) x(i, j) = sample(i, j);
  REQUIRE(k.call({rows, columns}, {x, y}) == 0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      REQUIRE(y(i, j) == sample(i, j) + 2 * sample(i, j + 1) + static_cast<float>(rows));
}

}  // namespace

TEST_CASE("sizes of none, one, a part of a tile and more, in every kind of loop", "[halide]") {
  for (const Processor outer : {Processor::sequential, Processor::parallel})
    for (const Processor inner :
         {Processor::sequential, Processor::vector, Processor::unrolled, Processor::parallel}) {
      const JitKernel k(row_stencil(outer, inner));
      for (const std::int64_t rows : {0, 1, 5, 33})
        for (const std::int64_t columns : {0, 1, 7, 8, 9, 40}) check_row_stencil(k, rows, columns);
      CHECK(k.call({-3, -5}, {Array<float>({0, 0}), Array<float>({0, 0})}) == 0);
    }
}

TEST_CASE("any strides and origins are right", "[halide]") {
  const JitKernel k(row_stencil(Processor::sequential, Processor::vector));
  const int rows = 6, columns = 19;
  struct Layout {
    int row, column;
  };
  const std::vector<Layout> layouts = {{32, 1}, {40, 2}, {1, 8}, {-32, 1}, {32, -1}, {-64, -3}};
  for (const Layout& in : layouts)
    for (const Layout& out : layouts) {
      std::vector<float> x(2048, -7), y(2048, -7);
      float *x0 = &x[1024], *y0 = &y[1024];
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= columns; ++j) x0[i * in.row + j * in.column] = sample(i, j);
      // The second view starts at row -2, column -5.
      View vx(strata_float(32), x0, {{0, rows, in.row, 0}, {0, columns + 1, in.column, 0}});
      View vy(strata_float(32), y0 - 2 * out.row - 5 * out.column,
              {{-2, rows + 3, out.row, 0}, {-5, columns + 6, out.column, 0}});
      REQUIRE(k.call({rows, columns}, {vx, vy}) == 0);
      int written = 0;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
          REQUIRE(y0[i * out.row + j * out.column] == sample(i, j) + 2 * sample(i, j + 1) + rows);
          ++written;
        }
      REQUIRE(std::count(y.begin(), y.end(), -7.0f) == 2048 - written);
    }
}

TEST_CASE("a dimension of one element may have any stride", "[halide]") {
  const Expr N = p("N"), i = v("i");
  const JitKernel k(kernel(
      "column", {"N"},
      {argument("x", i32, Access::read, {N, n(1)}), argument("y", i32, Access::written, {N, n(1)})},
      loop("i", n(0), N, store("y", {i, n(0)}, load("x", i32, {i, n(0)}) + 1))));
  std::vector<std::int32_t> x(20), y(20);
  for (int j = 0; j < 20; ++j) x[j] = j;
  View vx(strata_int(32), x.data(), {{0, 10, 2, 0}, {0, 1, 77, 0}});
  View vy(strata_int(32), y.data(), {{0, 10, 1, 0}, {0, 1, -5, 0}});
  REQUIRE(k.call({10}, {vx, vy}) == 0);
  for (int j = 0; j < 10; ++j) CHECK(y[j] == 2 * j + 1);
}

// A vector loop around a sequential one: a[i] runs its inner loop in 16 lanes, with a triangular
// bound.
TEST_CASE("a vector loop need not be innermost", "[halide]") {
  const Expr i = v("i"), j = v("j"), q = v("q"), t = v("t"), N = p("N");
  const StmtPtr inner =
      loop("j", n(0), i + n(1),
           store("y", {i}, load("y", i32, {i}) + load("x", i32, {i, j}) * cast(i32, j)));
  const StmtPtr body =
      loop("t", n(0), N / n(16),
           steps("i", t * n(16), 16, block({store("y", {i}, constant(i32, 5)), inner}),
                 Processor::vector));
  const JitKernel k(kernel(
      "triangle", {"N"},
      {argument("x", i32, Access::read, {N, N}), argument("y", i32, Access::read_and_written, {N})},
      body));
  Array<std::int32_t> x({48, 48}), y({48});
  for (int r = 0; r < 48; ++r)
    for (int c = 0; c < 48; ++c) x(r, c) = r * 31 + c * 7;
  REQUIRE(k.call({48}, {x, y}) == 0);
  for (int r = 0; r < 48; ++r) {
    int sum = 5;
    for (int c = 0; c <= r; ++c) sum += x(r, c) * c;
    CHECK(y(r) == sum);
  }
}

TEST_CASE("conditions on lanes, with both branches", "[halide]") {
  const Expr t = v("t"), i = v("i"), N = p("N");
  const StmtPtr odd = store("y", {i}, load("x", f32, {i}) * 3.0f);
  const StmtPtr even = store("y", {i}, load("x", f32, {i - n(1)}) - 1.0f);
  const StmtPtr choice = make_stmt(If{i % n(2) == n(0), odd, even});
  const StmtPtr only = make_stmt(If{i < N - n(3), choice, nullptr});
  const JitKernel k(
      kernel("lanes", {"N"},
             {argument("x", f32, Access::read, {N}), argument("y", f32, Access::written, {N})},
             loop("t", n(0), N / n(8), steps("i", t * n(8), 8, only, Processor::vector))));
  Array<float> x({32}), y({32}, -5);
  for (int j = 0; j < 32; ++j) x(j) = 0.5f * j;
  REQUIRE(k.call({32}, {x, y}) == 0);
  for (int j = 0; j < 32; ++j) CHECK(y(j) == (j >= 29 ? -5 : j % 2 == 0 ? x(j) * 3 : x(j - 1) - 1));
}

namespace {

// Row sums through a temporary per row: written in one loop, read in another, under a loop "tag".
Kernel through_temporary(std::vector<Expr> lowers, std::vector<Expr> extents, Processor outer) {
  const Expr i = v("i"), j = v("j"), q = v("q"), N = p("N"), M = p("M");
  const Expr x = load("x", f64, {i, j});
  const StmtPtr make = loop("j", n(0), M, store("row", {i, j}, x * x));
  const StmtPtr use =
      loop("q", n(0), M, store("y", {i}, load("y", f64, {i}) + load("row", f64, {i, q})));
  const StmtPtr body =
      make_stmt(Allocate{"row", f64, std::move(lowers), std::move(extents),
                         block({make, store("y", {i}, real_constant(f64, 0)), use})});
  return kernel(
      "temporary", {"N", "M"},
      {argument("x", f64, Access::read, {N, M}), argument("y", f64, Access::read_and_written, {N})},
      loop("i", n(0), N, body, outer));
}

}  // namespace

TEST_CASE("temporary buffers on the stack and in the heap, also in parallel", "[halide]") {
  const Expr i = v("i"), M = p("M");
  for (const Processor outer : {Processor::sequential, Processor::parallel})
    for (const Expr& width : {n(100), n(3000), M}) {
      const JitKernel k(through_temporary({i, n(0)}, {n(1), width}, outer));
      for (const std::int64_t columns : {0, 1, 100}) {
        Array<double> x({50, columns}), y({50}, -1);
        for (double& e : x) e = static_cast<double>(&e - x.data()) / 8;
        REQUIRE(k.call({50, columns}, {x, y}) == 0);
        for (int r = 0; r < 50; ++r) {
          double sum = 0;
          for (std::int64_t c = 0; c < columns; ++c) sum += x(r, c) * x(r, c);
          REQUIRE(y(r) == sum);
        }
      }
    }
}

TEST_CASE("no memory for a temporary is an error, and the message comes out of threads",
          "[halide]") {
  const Expr i = v("i");
  for (const Processor outer : {Processor::sequential, Processor::parallel}) {
    const JitKernel k(
        through_temporary({i, n(0)}, {n(1), p("M") * n(std::int64_t{1} << 44)}, outer));
    Array<double> x({4, 8}), y({4});
    CHECK(k.call({4, 8}, {x, y}) == strata_error_out_of_memory);
    CHECK(std::string(strata_last_error())
              .find("temporary: out of memory for the temporary "
                    "buffer row") == 0);
    CHECK(k.call({0, 8}, {x, y}) == 0);
  }
}

TEST_CASE("a temporary inside a vector loop has one element per lane", "[halide]") {
  const Expr t = v("t"), i = v("i"), j = v("j"), N = p("N");
  const StmtPtr fill = loop("j", n(0), n(4), store("tmp", {j}, load("x", i32, {i}) * cast(i32, j)));
  const StmtPtr take = store("y", {i}, load("tmp", i32, {n(3)}) - load("tmp", i32, {n(1)}));
  for (const std::int64_t size : {std::int64_t{4}, std::int64_t{100000}}) {
    const StmtPtr body = make_stmt(Allocate{"tmp", i32, {n(0)}, {n(size)}, block({fill, take})});
    const JitKernel k(
        kernel("lanes", {"N"},
               {argument("x", i32, Access::read, {N}), argument("y", i32, Access::written, {N})},
               loop("t", n(0), N / n(8), steps("i", t * n(8), 8, body, Processor::vector))));
    Array<std::int32_t> x({16}), y({16});
    for (int r = 0; r < 16; ++r) x(r) = r * r;
    REQUIRE(k.call({16}, {x, y}) == 0);
    for (int r = 0; r < 16; ++r) CHECK(y(r) == 2 * r * r);
  }
}

TEST_CASE("nested parallel, vector and unrolled loops", "[halide]") {
  const Expr i = v("i"), j = v("j"), k = v("k"), l = v("l"), N = p("N");
  const StmtPtr body = loop(
      "i", n(0), N,
      loop("j", n(0), N,
           loop("k", n(0), n(4),
                loop("l", n(0), n(8),
                     store("y", {i, j, k, l}, cast(i32, i * n(1000) + j * n(100) + k * n(10) + l)),
                     Processor::vector),
                Processor::vector),
           Processor::parallel),
      Processor::parallel);
  const JitKernel kernel_(
      kernel("nest", {"N"}, {argument("y", i32, Access::written, {N, N, n(4), n(8)})}, body));
  Array<std::int32_t> y({9, 9, 4, 8});
  REQUIRE(kernel_.call({9}, {y}) == 0);
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b)
      for (int c = 0; c < 4; ++c)
        for (int d = 0; d < 8; ++d) REQUIRE(y(a, b, c, d) == a * 1000 + b * 100 + c * 10 + d);
}

// 3 * 2^30 elements between the rows: places need 64 bits. Only the touched pages are allocated.
TEST_CASE("places beyond 32 bits", "[halide]") {
  const std::int64_t row = 1'500'000'000, bytes = 3 * row * 2;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const Expr i = v("i"), j = v("j"), N = p("N"), first = p("first");
  const JitKernel k(
      kernel("far", {"N", "first"},
             {ArgumentBuffer{"y", i16, Access::written, {n(0), first}, {N, first + n(8)}}},
             loop("i", n(0), N,
                  steps("j", first, 8, store("y", {i, j}, cast(i16, i * n(10) + j - first)),
                        Processor::vector))));
  View y(strata_int(16), memory, {{0, 3, 1'500'000'000, 0}, {0, 1'500'000'000, 1, 0}});
  REQUIRE(k.call({3, row - 8}, {y}) == 0);
  const auto* data = static_cast<std::int16_t*>(memory);
  for (std::int64_t a = 0; a < 3; ++a)
    for (std::int64_t b = 0; b < 8; ++b) REQUIRE(data[a * row + row - 8 + b] == a * 10 + b);
  munmap(memory, bytes);
}

TEST_CASE("a chain of conditions that compare one number with constants", "[halide]") {
  const Expr i = v("i"), N = p("N");
  StmtPtr chain = store("y", {i}, constant(i32, -1));
  for (std::int64_t k = 3; k-- > 0;)
    chain = make_stmt(If{i == n(k), store("y", {i}, constant(i32, 10 + k)), chain});
  const JitKernel kernel_of_chain(kernel("chain", {"N"}, {argument("y", i32, Access::written, {N})},
                                         loop("i", n(0), N, chain)));
  Array<std::int32_t> y({6});
  REQUIRE(kernel_of_chain.call({6}, {y}) == 0);
  for (int k = 0; k < 6; ++k) CHECK(y(k) == (k < 3 ? 10 + k : -1));
}

}  // namespace strata::test::statement_test
