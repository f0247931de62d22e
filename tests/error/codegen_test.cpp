// E0115, E0116, E05xx, E09xx: refusals of code generation.
#include <strata/codegen_each.h>
#include <strata/strata.h>

#include "layers/program.h"
#include "tests/error/told.h"
#include "tests/folder.h"

namespace strata::test::codegen_test {

TEST_CASE("E0115 and E0116: the list of arguments", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer(), Buffer("nobody")}); }) ==
        R"(error E0115 unknown buffer
  in codegen(in, nobody) at HERE
  there is no buffer nobody
  to fix it: pass the buffer() of an input or a computation
)");
  CHECK(told(p.f, [&] { p.f.jit({p.t.buffer()}); }) == R"(error E0116 wrong argument list
  in codegen(t) at HERE
  the input in is missing from the argument list
  to fix it: add it
)");
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer(), p.t.buffer(), p.in.buffer()}); }) ==
        R"(error E0116 wrong argument list
  in codegen(in, t, in) at HERE
  in is given twice in the argument list
  to fix it: name each buffer once
)");
}

TEST_CASE("E0116: arguments of which none is an output", "[error]") {
  Pair p;
  const auto refusal = [](const std::string& arguments) {
    return "error E0116 wrong argument list\n  in codegen(" + arguments + R"() at HERE
  no argument is an output, so the kernel would do nothing
  to fix it: add the buffer() of a computation, or store one over an input
)";
  };
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer()}); }) == refusal("in"));
  CHECK(told(p.f, [&] { p.f.loops({p.in.buffer()}); }) == refusal("in"));
  const Buffer unused = p.f.buffer("unused", f32, {p.N});
  CHECK(told(p.f, [&] { p.f.jit({p.in.buffer(), unused}); }) == refusal("in, unused"));
  Function empty("empty");
  CHECK(told(empty, [&] { empty.jit({}); }) == refusal(""));
  p.t.store_in(p.in.buffer());
  p.f.jit({p.in.buffer()});
}

TEST_CASE("E0501: targets that there are not", "[error][halide]") {
  Pair p;
  CodegenOptions options;
  options.target = "pdp11";
  CHECK(told(p.f, [&] { p.f.codegen(p.arguments(), Folder() / "unwritten.o", options); }) ==
        R"(error E0501 unknown target
  in codegen(f) at HERE
  'pdp11' is not a target
  to fix it: targets are CPUs: "host", this machine, a name such as znver3 (known_cpus()), or an architecture, a width, a system and features, such as x86-64-linux-sse41-avx-avx2-f16c-fma or arm-64-linux; with a GPU, "host-opencl", "host-cuda" or "host-cuda-sm_90"
)");
  for (const char* target : {"cuda", "host-metal", "x86-64-linux-opencl-avx2", "nvptx-64"}) {
    options.target = target;
    CHECK(told(p.f, [&] { p.f.codegen(p.arguments(), Folder() / "unwritten.o", options); }) ==
          "error E0501 unknown target\n  in codegen(f) at HERE\n  '" + options.target +
              R"(' names a GPU in a way that is not supported
  to fix it: targets are CPUs: "host", this machine, a name such as znver3 (known_cpus()), or an architecture, a width, a system and features, such as x86-64-linux-sse41-avx-avx2-f16c-fma or arm-64-linux; with a GPU, "host-opencl", "host-cuda" or "host-cuda-sm_90"
)");
  }
}

TEST_CASE("E0501: compute capabilities that there are not", "[error][halide]") {
  Pair p;
  CodegenOptions options;
  for (const char* target : {"host-cuda-sm_91", "znver4-cuda-sm_9"}) {
    options.target = target;
    CHECK(told(p.f, [&] { p.f.codegen(p.arguments(), Folder() / "unwritten.o", options); }) ==
          "error E0501 unknown target\n  in codegen(f) at HERE\n  '" + options.target +
              R"(' names a compute capability that is not supported
  to fix it: the compute capabilities are sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_110, sm_120, sm_121; "host-cuda" runs on all from sm_86 on
)");
  }
}

