// gpu_jit_test: a kernel with launches in this process, on the GPU at hand.
// gpu_jit_test none: the same where there is no GPU.
// gpu_jit_test operators: all operators in launches, compared with the CPU's, bit for bit.
// Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/gpu/halide_devices.h"

namespace {

using namespace strata;

int wrong = 0;

void require(bool right, const std::string& what) {
  if (right) return;
  std::printf("wrong: %s (%s)\n", what.c_str(), strata_last_error());
  ++wrong;
}

// out(i, j) = factor in(i, j) + 1
JitFunction scaled(const std::string& name, float factor, const char* target) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i, j}, in(i, j) * factor + 1.0f);
  out.gpu_tile(i, j, 16, 16);
  CodegenOptions options;
  options.target = target;
  return f.jit({in.buffer(), out.buffer()}, options);
}

void test_values() {
  // Two at once, of one name, and one after another was dropped.
  const JitFunction twice = scaled("scaled", 2, tested_target());
  JitFunction thrice = scaled("scaled", 3, tested_target());
  for (const float factor : {2.0f, 3.0f, 4.0f})
    for (const auto& [n, m] : {std::pair{41, 59}, {1, 1}, {0, 3}, {64, 16}}) {
      if (factor == 4) thrice = scaled("scaled", 4, tested_target());
      Array<float> in({n, m}), out({n, m});
      for (float& x : in) x = float(&x - in.data());
      const JitFunction& kernel = factor == 2 ? twice : thrice;
      const std::string name = "factor " + std::to_string(factor) + ", " + std::to_string(n);
      require(kernel({n, m}, {in, out}) == 0, name);
      bool right = true;
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < m; ++j) right = right && out(i, j) == in(i, j) * factor + 1;
      require(right, name + ": values");
    }
}

// All operators of operands p and q whose values do not depend on a library, in their type.
std::vector<Expr> operators(Type type, const Expr& p, const Expr& q) {
  std::vector<Expr> all{p + q, p - q, p * q, p / q, min(p, q), max(p, q), -p, select(p < q, p, q)};
  const auto add = [&](std::initializer_list<Expr> more) { all.insert(all.end(), more); };
  if (is_float(type))
    add({abs(p), sqrt(p), round(p), floor(p), ceil(p), trunc(p), p * q + p, p * 0.1 - q});
  else
    add({p % q, p << (q & 7), p >> (q & 7), p & q, p | q, p ^ q});
  for (const Type to : {i8, u32, i64, f16, bf16, f32, f64}) add({cast(type, cast(to, p))});
  return all;
}

// The values of operator k at element i are at [k][i].
template <typename T>
std::vector<Array<T>> values(Type type, const char* target, const Array<T>& a, const Array<T>& b) {
  Function f("operators");
  const std::int64_t n = a.extent(0);
  Var i("i", 0, n);
  Input x = f.input("x", type, {n}), y = f.input("y", type, {n});
  std::vector<Buffer> arguments{x.buffer(), y.buffer()};
  std::vector<Array<T>> results;
  for (const Expr& value : operators(type, x(i), y(i))) {
    Computation c = f.computation("c" + std::to_string(results.size()), {i}, value);
    if (std::string(target) != "host") c.gpu_tile(i, 32);
    arguments.push_back(c.buffer());
    results.emplace_back(Array<T>({n}));
  }
  CodegenOptions options;
  options.target = target;
  options.floats = Floats::exact;
  const JitFunction kernel = f.jit(arguments, options);
  Array<T> p = a, q = b;
  std::vector<halide_buffer_t*> buffers{p, q};
  for (Array<T>& result : results) buffers.push_back(result);
  require(kernel({}, buffers) == 0, "operators on " + std::string(target));
  return results;
}

template <typename T>
bool same_value(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) && std::isnan(b)) return true;
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
void test_operators(Type type, const char* name) {
  const std::int64_t n = 500;
  Array<T> a({n}), b({n});
  std::uint64_t state = 5;
  for (Array<T>* x : {&a, &b})
    for (T& value : *x) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t bits = state >> 20, small = state >> 61;
      if constexpr (std::is_floating_point_v<T>)
        value = T(std::ldexp(double(bits % 4096) - 2048, int(state >> 58) - 20));
      else
        value = small < 2 ? T(small) : small < 4 ? T(-T(bits % 9)) : T(bits);
    }
  const auto expected = values(type, "host", a, b), found = values(type, tested_target(), a, b);
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::int64_t i = 0; i < n; ++i)
      if (!same_value(found[k](i), expected[k](i)))
        return require(false, std::string(name) + ": operator " + std::to_string(k) + " of " +
                                  std::to_string(double(a(i))) + ", " +
                                  std::to_string(double(b(i))) + " is " +
                                  std::to_string(double(found[k](i))) + ", not " +
                                  std::to_string(double(expected[k](i))));
}

void test_all_operators() {
  test_operators<std::int8_t>(i8, "int8");
  test_operators<std::uint16_t>(u16, "uint16");
  test_operators<std::int32_t>(i32, "int32");
  test_operators<std::uint64_t>(u64, "uint64");
  test_operators<float>(f32, "float32");
  test_operators<double>(f64, "float64");
}

void test_without_gpu() {
  for (const char* target : {"host-opencl", "host-cuda"}) {
    const JitFunction kernel = scaled("scaled", 2, target);
    Array<float> in({3, 4}), out({3, 4});
    for (float& x : out) x = -1;
    require(kernel({3, 4}, {in, out}) == strata_error_no_device, "the code without a GPU");
    require(std::string(strata_last_error()).rfind("scaled: no GPU can be used: ", 0) == 0,
            "the message without a GPU");
    for (const float x : out) require(x == -1, "an element is written without a GPU");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string(argv[1]) == "none")
    test_without_gpu();
  else if (argc == 2)
    test_all_operators();
  else
    test_values();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
