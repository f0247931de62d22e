// gpu_device_code_generator FOLDER TARGET: kernels whose launches have vectors, exact floats and
// atomic steps, as objects for the device of TARGET.  Exit status 1 if generating one again gives
// other bytes.
#include <strata/strata.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "codegen/halide/product/compile.h"
#include "codegen/lower.h"
#include "schedule/finish.h"

namespace {

using namespace strata;

class Generator {
 public:
  Generator(std::string folder, const std::string& target) : folder_(std::move(folder)) {
    options_.target = target;
  }

  void all() {
    vectors("vectors", true);
    vectors("vectors_any", false);
    vector_operations();
    floats("exact_float", f32, Floats::exact);
    floats("exact_double", f64, Floats::exact);
    floats("fast_float", f32, Floats::fast);
    functions();
    pair();
    gather();
    atomics();
    starts();
    warps();
    softmax();
    weights();
  }

  // Do kernels of several launches, and objects of several kernels, have the same bytes again?
  bool same_again() {
    const std::string first = bytes("pair") + bytes("atomics");
    pair();
    atomics();
    return first.size() > 1000 && first == bytes("pair") + bytes("atomics");
  }

 private:
  // out(i, j) = 2 in(i, j) + 1 in vectors of 4; all vectors are whole if "aligned".
  void vectors(const std::string& name, bool aligned) {
    Function f(name);
    Param N = f.param("N"), M = f.param("M");
    if (aligned) f.assume(M % 4 == 0);
    Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1"), q("q"), v("v");
    Input in = f.input("in", f32, {N, M});
    Computation out = f.computation("out", {i, j}, in(i, j) * 2.0f + 1.0f);
    out.split(j, 4, q, v).vectorize(v).gpu_tile(i, q, 8, 16, i0, j0, i1, j1);
    write(f, {in.buffer(), out.buffer()});
  }

  // Vectors of other types and strides, with conditions and indices that differ from lane to lane.
  void vector_operations() {
    Function f("vector_operations");
    Param N = f.param("N"), M = f.param("M");
    f.assume(M % 8 == 0);
    Var i("i", 0, N), j("j", 0, M), q("q"), v("v");
    Input in = f.input("in", i32, {N, 2 * M}), real = f.input("real", f64, {N, M});
    Input narrow = f.input("narrow", u8, {N, M});
    std::vector<Buffer> arguments{in.buffer(), real.buffer(), narrow.buffer()};
    const auto add = [&](const char* name, int lanes, const Expr& value) {
      Computation x = f.computation(name, {i, j}, value);
      x.split(j, lanes, q, v).vectorize(v).gpu_tile(i, q, 8, 8);
      arguments.push_back(x.buffer());
    };
    add("pairs", 4, in(i, 2 * j) + 3 * in(i, 2 * j + 1));
    add("sizes", 8, select(in(i, j) < 0, -in(i, j), in(i, j)));
    add("even", 4, select(j % 2 == 0, in(i, j + 1), 0) + cast(i32, j));
    add("back", 2, real(i, M - 1 - j) / 2.0);
    add("bytes", 16, narrow(i, j) * cast(u8, 3));
    write(f, arguments);
  }

  // Each operation whose rounding the mode exact promises; launches of a block each.
  void floats(const std::string& name, Type type, Floats mode) {
    Function f(name);
    Param N = f.param("N");
    Var i("i", 0, N);
    Input a = f.input("a", type, {N}), b = f.input("b", type, {N}), c = f.input("c", type, {N});
    Computation sums = f.computation("sums", {i}, a(i) * b(i) + c(i)),
                differences = f.computation("differences", {i}, a(i) - b(i) * c(i)),
                quotients = f.computation("quotients", {i}, a(i) / b(i)),
                roots = f.computation("roots", {i}, sqrt(abs(a(i)))),
                rounds = f.computation("rounds", {i}, round(a(i)) + floor(b(i)) + ceil(c(i)));
    std::vector<Buffer> arguments{a.buffer(), b.buffer(), c.buffer()};
    for (Computation* x : {&sums, &differences, &quotients, &roots, &rounds}) {
      x->gpu_tile(i, 32);
      arguments.push_back(x->buffer());
    }
    options_.floats = mode;
    write(f, arguments);
    options_.floats = Floats::fast;
  }

