// separate, guard and mask: kernels at the boundary of their domains.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::borders_test {

namespace {

enum class Choice { automatic, separate, guard };

// Sets how loop "v" of "c" executes partial tiles; for a vector loop, guard means mask.
void choose(Computation& c, const Var& v, Choice choice, bool vector) {
  if (choice == Choice::separate) c.separate(v);
  if (choice == Choice::guard) vector ? c.mask(v) : c.guard(v);
}

Options fast_within(double bound) {
  Options options;
  options.floats = Floats::fast;
  options.bound = bound;
  return options;
}

}  // namespace

TEST_CASE("a register tile with every choice of border", "[borders]") {
  for (const Choice rows : {Choice::automatic, Choice::separate, Choice::guard})
    for (const Choice lanes : {Choice::automatic, Choice::separate, Choice::guard}) {
      INFO("rows " << int(rows) << ", lanes " << int(lanes));
      Function f("product");
      Param N = f.param("N"), M = f.param("M"), K = f.param("K");
      Var i("i", 0, N), j("j", 0, M), k("k", 0, K), x("x"), y("y");
      Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), j_lane("j_lane"), j1_lane("j1_lane");
      Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
      Computation sums = f.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
      Computation c = f.computation("c", {i, j}, sums(i, j));
      c.tile(i, j, 4, 16, i0, j0, i1, j1);
      c.interchange(i0, j0);
      sums.compute_at(c, i0);
      sums.interchange(j, k).interchange(i, k);
      Computation panel = sums.cache_at(j0, b, "panel", {x, y});
      sums.vectorize(j, 8);
      sums.unroll(j);
      sums.unroll(i);
      c.vectorize(j1, 8);
      c.unroll(j1);
      c.unroll(i1);
      for (const auto& [computation, row, vectors, lane] :
           {std::tuple(&sums, i, j, j_lane), std::tuple(&c, i1, j1, j1_lane)}) {
        choose(*computation, row, rows, false);
        choose(*computation, vectors, rows, false);
        choose(*computation, lane, lanes, true);
      }
      Judged product(f, {a.buffer(), b.buffer(), c.buffer()}, fast_within(1e-5));
      for (const std::int64_t n : {1, 3, 4, 9})
        for (const std::int64_t m : {1, 7, 8, 17, 31}) product.check({n, m, 3});
      product.check({5, 9, 0});
      product.check({0, 9, 2});
    }
}

TEST_CASE("masked lanes neither load nor store beyond the border", "[borders]") {
  for (const Type type : {u8, i16, i32, i64, f16, f32, f64}) {
    INFO(to_string(type));
    Function f("shifted");
    Param N = f.param("N");
    Var i("i", 0, N - 2), j_lane("i_lane");
    Input in = f.input("in", type, {N});
    Computation s =
        f.computation("s", {i}, select(i % 3 == 0, in(i), in(i + 1)) + in(i + 2) * in(i));
    s.vectorize(i, 8);
    s.mask(j_lane);
    Judged shifted(f, {in.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 2, 3, 9, 10, 11, 18, 25}) shifted.check({n});
  }
}

TEST_CASE("masks on a triangle, lanes outside and inside", "[borders]") {
  for (const bool outside : {false, true}) {
    Function f("triangle");
    Param N = f.param("N");
    Input in = f.input("in", i32, {N, N});
    Computation s = f.computation("s", Domain("[N] -> { S[i, j] : 0 <= i <= j < N }"),
                                  in(variable("i"), variable("j")) * 3);
    Var i("i"), j("j"), lane("lane"), o("o");
    if (outside) s.interchange(i, j);
    s.vectorize(j, 4, o, lane);
    s.mask(lane);
    s.unroll(i, 3);
    s.guard(Var("i_unroll"));
    Judged triangle(f, {in.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 8, 9}) triangle.check({n});
  }
}

TEST_CASE("masked contributions and their initial values", "[borders]") {
  Function f("columns");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), j_lane("j_lane");
  Input in = f.input("in", i32, {N, M});
  Computation s = f.computation("s", {j}, sum(i, in(i, j)));
  s.interchange(j, i);
  s.vectorize(j, 8);
  s.mask(j_lane);
  Judged columns(f, {in.buffer(), s.buffer()});
  for (const std::int64_t m : {0, 1, 7, 8, 9, 20})
    for (const std::int64_t n : {0, 1, 3}) columns.check({n, m});
}

