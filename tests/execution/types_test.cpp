// All element types, and the operators of each.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::types_test {

using reference::Point;

namespace {

const std::vector<Type> integers{i8, i16, i32, i64, u8, u16, u32, u64};
const std::vector<Type> floats{f16, bf16, f32, f64};

// Checks s(i) = value(a(i), b(i)) for each value, vectorized and scalar.
void check_elementwise(Type type, const std::vector<std::function<Expr(Expr, Expr)>>& values) {
  INFO(to_string(type));
  Function f("elementwise");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input a = f.input("a", type, {N}), b = f.input("b", type, {N});
  std::vector<Buffer> arguments{a.buffer(), b.buffer()};
  for (std::size_t n = 0; n < values.size(); ++n) {
    Computation s = f.computation("s" + std::to_string(n), {i}, values[n](a(i), b(i)));
    if (n % 2 == 0) s.vectorize(i, 4);
    arguments.push_back(s.buffer());
  }
  Judged judged(f, arguments);
  judged.check({23});
  judged.check({1});
}

Expr smallest_of(Type type) {
  return constant(type, is_unsigned_integer(type) ? 0 : std::int64_t(-1) << (bits(type) - 1));
}

}  // namespace

TEST_CASE("integers: arithmetic that wraps, floor division, shifts, bits", "[types]") {
  for (const Type type : integers)
    check_elementwise(
        type, {[](Expr a, Expr b) { return a + b; }, [](Expr a, Expr b) { return a - b; },
               [](Expr a, Expr b) { return a * b; }, [](Expr a, Expr b) { return a / b; },
               [](Expr a, Expr b) { return a % b; }, [](Expr a, Expr b) { return min(a, b); },
               [](Expr a, Expr b) { return max(a, b); }, [](Expr a, Expr b) { return a & b; },
               [](Expr a, Expr b) { return a | b; }, [](Expr a, Expr b) { return a ^ b; },
               [](Expr a, Expr) { return ~a; }, [](Expr a, Expr b) { return a << (b & 7); },
               [](Expr a, Expr b) { return a >> b; }, [](Expr a, Expr) { return a / 3; },
               [](Expr a, Expr) { return a % 7; }, [](Expr a, Expr) { return abs(a); },
               [](Expr a, Expr b) { return select(a < b, a, b - a); }});
}

TEST_CASE("integers: division by zero, and of the least number by -1", "[types]") {
  for (const Type type : integers) {
    const Expr least = smallest_of(type);
    std::vector<std::function<Expr(Expr, Expr)>> values{
        [](Expr a, Expr b) { return a / (b - b); }, [](Expr a, Expr b) { return a % (b - b); },
        [&](Expr a, Expr) { return (least + (a - a)) / 2; },
        [&](Expr a, Expr) { return (a - a) - least; }};
    if (is_signed_integer(type)) {
      values.push_back([&](Expr a, Expr) { return (least + (a - a)) / ((a - a) - 1); });
      values.push_back([&](Expr a, Expr) { return (least + (a - a)) % ((a - a) - 1); });
      values.push_back([&](Expr a, Expr) { return a / -2; });
      values.push_back([&](Expr a, Expr) { return a % -5; });
    }
    check_elementwise(type, values);
  }
}

TEST_CASE("floats: arithmetic, rounding, comparison", "[types]") {
  for (const Type type : floats)
    check_elementwise(
        type, {[](Expr a, Expr b) { return a + b; }, [](Expr a, Expr b) { return a - b; },
               [](Expr a, Expr b) { return a * b; }, [](Expr a, Expr b) { return a / b; },
               [](Expr a, Expr b) { return a * b + a; }, [](Expr a, Expr b) { return min(a, b); },
               [](Expr a, Expr b) { return max(a, b); }, [](Expr a, Expr) { return -a; },
               [](Expr a, Expr) { return abs(a); }, [](Expr a, Expr) { return floor(a); },
               [](Expr a, Expr) { return ceil(a); }, [](Expr a, Expr) { return round(a); },
               [](Expr a, Expr) { return trunc(a); }, [](Expr a, Expr) { return a / 3.0; },
               [](Expr a, Expr) { return sqrt(abs(a)); },
               [](Expr a, Expr b) { return select(a < b, a, b - a); },
               [](Expr a, Expr b) { return a / (b - b); }});
}

