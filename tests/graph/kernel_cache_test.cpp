// One kernel for all tensors that compute the same.
#include <catch2/catch.hpp>

#include <strata/graph.h>

#include <thread>

#include "core/record.h"
#include "graph/compile/kernel_cache.h"

namespace strata::test::kernel_cache_test {

using namespace strata::graph;

// How many kernels "act" compiles, and how many it finds.
template <typename Act>
std::pair<std::int64_t, std::int64_t> kernels_of(const Act& act) {
  const KernelCounts before = kernel_counts();
  act();
  const KernelCounts after = kernel_counts();
  return {after.compiled - before.compiled, after.shared - before.shared};
}
using Counts = std::pair<std::int64_t, std::int64_t>;

// y(i) = constant * x(i) + i, over symbols and tensors of these names
Tensor line(const std::string& symbol, const std::string& name, float factor) {
  const Param n(symbol);
  const Tensor x = placeholder(name, f32, {n});
  return compute({n}, [&](Expr i) { return factor * x(i) + cast(f32, i); }, name + "_line");
}

float first_of(const CompiledTensors& compiled, float value) {
  return compiled({NDArray::of<float>({1}, {value})})[0].data<float>()[0];
}

TEST_CASE("what is called otherwise is the same kernel, another constant another one", "[graph]") {
  std::vector<CompiledTensors> made;
  const auto add = [&](const Tensor& t) {
    return kernels_of([&] { made.push_back(compile({t})); });
  };
  CHECK(add(line("n", "x", 31)) == Counts{1, 0});
  CHECK(add(line("n", "x", 31)) == Counts{0, 1});
  CHECK(add(line("rows", "data", 31)) == Counts{0, 1});
  CHECK(add(line("rows", "data", 32)) == Counts{1, 0});
  CHECK(first_of(made[0], 2) == 62);
  CHECK(first_of(made[2], 2) == 62);
  CHECK(first_of(made[3], 2) == 64);
  CHECK(made[2].arguments()[0].name() == "data");
}

// x(i) of 2 a + 3 b elements, and what a and b are. Normal forms order symbols by their names, and
// a Function its parameters by their first occurrence.
Tensor uneven(const std::string& first, const std::string& second) {
  const Param a(first), b(second);
  const Tensor x = placeholder("x", f32, {2 * a + 3 * b}), y = placeholder("y", f32, {a}),
               z = placeholder("z", f32, {b});
  return compute(
      x.shape(),
      [&](Expr i) {
        return x(i) + select(i < a, y(min(i, a - 1)), 50.0f) +
               select(i < b, z(min(i, b - 1)), 700.0f);
      },
      "uneven");
}

TEST_CASE("the parameters of a shared kernel get the values of the right symbols", "[graph]") {
  NDArray x(strata_float(32), {17}), y(strata_float(32), {1}), z(strata_float(32), {5});
  for (int k = 0; k < 17; ++k) x.data<float>()[k] = float(k);
  y.data<float>()[0] = 4;
  const Counts counts = kernels_of([&] {
    for (const auto& [first, second] : {std::pair("a", "b"), std::pair("b", "a")}) {
      const NDArray made = compile({uneven(first, second)})({x, y, z})[0];
      for (int k = 0; k < 17; ++k)
        CHECK(made.data<float>()[k] == float(k) + (k < 1 ? 4 : 50) + (k < 5 ? 0 : 700));
    }
  });
  CHECK(counts == Counts{1, 1});
}

TEST_CASE("kernels between other steps are shared, whatever gives their data", "[graph]") {
  const Param n("n"), m("m");
  const auto chain = [](const Param& n, double factor) {
    const Tensor x = placeholder("x", f32, {n});
    const Tensor scaled = compute({n}, [&](Expr i) { return float(factor) * x(i); }, "scaled");
    const Tensor sorted = sort(scaled);
    return compute({n}, [&](Expr i) { return sorted(i) - 77.5f; }, "shifted");
  };
  CHECK(kernels_of([&] { compile({chain(n, 3.5)}); }) == Counts{2, 0});
  CHECK(kernels_of([&] { compile({chain(m, 4.5)}); }) == Counts{1, 1});
  const NDArray made = compile({chain(m, 3.5)})({NDArray::of<float>({2}, {40, 20})})[0];
  CHECK(made.data<float>()[0] == -7.5f);
  CHECK(made.data<float>()[1] == 62.5f);
}

TEST_CASE("messages of a shared kernel say what its names are here", "[graph]") {
  const auto taken = [](const std::string& name, const std::string& symbol) {
    const Param n(symbol);
    const Tensor x = placeholder(name, f32, {n}), at = placeholder("at", i64, {});
    return compile({compute({}, [&](const Indices&) { return x(at()) * 91.0f; }, "taken")});
  };
  taken("x", "n");
  try {
    taken("data", "n")({NDArray::scalar<std::int64_t>(3), NDArray(strata_float(32), {2})});
    FAIL("nothing was refused");
  } catch (const Error& e) {
    CHECK(e.code() == Code::E0113_read_outside_domain);
    CHECK(e.refusal().explanation.find("of x was 3") != std::string::npos);
    CHECK(e.refusal().explanation.find("where x is data") != std::string::npos);
  }
}

TEST_CASE("threads that compile the same wait for one of them", "[graph]") {
  const Counts counts = kernels_of([] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([t] {
        for (int k = 0; k < 4; ++k) {
          const CompiledTensors made =
              compile({line("n" + std::to_string(t), "x", float(200 + k))});
          if (first_of(made, 2) != float(2 * (200 + k))) std::abort();
        }
      });
    for (std::thread& t : threads) t.join();
  });
  CHECK(counts == Counts{4, 12});
}

