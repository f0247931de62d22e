// Remarks on conditions, threads and checks: each on a program that has it, and on one that does
// not.
#include <strata/strata.h>

#include "tests/unit/remarks/programs.h"

namespace strata::test::remarks_on_loops_test {

namespace {

struct Rows {
  Function f{"f"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N};
  Input in = f.input("in", f32, {N, N}), line = f.input("line", f32, {N});
  Input place = f.input("place", i32, {N});

  std::vector<std::string> arguments{"in", "line", "place", "S"};
};

}  // namespace

TEST_CASE("remarks: a choice by indices in the inner loop", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, select(r.j % 3 == 0, r.in(r.i, r.j), r.line(r.j)))
      .vectorize(r.j, 8);
  const Remark remark = only_remark("condition in the inner loop", r.f, r.arguments, "S", "j");
  CHECK(remark.seen.substr(0, 21) == "each iteration tests ");
  CHECK(remark.advice.find("so that its iterations agree") != std::string::npos);
}

TEST_CASE("remarks: a choice that is the same for the whole inner loop is none", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, select(r.i % 3 == 0, r.in(r.i, r.j), r.line(r.j)))
      .vectorize(r.j, 8);
  CHECK(remarks_of("condition in the inner loop", r.f, r.arguments).empty());
}

TEST_CASE("remarks: what the copies of an unrolled loop decide is not a condition", "[remarks]") {
  const auto chosen = [](bool unrolled) {
    Rows r;
    const Var j0("j0"), j1("j1"), k("k"), lane("lane");
    Computation S =
        r.f.computation("S", {r.i, r.j}, select(r.j % 16 / 4 == 2, r.in(r.i, r.j), r.line(r.j)));
    S.split(r.j, 16, j0, j1).split(j1, 4, k, lane).vectorize(lane);
    if (unrolled) S.unroll(k);
    return remarks_of("condition in the inner loop", r.f, r.arguments).size();
  };
  CHECK(chosen(true) == 0);
  CHECK(chosen(false) == 1);
}

TEST_CASE("remarks: a condition on data in the inner loop", "[remarks]") {
  Rows r;
  Computation S = r.f.computation("S", {r.j}, r.line(r.j));
  Computation update = S.update({r.i, r.j}, {r.j}, S(r.j) + r.in(r.i, r.j));
  update.where(r.in(r.i, r.j) > 0.0f);
  CHECK(render(only_remark("condition in the inner loop", r.f, r.arguments, "S_1", "j")) ==
        R"(remark: condition in the inner loop
  in computation S_1, loop j
  each iteration tests load float32 in[i, j] > 0.0f32, which depends on data
  what to do: if most instances do nothing, list those that do something; if most do, compute all and select the result
)");
}

TEST_CASE("remarks: conditions of border tiles are none, those of guarded full tiles are",
          "[remarks]") {
  Rows automatic, guarded;
  automatic.f.computation("S", {automatic.i, automatic.j}, automatic.in(automatic.i, automatic.j))
      .tile(automatic.i, automatic.j, 4, 8)
      .unroll("i_in")
      .vectorize("j_in");
  CHECK(remarks_of("condition in the inner loop", automatic.f, automatic.arguments).empty());
  guarded.f.computation("S", {guarded.i, guarded.j}, guarded.in(guarded.i, guarded.j))
      .unroll(guarded.j, 4, "j", "copy")
      .guard("copy");
  const Remark remark =
      only_remark("condition in the inner loop", guarded.f, guarded.arguments, "S", "j");
  CHECK(remark.advice.find("separate(copy)") != std::string::npos);
}

TEST_CASE("remarks: a parallel loop of little work", "[remarks]") {
  Rows r;
  Var t("t", 0, 64), x("x", 0, 32);
  Input steps = r.f.input("steps", f32, {64, 32});
  r.f.computation("S", {t, x}, steps(t, x) + 1.0f).vectorize(x, 8).parallelize(x);
  // 4 stores of vectors.
  CHECK(render(only_remark("little parallel work", r.f, {"in", "line", "place", "steps", "S"}, "S",
                           "x")) == R"(remark: little parallel work
  in computation S, loop x
  all iterations of the parallel loop together take about 4 cycles, with N = 1000; a loop of less than 12000 runs on the thread that starts it
  what to do: parallelize a loop further out
)");
}

TEST_CASE("remarks: rows of 1000 x 1000 numbers are work enough for threads", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, r.in(r.i, r.j) + 1.0f).vectorize(r.j, 8).parallelize(r.i);
  CHECK(remarks_on(r.f, r.arguments).empty());
}

TEST_CASE("remarks: an index that the kernel checks", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.j}, r.line(r.place(r.j)));
  CHECK(render(only_remark("checked index", r.f, r.arguments, "S", "j")) ==
        R"(remark: checked index
  in computation S, loop j
  the index cast(int64, load int32 place[j]) of index 0 of line depends on data, so the kernel checks it
  what to do: if all data are in bounds, say so in the index: clamp(x, 0, N - 1), or % of a constant extent
)");
  Rows clamped;
  clamped.f.computation("S", {clamped.j},
                        clamped.line(clamp(cast(i64, clamped.place(clamped.j)), 0, clamped.N - 1)));
  CHECK(remarks_of("checked index", clamped.f, clamped.arguments).empty());
}

}  // namespace strata::test::remarks_on_loops_test
