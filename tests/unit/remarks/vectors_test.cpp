// Remarks on vectors: each kind on a program that has it, and on one that does not.
#include <strata/strata.h>

#include "tests/unit/remarks/programs.h"

namespace strata::test::remarks_on_vectors_test {

namespace {

struct Rows {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M};
  Input in = f.input("in", f32, {N, M}), column = f.input("column", f32, {M, N});
  Input place = f.input("place", i32, {M}), line = f.input("line", f32, {M});

  std::vector<std::string> arguments{"in", "column", "place", "line", "S"};
};

}  // namespace

TEST_CASE("remarks: a loop without vectors, and the command that makes one", "[remarks]") {
  Rows r;
  Computation S = r.f.computation("S", {r.i, r.j}, r.in(r.i, r.j) * 2.0f);
  const Remark remark = only_remark("no vector", r.f, r.arguments, "S", "j");
  CHECK(render(remark) == R"(remark: no vector
  in computation S, loop j
  no loop around S is a vector, so each instruction computes one number
  what to do: give S.vectorize(j, 8), which is legal now
)");
  S.vectorize(r.j, 8);
  CHECK(remarks_on(r.f, r.arguments).empty());
}

TEST_CASE("remarks: the loop that runs along memory is advised as vector, not the innermost one",
          "[remarks]") {
  Rows r;
  r.f.computation("S", {r.j, r.i}, r.in(r.i, r.j) * 2.0f).store_in({r.i, r.j});
  CHECK(only_remark("no vector", r.f, r.arguments, "S", "i").advice ==
        "give S.vectorize(j, 8), which is legal now");
}

TEST_CASE("remarks: a vector is advised only where it is legal", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, r.in(r.i, r.j) * 2.0f);
  LowerOptions options;
  options.arguments = r.arguments;
  const Kernel kernel = lower(finished(r.f.program(), r.arguments, {}), options);
  RemarkOptions never;
  never.machine = machine("x86-64-v3");
  std::vector<std::string> asked;
  never.is_legal = [&](const std::string& command) {
    asked.push_back(command);
    return false;
  };
  const std::vector<Remark> all = remarks(kernel, *r.f.program().algorithm, never);
  REQUIRE(all.size() == 1);
  CHECK(all[0].advice ==
        "no loop can be a vector as it is: reorder the loops (interchange, skew), so that one "
        "inside carries no dependence; split a sum with rfactor");
  CHECK(asked == std::vector<std::string>{"vectorize(S.j, 8)", "vectorize(S.i, 8)"});
}

TEST_CASE("remarks: a loop shorter than a vector needs none", "[remarks]") {
  Rows r;
  Var c("c", 0, 3);
  Input rgb = r.f.input("rgb", f32, {3});
  r.f.computation("S", {c}, rgb(c) * 2.0f);
  CHECK(remarks_on(r.f, {"in", "column", "place", "line", "rgb", "S"}).empty());
}

TEST_CASE("remarks: a vector across the rows of an array is a gather", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, r.column(r.j, r.i) * 2.0f).vectorize(r.j, 8);
  CHECK(render(only_remark("gather", r.f, r.arguments, "S", "j_lane")) == R"(remark: gather
  in computation S, loop j_lane
  a vector of 8 elements of column is gathered one by one: the lanes run along index 0 of 2, and only the last one is dense
  what to do: vectorize the loop that runs along the last index, or store the array in that order (store_in, or a copy with cache_at)
)");
}

TEST_CASE("remarks: places that depend on data are gathered", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.j}, r.line(clamp(cast(i64, r.place(r.j)), 0, r.M - 1))).vectorize(r.j, 8);
  const Remark remark = only_remark("gather", r.f, r.arguments, "S", "j_lane");
  CHECK(remark.seen ==
        "a vector of 8 elements of line is gathered one by one: its place depends on data");
}

TEST_CASE("remarks: an index that is cut at the border is gathered", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.j}, r.line(clamp(r.j - 2, 0, r.M - 1)))
      .vectorize(r.j, 8)
      .mask(Var("j_lane"));
  const Remark remark = only_remark("gather", r.f, r.arguments, "S", "j_lane");
  CHECK(remark.seen.find("is not linear in the lane") != std::string::npos);
  CHECK(remark.advice.find("split off the border") != std::string::npos);
}

TEST_CASE("remarks: lanes that store apart from each other are a scatter", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.j}, r.line(r.j) + 1.0f).store_in({2 * r.j}).vectorize(r.j, 8);
  CHECK(only_remark("gather", r.f, r.arguments, "S", "j_lane").seen ==
        "a vector of 8 elements is scattered to S one by one: the lanes are 2 elements apart");
}

TEST_CASE("remarks: neighbours, reversed rows and one element for all lanes are no gathers",
          "[remarks]") {
  Rows r;
  Var inner("j", 1, r.M - 1);
  r.f.computation(
         "S", {r.i, inner},
         r.in(r.i, inner - 1) + r.in(r.i, inner + 1) + r.line(r.M - 1 - inner) + r.column(0, r.i))
      .vectorize(inner, 8);
  CHECK(remarks_of("gather", r.f, r.arguments).empty());
}

TEST_CASE("remarks: functions of scalars in a vector", "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, asin(r.in(r.i, r.j))).vectorize(r.j, 8);
  CHECK(render(only_remark("scalar call", r.f, r.arguments, "S", "j_lane")) ==
        R"(remark: scalar call
  in computation S, loop j_lane
  asin is a function of scalars: it is called for each of the 8 lanes
  what to do: compute it where fewer instances need it (compute_at, or a table that is read), or replace it by arithmetic of the accuracy that is needed
)");
}

TEST_CASE("remarks: roots have instructions, and a call for all lanes at once is one call",
          "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, sqrt(r.in(r.i, r.j)) + asin(r.column(0, r.i))).vectorize(r.j, 8);
  CHECK(remarks_of("scalar call", r.f, r.arguments).empty());
}

}  // namespace strata::test::remarks_on_vectors_test
