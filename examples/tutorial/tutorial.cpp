// A product of matrices, made fast in six steps; docs/tutorial.md explains them.
//
//   tutorial             the time of each step
//   tutorial loops N     the loops of step N
//   tutorial refusal     what Strata says to a command that it cannot prove
#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace strata;

namespace {

constexpr std::int64_t size = 960;

struct Product {
  Function f{"product"};
  Var i{"i", 0, size}, j{"j", 0, size}, k{"k", 0, size};
  Input a = f.input("a", f32, {size, size}), b = f.input("b", f32, {size, size});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));

  std::vector<Buffer> arguments() const { return {a.buffer(), b.buffer(), c.buffer()}; }
};

// Names of loops that the steps make.
const Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane"), x("x"), y("y");

void step_1(Product&) {}

void step_2(Product& p) { p.c.interchange(p.j, p.k); }

void step_3(Product& p) {
  p.c.interchange(p.j, p.k);
  p.c.vectorize(p.j, 16);
}

void step_4(Product& p) {
  p.c.tile(p.i, p.j, 8, 32, i0, j0, i1, j1);
  p.c.interchange(j1, p.k).interchange(i1, p.k);
  p.c.vectorize(j1, 16, j1, lane);
  p.c.unroll(j1).unroll(i1);
}

void step_5(Product& p) {
  step_4(p);
  p.c.interchange(i0, j0);
  Computation panel = p.c.cache_at(j0, p.b, "panel", {x, y});
  panel.vectorize(y, 16);
}

void step_6(Product& p) {
  step_5(p);
  p.c.parallelize(j0);
}

struct Step {
  const char* name;
  void (*schedule)(Product&);
};
const std::vector<Step> steps = {
    {"as written", step_1},   {"along rows", step_2},     {"in vectors", step_3},
    {"in registers", step_4}, {"through panels", step_5}, {"on all cores", step_6},
};

// The loops of step 2 by hand.
void plain(const Array<float>& a, const Array<float>& b, Array<float>& c) {
  std::fill(c.begin(), c.end(), 0.0f);
  for (std::int64_t i = 0; i < size; ++i)
    for (std::int64_t k = 0; k < size; ++k)
      for (std::int64_t j = 0; j < size; ++j)
        c.data()[i * size + j] += a.data()[i * size + k] * b.data()[k * size + j];
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// The sums are of the same products in the same order, but a kernel may keep more digits of one.
bool is_right(const Array<float>& c, const Array<float>& expected) {
  for (std::int64_t n = 0; n < size * size; ++n)
    if (!(std::abs(c.data()[n] - expected.data()[n]) <= 1e-3f)) return false;
  return true;
}

int times() {
  Array<float> a({size, size}), b({size, size}), c({size, size}), expected({size, size});
  for (std::int64_t n = 0; n < size * size; ++n) {
    a.data()[n] = float(n % 7) / 7 - 0.5f;
    b.data()[n] = float(n % 11) / 11 - 0.5f;
  }
  std::vector<std::pair<std::string, std::function<void()>>> versions;
  for (const Step& step : steps) {
    Product p;
    step.schedule(p);
    const JitFunction product = p.f.jit(p.arguments());
    versions.emplace_back(std::to_string(versions.size() + 1) + " " + step.name, [=, &a, &b, &c] {
      if (product({}, {a, b, c}) != 0) throw std::runtime_error(strata_last_error());
    });
  }
  versions.emplace_back("2 in C++", [&] { plain(a, b, c); });

  std::vector<std::vector<double>> samples(versions.size());
  plain(a, b, expected);
  for (int round = 0; round < 5; ++round) {
    for (std::size_t v = 0; v < versions.size(); ++v) {
      std::fill(c.begin(), c.end(), NAN);
      samples[v].push_back(seconds(versions[v].second));
      if (!is_right(c, expected)) throw std::runtime_error(versions[v].first + ": wrong");
    }
  }
  for (std::size_t v = 0; v < versions.size(); ++v)
    std::printf("%-16s %8.1f ms %7.1f x\n", versions[v].first.c_str(), median(samples[v]) * 1e3,
                median(samples[0]) / median(samples[v]));
  return 0;
}

int loops(std::size_t number) {
  if (number < 1 || number > steps.size()) return 2;
  Product p;
  steps[number - 1].schedule(p);
  std::printf("%s", p.f.loops(p.arguments()).c_str());
  return 0;
}

int refusal() try {
  Product p;
  p.c.vectorize(p.k, 16);
  return 1;
} catch (const Error& error) {
  std::printf("%s", error.what());
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "refusal") return refusal();
  if (what == "loops") return loops(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0);
  return times();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
