// A matrix product for the tests of tensor cores: two warps, one above the other, make 32 x 8
// elements.
#pragma once

#include "schedule/finish.h"
#include "schedule/table/replay.h"
#include "tests/unit/programs.h"

namespace strata::test {

// S(i, j) = the sum of float32(a(i, k)) * float32(b(k, j)), and C = S.
inline Program plain_product(Type type = f32, bool b_is_first = false) {
  const Var i = range("i", "N"), j = range("j", "M"), k = range("k", "K");
  const Expr n = parameter("N"), m = parameter("M"), depth = parameter("K");
  Program p = with_input(empty_program({"N", "M", "K"}), "a", type, {n, depth}, asked);
  p = with_input(p, "b", type, {depth, m}, asked);
  const auto read = [&](const std::string& array, const Expr& x, const Expr& y) {
    const Expr element = access(array, type, {x, y});
    return type == f32 ? element : cast(f32, element);
  };
  const Expr a = read("a", i, k), b = read("b", k, j);
  p = define(p, "S", {i, j}, sum(k, b_is_first ? b * a : a * b));
  return define(p, "C", {i, j}, at("S", {i, j}));
}

// The loops of R215: in a block, k0 for the sum, warps w, threads g and t, and ri, rj, k1.
inline Program in_warps(const Program& program, std::int64_t depth = 8) {
  return replayed(program,
                  R"(
    tile(C.i, C.j, 32, 8, i0, j0, i1, j1) gpu_blocks(C.i0, C.j0)
    split(C.i1, 16, w, i1) split(C.i1, 8, ri, g) split(C.j1, 2, t, rj)
    interchange(C.ri, C.g) interchange(C.ri, C.t) gpu_threads(C.w, C.g, C.t)
    compute_at(S, C.j0) set_memory(S, local) split(S.k, )" +
                      std::to_string(depth) + R"(, k0, k1)
    interchange(S.j, S.k0) interchange(S.i, S.k0)
    split(S.i, 16, w, i1) split(S.i1, 8, ri, g) split(S.j, 8, j2, j1) split(S.j1, 2, t, rj)
    interchange(S.j2, S.t) interchange(S.ri, S.g) interchange(S.ri, S.t) interchange(S.ri, S.j2)
    gpu_threads(S.w, S.g, S.t))",
                  {});
}

}  // namespace strata::test
