// Remarks on allocations, sums and loads: each on a program that has it, and on one that does not.
#include <strata/strata.h>

#include "tests/unit/remarks/programs.h"

namespace strata::test::remarks_on_memory_test {

namespace {

// c(i, j) = sum over k of a(i, k) b(k, j)
struct Product {
  Function f{"f"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N}, k{"k", 0, N};
  Input a = f.input("a", f32, {N, N}), b = f.input("b", f32, {N, N});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));

  std::vector<std::string> arguments{"a", "b", "c"};
};

// t(i, j) = in(i, j) + 1, c(i, j) = t(i, j) * 2 for rows of this length.
struct Stages {
  explicit Stages(const Expr& length) : length(length) {}

  Expr length;
  Function f{"f"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, length};
  Input in = f.input("in", f32, {N, length});
  Computation t = f.computation("t", {i, j}, in(i, j) + 1.0f);
  Computation c = f.computation("c", {i, j}, t(i, j) * 2.0f);
};

}  // namespace

TEST_CASE("remarks: a row from the heap in each iteration", "[remarks]") {
  Stages s(parameter("N"));
  s.t.compute_at(s.c, s.i);
  CHECK(render(only_remark("allocation in a loop", s.f, {"in", "c"}, "t", "i")) ==
        R"(remark: allocation in a loop
  in computation t, loop i
  each iteration takes t, of a size that varies, from the heap and gives it back
  what to do: give t.allocate_at(root), which is legal now
)");
}

TEST_CASE("remarks: temporaries of a thread that exceed its registers", "[remarks][gpu]") {
  const Var b("b"), t("t");
  const auto launched = [&](Stages& s) {
    s.c.gpu_tile(s.i, 8, b, t);
    s.t.compute_at(s.c, t);
  };
  Stages large(256), small(255);  // of 4 bytes; a thread has 255 registers
  launched(large);
  launched(small);
  const std::string kind = "more than registers in a thread";
  CHECK(render(only_remark(kind, large.f, {"in", "c"}, "t", "t")) ==
        R"(remark: more than registers in a thread
  in computation t, loop t
  each thread has 1024 bytes of its own, t, more than its registers, 1020 bytes; the rest is in the memory of the GPU
  what to do: take smaller tiles in a thread, or share the data among the threads of the block (compute_at or cache_at outside of the thread loops)
)");
  CHECK(remarks_of(kind, small.f, {"in", "c"}).empty());
  Stages host(256);
  host.t.compute_at(host.c, host.i);
  CHECK(remarks_of(kind, host.f, {"in", "c"}).empty());
}

TEST_CASE("remarks: a row of 10,000 floats is too large for the stack", "[remarks]") {
  Stages s(10'000);
  s.t.compute_at(s.c, s.i);
  CHECK(only_remark("allocation in a loop", s.f, {"in", "c"}, "t", "i").seen ==
        "each iteration takes t, of 40000 bytes, from the heap and gives it back");
}

TEST_CASE("remarks: a small row on the stack and one buffer for the whole kernel are not remarks",
          "[remarks]") {
  Stages small(100), whole(parameter("N"));
  small.t.compute_at(small.c, small.i);
  CHECK(remarks_of("allocation in a loop", small.f, {"in", "c"}).empty());
  CHECK(remarks_of("allocation in a loop", whole.f, {"in", "c"}).empty());
}

TEST_CASE("remarks: a product whose inner loop runs over sums", "[remarks]") {
  Product p;
  p.c.interchange(p.j, p.k).vectorize(p.j, 8);
  CHECK(render(only_remark("sum in memory", p.f, p.arguments, "c", "j")) ==
        R"(remark: sum in memory
  in computation c, loop j
  loop j runs over sums, inside loop k over their contributions: each contribution loads its sum from memory and stores it
  what to do: where dependences allow it, keep a tile of sums that fits the registers, made by unroll and vectorize, inside loop k (interchange; copy_at for a buffer of their own)
)");
}

TEST_CASE("remarks: a tile of sums in registers, and one that is too large", "[remarks]") {
  const auto tiled = [](std::int64_t rows) {
    Product p;
    p.c.tile(p.i, p.j, rows, 16, "i0", "j0", "i1", "j1");
    p.c.interchange("j1", "k").interchange("i1", "k");
    p.c.vectorize("j1", 8).unroll("j1").unroll("i1");
    return p;
  };
  const Product fits = tiled(6), spills = tiled(12);
  CHECK(remarks_on(fits.f, fits.arguments).empty());  // 12 vectors of 8
  CHECK(only_remark("sum in memory", spills.f, spills.arguments, "c", "k").seen ==
        "24 vectors of sums do not fit in 16 registers");
}

TEST_CASE("remarks: a loop that loads more than it computes, where an outer loop could share",
          "[remarks]") {
  Product p;
  p.c.tile(p.i, p.j, 1, 8, "i0", "j0", "i1", "j1");
  p.c.interchange("j1", "k").interchange("i1", "k").vectorize("j1").unroll("i1");
  // For each k: 8 elements of b and 1 of a, 8 products and 8 sums.
  CHECK(render(only_remark("low intensity", p.f, p.arguments, "c", "k")) ==
        R"(remark: low intensity
  in computation c, loop k
  an iteration computes 16 operations on 36 bytes loaded, 0.444 per byte; the machine computes 0.5 per byte it loads
  what to do: loop i0 loads the same of b again: unroll a few of its iterations inside loop k
)");
}

TEST_CASE("remarks: nothing can be shared between the rows of a sum of two arrays", "[remarks]") {
  Function f("f");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input a = f.input("a", f32, {N, N}), b = f.input("b", f32, {N, N});
  f.computation("c", {i, j}, a(i, j) + b(i, j)).vectorize(j, 8);
  CHECK(remarks_on(f, {"a", "b", "c"}).empty());
}

TEST_CASE("remarks: more coefficients than registers", "[remarks]") {
  const auto filtered = [](std::int64_t taps) {
    Function f("f");
    const Param N = f.param("N");
    const Var i("i", 0, N), k("k", 0, taps);
    const Input in = f.input("in", f32, {N + taps}), w = f.input("w", f32, {taps});
    Computation c = f.computation("c", {i}, sum(k, in(i + k) * w(k)));
    const Var block("block"), lane("lane");
    c.split(i, 8, block, lane).interchange(lane, k).vectorize(lane).unroll(k);
    return remarks_of("operand on the stack", f, {"in", "w", "c"});
  };
  CHECK(filtered(14).empty());
  CHECK(filtered(15).size() == 1);
  const Remarks many = filtered(40);
  REQUIRE(many.size() == 1);
  CHECK(many[0].loop == "block");
  CHECK(many[0].seen.find("vectors do not change in loop block, and the machine has 16") !=
        std::string::npos);
}

TEST_CASE("remarks: a buffer of the heap in each iteration, and the command that takes it once",
          "[remarks]") {
  Stages s(10'000);
  s.t.compute_at(s.c, s.i);
  CHECK(only_remark("allocation in a loop", s.f, {"in", "c"}, "t", "i").commands ==
        std::vector<std::string>{"allocate_at(t, root)"});
}

}  // namespace strata::test::remarks_on_memory_test
