// Each rule of layer I.
#include "layers/verify/verify_algorithm.h"

#include "layers/flow/reads.h"
#include "tests/unit/programs.h"

namespace strata::test::verify_algorithm_test {

namespace {

Program updated(const Program& program, const std::string& array, std::vector<Var> iterators,
                std::vector<Expr> element, const Expr& value) {
  NewDefinition d;
  d.array = array;
  d.iterators = std::move(iterators);
  d.element = std::move(element);
  d.value = value;
  return with_definition(program, d, asked);
}

}  // namespace

TEST_CASE("R101: a name is an identifier that nothing else bears", "[layers]") {
  const Program p = grid();
  Var i = range("i", "N");
  CHECK(refusal_of([&] { define(p, "S", {i}, 1.0f); }).code == Code::E0104_name_taken);
  CHECK(refusal_of([&] { define(p, "N", {i}, 1.0f); }).code == Code::E0104_name_taken);
  CHECK(refusal_of([&] { define(p, "in", {i}, 1.0f); }).code == Code::E0104_name_taken);
  for (const char* bad : {"", "1st", "a b", "a-b", "exists", "for"})
    CHECK(refusal_of([&] { define(p, bad, {i}, 1.0f); }).code == Code::E0105_bad_name);
  CHECK_NOTHROW(define(p, "T", {i}, 1.0f));
}

TEST_CASE("R102: instances bear the definition's name and its iterators", "[layers]") {
  const Program p = grid();
  const Definition& s = *p.algorithm->find("S");
  CHECK(isl::set(s.domain).is_equal(
      isl::set(p.session->isl(), "[N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }")));
  CHECK(s.iterators == std::vector<std::string>{"i", "j"});
  Var i = range("i", "N");
  CHECK(refusal_of([&] { define(p, "T", {i, i}, 1.0f); }).code == Code::E0104_name_taken);
  CHECK(refusal_of([&] { define(p, "T", {range("N", "N")}, 1.0f); }).code ==
        Code::E0104_name_taken);
}

TEST_CASE("R103: no two instances define one value, but of an update", "[layers]") {
  Var i = range("i", "N"), j = range("j", "N");
  const Program p = define(empty_program({"N"}), "X", {i}, 0.0f);
  Definition folded = *p.algorithm->find("X");
  CHECK_NOTHROW(verify_single_assignment(*p.algorithm, folded, asked));
  folded.defines =
      ValueRelation::from(isl::map(p.session->isl(), "{ X[i] -> X[e] : e = floor(i/2) }"));
  const Refusal r = refusal_of([&] { verify_single_assignment(*p.algorithm, folded, asked); });
  CHECK(r.code == Code::E0114_not_single_assignment);
  CHECK(witness_text(r) == "N = 2: X[0]; X[1]");
  CHECK_NOTHROW(updated(p, "X", {j, i}, {i}, 1.0f));
}

TEST_CASE("R104: a read outside the producer's domain is refused with an instance", "[layers]") {
  Var i = range("i", "N");
  const Program p = with_input(empty_program({"N"}), "in", f32, {parameter("N")}, asked);
  const Refusal r = refusal_of([&] { define(p, "S", {i}, at("in", {i + 1})); });
  CHECK(r.code == Code::E0113_read_outside_domain);
  CHECK(witness_text(r) == "N = 1: S[0]; in[1]");
  CHECK_NOTHROW(define(p, "S", {i}, select(i + 1 < parameter("N"), at("in", {i + 1}), 0.0f)));
  const Program q = define(p, "P", {i}, 1.0f);
  CHECK(refusal_of([&] { define(q, "S", {i}, at("P", {i - 1})); }).code ==
        Code::E0113_read_outside_domain);
}

TEST_CASE("R105: an expression names iterators, parameters and arrays there are", "[layers]") {
  Var i = range("i", "N"), k = range("k", "N");
  const Program p = grid();
  CHECK(refusal_of([&] { define(p, "T", {i}, cast(f32, Expr(k))); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { define(p, "T", {i}, cast(f32, parameter("K"))); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { define(p, "T", {i}, at("nothing", {i})); }).code ==
        Code::E0101_unknown_computation);
  CHECK(refusal_of([&] { define(p, "T", {i}, at("S", {i})); }).code == Code::E0109_wrong_arity);
}

TEST_CASE("R106: the order of definition makes every value before it is read", "[layers]") {
  Var i = range("i", "N");
  const Refusal r = refusal_of([&] {
    define(empty_program({"N"}), "S", {i},
           select(i + 1 < parameter("N"), at("S", {i + 1}), 0.0f) + 1.0f);
  });
  CHECK(r.code == Code::E0206_no_legal_order);
  CHECK(witness_text(r) == "N = 2: S[1] at [0, 1, 0]; S[0] at [0, 0, 0]");
  CHECK_THAT(r.mend, Catch::Matchers::Contains("f.loop"));
}

TEST_CASE("R107: what is atomic has steps", "[layers]") {
  CHECK_NOTHROW(verify_atomics(*with_atomic(sums(), "C", true).algorithm, asked));
  const Program p = with_atomic(grid(), "S", true);
  const Refusal r = refusal_of([&] { verify_atomics(*p.algorithm, asked); });
  CHECK(r.code == Code::E0106_bad_argument);
  CHECK(r.explanation == "S is atomic, but is neither a reduction nor an atomic update");
}

TEST_CASE("an update is read where it is the last writer, exactly", "[layers]") {
  Var i = range("i", "N");
  Program p = define(empty_program({"N"}), "X", {i}, 1.0f);
  Var h("h", 0, parameter("N") - 3);
  p = updated(p, "X", {h}, {h + 3}, 2.0f);
  p = define(p, "Y", {i}, at("X", {i}));
  const auto& reads = p.algorithm->find("Y")->reads;
  isl::union_map all = isl::union_map::empty(p.session->isl());
  for (const Read& read : reads) all = all.unite(isl::map(read.relation).to_union_map());
  const isl::union_map expected(
      p.session->isl(),
      "[N] -> { Y[i] -> X[i] : 0 <= i < N and i < 3; Y[i] -> X_1[i - 3] : 3 <= i < N }");
  CHECK(all.is_equal(expected));
}

TEST_CASE("a reader of a reduction needs all contributions and the initial value", "[layers]") {
  Var i = range("i", "N");
  const Program p = define(sums(), "D", {i}, at("C", {i}));
  isl::union_map all = isl::union_map::empty(p.session->isl());
  for (const Read& read : p.algorithm->find("D")->reads)
    all = all.unite(isl::map(read.relation).to_union_map());
  CHECK(all.is_equal(isl::union_map(p.session->isl(),
                                    "[N, M] -> { D[i] -> C[i, k] : 0 <= i < N and 0 <= k < M;"
                                    " D[i] -> C_init[i] : 0 <= i < N }")));
}

TEST_CASE("a domain without ranges is what the readers need", "[layers]") {
  Var i = range("i", "N"), free("p");
  Program p = define(empty_program({"N"}), "P", {free}, cast(f32, free * 2));
  CHECK(isl::set(p.algorithm->find("P")->domain).is_empty());
  p = define(p, "S", {i}, at("P", {i + 1}) + at("P", {i + 3}));
  CHECK(isl::set(p.algorithm->find("P")->domain)
            .is_equal(isl::set(p.session->isl(),
                               "[N] -> { P[p] : 1 <= p <= N + 2 and N >= 1 and "
                               "(p <= N or p >= 3) }")));
}

}  // namespace strata::test::verify_algorithm_test