TEST_CASE("two masked vector loops, one inside the other", "[borders]") {
  for (const bool both : {false, true}) {
    Function f("nested");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    Input in = f.input("in", i32, {N, M}), row = f.input("row", i32, {N});
    Computation s = f.computation("s", {i, j}, in(i, j) * row(i));
    s.tile(i, j, 4, 8, i0, j0, i1, j1);
    s.vectorize(j1).vectorize(i1);
    s.mask(i1);
    if (both) s.mask(j1);
    Judged nested(f, {in.buffer(), row.buffer(), s.buffer()});
    for (const std::int64_t n : {0, 1, 3, 4, 6})
      for (const std::int64_t m : {0, 1, 8, 13}) nested.check({n, m});
  }
}

TEST_CASE("a masked vector loop around loops of other lengths", "[borders]") {
  Function f("ragged");
  Param N = f.param("N");
  Input in = f.input("in", i32, {N, N});
  Var i("i"), j("j"), lane("lane"), o("o");
  Computation s = f.computation(
      "s", Domain("[N] -> { s[i, j] : 0 <= i < N and (0 <= j <= i - 3 or i <= j < N) }"),
      in(i, j) + 1);
  s.vectorize(i, 4, o, lane);
  s.mask(lane);
  Judged ragged(f, {in.buffer(), s.buffer()});
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 8, 9}) ragged.check({n});
}

TEST_CASE("masked stores over what is read", "[borders]") {
  Function f("in_place");
  Param N = f.param("N");
  Var i("i", 0, N), lane("i_lane");
  Input in = f.input("in", i32, {N + 1});
  Computation s = f.computation("s", {i}, in(i) + 2 * in(i + 1));
  s.store_in(in.buffer(), {i});
  s.vectorize(i, 8);
  s.mask(lane);
  Judged in_place(f, {in.buffer()});
  for (const std::int64_t n : {0, 1, 7, 8, 9, 23}) in_place.check({n});
}

TEST_CASE("a contracted buffer under masks", "[borders]") {
  Function f("contracted");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), lane("j_lane");
  Input in = f.input("in", i32, {N, M});
  Computation p = f.computation("p", {i, j}, in(i, j) * 2);
  Computation s = f.computation("s", {i, j}, p(i, j) + 1);
  p.vectorize(j, 8);
  s.vectorize(j, 8);
  s.after(p, Var("j"));
  p.store_in({j % 8});
  s.mask(lane);
  p.mask(lane);
  Judged contracted(f, {in.buffer(), s.buffer()});
  for (const std::int64_t m : {0, 1, 7, 8, 9, 20}) contracted.check({2, m});
}

namespace {

// The number of vector loops with all lanes.
int full_vectors(const StmtPtr& s, std::int64_t lanes) {
  if (!s) return 0;
  if (const auto* loop = std::get_if<For>(s.get()))
    return (loop->processor == Processor::vector && loop->extent == lanes) +
           full_vectors(loop->body, lanes);
  if (const auto* branch = std::get_if<If>(s.get()))
    return full_vectors(branch->then, lanes) + full_vectors(branch->otherwise, lanes);
  if (const auto* allocate = std::get_if<Allocate>(s.get()))
    return full_vectors(allocate->body, lanes);
  int count = 0;
  if (const auto* block = std::get_if<Block>(s.get()))
    for (const StmtPtr& part : block->body) count += full_vectors(part, lanes);
  return count;
}

}  // namespace

TEST_CASE("what is computed where it is needed has full vectors", "[borders]") {
  Function f("rows");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), k("k", 1, N - 1);
  Input in = f.input("in", f32, {N, M});
  Computation twice = f.computation("twice", {i, j}, in(i, j) * 2.0f);
  Computation out = f.computation("out", {k, j}, twice(k - 1, j) + twice(k + 1, j));
  out.split(k, 4, Var("k0"), Var("k1"));
  twice.compute_at(out, Var("k0"));
  twice.vectorize(j, 8);
  Judged rows(f, {in.buffer(), out.buffer()});
  CHECK(full_vectors(rows.tree().body, 8) > 0);
  for (const std::int64_t n : {1, 3, 6, 7, 11})
    for (const std::int64_t m : {1, 7, 8, 9, 16, 21}) rows.check({n, m});
}

}  // namespace strata::test::borders_test
