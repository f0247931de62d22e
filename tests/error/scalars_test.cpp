// Refusals of what cannot be done with an argument that is passed by value.
#include <strata/strata.h>

#include "layers/text/text.h"
#include "schedule/finish.h"
#include "tests/error/told.h"

namespace strata::test::scalars_error_test {

namespace {

// s(i, j) = alpha * in(i, j)
struct Scaled : Grid {
  Scalar alpha = f.scalar("alpha", f32);
  Computation s = f.computation("s", {i, j}, alpha* in(i, j));
};

}  // namespace

TEST_CASE("E0106: a scalar is in no memory", "[error]") {
  Scaled p;
  CHECK(told(p.f, [&] { p.f.buffer("alpha").set_memory(Memory::constant); }) ==
        R"(error E0106 bad argument
  in set_memory(alpha, constant) at HERE
  alpha is a scalar, which is passed by value and in no memory
  to fix it: leave the command out, or declare it as an input
)");
  CHECK(
      told(p.f, [&] {
        p.f.replay("resident(alpha)");
      }).find("alpha is a scalar, which is passed by value and in no memory") != std::string::npos);
  CHECK(
      told(p.f, [&] {
        p.f.replay("host_to_device(alpha)");
      }).find("alpha is a scalar, which is passed by value and in no memory") != std::string::npos);
  CHECK(
      told(p.f, [&] {
        p.f.replay("prefetch(s.j, alpha, 2)");
      }).find("alpha is a scalar, which is passed by value and in no memory") != std::string::npos);
}

TEST_CASE("E0106: nothing is stored in a scalar, and it is not copied", "[error]") {
  Scaled p;
  CHECK(told(p.f, [&] { p.s.store_in(Buffer("alpha"), {}); }) == R"(error E0106 bad argument
  in store_in(s, alpha) at HERE
  alpha is a scalar, which is passed by value: nothing can be stored
  to fix it: choose another buffer
)");
  CHECK(told(p.f, [&] { p.f.replay("cache_at(s.i, alpha, c, {})"); }) == R"(error E0106 bad argument
  in line 1: cache_at(s.i, alpha, c, {}) at HERE
  alpha is a scalar, which is passed by value
  to fix it: leave the command out: there is no memory to copy
)");
}

TEST_CASE("E0116: a scalar is an argument without being listed", "[error]") {
  Scaled p;
  CHECK(told(p.f, [&] { p.f.loops({p.in.buffer(), p.s.buffer(), Buffer("alpha")}); }) ==
        R"(error E0116 wrong argument list
  in codegen(in, s, alpha) at HERE
  alpha is a scalar, which is an argument without being listed
  to fix it: leave it out of the arguments
)");
}

TEST_CASE("E0106: a scalar as an array or as a size", "[error]") {
  Scaled p;
  const Expr whole = array_argument("alpha", f32);
  CHECK(told(p.f, [&] { p.f.computation("c", {p.i}, call(f32, "norm", {whole})); }) ==
        R"(error E0106 bad argument
  in computation(c) at HERE
  c passes alpha as an array, but it is a scalar, which is passed by value
  to fix it: pass its value, or declare it as an input
)");
  const Scalar n = p.f.scalar("n", i64);
  CHECK(told(p.f, [&] { p.f.param("R", n); }) == R"(error E0106 bad argument
  in param(R) at HERE
  n is a scalar, which is an argument itself
  to fix it: declare the parameter as an argument, param("R")
)");
}

TEST_CASE("E0111: a scalar is not a bound of a domain, and no extent", "[error]") {
  Scaled p;
  const Scalar n = p.f.scalar("n", i64);
  CHECK_THROWS_AS(p.f.computation("c", {Var("q", 0, n)}, 1), Error);
  CHECK_THROWS_AS(p.f.input("d", f32, {n}), Error);
  CHECK_THROWS_AS(p.f.assume(n > 0), Error);
}

TEST_CASE("E0101, E0104: scalars of other functions and of names that are taken", "[error]") {
  Scaled p, other;
  CHECK(told(p.f, [&] { p.f.scalar("in", f32); }).find("error E0104") == 0);
  CHECK(told(p.f, [&] { p.f.input("alpha", f32, {}); }).find("error E0104") == 0);
  CHECK(told(p.f, [&] { p.f.computation("c", {p.i}, other.alpha + 1.0f); }).find("error E0101") ==
        0);
}

TEST_CASE("E0306: a text that stores values in a scalar", "[error]") {
  Scaled p;
  std::string text = p.f.text();
  const std::string buffer = "buffer alpha float32 0 input";
  REQUIRE(text.find(buffer) != std::string::npos);
  text.replace(text.find(buffer), buffer.size(), buffer + " on constant");
  const Program program = parse_program(std::make_shared<Session>(), text);
  CHECK(told_at({"", 0}, [&] { finished(program, {"in", "s"}, {}); }).find("error E0306") == 0);
}

}  // namespace strata::test::scalars_error_test
