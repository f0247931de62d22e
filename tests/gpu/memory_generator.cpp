// gpu_memory_generator FOLDER: kernels whose blocks have buffers in shared and local memory, as
// objects for OpenCL.  With a second argument, prints their loops.
#include <strata/strata.h>

#include <cstdio>
#include <string>

namespace {

using namespace strata;

bool printing = false;

void generate(Function& f, const std::vector<Buffer>& arguments, const std::string& folder,
              const std::string& name) {
  CodegenOptions options;
  options.target = "host-opencl";
  if (printing) std::printf("%s\n", f.loops(arguments).c_str());
  f.codegen(arguments, folder + "/" + name + ".o", options);
}

// The blur of the Tiramisu paper, by over rows of bx, both stored by channel: bx in shared memory.
void blur(const std::string& folder) {
  Function f("blur");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N - 2), j("j", 0, M - 2), c("c", 0, 3), ix("ix", 0, N), jx("jx", 0, M - 2);
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", f32, {3, N, M});
  Computation bx = f.computation("bx", {c, ix, jx},
                                 (in(c, ix, jx) + in(c, ix, jx + 1) + in(c, ix, jx + 2)) / 3.0f);
  Computation by = f.computation("by", {i, j, c}, (bx(c, i, j) + bx(c, i + 1, j) + bx(c, i + 2, j)) / 3.0f);
  by.store_in({c, i, j});
  by.gpu_tile(i, j, 32, 32, i0, j0, i1, j1);
  bx.compute_at(by, j0);
  bx.cache_shared_at(by, j0);
  bx.store_in({c, ix, jx});
  generate(f, {in.buffer(), by.buffer()}, folder, "blur");
}

// The sum over k of a row, k outside of the threads: a register of each thread across barriers.
void sums(const std::string& folder) {
  Function f("sums");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M), i0("i0"), i1("i1");
  Input in = f.input("in", i32, {N, M});
  Computation acc = f.computation("acc", {i}, sum(k, in(i, k)));
  Computation out = f.computation("out", {i}, acc(i) * 2);
  out.gpu_tile(i, 8, i0, i1);
  acc.compute_at(out, i0);
  acc.interchange(i, k);
  acc.gpu_threads(i);
  generate(f, {in.buffer(), out.buffer()}, folder, "sums");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return 2;
  printing = argc > 2;
  blur(argv[1]);
  sums(argv[1]);
  return 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
