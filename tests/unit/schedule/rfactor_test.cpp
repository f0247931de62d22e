#include "schedule/commands/loops/rfactor.h"

#include "layers/verify/relation_sizes.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/compute_at.h"
#include "tests/unit/programs.h"

namespace strata::test::rfactor_test {

namespace {

Program split_sums() { return split(sums(), {"C", "k"}, 8, "k0", "k1"); }

bool has_instances(const Program& program, const std::string& definition, const std::string& set) {
  const isl::set expected(program.session->isl(), set);
  return isl::set(program.algorithm->find(definition)->domain).is_equal(expected);
}

}  // namespace

TEST_CASE("rfactor splits the instances of a reduction", "[rfactor]") {
  const auto program = rfactor(split_sums(), {"C", "k0"}, "P");
  CHECK(has_instances(program, "P",
                      "[N, M] -> { P[i, k0, k] : 0 <= i < N and 0 <= k < M and k0 = floor(k/8) }"));
  CHECK(has_instances(program, "P_init",
                      "[N, M] -> { P_init[i, k0] : 0 <= i < N and 0 <= 8k0 < M }"));
  CHECK(has_instances(program, "C", "[N, M] -> { C[i, k0] : 0 <= i < N and 0 <= 8k0 < M }"));
  CHECK(has_instances(program, "C_init", "[N] -> { C_init[i] : 0 <= i < N }"));
  const Definition &part = *program.algorithm->find("P"), &whole = *program.algorithm->find("C");
  CHECK(same(part.value, at("in", {variable("i"), variable("k")})));
  CHECK(same(whole.value, at("P", {variable("i"), variable("k0")})));
  CHECK(part.reduction->results == 2);
  CHECK(whole.reduction->results == 1);
}

TEST_CASE("rfactor gives the part the loops, and adds up inside those of the result", "[rfactor]") {
  const auto program = rfactor(split_sums(), {"C", "k0"}, "P");
  CHECK(runs(program, "P", "{ P[i, u, k] -> [0, i, 0, u, 0, k - 8u, 0] }"));
  CHECK(runs(program, "C", "{ C[i, u] -> [0, i, 1, u, 0] }"));
  CHECK(loops_of(program, "P") == "i k0 k1");
  CHECK(loops_of(program, "C") == "i k0");
  CHECK(allocating_loops(program.mapping, "P") == std::vector<Path>{{0}});
  const auto lanes = rfactor(split_sums(), {"C", "k1"}, "P");
  CHECK(runs(lanes, "P", "{ P[i, u, k] -> [0, i, 0, floor(k/8), 0, u, 0] }"));
}

TEST_CASE("rfactor adds up behind the outermost loop over contributions", "[rfactor]") {
  const auto program = rfactor(interchange(sums(), {"C", "i"}, {"C", "k"}), {"C", "k"}, "P");
  CHECK(runs(program, "P", "{ P[i, u, k] -> [0, u, 0, i, 0] }"));
  CHECK(runs(program, "C", "{ C[i, u] -> [1, i, 0, u, 0] }"));
  CHECK(allocating_loops(program.mapping, "P").empty());
}

TEST_CASE("partial results may be made at the same time", "[rfactor]") {
  auto program = parallelize(rfactor(split_sums(), {"C", "k0"}, "P"), {"P", "k0"});
  CHECK(loops_of(program, "P") == "i k0:parallel k1");
  program = vectorize(rfactor(split_sums(), {"C", "k1"}, "P"), {"P", "k1"});
  CHECK(loops_of(program, "P") == "i k0 k1:vector");
}

TEST_CASE("the order of reference of a reduction split in two", "[rfactor]") {
  const auto program = rfactor(split_sums(), {"C", "k1"}, "P");
  const auto order = reference_order(*program.algorithm);
  const auto is = [&](const std::string& name, const std::string& map) {
    return isl::map(order.at(name))
        .is_equal(isl::map(program.session->isl(), map)
                      .intersect_domain(isl::set(program.algorithm->find(name)->domain)));
  };
  CHECK(is("C_init", "{ C_init[i] -> [0, i, 0] }"));
  CHECK(is("P_init", "{ P_init[i, u] -> [1, i, 0, u, 0] }"));
  CHECK(is("P", "{ P[i, u, k] -> [2, i, 0, k, 0] }"));
  CHECK(is("C", "{ C[i, u] -> [3, i, 0, u, 0] }"));
}

TEST_CASE("rfactor twice gives sums of sums of sums", "[rfactor]") {
  auto program = rfactor(split_sums(), {"C", "k0"}, "P");
  program = rfactor(split(program, {"P", "k1"}, 4, "a", "b"), {"P", "b"}, "Q");
  CHECK(runs(program, "Q", "{ Q[i, u, v, k] -> [0, i, 0, u, 0, floor((k - 8u)/4), 0, v, 0] }"));
  CHECK(runs(program, "P", "{ P[i, u, v] -> [0, i, 0, u, 1, v, 0] }"));
  CHECK(runs(program, "C", "{ C[i, u] -> [0, i, 1, u, 0] }"));
}

TEST_CASE("rfactor commutes with tags on other loops", "[rfactor]") {
  const auto program = split_sums();
  const auto first = rfactor(parallelize(program, {"C", "i"}), {"C", "k0"}, "P");
  const auto last = parallelize(rfactor(program, {"C", "k0"}, "P"), {"P", "i"});
  CHECK(same_schedule(first, last));
}

TEST_CASE("rfactor is refused where a reader follows the last contribution", "[rfactor]") {
  Var i = range("i", "N"), last("k", parameter("M") - 1, parameter("M"));
  auto program = after(define(sums(), "D", {i, last}, at("C", {i})), "D", "C", "k");
  CHECK(runs(program, "D", "{ D[i, k] -> [0, i, 0, k, 1] }"));
  auto refusal = refusal_of([&] { rfactor(program, {"C", "k"}, "P"); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.explanation ==
        "adding C up from partial results would read a value before it is computed");
  CHECK(witness_text(refusal) ==
        "N = 1, M = 1: C[0, 0] at [0, 0, 2, 0, 0]; D[0, 0] at [0, 0, 0, 0, 2]");
}

TEST_CASE("rfactor refuses loops of the result, and what is computed several times", "[rfactor]") {
  const auto explanation = [](const Program& program, const std::string& loop) {
    return refusal_of([&] { rfactor(program, {"C", loop}, "P"); }).explanation;
  };
  CHECK(refusal_of([] { rfactor(grid(), {"S", "i"}, "P"); }).explanation == "S is not a reduction");
  CHECK(explanation(split_sums(), "i") ==
        "each iteration of i holds all contributions to its results, so there are no partial "
        "results");
  const Program tiles =
      split(with_parameter(sums(), "T", asked), {"C", "k"}, Param("T"), "k0", "k1");
  CHECK(explanation(tiles, "k0") ==
        "the iterations of k0 are tiles whose size is not known at compile time");
  Var i = range("i", "N"), j = range("j", "N");
  auto program = define(sums(), "D", {i, j}, at("C", {j}));
  program = compute_at(program, "C", {{"D", "i"}});
  CHECK(explanation(program, "k") == "C is computed several times; use rfactor before compute_at");
}

TEST_CASE("rfactor refuses names that are taken, and names the loops there are", "[rfactor]") {
  auto refusal = refusal_of([] { rfactor(split_sums(), {"C", "k0"}, "in"); });
  CHECK(refusal.code == Code::E0104_name_taken);
  refusal = refusal_of([] { rfactor(split_sums(), {"C", "k"}, "P"); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "C has no loop k; it has i, k0, k1");
  refusal = refusal_of([] { rfactor(split_sums(), {"X", "k"}, "P"); });
  CHECK(refusal.code == Code::E0101_unknown_computation);
}

TEST_CASE("rfactor refuses what is computed only where its readers need it", "[rfactor]") {
  // D(i) = C(i + 1) does not read C(0), so C(0) is not computed, and after rfactor it would have no
  // contributions.
  const Var i("i", 0, parameter("N") - 1);
  const Program program = compute_at(define(sums(), "D", {i}, at("C", {i + 1})), "C", {{"D", "i"}});
  const Refusal refusal = refusal_of([&] { rfactor(program, {"C", "k"}, "P"); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "C is computed only where its readers need it");
}

TEST_CASE("rfactor twice with compute_at between takes few operations", "[rfactor]") {
  // y(i) = sum_j in(i, j) in 64 lanes, which are added up in vectors of 16
  Program program = split(split(sums(), {"C", "i"}, 4, "row", "in"), {"C", "k"}, 64, "k", "lane");
  program.session->set_budget(6'000'000);
  program = rfactor(program, {"C", "lane"}, "part");
  program = compute_at(program, "part", {{"C", "row"}});
  program = vectorize(program, {"part", "lane"}, 16);
  program = split(program, {"C", "lane"}, 16, "u", "l");
  program = rfactor(program, {"C", "l"}, "s");
  program = compute_at(program, "s", {{"C", "row"}});
  program = unroll(vectorize(program, {"s", "l"}), {"s", "u"});
  for (const SizedRelation& relation : relation_sizes(program)) {
    INFO(relation.what);
    CHECK(relation.size.disjuncts == 1);
    CHECK(relation.size.existentials <= 2);
    CHECK(relation.size.unknown == 0);
  }
}

}  // namespace strata::test::rfactor_test