TEST_CASE("conversions between all types", "[types]") {
  std::vector<Type> all = integers;
  all.insert(all.end(), floats.begin(), floats.end());
  all.push_back(boolean);
  for (const Type from : all) {
    INFO("from " << to_string(from));
    Function f("converted");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input in = f.input("in", from, {N});
    std::vector<Buffer> arguments{in.buffer()};
    for (const Type to : all) {
      Computation s = f.computation("to_" + to_string(to), {i}, cast(to, in(i)));
      s.vectorize(i, 4);
      arguments.push_back(s.buffer());
    }
    Judged judged(f, arguments);
    judged.check({21});
  }
}

TEST_CASE("floats that no integer holds", "[types]") {
  for (const Type from : floats) {
    Function f("saturated");
    Var i("i", 0, 8);
    Input in = f.input("in", from, {8});
    std::vector<Buffer> arguments{in.buffer()};
    for (const Type to : integers)
      arguments.push_back(
          f.computation("to_" + to_string(to), {i}, cast(to, in(i))).vectorize(i, 4).buffer());
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {}, "in", [](const Point& p) {
      const double values[] = {1e30, -1e30, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 300, -129, 0.99};
      return values[p[0]];
    });
    Judged(f, arguments).check({}, given);
  }
}

TEST_CASE("booleans are stored as bytes", "[types]") {
  Function f("booleans");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input a = f.input("a", boolean, {N}), b = f.input("b", boolean, {N});
  Input x = f.input("x", f32, {N}), n = f.input("n", i16, {N});
  const std::vector<Expr> values{a(i) && b(i), a(i) || b(i), !a(i),
                                 x(i) > 0.5f,  x(i) <= 0.0f, n(i) % 2 == 0,
                                 a(i) == b(i), a(i) != b(i), select(a(i), b(i), x(i) > 0.0f)};
  std::vector<Buffer> arguments{a.buffer(), b.buffer(), x.buffer(), n.buffer()};
  for (std::size_t k = 0; k < values.size(); ++k) {
    Computation s = f.computation("s" + std::to_string(k), {i}, values[k]);
    if (k % 2) s.vectorize(i, 8);
    arguments.push_back(s.buffer());
  }
  Computation counted = f.computation("counted", {i}, cast(i32, a(i)) + select(b(i), 10, 20));
  arguments.push_back(counted.buffer());
  Judged judged(f, arguments);
  for (const std::int64_t size : {0, 1, 8, 19}) judged.check({size});
}

TEST_CASE("math functions are the C library's", "[types]") {
  for (const Type type : {f32, f64})
    check_elementwise(
        type, {[](Expr a, Expr) { return exp(a); }, [](Expr a, Expr) { return log(abs(a)); },
               [](Expr a, Expr) { return sin(a); }, [](Expr a, Expr) { return cos(a); },
               [](Expr a, Expr) { return tan(a); }, [](Expr a, Expr) { return asin(a / 2.0); },
               [](Expr a, Expr) { return acos(a / 2.0); }, [](Expr a, Expr) { return atan(a); },
               [](Expr a, Expr) { return sinh(a); }, [](Expr a, Expr) { return cosh(a); },
               [](Expr a, Expr) { return tanh(a); }, [](Expr a, Expr) { return asinh(a); },
               [](Expr a, Expr) { return acosh(abs(a) + 1); },
               [](Expr a, Expr) { return atanh(a / 2.5); }, [](Expr a, Expr) { return erf(a); },
               [](Expr a, Expr b) { return pow(abs(a), b); },
               [](Expr a, Expr b) { return atan2(a, b); }});
}

}  // namespace strata::test::types_test
