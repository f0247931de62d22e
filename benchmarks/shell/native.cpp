// The measurements of shell.py in C++, line by line the same programs: prints lines "NAME
// SECONDS" of CPU time. All memory is aligned to 64 bytes.
#include <strata/runtime.h>
#include <strata/strata.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace strata;

double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

void print(const std::string& name, double seconds) {
  std::printf("%s %.9f\n", name.c_str(), seconds);
}

// The least time of one of "count" runs that follow each other, in any of "rounds".
double least(int rounds, int count, const std::function<void()>& run) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < rounds; ++round) {
    const double start = now();
    for (int n = 0; n < count; ++n) run();
    best = std::min(best, (now() - start) / count);
  }
  return best;
}

// Ones.
class Floats32 {
 public:
  explicit Floats32(const std::vector<std::int64_t>& extents) : dimensions_(extents.size()) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    memory_.reset(static_cast<float*>(std::aligned_alloc(64, (std::size_t(size) / 16 + 1) * 64)));
    std::fill_n(memory_.get(), size, 1.0f);
    strata_buffer_init(&buffer_, strata_float(32), memory_.get(), int(extents.size()),
                       dimensions_.data(), extents.data());
  }
  operator halide_buffer_t*() { return strata_argument(&buffer_); }

 private:
  struct Freed {
    void operator()(float* memory) const { std::free(memory); }
  };
  std::unique_ptr<float, Freed> memory_;
  std::vector<strata_dimension> dimensions_;
  strata_buffer buffer_;
};

struct Blur {
  Function f{"blur"};
  Param N = f.param("N"), M = f.param("M");
  Var n{"n", 0, N}, i{"i", 0, N - 2}, j{"j", 0, M - 2};
  Input x = f.input("x", f32, {N, M});
  Computation bx = f.computation("bx", {n, j}, x(n, j) + x(n, j + 1) + x(n, j + 2));
  Computation by = f.computation("by", {i, j}, (bx(i, j) + bx(i + 1, j) + bx(i + 2, j)) / 9);

  JitFunction jit() { return f.jit({x.buffer(), by.buffer()}); }
  JitFunction scheduled() {
    by.split(i, 32, "i0", "i1");
    bx.compute_at(by, "i0");
    bx.vectorize(j, 8);
    by.vectorize(j, 8);
    return jit();
  }
};

JitFunction product() {
  const Machine m = machine();
  const auto [rows, columns] = m.product_tile(f32);
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K), i0("i0"), j0("j0"), i1("i1"), j1("j1"), j2("j2"),
      j3("j3");
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  c.tile(i, j, rows, columns, i0, j0, i1, j1);
  c.interchange(j1, k).interchange(i1, k);
  c.unroll(i1).vectorize(j1, m.lanes(f32), j2, j3).unroll(j2);
  c.parallelize(i0);
  return f.jit({a.buffer(), b.buffer(), c.buffer()});
}

JitFunction added() {
  Function f("added");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", f32, {N}), y = f.input("y", f32, {N});
  Computation z = f.computation("z", {i}, x(i) + y(i));
  return f.jit({x.buffer(), y.buffer(), z.buffer()});
}

}  // namespace

int main() {
  strata_set_number_of_threads(1);
  print("first_jit", least(1, 1, [] { Blur().jit(); }));
  print("second_jit", least(10, 1, [] { Blur().jit(); }));
  Blur commands;
  print("interchange", least(20, 1, [&] { commands.bx.interchange("n", "j"); }));
  print("shift", least(20, 1, [&] { commands.bx.shift("n", 1); }));

  const JitFunction add = added();
  Floats32 x({16}), y({16}), z({16});
  print("call", least(20, 10000, [&] { add({16}, {x, y, z}); }));

  const JitFunction multiply = product();
  Floats32 a({256, 256}), b({256, 256}), c({256, 256});
  print("product_256", least(50, 5, [&] { multiply({256, 256, 256}, {a, b, c}); }));

  const JitFunction blur = Blur().scheduled();
  for (const std::int64_t n : {512, 4096}) {
    Floats32 in({n, n}), out({n - 2, n - 2});
    print("blur_" + std::to_string(n),
          least(n == 512 ? 100 : 10, n == 512 ? 10 : 1, [&] { blur({n, n}, {in, out}); }));
  }
}
