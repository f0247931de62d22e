// Programs and loops with arguments that are passed by value, as text.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "layers/text/text.h"
#include "tests/text/program_difference.h"

namespace strata::test::scalar_text_test {

TEST_CASE("a program with scalars as text", "[scalars][text]") {
  Function f("axpb");
  Param N = f.param("N");
  Var i("i", 0, N);
  Scalar alpha = f.scalar("alpha", f32);
  Input x = f.input("x", f32, {N});
  Scalar beta = f.scalar("beta", f64);
  Computation y = f.computation("y", {i}, cast(f64, alpha * x(i)) + beta);
  const std::string text = f.text();
  CHECK(text.find("input beta float64 by_value") != std::string::npos);
  CHECK(f.loops({x.buffer(), y.buffer()})
            .find("axpb(int64 N, float32 alpha, float64 beta, float32 x, float64 y)") !=
        std::string::npos);

  const Program back = parse_program(std::make_shared<Session>(), text);
  CHECK(difference(transfer(f.program(), back.session), back) == "");
  CHECK(back.algorithm->is_scalar("alpha"));
  CHECK_FALSE(back.algorithm->is_scalar("x"));
  std::string wrong = text;
  wrong.replace(wrong.find("input x float32"), 15, "input x float32 by_value");
  CHECK_THROWS_AS(parse_program(std::make_shared<Session>(), wrong), Error);
}

}  // namespace strata::test::scalar_text_test