TEST_CASE("E0501: a target that there is not, for code in this process", "[error]") {
  Pair p;
  const auto refusal = [&](const std::string& target) {
    CodegenOptions options;
    options.target = target;
    return told(p.f, [&] { p.f.jit(p.arguments(), options); });
  };
  for (const std::string target : {"pdp11", "pdp11-opencl", "x86-64-v3,pdp11"})
    CHECK(refusal(target).find("error E0501 unknown target\n  in codegen(f) at HERE\n  'pdp11") ==
          0);
  for (const std::string target : {"host", "host-cuda", "haswell", "arm-64-linux", "znver4-opencl"})
    CHECK(refusal(target) == "nothing was refused");
}

TEST_CASE("E0501: a launch for a target without a GPU", "[error][halide]") {
  Function f("f");
  Var i("i", 0, f.param("N"));
  Computation s = f.computation("s", {i}, cast(f32, i));
  s.gpu_tile(i, 32);
  const std::string text = R"(error E0501 unknown target
  in codegen(f) at HERE
  loop i is launched on a GPU, which the target does not have
  to fix it: add a device to the target: "host-opencl" or "host-cuda"
)";
  CHECK(told(f, [&] { f.codegen({s.buffer()}, Folder() / "unwritten.o"); }) == text);
  CHECK(told(f, [&] { f.jit({s.buffer()}); }) == text);
}

TEST_CASE("E0505: a math function in a launch, in the mode exact", "[error][halide]") {
  Function f("f");
  Var i("i", 0, f.param("N"));
  Computation s = f.computation("s", {i}, exp(cast(f32, i)));
  s.gpu_tile(i, 32);
  for (const char* target : {"host-opencl", "host-cuda"}) {
    CodegenOptions options;
    options.target = target;
    options.floats = Floats::exact;
    CHECK(told(f, [&] { f.codegen({s.buffer()}, Folder() / "unwritten.o", options); }) ==
          R"(error E0505 not exact on gpu
  in codegen(f) at HERE
  exp in a launch on a GPU is not the function of the host, bit for bit
  to fix it: choose Floats::fast, or compute exp outside of the launch
)");
  }
}

TEST_CASE("E0505: a product on tensor cores, in the mode exact", "[error]") {
  Function f("f");
  Param n = f.param("N");
  Var i("i", 0, n), j("j", 0, n), k("k", 0, n), x("x"), y("y"), z("z"), w("w"), g("g"), t("t"),
      p("p"), q("q"), k0("k0"), k1("k1");
  Input a = f.input("a", f32, {n, n});
  Computation s = f.computation("s", {i, j}, sum(k, a(i, k) * a(k, j)));
  s.tile(i, j, 16, 8, x, y, z, w).gpu_blocks(x, y).split(z, 8, p, g).split(w, 2, t, q);
  s.split(k, 8, k0, k1).interchange(p, g).interchange(p, t).interchange(q, k0).interchange(p, k0);
  s.gpu_threads(g, t).mma("tf32");
  CodegenOptions options;
  options.target = "host-opencl";
  options.floats = Floats::exact;
  const std::vector<Buffer> arguments{a.buffer(), s.buffer()};
  CHECK(told(f, [&] { f.codegen(arguments, Folder() / "unwritten.o", options); }) ==
        R"(error E0505 not exact on gpu
  in codegen(a, s) at HERE
  s is a product on tensor cores, which round its sums in their own order
  to fix it: choose Floats::fast, or leave out mma
)");
}

