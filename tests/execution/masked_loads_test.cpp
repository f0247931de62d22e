// Register tiles that boundaries cut, on machines with all masks, with masked loads, and with none:
// each number of lanes, vectors and rows that may be left.
#include "tests/execution/harness.h"

namespace strata::test::masked_loads_test {

namespace {

// Tiles of 4 rows and 3 vectors of 4 numbers, "layers" of them; the first layer has other data.
void check_products(Type type, const std::string& target) {
  Function f("products");
  Param L = f.param("L"), N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var l("l", 0, L), i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", type, {L, N, K}), first = f.input("first", type, {N, K});
  Input b = f.input("b", type, {L, K, M});
  Computation given = f.computation("given", {l, i, k}, select(l > 0, a(l - 1, i, k), first(i, k)));
  Computation sums = f.computation("sums", {l, i, j}, sum(k, given(l, i, k) * b(l, k, j)));
  Computation out = f.computation("out", {l, i, j}, max(sums(l, i, j), cast(type, 1)));
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane");
  out.tile(i, j, 4, 12, i0, j0, i1, j1);
  sums.compute_at(out, j0);
  given.fuse(l, out, l).vectorize(k, 4);
  sums.interchange(j, k).interchange(i, k).vectorize(j, 4, j, lane).unroll(j).unroll(i);
  out.vectorize(j1, 4, j1, lane).unroll(j1).unroll(i1);
  Options options;
  options.target = target;
  options.most_for_oracle = 0;
  Judged products(f, {a.buffer(), first.buffer(), b.buffer(), out.buffer()}, options);
  for (std::int64_t m = 0; m <= 13; ++m) products.check({2, 1 + m % 5, m, 2});
  products.check({1, 4, 36, 3});
  products.check({3, 5, 25, 1});
}

}  // namespace

TEST_CASE("cut register tiles with and without masks", "[execution]") {
  for (const std::string target : {"host", "x86-64-v3", "x86-64"})
    for (const Type type : {f32, i64, i16}) {
      INFO(target << ", " << to_string(type));
      check_products(type, target);
    }
}

}  // namespace strata::test::masked_loads_test
