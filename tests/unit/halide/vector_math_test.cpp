// Math functions in vector loops of the mode fast: what is called for each target, and that a value
// depends neither on its lane nor on the number of lanes.
#include <catch2/catch.hpp>

#include "tests/unit/halide/assembly.h"
#include "tests/unit/halide/operators.h"

namespace strata::test::vector_math_test {

namespace {

const Op unary[] = {Op::exp,  Op::log,   Op::sin,   Op::cos,   Op::tan,
                    Op::asin, Op::acos,  Op::atan,  Op::sinh,  Op::cosh,
                    Op::tanh, Op::asinh, Op::acosh, Op::atanh, Op::erf};
const Op binary[] = {Op::pow, Op::atan2};

std::vector<Expr> all_functions(Type type) {
  std::vector<Expr> all;
  for (const Op op : unary) all.push_back(make(op, {operand_a(type)}));
  for (const Op op : binary) all.push_back(make(op, {operand_a(type), operand_b(type)}));
  return all;
}

Kernel functions_kernel(Type type, int lanes, Floats mode) {
  return operators_kernel(type, type, all_functions(type), lanes, mode);
}

// 1440 pairs: a multiple of all numbers of lanes below.
template <typename T>
Array<T> values_of(const Kernel& k) {
  constexpr std::int64_t count = 1440;
  Array<T> a({count}), b({count}), out({std::int64_t(std::size(unary) + std::size(binary)), count});
  std::mt19937_64 random(5);
  using Limits = std::numeric_limits<T>;
  const T special[] = {T(0),
                       T(-0.0),
                       -Limits::infinity(),
                       Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::denorm_min(),
                       T(-1),
                       T(1),
                       T(1e6)};
  for (std::int64_t i = 0; i < count; ++i) {
    a(i) =
        random() % 8 == 0 ? special[random() % std::size(special)] : T(random() % 4001) / 1000 - 2;
    b(i) =
        random() % 8 == 0 ? special[random() % std::size(special)] : T(random() % 4001) / 1000 - 2;
  }
  REQUIRE(JitKernel(k).call({count}, {a, b, out}) == 0);
  return out;
}

template <typename T>
std::int64_t count_differences(const Array<T>& x, const Array<T>& y) {
  std::int64_t differ = 0;
  for (std::int64_t k = 0; k < x.extent(0); ++k)
    for (std::int64_t i = 0; i < x.extent(1); ++i) differ += !identical(x(k, i), y(k, i));
  return differ;
}

template <typename T>
void check_lanes() {
  const Type type = type_of<T>();
  const Array<T> scalar = values_of<T>(functions_kernel(type, 1, Floats::exact));
  const Array<T> vectors = values_of<T>(functions_kernel(type, 16, Floats::fast));
  for (const int lanes : {3, 8, 9, 24}) {
    CAPTURE(lanes);
    const Array<T> found = values_of<T>(functions_kernel(type, lanes, Floats::fast));
    CHECK(count_differences(found, vectors) == 0);
    const Array<T> exact = values_of<T>(functions_kernel(type, lanes, Floats::exact));
    CHECK(count_differences(exact, scalar) == 0);
  }
  CHECK(count_differences(values_of<T>(functions_kernel(type, 1, Floats::fast)), scalar) == 0);
}

const std::string avx512 = "x86-64-linux-sse41-avx-avx2-f16c-fma-avx512-avx512_skylake",
                  avx2 = "x86-64-linux-sse41-avx-avx2-f16c-fma", sse2 = "x86-64-linux",
                  arm = "arm-64-linux";

// How often the code that computes "result" has the instruction or the function.
int calls(const std::string& target, const Expr& result, int lanes, Floats mode,
          const std::string& function) {
  const Type type = result.type();
  const Assembly code(operators_kernel(type, type, {result}, lanes, mode), target);
  return code.count(".*\\b" + function + "\\b");
}

}  // namespace

TEST_CASE("math functions of vectors do not depend on the number of lanes", "[vector_math]") {
  check_lanes<float>();
  check_lanes<double>();
}

TEST_CASE("each target calls the functions of its own vectors", "[vector_math]") {
  const Expr a32 = operand_a(f32), a64 = operand_a(f64);
  CHECK(calls(avx512, log(a32), 16, Floats::fast, "strata_avx512_logf") == 1);
  CHECK(calls(avx512, exp(a64), 16, Floats::fast, "strata_avx512_exp") == 1);
  CHECK(calls(avx2, log(a32), 12, Floats::fast, "strata_avx2_logf") == 1);
  CHECK(calls(avx2, log(a32), 12, Floats::fast, "strata_avx512_logf") == 0);
  CHECK(calls(sse2, log(a32), 4, Floats::fast, "strata_sse2_logf") == 1);
  CHECK(calls(sse2, exp(a64), 3, Floats::fast, "strata_sse2_exp") == 1);
  // Of the versions for dense and for any strides the latter is scalar.
  CHECK(calls(avx512, log(a32), 16, Floats::fast, "strata_logf") == 1);
  CHECK(calls(avx512, log(a32), 16, Floats::exact, "strata_logf") == 17);
  CHECK(calls(arm, log(a32), 4, Floats::fast, "strata_logf") == 5);
}

TEST_CASE("exp of vectors of float32 is code on each target", "[vector_math]") {
  const Expr e = exp(operand_a(f32));
  CHECK(calls(avx512, e, 16, Floats::fast, "strata_\\w*expf") == 1);  // in the scalar version
  CHECK(calls(avx2, e, 12, Floats::fast, "strata_\\w*expf") == 1);
  CHECK(calls(sse2, e, 4, Floats::fast, "strata_\\w*expf") == 1);
  CHECK(calls(arm, e, 4, Floats::fast, "strata_\\w*expf") == 1);
  CHECK(calls(avx512, e, 16, Floats::exact, "strata_\\w*expf") == 17);
  // 9 for exp(x) = 2^k exp(r), and k and r
  CHECK(calls(avx512, e, 16, Floats::fast, "vf\\w*ps") == 9);
  CHECK(calls(avx2, e, 8, Floats::fast, "vf\\w*ps") == 9);
  CHECK(calls(arm, e, 4, Floats::fast, "fml\\w*") == 9);
}

// Conditions, nested calls, masks and half floats around them.
TEST_CASE("math functions inside other expressions of a vector loop", "[vector_math]") {
  const Expr a = operand_a(f32), b = operand_b(f32);
  const std::vector<Expr> results = {
      select(a > b, exp(a - b), 1.0f + log(b - a + 1.0f)), tanh(exp(a) * 0.5f) / (1.0f + exp(-b)),
      pow(abs(a), erf(b)) + exp(constant(f32, 1)), cast(f32, cast(i32, 8.0f * sin(a) + 0.25f))};
  constexpr std::int64_t count = 320;
  Array<float> x({count}), y({count}), out({4, count});
  for (std::int64_t i = 0; i < count; ++i) {
    x(i) = float(i % 37) / 9 - 2;
    y(i) = float(i % 23) / 7 - 1.5f;
  }
  for (const int lanes : {8, 10, 32}) {
    REQUIRE(JitKernel(operators_kernel(f32, f32, results, lanes, Floats::fast))
                .call({count}, {x, y, out}) == 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const double s = x(i), t = y(i);
      CAPTURE(s, t, lanes);
      CHECK(out(0, i) == Approx(s > t ? std::exp(s - t) : 1 + std::log(t - s + 1)).epsilon(1e-6));
      CHECK(out(1, i) == Approx(std::tanh(std::exp(s) / 2) / (1 + std::exp(-t))).epsilon(1e-6));
      CHECK(out(2, i) == Approx(std::pow(std::fabs(s), std::erf(t)) + std::exp(1)).epsilon(1e-6));
      CHECK(out(3, i) == double(int(8 * std::sin(s) + 0.25)));
    }
  }
}

}  // namespace strata::test::vector_math_test