TEST_CASE("E0502: atomic steps that devices do not have", "[error][halide]") {
  const auto refusal = [](Type type, const char* target) {
    Function f("f");
    Param N = f.param("N");
    Var i("i", 0, N), b("b", 0, 4);
    Input in = f.input("in", type, {N});
    Computation s = f.computation("s", {b}, cast(type, 0));
    s.gpu_tile(b, 4);
    s.update({i}, {i % 4}, s(i % 4) + in(i)).atomic().gpu_tile(i, 32);
    CodegenOptions options;
    options.target = target;
    const std::vector<Buffer> arguments{in.buffer(), s.buffer()};
    return told(f, [&] { f.codegen(arguments, Folder() / "unwritten.o", options); });
  };
  const auto text = [](const std::string& line) {
    return "error E0502 code generation failed\n  in codegen(f) at HERE\n  " + line +
           "\n  to fix it: compute s as int32, uint32 or float32, or without atomic, by rfactor\n";
  };
  CHECK(refusal(i16, "host-cuda") ==
        text("an atomic step in a launch has 32 or 64 bits with CUDA, but s is of int16"));
  CHECK(refusal(f64, "host-opencl") ==
        text("an atomic step in a launch has 32 bits with OpenCL, but s is of float64"));
}

TEST_CASE("E0501: lists of targets", "[error][halide]") {
  Pair p;
  const auto refusal = [&](const std::string& targets) {
    CodegenOptions options;
    options.target = targets;
    return told(p.f, [&] { p.f.codegen(p.arguments(), Folder() / "unwritten.o", options); });
  };
  const auto text = [](const std::string& lines) {
    return "error E0501 unknown target\n  in codegen(f) at HERE\n  " + lines + "\n";
  };
  CHECK(refusal("x86-64-v3,x86-64-v4,x86-64-v3") ==
        text("the list has x86-64-v3 twice\n  to fix it: name each target once"));
  CHECK(refusal("x86-64-v3,haswell") ==
        text("x86-64-v3 and haswell are the same target: both use the same instructions\n"
             "  to fix it: leave one of them out"));
  CHECK(refusal("neoverse-n1,neoverse-v1") ==
        text("neoverse-n1 and neoverse-v1 are the same target: both use the same instructions\n"
             "  to fix it: leave one of them out"));
  CHECK(refusal("x86-64-v3,,x86-64-v4") ==
        text("the list has an empty target\n  to fix it: write a target before and after each "
             "comma"));
  CHECK(refusal("x86-64-v3,neoverse-v1") ==
        text("x86-64-v3 and neoverse-v1 are targets of different systems\n  to fix it: compile the "
             "kernel for each architecture by itself, into an object of its own"));
  CHECK(
      refusal("x86-64-osx,x86-64-osx-avx2") ==
      text("'x86-64-osx' cannot be one of several targets: kernels choose on Linux only, on x86-64 "
           "and AArch64\n  to fix it: compile for it alone, or leave it out"));
  CHECK(
      refusal("x86-64-v3,x86-64-linux-fma4") ==
      text("'x86-64-linux-fma4' cannot be one of several targets: a kernel cannot ask the CPU for "
           "fma4\n  to fix it: compile for it alone, or leave it out"));
  CHECK(refusal("x86-64-v3-opencl,x86-64-v4") ==
        text("'x86-64-v3-opencl' cannot be one of several targets: a kernel cannot ask the CPU for "
             "opencl\n  to fix it: compile for it alone, or leave it out"));
  CHECK(refusal("x86-64-v3,pdp11").find("'pdp11' is not a target") != std::string::npos);
}

TEST_CASE("E0106: versions that are not one kernel", "[error][halide]") {
  const auto refusal = [](bool other_name, bool other_type) {
    CodegenOptions options;
    options.target = "x86-64-v3,x86-64-v4";
    const auto schedule = [&](const Machine& m) {
      const bool first = m.lanes(f32) == 8;
      Function f(first || !other_name ? "f" : "g");
      Param N = f.param("N");
      Var i("i", 0, N);
      Input in = f.input("in", first || !other_type ? f32 : f64, {N});
      Computation out = f.computation("out", {i}, cast(f32, in(i)));
      return Scheduled{f, {in.buffer(), out.buffer()}};
    };
    const Where here = Where::here();
    return told_at(here, [&] { codegen_each(schedule, Folder() / "unwritten.o", options, here); });
  };
  const std::string text = R"(error E0106 bad argument
  in codegen(f) at HERE
  the kernels for x86-64-v3 and x86-64-v4 differ in their names or arguments
  to fix it: give all versions one name, and the same parameters, scalars and buffers
)";
  CHECK(refusal(true, false) == text);
  CHECK(refusal(false, true) == text);
}

