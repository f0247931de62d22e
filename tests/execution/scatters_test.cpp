// Updates of elements whose indices are computed from data.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

using namespace strata;
using namespace strata::test;
using judge::Point;

namespace {

// hist(bin(i)) += 1
struct Histogram {
  Function f{"histogram"};
  Param N = f.param("N"), B = f.param("B");
  Var b{"b", 0, B}, i{"i", 0, N};
  Input bin = f.input("bin", i32, {N});
  Computation hist = f.computation("hist", {b}, constant(i32, 0));
  Computation add = hist.update({i}, {bin(i)}, hist(bin(i)) + 1);

  std::vector<Buffer> arguments() const { return {bin.buffer(), hist.buffer()}; }
  judge::Arrays inside(std::int64_t n, std::int64_t bins) const {
    judge::Arrays given;
    given["bin"] = judge::filled(f.program(), {{"N", n}, {"B", bins}}, "bin",
                                 [=](const Point& p) { return double((p[0] * p[0]) % bins); });
    return given;
  }
};

}  // namespace

TEST_CASE("a histogram", "[scatters]") {
  Histogram h;
  Judged histogram(h.f, h.arguments());
  const auto out = histogram.check({10, 4}, h.inside(10, 4));  // squares are 0 or 1 modulo 4
  CHECK(out["hist"].integer({0}) == 5);
  CHECK(out["hist"].integer({1}) == 5);
  CHECK(out["hist"].integer({2}) == 0);
  histogram.check({0, 3}, h.inside(0, 3));
  histogram.check({1, 1}, h.inside(1, 1));
}

TEST_CASE("the instances of a scatter keep their order", "[scatters]") {
  Histogram h;
  for (const auto& command : std::vector<std::function<void()>>{
           [&] { h.add.parallelize(h.i); }, [&] { h.add.vectorize(h.i, 4); }}) {
    const Refusal refusal = refusal_of(command);
    CHECK(refusal.code == Code::E0202_dependence_carried);
    CHECK(refusal.explanation.find("all that may happen is assumed to") != std::string::npos);
    REQUIRE(refusal.witness);
    CHECK(refusal.witness->executions[0].instance == "hist_1[0]");
    CHECK(refusal.witness->executions[1].instance == "hist_1[1]");
  }
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { h.add.reverse(h.i); }));
  CHECK(refuses(h.f, Code::E0201_dependence_reversed, [&] { h.add.before(h.hist, root); }));
  h.add.split(h.i, 4, Var("i0"), Var("i1"));
  h.add.unroll(Var("i1"));
  Judged(h.f, h.arguments()).check({11, 3}, h.inside(11, 3));
}

TEST_CASE("an element outside the array is not written, and reported", "[scatters]") {
  Histogram h;
  const JitFunction kernel = h.f.jit(h.arguments());
  Array<std::int32_t> bin({5}), memory({6});
  for (std::int64_t x = 0; x < 6; ++x) memory(x) = 77;
  strata_buffer hist;
  strata_dimension dimension;
  const std::int64_t extent = 4;
  strata_buffer_init(&hist, strata_int(32), &memory(1), 1, &dimension, &extent);
  for (const std::int32_t wrong : {-1, 4, 1 << 30, -(1 << 30)}) {
    for (std::int64_t x = 0; x < 5; ++x) bin(x) = std::int32_t(x == 3 ? wrong : 2);
    CHECK(kernel({5, 4}, {bin, strata_argument(&hist)}) == strata_error_index_out_of_range);
    CHECK(std::string(strata_last_error()).find("index 0 of hist was ") != std::string::npos);
    CHECK(memory(0) == 77);
    CHECK(memory(5) == 77);
  }
}

TEST_CASE("readers of a scatter see all of it", "[scatters]") {
  Function f("ranked");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Input at = f.input("at", i64, {N}), in = f.input("in", i32, {N});
  Computation S = f.computation("S", {i}, in(i));
  Computation scattered = S.update({j}, {at(j)}, S(j) * 2 + in(j));
  Computation out = f.computation("out", {k}, S(k) - in(k));
  CHECK(refuses(f, Code::E0201_dependence_reversed, [&] { out.after(scattered, j); }));
  out.vectorize(k, 4);
  Judged ranked(f, {at.buffer(), in.buffer(), out.buffer()});
  judge::Arrays given;
  given["at"] = judge::filled(f.program(), {{"N", 7}}, "at",
                              [](const Point& p) { return double((p[0] * 2) % 5); });
  ranked.check({7}, given);
}

TEST_CASE("a scatter under a condition, in two dimensions", "[scatters]") {
  Function f("marked");
  Var i("i", 0, 4), j("j", 0, 5), k("k", 0, 9);
  Input at = f.input("at", u8, {9});
  Computation S = f.computation("S", {i, j}, constant(i32, 0));
  S.update({k}, {cast(i64, at(k)) % 4, cast(i64, at(k)) / 64}, S(0, 0) + cast(i32, k) + 1)
      .where(at(k) > 40);
  Judged marked(f, {at.buffer(), S.buffer()});
  CHECK(to_c_text(marked.tree()).find("checked") == std::string::npos);
  marked.check({});
}

TEST_CASE("what a scatter cannot be", "[scatters]") {
  Function f("wrong");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N);
  Input at = f.input("at", i32, {N});
  Computation S = f.computation("S", {i}, constant(i32, 0));
  CHECK(refuses(f, Code::E0117_unsupported_expression,
                [&] { S.update({i}, {at(i)}, sum(k, at(k))); }));
  CHECK(refuses(f, Code::E0101_unknown_computation, [&] { S.update({i}, {at(k) * 2}, at(i)); }));
  CHECK(refuses(f, Code::E0109_wrong_arity, [&] { S.update({i}, {at(i), i}, at(i)); }));
}
