// E0903: kernels with too much code are refused before they are compiled.
#include <strata/buffer.h>
#include <strata/strata.h>

#include "codegen/lower.h"
#include "tests/error/told.h"

namespace strata::test::code_limit_test {

namespace {

// out(i..) = 2 in(i..) over "rank" loops from 0 to N, named a, b, ..
struct Doubled {
  explicit Doubled(int rank, const std::string& name = "f") : f(name) {
    const Param N = f.param("N");
    for (int d = 0; d < rank; ++d) loops.emplace_back(std::string(1, char('a' + d)), 0, N);
    const Input in = f.input("in", f32, std::vector<Expr>(std::size_t(rank), Expr(N)));
    const std::vector<Expr> at(loops.begin(), loops.end());
    out.emplace(f.computation("out", loops, access("in", f32, at) * 2.0f));
    arguments = {in.buffer(), out->buffer()};
  }

  bool is_too_much() {
    return told(f, [&] { f.jit(arguments); }).find("error E0903 too much code") == 0;
  }

  Function f;
  std::vector<Var> loops;
  std::optional<Computation> out;
  std::vector<Buffer> arguments;
};

}  // namespace

TEST_CASE("E0903: a loop that is unrolled 100000 times", "[error]") {
  Doubled p(1);
  p.out->unroll(p.loops[0], 100000);
  const std::string text = told(p.f, [&] { p.f.jit(p.arguments); });
  CAPTURE(text);
  CHECK(text.find("error E0903 too much code\n  in codegen(f) at HERE\n  the code would have ") ==
        0);
  CHECK(
      text.find(
          R"( operations on registers, but the limit is 25000; most of it is 100000 instances of out expanded by the loop a_unroll, 100000 copies (unroll(out.a, 100000))
  to fix it: unroll less or take fewer lanes, or raise the limit with set_code_limit
)") != std::string::npos);
}

TEST_CASE("E0903 names the commands that made the loops", "[error]") {
  Doubled p(2);
  p.out->vectorize(p.loops[1], 64, Var("strip"), Var("lane"));
  p.out->unroll(p.loops[0], 500);
  const std::string text = told(p.f, [&] { p.f.jit(p.arguments); });
  CAPTURE(text);
  CHECK(text.find("32000 instances of out expanded by the loops a_unroll, 500 copies "
                  "(unroll(out.a, 500)); lane, 64 lanes (vectorize(out.b, 64, strip, lane))\n") !=
        std::string::npos);
}

TEST_CASE("E0903: what ran for minutes or crashed is refused", "[error]") {
  SECTION("unrolled 2000 times") {
    Doubled p(1);
    p.out->unroll(p.loops[0], 2000);
    CHECK(p.is_too_much());
  }
  SECTION("vectors of 4096 lanes") {
    Doubled p(1);
    p.out->vectorize(p.loops[0], 4096);
    CHECK(p.is_too_much());
  }
  SECTION("six loops, each unrolled by 3") {
    Doubled p(6);
    for (const Var& loop : p.loops) p.out->unroll(loop, 3);
    CHECK(p.is_too_much());
  }
}

TEST_CASE("the limit of code is settable, and code below it is compiled", "[error]") {
  Doubled p(1);
  p.out->unroll(p.loops[0], 4);
  p.f.jit(p.arguments);
  p.f.set_code_limit(10);
  CHECK(told(p.f, [&] { p.f.jit(p.arguments); }) == R"(error E0903 too much code
  in codegen(f) at HERE
  the code would have 53 operations on registers, but the limit is 10; most of it is 4 instances of out expanded by the loop a_unroll, 4 copies (unroll(out.a, 4))
  to fix it: unroll less or take fewer lanes, or raise the limit with set_code_limit
)");
  p.f.set_code_limit(1000);
  CHECK_FALSE(p.is_too_much());
  CHECK(told(p.f, [&] { p.f.set_code_limit(0); }) == R"(error E0106 bad argument
  in set_code_limit at HERE
  the limit is 0
  to fix it: give 1 or more
)");
}

TEST_CASE("a kernel that was made is not taken for that of another program", "[error]") {
  Doubled p(1);
  const std::string before = p.f.loops(p.arguments);
  CHECK(p.f.loops(p.arguments) == before);
  p.out->split(p.loops[0], 4, Var("outer"), Var("inner"));
  const std::string split = p.f.loops(p.arguments);
  CHECK(split.find("outer") != std::string::npos);
  CHECK_THROWS_AS(p.f.together([&] {
    p.out->reverse(Var("inner"));
    p.out->reverse(Var("nowhere"));
  }),
                  Error);
  CHECK(p.f.loops(p.arguments) == split);
}

TEST_CASE("conditions on remainders by large numbers end", "[error]") {
  Function f("remainders");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N);
  const Input in = f.input("in", f32, {N});
  Computation out =
      f.computation("out", {i}, select((i + M) % 97 < 3 && (2 * i + N) % 89 > 80, in(i), -1.0f));
  SECTION("vector") { out.vectorize(i, 8); }
  SECTION("parallel") { out.parallelize(i); }
  SECTION("unrolled") { out.unroll(i, 4); }

  const JitFunction kernel = f.jit({in.buffer(), out.buffer()});
  const int size = 1000, shift = 5;
  Array<float> input({size}), output({size});
  for (int n = 0; n < size; ++n) input(n) = float(n);
  REQUIRE(kernel({size, shift}, {input, output}) == 0);
  for (int n = 0; n < size; ++n) {
    const bool taken = (n + shift) % 97 < 3 && (2 * n + size) % 89 > 80;
    CAPTURE(n);
    REQUIRE(output(n) == (taken ? float(n) : -1.0f));
  }
}

}  // namespace strata::test::code_limit_test
