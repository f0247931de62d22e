// NAME FILE: writes a page: "blur", of a program; "gpu", of one for a GPU; "refusal", of a refused
// command; "largest", of the benchmark with the most loops.
#include <functional>
#include <map>

#include "benchmarks/lstm_layers/lstm_layers_algorithm.h"
#include "dsl/page.h"
#include "strata/strata.h"

using namespace strata;

namespace {

void write_blur(const std::string& path) {
  Function f("blur");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N), k("k", 0, N - 2), j("j", 0, M - 2);
  const Var k0("k0"), j0("j0"), k1("k1"), j1("j1");
  Input in = f.input("in", f32, {N, M});
  Computation bx = f.computation("bx", {i, j}, (in(i, j) + in(i, j + 1) + in(i, j + 2)) / 3.0f);
  Computation by = f.computation("by", {k, j}, (bx(k, j) + bx(k + 1, j) + bx(k + 2, j)) / 3.0f);
  by.tile(k, j, 8, 16, k0, j0, k1, j1);
  bx.compute_at(by, j0);
  by.parallelize(k0).vectorize(j1);
  f.html(path, {in.buffer(), by.buffer()});
}

void write_gpu(const std::string& path) {
  Function f("product");
  const Param N = f.param("N");
  const Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Input a = f.input("a", f32, {N, N}), b = f.input("b", f32, {N, N});
  Computation c = f.computation("c", {i, j}, sum({k}, a(i, k) * b(k, j)));
  c.gpu_tile(i, j, 16, 16);
  write_page({f, {a.buffer(), b.buffer(), c.buffer()}}, "x86-64-v3-cuda", path, {});
}

void write_refusal(const std::string& path) {
  Function f("seidel");
  const Param N = f.param("N");
  const Var i("i", 1, N), j("j", 1, N - 1);
  Input start = f.input("start", f32, {N, N});
  Computation s = f.declare("s", {i, j}, f32);
  s.define(select(i > 1 && j < N - 2, s(i - 1, j + 1), start(i, j)) + 1.0f);
  try {
    s.interchange(i, j);
  } catch (const Error& error) {
    f.html(error, path);
  }
}

void write_largest(const std::string& path) {
  const examples::Scheduled made = lstm_layers_benchmark::scheduled();
  made.function.html(path, made.arguments);
}

}  // namespace

int main(int, char** argv) {
  const std::map<std::string, std::function<void(const std::string&)>> pages = {
      {"blur", write_blur},
      {"gpu", write_gpu},
      {"refusal", write_refusal},
      {"largest", write_largest}};
  pages.at(argv[1])(argv[2]);
}