  void functions() {
    Function f("functions");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input a = f.input("a", f32, {N});
    std::vector<Buffer> arguments{a.buffer()};
    const auto add = [&](const char* name, const Expr& value) {
      Computation x = f.computation(name, {i}, value);
      x.gpu_tile(i, 32);
      arguments.push_back(x.buffer());
    };
    add("exps", exp(a(i)));
    add("logs", log(abs(a(i)) + 1.0f));
    add("tanhs", tanh(a(i)));
    add("powers", pow(abs(a(i)) + 0.5f, 1.5f));
    write(f, arguments);
  }

  // Two kernels with the same names inside, in one object.
  void pair() {
    std::vector<Kernel> kernels;
    for (const float factor : {2.0f, 3.0f}) {
      Function f(factor == 2 ? "doubled" : "tripled");
      Param N = f.param("N");
      Var i("i", 0, N);
      Input in = f.input("in", f32, {N});
      Computation out = f.computation("out", {i}, in(i)*factor);
      out.gpu_tile(i, 32);
      LowerOptions options;
      options.arguments = {"in", "out"};
      kernels.push_back(lower(finished(f.program(), options.arguments, {}), options));
    }
    compile(kernels, options_.target, {folder_ + "/pair.o", folder_ + "/pair.h", "", ""});
  }

  // Elements at places that are data.
  void gather() {
    Function f("gather");
    Param N = f.param("N"), A = f.param("A"), B = f.param("B"), C = f.param("C");
    Var i("i", 0, N);
    for (const Param& size : {A, B, C}) f.assume(size >= 1);
    Input at = f.input("at", i32, {N}), in = f.input("in", f32, {A, B, C});
    const auto place = [&](const Param& size) { return clamp(at(i), 0, size - 1); };
    Computation out = f.computation("out", {i}, in(place(A), place(B), place(C)));
    out.gpu_tile(i, 32);
    write(f, {at.buffer(), in.buffer(), out.buffer()});
  }

  // For each bin: the number of its elements, their sum, product, least and greatest one.
  void atomics() {
    Function f("atomics");
    Param N = f.param("N");
    Var i("i", 0, N), b("b", 0, bins);
    Input in = f.input("in", i32, {N}), real = f.input("real", f32, {N});
    const Expr bin = cast(i64, in(i)) % bins;
    std::vector<Buffer> arguments{in.buffer(), real.buffer()};
    const auto add = [&](const char* name, const Expr& start, const auto& step) {
      Computation x = f.computation(name, {b}, start);
      x.gpu_tile(b, 8);
      x.update({i}, {bin}, step(x(bin))).atomic().gpu_tile(i, 32);
      arguments.push_back(x.buffer());
    };
    add("counts", Expr(0), [&](const Expr& x) { return x + 1; });
    add("products", Expr(1), [&](const Expr& x) { return x * (2 * in(i) + 1); });
    add("greatest", Expr(0), [&](const Expr& x) { return max(x, in(i)); });
    add("sums", Expr(0.0f), [&](const Expr& x) { return x + real(i); });
    add("least", Expr(0.0f), [&](const Expr& x) { return min(x, real(i)); });
    write(f, arguments);
  }

  // Steps directly after the first value of their place, which each launch stores.
  void starts() {
    Function f("starts");
    Param N = f.param("N");
    Var i("i", 0, N), j("j", 0, N), one("one", 0, 1), r("r", 0, 3);
    Input in = f.input("in", i32, {N, 3});
    Computation single = f.computation("single", {i}, sum(one, in(i, one))),
                total = f.computation("total", {i}, sum(r, in(i, r))),
                greatest = f.computation("greatest", {i}, maximum(r, in(i, r))),
                moved = f.computation("moved", {i}, cast(i32, 3 * i - 7)),
                add = moved.update({j}, {j}, moved(j) + in(j, 1));
    moved.fuse(i, add, j);
    total.unroll(r);
    greatest.unroll(r);
    std::vector<Buffer> arguments{in.buffer()};
    for (Computation* x : {&single, &total, &greatest, &add}) {
      x->atomic().gpu_tile(i, 32);
      arguments.push_back(x->buffer());
    }
    write(f, arguments);
  }

