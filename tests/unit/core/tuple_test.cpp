// Values of several scalars: their expressions and readers.
#include "core/expr/tuple.h"

#include "core/expr/expr_text.h"
#include "schedule/commands/loops/rfactor.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"

namespace strata::test::tuple_test {

namespace {

// best(i), place(i) = argmin over k of in(i, k);  T(i) = place(i)
Program least_of_rows() {
  Var i = range("i", "N"), k = range("k", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  NewDefinition least;
  least.array = "best";
  least.components = {"place"};
  least.iterators = {i};
  least.tuple = argmin(k, at("in", {i, k}));
  program = with_definition(program, least, asked);
  NewDefinition reader;
  reader.array = "T";
  reader.iterators = {i};
  reader.value = access("place", i64, {i});
  return with_definition(program, reader, asked);
}

}  // namespace

TEST_CASE("a step is a pair of scalars for two operands", "[tuple]") {
  const Tuple least = argmin(Var("k", 0, 3), access("in", i32, {variable("k")}));
  REQUIRE(least.reducer);
  const std::vector<Expr> a{constant(i32, 5), constant(i64, 1)}, b{constant(i32, 5), variable("x")};
  const auto taken = applied(least.reducer->steps(), a, b);
  REQUIRE(taken.size() == 2);
  CHECK(to_text(taken[1]) == "select(5i32 < 5i32 || 5i32 == 5i32 && x < 1, x, 1)");
  CHECK(to_text(least.reducer->identities()[0]) == "2147483647i32");
  CHECK(to_text(least.values[1]) == "k");
}

TEST_CASE("who reads a scalar reads the tuple", "[tuple]") {
  const auto program = least_of_rows();
  isl::union_map reads = isl::union_map::empty(program.session->isl());
  for (const Read& read : program.algorithm->find("T")->reads)
    reads = reads.unite(isl::map(read.relation).to_union_map());
  CHECK(reads.is_equal(isl::union_map(program.session->isl(),
                                      "[N, M] -> { T[i] -> best[i, k] : 0 <= i < N and 0 <= k < M; "
                                      "T[i] -> best_init[i] : 0 <= i < N }")));
  CHECK(program.algorithm->array_of("place") == "best");
  CHECK(program.algorithm->array_of("best") == "best");
  CHECK(program.algorithm->array_of("in") == "in");
}

TEST_CASE("scalars get buffers beside the first, allocated where it is", "[tuple]") {
  auto program = compute_at(least_of_rows(), "best", {{"T", "i"}});
  const auto inside = finished(program, {"in", "T"}, {});
  CHECK(inside.layout.find("place")->type == i64);
  CHECK(inside.layout.find("place")->role == BufferRole::temporary);
  CHECK(allocating_loops(inside.mapping, "place") == allocating_loops(inside.mapping, "best"));
  CHECK(allocating_loops(inside.mapping, "place").size() == 1);
  // If one scalar is an argument, no scalar's buffer is allocated by a loop.
  const auto outside = finished(program, {"in", "T", "place"}, {});
  CHECK(outside.layout.find("place")->role == BufferRole::output);
  CHECK(outside.layout.find("best")->role == BufferRole::temporary);
  CHECK(allocating_loops(outside.mapping, "best").empty());
}

TEST_CASE("partial results of tuples are tuples", "[tuple]") {
  const auto program = rfactor(least_of_rows(), {"best", "k"}, "P");
  const Definition &part = *program.algorithm->find("P"), &whole = *program.algorithm->find("best");
  REQUIRE(part.others.size() == 1);
  CHECK(part.others[0].name == "P_place");
  CHECK(to_text(whole.value) == "P[i, k2]");
  CHECK(to_text(whole.others[0].value) == "P_place[i, k2]");
}

TEST_CASE("a copy of one scalar is read in its stead", "[tuple]") {
  const auto program = cache_at(least_of_rows(), {"T", "i"}, "place", "C", {"x"});
  CHECK(to_text(program.algorithm->find("T")->value) == "C[i]");
  CHECK(to_text(program.algorithm->find("C")->value) == "place[x]");
}

}  // namespace strata::test::tuple_test
