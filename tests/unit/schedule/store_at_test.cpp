#include "schedule/commands/storage/store_at.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/legality/legality.h"
#include "tests/unit/programs.h"

namespace strata::test::store_at_test {

namespace {

// P(h) recomputed for each Q(i): P(i), P(i + 1).
Program inside() { return compute_at(stencil(), "P", {{"Q", "i"}}); }

}  // namespace

TEST_CASE("store_at computes each value where it is needed first", "[store_at]") {
  const Program program = store_at(inside(), "P", std::nullopt);
  CHECK(theta_of(program, "P")
            .is_equal(isl::union_map(program.session->isl(),
                                     "[N] -> { P[h] -> [0, h - 1, 0, h, 0] : 0 < h <= N; P[0] -> "
                                     "[0, 0, 0, 0, 0] : N > 0 }")));
  CHECK(allocating_loops(program.mapping, "P").empty());
}

TEST_CASE("store_at where nothing is computed twice changes no time", "[store_at]") {
  const Program program = compute_at(three_stages(), "Q", {{"R", "i"}});
  CHECK(refusal_of([&] { store_at(program, "Q", std::nullopt); }).code == Code::E0106_bad_argument);
}

TEST_CASE("store_at is refused where iterations between run at the same time", "[store_at]") {
  const Program program = parallelize(inside(), {"Q", "i"});
  const Refusal refusal = refusal_of([&] { store_at(program, "P", std::nullopt); });
  CHECK(refusal.code == Code::E0202_dependence_carried);
  CHECK(refusal.command == "store_at(P, root)");
  CHECK(witness_text(refusal) == "N = 2: P[1] at [0, 0, 0, 1, 0]; Q[1] at [0, 1, 1, 0, 0]");
}

TEST_CASE("store_at names the loops there are", "[store_at]") {
  const Refusal refusal = refusal_of([] { store_at(inside(), "P", LoopRef{"Q", "k"}); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "Q has no loop k; it has i");
  CHECK(refusal_of([] { store_at(stencil(), "P", std::nullopt); }).code ==
        Code::E0106_bad_argument);
}

TEST_CASE("a branch whose times leave instances out does not run them", "[store_at]") {
  Program program = stencil();
  Branch& branch =
      node_at(program.mapping, branches_of(program.mapping, "P").front().path).branch();
  const isl::set later(program.session->isl(), "{ P[h] : h > 0 }");
  branch.time = TimeMap::from(isl::map(branch.time).intersect_domain(later));
  const auto violation = find_violation(program);
  REQUIRE(violation.has_value());
  CHECK(violation->code == Code::E0204_not_scheduled);
}

}  // namespace strata::test::store_at_test