  // Reductions of rows by the 32 threads of a warp, four rows in a block.
  void warps() {
    Function f("warps");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), k("k", 0, M), b("b"), r("r");
    Input in = f.input("in", i32, {N, M}), real = f.input("real", f32, {N, M});
    std::vector<Buffer> arguments{in.buffer(), real.buffer()};
    const auto add = [&](const char* name, const Expr& value) {
      Computation x = f.computation(name, {i}, value);
      x.split(i, 4, b, r);
      Computation part = partial(x, x, k, b);
      x.gpu_blocks(b);
      for (Computation* c : {&x, &part}) c->gpu_threads(r, Var("k1"));
      arguments.push_back(x.buffer());
    };
    add("sums", sum(k, real(i, k)));
    add("peaks", maximum(k, real(i, k)));
    add("counts", sum(k, in(i, k)));
    add("products", product(k, 2 * in(i, k) + 1));
    add("least", minimum(k, in(i, k)));
    write(f, arguments);
  }

  void softmax() {
    Function f("softmax");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), j("j", 0, M), k("k", 0, M), l("l", 0, M), b("b"), r("r"), j0("j0"), j1("j1");
    Input in = f.input("in", f32, {N, M});
    Computation peak = f.computation("peak", {i}, maximum(k, in(i, k)));
    Computation total = f.computation("total", {i}, sum(l, exp(in(i, l) - peak(i))));
    Computation out = f.computation("out", {i, j}, exp(in(i, j) - peak(i)) / total(i));
    out.split(i, 4, b, r).split(j, 32, j0, j1).interchange(j0, j1);
    total.compute_at(out, b);
    peak.compute_at(out, b);
    Computation totals = partial(total, out, l, b), peaks = partial(peak, out, k, b);
    out.gpu_blocks(b).gpu_threads(r, j1);
    for (Computation* c : {&peaks, &peak, &totals, &total}) c->gpu_threads(i, Var("k1"));
    write(f, {in.buffer(), out.buffer()});
  }

  // Results of x over every 32nd element, one for each thread of a warp; the threads then take
  // steps of x.
  static Computation partial(Computation& x, Computation& out, const Var& k, const Var& block) {
    Var k0("k0"), k1("k1");
    x.split(k, 32, k0, k1);
    Computation part = x.rfactor(k1, x.name() + "_part");
    part.compute_at(out, block).interchange(k0, k1);
    x.atomic();
    return part;
  }

  // A convolution whose weights, and shares of at most 16 columns, are in constant memory; the size
  // of "gains" is not bounded.
  void weights() {
    Function f("weights");
    Param N = f.param("N"), M = f.param("M"), K = f.param("K");
    f.assume(K >= 1 && K <= 16);
    Var i("i", 0, N), j("j", 0, M), y("y", 0, 3), x("x", 0, 3);
    Input in = f.input("in", f32, {N + 2, M + 2}), w = f.input("w", f32, {3, 3});
    Input shares = f.input("shares", f32, {K}), gains = f.input("gains", f32, {N});
    Computation s = f.computation("s", {i, j}, sum({y, x}, in(i + y, j + x) * w(y, x)));
    Computation out = f.computation("out", {i, j}, s(i, j) * shares(min(j, K - 1)) * gains(i));
    out.gpu_tile(i, j, 4, 32);
    s.gpu_tile(i, j, 4, 32);
    for (const Input& constant : {w, shares, gains}) constant.buffer().tag_gpu_constant();
    write(f, {in.buffer(), w.buffer(), shares.buffer(), gains.buffer(), out.buffer()});
  }

  void write(Function& f, const std::vector<Buffer>& arguments) {
    f.codegen(arguments, folder_ + "/" + f.name() + ".o", options_);
  }

  std::string bytes(const std::string& name) const {
    std::ifstream in(folder_ + "/" + name + ".o", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static constexpr int bins = 7;
  std::string folder_;
  CodegenOptions options_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  Generator generator(argv[1], argv[2]);
  generator.all();
  const bool same = generator.same_again();
  if (!same) std::fprintf(stderr, "an object has other bytes the second time\n");
  return same ? 0 : 1;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
