#include "schedule/commands/storage/store_in.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/finish.h"
#include "schedule/legality/legality.h"
#include "tests/unit/programs.h"

namespace strata::test::store_in_test {

namespace {

const Var i("i"), j("j"), h("h");

// C(i, k) = C(i, k - 1) + in(i, k), an explicit recurrence.
Program running_sums() {
  Var row = range("i", "N"), k = range("k", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  return define(program, "C", {row, k},
                select(k > 0, at("C", {row, k - 1}), 0.0f) + at("in", {row, k}));
}

}  // namespace

TEST_CASE("store_in gives values their places", "[store_in]") {
  const Program after = store_in(grid(), "S", "b", {i, j}, {j, i + 1});
  CHECK(isl::map(after.layout.store.at("S"))
            .is_equal(isl::map(after.session->isl(), "{ S[i, j] -> b[j, i + 1] }")));
  CHECK(after.layout.find("b")->dimensions == 2);
}

TEST_CASE("store_in twice is the second one", "[store_in]") {
  const Program before = grid();
  const Program once = store_in(before, "S", "b", {i, j}, {i, j});
  const Program twice =
      store_in(store_in(before, "S", "b", {i, j}, {j, i}), "S", "b", {i, j}, {i, j});
  CHECK(isl::map(once.layout.store.at("S")).is_equal(isl::map(twice.layout.store.at("S"))));
}

TEST_CASE("store_in lets a recurrence live in one element per row", "[store_in]") {
  const Var k("k");
  const Program contracted = store_in(running_sums(), "C", "c", {i, k}, {i});
  CHECK_NOTHROW(parallelize(contracted, {"C", "i"}));
}

TEST_CASE("store_in is refused when a value would be overwritten before it is read", "[store_in]") {
  const Refusal r = refusal_of([&] { store_in(stencil(), "P", "b", {h}, {h % 2}); });
  CHECK(r.code == Code::E0301_value_overwritten);
  CHECK(witness_text(r) == "N = 2: P[0] at [0, 0, 0]; Q[0] at [1, 0, 0]; P[2] at [0, 2, 0]");
  CHECK(r.witness->place == "b[0]");
}

TEST_CASE("store_in over an input keeps inside it and before its readers", "[store_in]") {
  CHECK_NOTHROW(store_in(grid(), "S", "in", {i, j}, {i, j}));
  CHECK(refusal_of([&] { store_in(grid(), "S", "in", {i, j}, {i + 1, j}); }).code ==
        Code::E0302_access_out_of_bounds);
}

TEST_CASE("a later command breaks no promise of store_in", "[store_in]") {
  Var row = range("i", "N"), k = range("k", "M");
  // One cell for all rows: rows must not run at the same time.
  Program p =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  p = define(p, "C", {row, k}, select(k > 0, at("C", {row, k - 1}), 0.0f) + at("in", {row, k}));
  const Program stored = store_in(p, "C", "cell", {row, k}, {});
  const Code code = refusal_of([&] { parallelize(stored, {"C", "i"}); }).code;
  CHECK((code == Code::E0301_value_overwritten || code == Code::E0303_race));
}

TEST_CASE("lanes that write one element collide", "[store_in]") {
  const Program stored = store_in(grid(), "S", "b", {i, j}, {i});
  CHECK(refusal_of([&] { vectorize(stored, {"S", "j"}, 4); }).code == Code::E0305_lanes_collide);
}

TEST_CASE("an output must end with the values defined last", "[store_in]") {
  Program p = define(empty_program({"N"}), "X", {range("i", "N")}, 1.0f);
  p = define(p, "Y", {range("i", "N")}, 2.0f);
  p = store_in(p, "X", "b", {i}, {i});
  p = store_in(p, "Y", "b", {i}, {i});
  CHECK_NOTHROW(finished(p, {"b"}, Given{}));
  std::swap(p.mapping.roots[0], p.mapping.roots[1]);
  CHECK(refusal_of([&] { finished(p, {"b"}, Given{}); }).code == Code::E0304_output_not_last);
}

TEST_CASE("store_in takes a relation in isl's notation", "[store_in]") {
  const Program before = grid();
  const Program by_text = store_in(before, "S", "[N] -> { S[a, b] -> c[b, N - a] }");
  const Program by_places = store_in(before, "S", "c", {i, j}, {j, parameter("N") - i});
  CHECK(isl::map(by_text.layout.store.at("S")).is_equal(by_places.layout.store.at("S")));
  CHECK(by_text.layout.find("c")->dimensions == 2);
}

TEST_CASE("a relation of store_in leads each value to one place of a buffer", "[store_in]") {
  auto code = [](const std::string& relation) {
    return refusal_of([&] { store_in(grid(), "S", relation); }).code;
  };
  CHECK(code("{ S[i, j] -> b[j }") == Code::E0108_unreadable_text);
  CHECK(code("{ T[i, j] -> b[j] }") == Code::E0106_bad_argument);
  CHECK(code("{ S[i] -> b[i] }") == Code::E0106_bad_argument);
  CHECK(code("{ S[i, j] -> [j] }") == Code::E0106_bad_argument);
  CHECK(code("[K] -> { S[i, j] -> b[i, j + K] }") == Code::E0106_bad_argument);
  CHECK(code("{ S[i, j] -> b[i, j]; S[i, j] -> b[i, j + 1] }") == Code::E0306_malformed_layout);
  CHECK(code("{ S[i, j] -> b[i, j] : i > 0 }") == Code::E0306_malformed_layout);
  CHECK(code("{ S[i, j] -> in[i] }") == Code::E0109_wrong_arity);
}

TEST_CASE("a modulus that is too small is refused with the smallest sufficient one", "[store_in]") {
  // Q(i) reads P(i) and P(i + 2), so three values of P are live at a time.
  Var k = range("i", "N"), far("h", 0, parameter("N") + 2);
  Program p = define(empty_program({"N"}), "P", {far}, cast(f32, far + 0));
  p = define(p, "Q", {k}, at("P", {k}) + at("P", {k + 2}));
  p = shift(p, {"Q", "i"}, 2);
  p = fuse(p, {"P", "h"}, {"Q", "i"});
  for (int m = 1; m < 3; ++m) {
    const Refusal r = refusal_of([&] { store_in(p, "P", "P", {h}, {h % m}); });
    CHECK(r.mend.find("store it at h % 3, the smallest modulus") == 0);
  }
  CHECK_NOTHROW(store_in(p, "P", "P", {h}, {h % 3}));
  CHECK_NOTHROW(store_in(p, "P", "P", {h}, {h % 4}));
  // All of P is live when Q begins.
  const Refusal r = refusal_of([&] { store_in(stencil(), "P", "b", {h}, {h % 2}); });
  CHECK(r.mend.find('%') == std::string::npos);
}

TEST_CASE("store_in names what it does not find", "[store_in]") {
  CHECK(refusal_of([&] { store_in(grid(), "T", "b", {i}, {i}); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { store_in(grid(), "S", "b", {i}, {i}); }).code == Code::E0109_wrong_arity);
  CHECK(refusal_of([&] { store_in(grid(), "S", "in", {i, j}, {i}); }).code ==
        Code::E0109_wrong_arity);
  CHECK(refusal_of([&] { store_in(grid(), "S", "b", {i, j}, {i * j}); }).code ==
        Code::E0111_not_affine);
}

TEST_CASE("unchecked records what it violates, and later checks ask about the rest", "[store_in]") {
  const Program waived = parallelize(row_sums(), {"S", "j"}, Given{Where::here(), Check::waived});
  REQUIRE(waived.waivers.size() == 1);
  CHECK(waived.waivers.front().violations.is_equal(isl::union_map(
      waived.session->isl(), "[N] -> { S[i, j] -> S[i, j + 1] : 0 <= i < N and 0 <= j < N - 1 }")));
  CHECK_FALSE(find_violation(waived));
  CHECK(find_violations(waived).size() == 1);
}

}  // namespace strata::test::store_in_test