TEST_CASE("E0502: what the back end cannot do", "[error]") {
  Grid g;
  Computation s = g.f.computation("s", {g.i}, call(f64, "strata_test_nowhere", {1.0}));
  const std::string text = told(g.f, [&] { g.f.jit({g.in.buffer(), s.buffer()}); });
  CHECK(text == R"(error E0502 code generation failed
  in codegen(f) at HERE
  the address of the C function strata_test_nowhere is not known
  to fix it: give it to jit() in CodegenOptions::functions, or link a library that has the function
)");
  CodegenOptions options;
  double (*function)(double) = [](double x) { return x + 1; };
  options.functions["strata_test_nowhere"] = reinterpret_cast<void*>(function);
  CHECK(told(g.f, [&] { g.f.jit({g.in.buffer(), s.buffer()}, options); }) == "nothing was refused");
}

TEST_CASE("E0502: a loop of more steps than a thread counts", "[error]") {
  Function f("f");
  Var k("k", 0, (std::int64_t{1} << 32) + 5);
  Computation s = f.computation("s", {}, sum(k, cast(i64, 1)));
  CHECK(told(f, [&] { f.jit({s.buffer()}); }) == R"(error E0502 code generation failed
  in codegen(f) at HERE
  the loop k has 4294967301 iterations, but the maximum is 2^31 - 1; split it
)");
}

TEST_CASE("E0503: files that cannot be written", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.f.codegen(p.arguments(), "no/such/folder/f.o"); }) ==
        R"(error E0503 cannot write file
  in codegen(f) at HERE
  the file no/such/folder/f.o cannot be written
  to fix it: create its folder, or choose another path
)");
}

TEST_CASE("E0504: sums of floats in another order, in the mode exact", "[error]") {
  Grid g;
  Computation r = g.f.computation("r", {g.i}, sum(g.j, g.in(g.i, g.j)));
  CodegenOptions exact;
  exact.floats = Floats::exact;
  r.reverse(g.j);
  CHECK(told(g.f, [&] { g.f.jit({g.in.buffer(), r.buffer()}, exact); }) ==
        R"(error E0504 sum not in order
  in codegen(in, r) at HERE
  contributions to one result of r would be added in another order than in the algorithm, which changes the rounding
  for example, with N = 1, M = 2:
    r[0, 0] at [0, 0, 1, 0, 0] comes before
    r[0, 1] at [0, 0, 1, -1, 0] in the algorithm
  to fix it: choose Floats::fast, or keep the order of the reduced iterators
)");
}

TEST_CASE("E0901: questions that take too long, and the program goes on", "[error]") {
  Pair p;
  p.f.set_budget(20);
  CHECK(told(p.f, [&] { p.t.after(p.s, p.i); }) == R"(error E0901 out of budget
  in after(t, s, i) at HERE
  the legality of f is too hard to decide within the budget
  to fix it: raise the budget with set_budget, or simplify the domain or the schedule
)");
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }).find("error E0901 out of budget") == 0);
  CHECK(told(p.f, [&] { p.f.computation("u", {p.i, p.j}, p.t(p.i, p.j)); }) ==
        R"(error E0901 out of budget
  in computation(u) at HERE
  its reads and writes are too hard to analyze within the budget
  to fix it: raise the budget with set_budget, or simplify the domain or the indices
)");
  p.f.set_budget(Session::default_budget);
  CHECK(told(p.f, [&] { p.f.jit(p.arguments()); }) == "nothing was refused");
  p.t.after(p.s, p.i);
  p.f.jit(p.arguments());
}

}  // namespace strata::test::codegen_test
