// Extern calls that take whole arrays.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::array_arguments_test {

using reference::ArrayView;
using reference::Point;
using reference::Scalar;

namespace {

const Var i("i"), j("j");

// The address of an element, from the fields of the argument.
template <typename T>
const T& element(const strata_buffer* a, std::initializer_list<std::int64_t> indices) {
  REQUIRE(a->dimensions == int(indices.size()));
  std::int64_t at = 0;
  int d = a->dimensions;
  for (const std::int64_t index : indices) {
    --d;
    REQUIRE(index >= a->dim[d].min);
    REQUIRE(index < a->dim[d].min + a->dim[d].extent);
    at += (index - a->dim[d].min) * a->dim[d].stride;
  }
  return reinterpret_cast<const T*>(a->host)[at];
}

int calls = 0;

}  // namespace

// Called by kernels by name.
extern "C" {

std::int32_t strata_test_first(const strata_buffer* a) { return element<std::int32_t>(a, {0, 0}); }

// sum_j a(i, j) for j <= i
std::int32_t strata_test_row(const strata_buffer* a, std::int64_t row) {
  std::int32_t sum = 0;
  for (std::int64_t column = 0; column <= row; ++column)
    sum += element<std::int32_t>(a, {row, column}) * std::int32_t(column + 1);
  return sum;
}

// The shape, encoded in one number.
std::int64_t strata_test_shape(const strata_buffer* a) {
  std::int64_t shape = a->type.bits;
  for (int d = a->dimensions; d-- > 0;)
    shape = shape * 1000 + a->dim[d].min * 100 + a->dim[d].extent;
  return shape;
}

std::int32_t strata_test_counted(const strata_buffer* a) {
  ++calls;
  return a->dimensions;
}
}

namespace {

Scalar row_of(const std::vector<reference::Argument>& args) {
  const auto& a = std::get<ArrayView>(args[0]);
  const auto row = reference::value_of<std::int64_t>(std::get<Scalar>(args[1]));
  std::uint32_t sum = 0;
  for (std::int64_t column = 0; column <= row; ++column)
    sum += std::uint32_t(reference::value_of<std::int32_t>(a.at({row, column}))) *
           std::uint32_t(column + 1);
  return reference::scalar(std::int32_t(sum));
}

Options with_rows() {
  Options options;
  options.externs["strata_test_row"] = row_of;
  return options;
}

// t(i, j) = in(i, j) + j for j <= i, and s(i) computed from row i of t.
struct Rows {
  Function f{"rows"};
  Param N = f.param("N");
  Input in = f.input("in", i32, {N, N});
  Computation t =
      f.computation("t", {Var("i", 0, N), Var("j", 0, i + 1)}, in(i, j) % 1000 + cast(i32, j));
  Computation s =
      f.computation("s", {Var("i", 0, N)}, call(i32, "strata_test_row", {t.array(), i}));

  void check() {
    Judged judged(f, {in.buffer(), s.buffer()}, with_rows());
    for (const std::int64_t n : {0, 1, 4, 9}) judged.check({n});
  }
};

}  // namespace

TEST_CASE("a call gives every instance the first element of an array", "[arrays]") {
  Function f("first");
  Input a = f.input("a", i32, {10, 10});
  Computation s = f.computation("s", {Var("i", 0, 10), Var("j", 0, 10)},
                                call(i32, "strata_test_first", {a.array()}));
  Array<std::int32_t> in({10, 10}, 9), out({10, 10}, 0);
  in(9, 9) = 1;
  REQUIRE(f.jit({a.buffer(), s.buffer()})({}, {in, out}) == 0);
  for (const std::int32_t x : out) REQUIRE(x == 9);
}

TEST_CASE("an array argument has the array's indices, wherever it is stored", "[arrays]") {
  Rows p;
  SECTION("as declared") {}
  SECTION("transposed") { p.t.store_in({j, i}); }
  SECTION("reversed and spread") { p.t.store_in({2 * j + 3 * i, p.N - i}); }
  SECTION("in a larger buffer") {
    p.t.store_in(p.f.buffer("wide", i32, {p.N + 3, 2 * p.N}), {i + 2, j});
  }
  SECTION("on the stack of each iteration") { p.t.compute_at(p.s, i); }
  p.check();
}

TEST_CASE("calls with arrays in parallel and vector loops", "[arrays]") {
  Rows p;
  SECTION("lanes") { p.s.vectorize(i, 4); }
  SECTION("threads") { p.s.parallelize(i); }
  SECTION("tiles of both") {
    const Var i0("i0"), i1("i1");
    p.s.split(i, 4, i0, i1).parallelize(i0).vectorize(i1);
  }
  SECTION("made in lanes") { p.t.vectorize(j, 8); }
  p.check();
}

