// strata_cross_generator FOLDER TARGET: writes the kernels that host.c and levels.c call.
#include <strata/codegen_each.h>
#include <strata/strata.h>

#include <cstdio>
#include <string>

using namespace strata;

namespace {

// waves(i, j) = exp(sin(x(i, j))), in vectors on all cores, with a profile.
Scheduled waves(const Machine& m) {
  Function f("waves");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input x = f.input("x", f32, {N, M});
  Computation y = f.computation("y", {i, j}, exp(sin(x(i, j))));
  y.vectorize(j, 2 * m.lanes(f32));
  y.parallelize(i);
  return {f, {x.buffer(), y.buffer()}};
}

// counts(v) = the number of x(i) that are v, in atomic steps on all cores.
Scheduled counts(const Machine&) {
  Function f("counts");
  Param N = f.param("N");
  Var v("v", 0, 256), i("i", 0, N);
  Input x = f.input("x", u8, {N});
  Computation bins = f.computation("bins", {v}, constant(i32, 0));
  Computation count = bins.update({i}, {x(i)}, bins(x(i)) + 1);
  count.atomic();
  count.parallelize(i);
  return {f, {x.buffer(), bins.buffer()}};
}

// lengths(i) = the sum of the squares of a column of x, times the number of this version: 1 for the
// first target, 2 for the second.
Scheduled lengths(const Machine& m) {
  static int version = 0;
  ++version;
  Function f("lengths");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input x = f.input("x", i32, {M, N});
  Computation s = f.computation("s", {i}, sum(k, x(k, i) * x(k, i) * version));
  s.vectorize(i, m.lanes(i32));
  s.parallelize(i);
  return {f, {x.buffer(), s.buffer()}};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const std::string folder = argv[1];
  CodegenOptions options;
  options.target = argv[2];
  options.profile = true;
  codegen_each(waves, folder + "/waves.o", options);
  options.profile = false;
  codegen_each(counts, folder + "/counts.o", options);
  codegen_each(lengths, folder + "/lengths.o", options);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
