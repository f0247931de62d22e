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
  CHECK(remark.commands == std::vector<std::string>{"vectorize(S.j, 8)"});
  CHECK(remark.kernel == "f");
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
  std::vector<std::string> asked;
  const auto never = [&](const std::string& command) -> std::optional<Kernel> {
    asked.push_back(command);
    return std::nullopt;
  };
  const Remarks all = remarks(kernel_of(r.f.program(), r.arguments), *r.f.program().algorithm,
                              {machine("x86-64-v3"), {}, never});
  REQUIRE(all.size() == 1);
  CHECK(all[0].commands.empty());
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

TEST_CASE("remarks: neighbours, reversed rows and one element for all lanes are not gathers",
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
  r.f.computation("S", {r.i, r.j}, call(f32, "shade", {r.in(r.i, r.j)})).vectorize(r.j, 8);
  CHECK(render(only_remark("scalar call", r.f, r.arguments, "S", "j_lane")) ==
        R"(remark: scalar call
  in computation S, loop j_lane
  shade is a function of scalars: it is called for each of the 8 lanes
  what to do: compute it where fewer instances need it (compute_at, or a table that is read), or replace it by arithmetic of the accuracy that is needed
)");
}

TEST_CASE("remarks: a function of the C library is one of vectors in fast code for x86-64 alone",
          "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, asin(r.in(r.i, r.j))).vectorize(r.j, 8);
  const auto found = [&](Floats floats, const std::string& target) {
    Kernel kernel = kernel_of(r.f.program(), r.arguments);
    kernel.floats = floats;
    Remarks all = remarks(kernel, *r.f.program().algorithm, {machine(target)});
    std::erase_if(all, [](const Remark& remark) { return remark.kind != "scalar call"; });
    return all.size();
  };
  CHECK(found(Floats::fast, "x86-64-v3") == 0);
  CHECK(found(Floats::exact, "x86-64-v3") == 1);
  CHECK(found(Floats::fast, "neoverse-n1") == 1);
}

TEST_CASE("remarks: roots have instructions, and a call for all lanes at once is one call",
          "[remarks]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, sqrt(r.in(r.i, r.j)) + call(f32, "shade", {r.column(0, r.i)}))
      .vectorize(r.j, 8);
  CHECK(remarks_of("scalar call", r.f, r.arguments).empty());
}

TEST_CASE("remarks: a vector is advised only where its iterations become lanes", "[remarks]") {
  // A row of T lives in each iteration of S.i, in the heap: S.i may be a vector, without lanes.
  Rows r;
  Computation T = r.f.computation("T", {r.i, r.j}, r.in(r.i, r.j) * 3.0f);
  Computation S =
      r.f.computation("S", {r.i, r.j}, T(r.i, r.j) + select(r.j > 0, T(r.i, r.j - 1), 0.0f));
  T.compute_at(S, r.i).store_in({r.j});
  T.allocate_at(S, r.i);
  for (const Remark& remark : remarks_of("no vector", r.f, r.arguments))
    for (const std::string& command : remark.commands)
      CHECK(command.find(".i,") == std::string::npos);
  S.vectorize(r.i, 8);
  const Remarks lost = remarks_of("no vector", r.f, r.arguments);
  REQUIRE(lost.size() == 2);  // of S and T
  for (const Remark& remark : lost) {
    CHECK(remark.loop == "i_lane");
    CHECK(remark.seen.find("loop i_lane is a vector loop, but its iterations run one by one") == 0);
    CHECK(remark.commands.empty());
  }
}

namespace {

// The tree with loop j as the rest of a vector loop: its number of iterations varies.
StmtPtr with_tail(const StmtPtr& stmt) {
  Stmt edited = *stmt;
  if (auto* loop = std::get_if<For>(&edited); loop && loop->name == "j") {
    loop->processor = Processor::vector;
    loop->extent.reset();
  }
  return with_insides(edited, with_tail);
}

}  // namespace

TEST_CASE("remarks: a tail that is a good part of the work", "[remarks]") {
  Rows plain, masked;
  plain.f.computation("S", {plain.i, plain.j}, plain.in(plain.i, plain.j) * 2.0f);
  masked.f.computation("S", {masked.i, masked.j}, masked.in(masked.i, masked.j) * 2.0f)
      .vectorize(masked.j, 8)
      .mask(Var("j_lane"));
  const Kernel without = kernel_of(masked.f.program(), masked.arguments);
  const Kernel with = with_bodies(kernel_of(plain.f.program(), plain.arguments), with_tail);
  const auto found = [&](const Kernel& kernel) {
    const auto after = [&](const std::string& command) {
      return command == "mask(S.j)" ? std::optional(without) : std::nullopt;
    };
    return remarks(kernel, *plain.f.program().algorithm,
                   {machine("x86-64-v3"), {{"M", 14}}, after});
  };
  const Remarks tails = found(with);
  REQUIRE(tails.size() == 1);
  CHECK(tails[0].kind == "scalar tail");
  CHECK(tails[0].loop == "j");
  CHECK(tails[0].commands == std::vector<std::string>{"mask(S.j)"});
  CHECK(found(without).empty());
}

TEST_CASE("remarks: bytes of interleaved data, and rows of bytes", "[remarks]") {
  Rows r;
  const Input rgb = r.f.input("rgb", u8, {r.N, r.M, 3}), row = r.f.input("row", u8, {r.M});
  const std::vector<std::string> arguments{"in", "column", "place", "line", "rgb", "row", "S", "T"};
  const Expr mixed = (rgb(r.i, r.j, 0) & rgb(r.i, r.j, 1)) ^ rgb(r.i, r.j, 2);
  r.f.computation("S", {r.i, r.j}, mixed).vectorize(r.j, 16);
  r.f.computation("T", {r.j}, row(r.j) ^ row(r.j)).vectorize(r.j, 16);
  CHECK(only_remark("interleaved bytes", r.f, arguments, "S", "j_lane").seen ==
        "a vector of 16 bytes of rgb is put together byte by byte, out of interleaved data");
  CHECK(remarks_of("gather", r.f, arguments).empty());
}

TEST_CASE("remarks: products of bytes, and of wider numbers", "[remarks]") {
  const auto product_of = [](Type type, Type first) {
    Rows r;
    const Var k("k", 0, r.N);
    const Input a = r.f.input("a", type, {r.N}), b = r.f.input("b", type, {r.N, r.M});
    r.f.computation("S", {r.j}, sum(k, cast(i32, cast(first, a(k)) * cast(first, b(k, r.j)))))
        .vectorize(r.j, 8);
    return remarks_of("products of bytes", r.f, {"in", "column", "place", "line", "a", "b", "S"});
  };
  const Remarks of_bytes = product_of(i8, i32);
  REQUIRE(of_bytes.size() == 1);
  CHECK(of_bytes[0].seen ==
        "products of 8-bit numbers are computed in 32 bits, 8 in a vector; no instruction is used "
        "that adds several of them at once");
  CHECK(product_of(i8, i16).size() == 1);  // LLVM multiplies in 32 bits all the same
  CHECK(product_of(i16, i32).empty());
}

}  // namespace strata::test::remarks_on_vectors_test