TEST_CASE("the shape of an array argument", "[arrays]") {
  Function f("shape");
  Param N = f.param("N");
  Computation t = f.computation("t", {Var("i", 2, N), Var("j", 1, i)}, cast(u8, i + j));
  Computation s = f.computation("s", {}, call(i64, "strata_test_shape", {t.array()}));
  Computation all = f.computation("all", {}, s() + cast(i64, 0));
  const auto kernel = f.jit({all.buffer()});
  const auto shape = [&](std::int64_t n) {
    Array<std::int64_t> out({}, 0);
    REQUIRE(kernel({n}, {out}) == 0);
    return out();
  };
  CHECK(shape(5) == 8'203'103);  // 8 bits; 2 <= i < 5; 1 <= j < 4
  CHECK(shape(3) == 8'201'101);
}

TEST_CASE("a call with an array happens only on the side that select takes", "[arrays]") {
  Function f("guarded");
  Param N = f.param("N");
  Input in = f.input("in", i32, {N});
  Computation t = f.computation("t", {Var("i", 0, N)}, in(i) * 2);
  Computation s =
      f.computation("s", {Var("i", 0, N)},
                    select(t(i) > 10, call(i32, "strata_test_counted", {t.array()}), t(i)));
  const auto kernel = f.jit({in.buffer(), s.buffer()});
  Array<std::int32_t> data({6}), out({6}, 0);
  for (int n = 0; n < 6; ++n) data(n) = 3 * n;
  calls = 0;
  REQUIRE(kernel({6}, {data, out}) == 0);
  CHECK(calls == 4);  // 2 * 3 n > 10 for n = 2, .., 5
  CHECK(std::vector<std::int32_t>(out.begin(), out.end()) ==
        std::vector<std::int32_t>{0, 6, 1, 1, 1, 1});
}

TEST_CASE("an array is complete before a call takes it", "[arrays]") {
  Rows p;
  const auto refusal = refusal_of([&] { p.t.fuse(i, p.s, i); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  REQUIRE(refusal.witness);
  CHECK(refusal.witness->executions[0].instance == "t[1, 0]");
  CHECK(refusal.witness->executions[1].instance == "s[0]");
  p.check();
}

TEST_CASE("an array that a call takes has all its values at one time", "[arrays]") {
  Rows p;
  CHECK(refusal_of([&] { p.t.store_in({i % 2, j}); }).code == Code::E0301_value_overwritten);
  p.check();
}

TEST_CASE("places of an array argument are linear", "[arrays]") {
  Rows p;
  p.t.store_in({i / 4, i % 4, j});
  const auto refusal = refusal_of([&] { p.f.jit({p.in.buffer(), p.s.buffer()}); });
  CHECK(refusal.code == Code::E0502_code_generation_failed);
  CHECK(refusal.explanation ==
        "an extern call takes t as an array with strides, but its elements are not stored linearly "
        "in its indices");
}

TEST_CASE("an array argument whose stride has more than 32 bits is reported", "[arrays]") {
  Function f("far");
  Param stride = f.param("stride");
  f.assume(stride >= 4);
  Computation t = f.computation("t", {Var("i", 0, 2), Var("j", 0, 4)}, cast(u8, i + j));
  t.store_in(f.buffer("b", u8, {2, stride}), {i, j});
  Computation s = f.computation("s", {}, call(i64, "strata_test_shape", {t.array()}));
  const auto kernel = f.jit({s.buffer()});
  Array<std::int64_t> out({}, 0);
  CHECK(kernel({4}, {out}) == 0);
  CHECK(out() == 8'002'004);
  CHECK(kernel({std::int64_t{1} << 31}, {out}) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("the stride in dimension 0 of b") !=
        std::string::npos);
}

TEST_CASE("arrays are not operands", "[arrays]") {
  Rows p;
  const auto refusal =
      refusal_of([&] { p.f.computation("u", {Var("i", 0, p.N)}, p.in.array() + 1); });
  CHECK(refusal.code == Code::E0110_types_do_not_mix);
  CHECK(refusal.explanation == "in is a whole array, which + does not take; give it indices");
  const auto code_of = [&](const Expr& value) {
    return refusal_of([&] { p.f.computation("u", {Var("i", 0, p.N)}, value); }).code;
  };
  CHECK(code_of(p.in.array()) == Code::E0110_types_do_not_mix);
  CHECK(code_of(select(i > 0, p.in.array(), 1)) == Code::E0110_types_do_not_mix);
  CHECK(code_of(p.in(p.in.array(), i)) == Code::E0110_types_do_not_mix);
  CHECK(code_of(sum(Var("k", 0, 2), p.in.array())) == Code::E0110_types_do_not_mix);
}

TEST_CASE("what a call takes whole is not inlined, and has ranges", "[arrays]") {
  Rows p;
  CHECK(refusal_of([&] { p.t.set_inline(); }).code == Code::E0106_bad_argument);
  Function f("unbounded");
  Param N = f.param("N");
  Computation t = f.computation("t", {i}, cast(i32, i));
  const auto refusal = refusal_of(
      [&] { f.computation("s", {Var("k", 0, N)}, call(i32, "strata_test_row", {t.array(), 0})); });
  CHECK(refusal.code == Code::E0112_unbounded_domain);
  CHECK(refusal.explanation ==
        "s passes t whole to an extern call, and the range of dimension 0 is inferred from it");
}

}  // namespace strata::test::array_arguments_test
