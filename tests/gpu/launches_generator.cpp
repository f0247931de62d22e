// launches_generator FOLDER [TARGET]: kernels with launches, as objects for the device of TARGET,
// by default "host-opencl". Exit status 1 if generating one again gives other bytes.
#include <strata/strata.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace strata;

std::string target = "host-opencl";

CodegenOptions for_device(const std::string& device = target) {
  CodegenOptions options;
  options.target = device;
  return options;
}

// out(i, j) = 2 in(i, j) + 1: a grid of tiles.
void element_wise(const std::string& folder) {
  Function f("element_wise");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i, j}, in(i, j) * 2.0f + 1.0f);
  out.gpu_tile(i, j, 16, 16, i0, j0, i1, j1);
  f.codegen({in.buffer(), out.buffer()}, folder + "/element_wise.o", for_device());
}

// out(i) = sum of in(i, k): initial values and sums of a thread, in phases with a barrier between.
void row_sums(const std::string& folder) {
  Function f("row_sums");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input in = f.input("in", i32, {N, M});
  Computation out = f.computation("out", {i}, sum(k, in(i, k)));
  out.gpu_tile(i, 8);
  f.codegen({in.buffer(), out.buffer()}, folder + "/row_sums.o", for_device());
}

// A value of each step needs those of both neighbours before it: a launch for each step.
void steps(const std::string& folder) {
  Function f("steps");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input start = f.input("start", i32, {N});
  const auto before = [&](Computation& u, const Expr& at) {
    return select(t == 0, start(at), u(t - 1, at));
  };
  Computation u = f.declare("u", {t, i}, i32);
  u.define(before(u, clamp(i - 1, 0, N - 1)) + 3 * before(u, Expr(i)) +
           before(u, clamp(i + 1, 0, N - 1)));
  u.gpu_tile(i, 32);
  f.codegen({start.buffer(), u.buffer()}, folder + "/steps.o", for_device());
}

// The same over one block, whose threads pass the steps together: a barrier for each step.
void steps_in_a_block(const std::string& folder) {
  Function f("steps_in_a_block");
  Param T = f.param("T");
  Var t("t", 0, T), i("i", 0, 24), b("b"), i1("i1");
  Input start = f.input("start", i32, {24});
  Computation u = f.declare("u", {t, i}, i32);
  u.define(select(t == 0, start(i), u(t - 1, (i + 5) % 24)) + cast(i32, i));
  u.split(i, 24, b, i1).interchange(t, b).gpu(b, i1);
  f.codegen({start.buffer(), u.buffer()}, folder + "/steps_in_a_block.o", for_device());
}

// A grid whose axis y has as many blocks as rows, for CUDA; two blocks on a multiprocessor.
void wide_grid(const std::string& folder) {
  Function f("wide_grid");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), j0("j0"), j1("j1");
  Computation out = f.computation("out", {i, j}, cast(f32, i + j));
  out.split(j, 32, j0, j1).gpu_blocks(i, j0).gpu_threads(j1).min_blocks(i, 2);
  f.codegen({out.buffer()}, folder + "/wide_grid.o", for_device("host-cuda"));
}

std::string bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2 && argc != 3) return 2;
  if (argc == 3) target = argv[2];
  element_wise(argv[1]);
  row_sums(argv[1]);
  steps(argv[1]);
  steps_in_a_block(argv[1]);
  wide_grid(argv[1]);
  const std::string first = argv[1] + std::string("/element_wise.o"), before = bytes(first);
  element_wise(argv[1]);
  const bool same = !before.empty() && before == bytes(first);
  if (!same) std::fprintf(stderr, "element_wise.o has other bytes the second time\n");
  const std::string bounds = ".maxntid 32, 1, 1\n.minnctapersm 2\n";
  const bool bounded =
      bytes(argv[1] + std::string("/wide_grid.o")).find(bounds) != std::string::npos;
  if (!bounded) std::fprintf(stderr, "wide_grid.o has no bounds for the registers of a thread\n");
  return same && bounded ? 0 : 1;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
