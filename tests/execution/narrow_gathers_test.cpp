// Gathers at indices from narrow data: what an iteration computes or copies for them is as large as
// the array, not as the range of the index's type.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::narrow_gathers_test {

namespace {

const std::vector<Type> types{i8, u8, i16, u16, i32, u32, i64};
const Var j0("j0");

// o(j) = s(the index of at(j)), s computed in each iteration of o's loop, which may be cut in
// pieces of "size": what remains is then a copy of the loop that few sizes have.
template <typename Index>
void check_computed(Type type, const Index& index, std::int64_t size = 1) {
  INFO("indices of " << to_string(type));
  Function f("gather");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input in = f.input("in", i32, {N}), at = f.input("at", type, {N});
  Computation s = f.computation("s", {i}, in(i) + 1);
  Computation o = f.computation("o", {j}, s(index(cast(i64, at(j)), N)));
  if (size > 1) o.split(j, size, j0, j);
  s.compute_at(o, j);
  Judged judged(f, {in.buffer(), at.buffer(), o.buffer()});
  for (const std::int64_t n : {31, 1, 0, 140}) judged.check({n});
}

template <typename Index>
void check_copied(Type type, const Index& index, std::int64_t size = 1) {
  INFO("indices of " << to_string(type));
  Function f("gather");
  Param N = f.param("N");
  Var j("j", 0, N), x("x");
  Input in = f.input("in", i32, {N}), at = f.input("at", type, {N});
  Computation o = f.computation("o", {j}, in(index(cast(i64, at(j)), N)));
  if (size > 1) o.split(j, size, j0, j);
  o.cache_at(j, in, "copy", {x});
  Judged judged(f, {in.buffer(), at.buffer(), o.buffer()});
  for (const std::int64_t n : {31, 1, 0, 140}) judged.check({n});
}

Expr clamped(const Expr& e, const Expr& N) { return clamp(e, 0, N - 1); }

}  // namespace

TEST_CASE("a producer of what a clamped gather may read", "[memory]") {
  for (const Type type : types) check_computed(type, clamped);
}

TEST_CASE("a copy of what a clamped gather may read", "[memory]") {
  for (const Type type : types) check_copied(type, clamped);
}

TEST_CASE("the same in what remains of a split loop", "[memory]") {
  for (const std::int64_t size : {2, 3, 4}) {
    check_computed(i32, clamped, size);
    check_copied(i32, clamped, size);
    check_copied(u32, clamped, size);
  }
}

TEST_CASE("the same for large arrays only", "[memory]") {
  Function f("gather");
  Param N = f.param("N");
  f.assume(N >= 5000);
  Var j("j", 0, N), x("x");
  Input in = f.input("in", i32, {N}), at = f.input("at", i32, {N});
  Computation o = f.computation("o", {j}, in(clamped(cast(i64, at(j)), N)));
  o.cache_at(j, in, "copy", {x});
  const std::string loops = f.loops({in.buffer(), at.buffer(), o.buffer()});
  CHECK(loops.find("copy[0 : select(") != std::string::npos);
}

TEST_CASE("tiles that do not fit the first cache have constant sizes", "[memory]") {
  Function f("tiles");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), i0("i0"), i1("i1"), j1("j1");
  Input in = f.input("in", f32, {N, N});
  Computation s = f.computation("s", {i, j}, in(i, j) + 1.0f);
  Computation o = f.computation("o", {i, j}, s(i, j) * 2.0f);
  o.tile(i, j, 128, 128, i0, j0, i1, j1);
  s.compute_at(o, j0);
  const std::string loops = f.loops({in.buffer(), o.buffer()});
  CHECK(loops.find("s[128 * i0 : 128 * i0 + 128, 128 * j0 : 128 * j0 + 128]") != std::string::npos);
}

}  // namespace strata::test::narrow_gathers_test
