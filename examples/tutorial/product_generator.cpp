// product_generator FOLDER: writes product.o and product.h, a product of matrices of any size.
#include <strata/generator.h>
#include <strata/strata.h>

using namespace strata;

int main(int argc, char** argv) {
  Generator generator;
  const auto rows = generator.parameter("rows", 8, "rows of a tile");
  return generator.main(argc, argv, [&](const Machine& machine) {
    Function product("product");
    Param N = product.param("N"), M = product.param("M"), K = product.param("K");
    Var i("i", 0, N), j("j", 0, M), k("k", 0, K), x("x"), y("y");
    Input a = product.input("a", f32, {N, K}), b = product.input("b", f32, {K, M});
    Computation c = product.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));

    const int lanes = machine.lanes(f32);
    Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane");
    c.tile(i, j, *rows, 2 * lanes, i0, j0, i1, j1).interchange(i0, j0);
    c.interchange(j1, k).interchange(i1, k);
    c.vectorize(j1, lanes, j1, lane);
    c.unroll(j1).unroll(i1);
    c.cache_at(j0, b, "panel", {x, y}).vectorize(y, lanes);
    c.parallelize(j0);
    return Scheduled{product, {a.buffer(), b.buffer(), c.buffer()}};
  });
}