TEST_CASE("a kernel that cannot be made is refused again", "[graph]") {
  const Param n("n");
  const Tensor x = placeholder("x", f32, {n});
  const Tensor beyond = compute({n}, [&](Expr i) { return x(i + 17); }, "beyond");
  const Counts counts = kernels_of([&] {
    for (int k = 0; k < 2; ++k) CHECK_THROWS_AS(compile({beyond}), Error);
  });
  CHECK(counts == Counts{0, 0});
}

TEST_CASE("saved code is loaded whole or not at all", "[graph]") {
  Function f("scaled");
  const Param n = f.param("n");
  const Scalar factor = f.scalar("factor", f32), offset = f.scalar("offset", i8);
  const Var i("i", 0, n);
  const Input x = f.input("x", f32, {n});
  const Computation y = f.computation("y", {i}, factor * x(i) + cast(f32, offset));
  const std::string saved = f.jit({x.buffer(), y.buffer()}).saved();
  if (saved.empty()) return;  // on this CPU Halide places the code
  const NDArray in = NDArray::of<float>({2}, {1, 2}), out(strata_float(32), {2});
  const auto loaded = JitFunction::find_saved(saved);
  REQUIRE(loaded);
  CHECK((*loaded)({2}, {55.0f, -3}, {in, out}) == 0);
  CHECK(out.data<float>()[1] == 107);
  CHECK((*loaded)({2}, {55.0f, 300}, {in, out}) == strata_error_wrong_arguments);
  CHECK((*loaded)({2}, {in, out}) == strata_error_wrong_arguments);
  for (std::size_t k = 0; k < saved.size(); k += saved.size() / 400 + 1) {
    std::string changed = saved;
    changed[k] ^= 4;
    CHECK_FALSE(JitFunction::find_saved(changed));
    CHECK_FALSE(JitFunction::find_saved(saved.substr(0, k)));
  }
  std::vector<std::string> texts = *find_texts(saved);
  texts[0] += " of another build";
  CHECK_FALSE(JitFunction::find_saved(recorded(texts)));
  CHECK_FALSE(JitFunction::find_saved(recorded({})));
}

TEST_CASE("the kernels used last are kept", "[graph]") {
  KernelCache cache(2);
  const auto ask = [&](const std::string& key) {
    const std::int64_t before = cache.counts().compiled;
    cache.find_or_make(key, [] { return std::pair(SharedKernel(), Source::compiled); });
    return cache.counts().compiled > before;
  };
  CHECK(ask("a"));
  CHECK(ask("b"));
  CHECK_FALSE(ask("a"));
  CHECK(ask("c"));  // b goes
  CHECK_FALSE(ask("a"));
  CHECK(ask("b"));
  CHECK(ask("c"));
}

}  // namespace strata::test::kernel_cache_test
