#include "schedule/commands/order/inline_computation.h"

#include "schedule/commands/loops/interchange.h"
#include "tests/unit/programs.h"

namespace strata::test::inline_computation_test {

namespace {

// for i, j: X(i) = 1;  P(i) = X(i);  X(i) = 2;  Q(i) = P(i): P read X before its update.
Program with_update_between() {
  Var i = range("i", "N");
  auto program = define(empty_program({"N"}), "X", {i}, cast(f32, i + 0));
  program = define(program, "P", {i}, at("X", {i}));
  NewDefinition update;
  update.array = "X";
  update.iterators = {i};
  update.element = std::vector<Expr>{i};
  update.value = at("X", {i}) + 1.0f;
  program = with_definition(program, update, asked);
  return define(program, "Q", {i}, at("P", {i}));
}

isl::union_map reads_of(const Program& program, const std::string& definition) {
  isl::union_map all = isl::union_map::empty(program.session->isl());
  for (const Read& read : program.algorithm->find(definition)->reads)
    all = all.unite(isl::map(read.relation).to_union_map());
  return all;
}

}  // namespace

TEST_CASE("inline puts the value into its readers", "[inline]") {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(empty_program({"N"}), "P", {i, j}, cast(f32, i + j / 2));
  program = define(program, "S", {i, j}, at("P", {j, i}) * 3.0f);
  program = inline_computation(program, "P");
  CHECK(program.algorithm->find("P") == nullptr);
  CHECK(branches_of(program.mapping, "P").empty());
  CHECK(same(program.algorithm->find("S")->value, cast(f32, j + i / 2) * 3.0f));
  CHECK(runs(program, "S", "{ S[i, j] -> [0, i, 0, j, 0] }"));
}

TEST_CASE("inline replaces reads by what they read", "[inline]") {
  auto program = inline_computation(three_stages(), "Q");
  const isl::union_map expected(program.session->isl(),
                                "[N] -> { R[i, j] -> P[i, j] : 0 <= i < N and 0 <= j < N }");
  CHECK(reads_of(program, "R").is_equal(expected));
  CHECK(runs(program, "R", "{ R[i, j] -> [1, i, 0, j, 0] }"));
}

TEST_CASE("inline in either order gives the same values", "[inline]") {
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(three_stages(), "T", {i, j}, at("R", {j, i}));
  auto first = inline_computation(inline_computation(program, "Q"), "R");
  auto last = inline_computation(inline_computation(program, "R"), "Q");
  CHECK(same(first.algorithm->find("T")->value, last.algorithm->find("T")->value));
  CHECK(same_schedule(first, last));
}

TEST_CASE("inline is refused when the readers come before what it read", "[inline]") {
  auto refusal = refusal_of([] { inline_computation(with_update_between(), "P"); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.command == "inline(P)");
  CHECK(refusal.explanation == "Q would read values that are updated after P reads them");
}

TEST_CASE("inline refuses reductions, updates, recursion, and values that are never read",
          "[inline]") {
  auto explanation = [](const Program& program, const std::string& name) {
    return refusal_of([&] { inline_computation(program, name); }).explanation;
  };
  CHECK(explanation(sums(), "C") == "C cannot be inlined: it is a reduction");
  CHECK(explanation(row_sums(), "S") == "S cannot be inlined: it reads its own values");
  CHECK(explanation(three_stages(), "R") == "R cannot be inlined: it is never read");
  CHECK(explanation(with_update_between(), "X") ==
        "X cannot be inlined: X has several definitions");
}

TEST_CASE("inline names the computations there are", "[inline]") {
  auto refusal = refusal_of([] { inline_computation(three_stages(), "X"); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
  CHECK(refusal.explanation == "the program has no computation X; it has P, Q, R");
}

TEST_CASE("inlined stages share what they read at the same place", "[inline]") {
  constexpr int stages = 12;
  auto program = define(empty_program({"N"}), "S0", {range("i", "N")}, cast(f32, variable("i")));
  const auto name = [](int k) { return "S" + std::to_string(k); };
  for (int k = 1; k <= stages; ++k) {
    const Var i("i", k, parameter("N") - k);
    program = define(program, name(k), {i},
                     at(name(k - 1), {i - 1}) + at(name(k - 1), {i}) * at(name(k - 1), {i + 1}));
  }
  for (int k = 1; k < stages; ++k) program = inline_computation(program, name(k));
  int nodes = 0, reads = 0;
  visit(program.algorithm->find(name(stages))->value, [&](const Expr& e) {
    ++nodes;
    reads += e.op() == Op::access;
  });
  CHECK(reads == 2 * stages + 1);
  CHECK(nodes < 10 * stages * stages);
}

}  // namespace strata::test::inline_computation_test
