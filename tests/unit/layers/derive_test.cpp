// Deriving again only what a change affects gives the same as deriving everything, and the work for
// one definition does not grow with the number of definitions before it.
#include "layers/define/derive.h"

#include <catch2/catch.hpp>

#include "schedule/commands/loops/set_schedule.h"
#include "tests/unit/programs.h"

namespace strata::test::derive_test {

namespace {

const Expr N = parameter("N");
const Var i("i"), j("j");

std::string stage(int number) { return "s" + std::to_string(number); }

Program with_session(std::shared_ptr<Session> session) {
  Program program = with_parameter(new_program(std::move(session), "f", asked), "N", asked);
  return with_assumption(program, N >= 1, asked);
}

// for i < N + n - k - 1: s_k(i) = s_(k-1)(i) + s_(k-1)(i + 1), each with its ranges.
Program chain_with_ranges(std::shared_ptr<Session> session, int stages) {
  Program program = with_input(with_session(std::move(session)), "s0", f32, {N + stages}, asked);
  for (int k = 1; k < stages; ++k) {
    const Var own("i", 0, N + (stages - k));
    const std::string before = stage(k - 1);
    program = define(program, stage(k), {own}, at(before, {own}) + at(before, {own + 1}));
  }
  return program;
}

// The same in two dimensions, where only the last stage has ranges:
// s_k(i, j) = the sum of s_(k-1)(i + a, j + b) over a, b < 2.
Program inferred_chain(std::shared_ptr<Session> session, int stages) {
  Program program =
      with_input(with_session(std::move(session)), "s0", f32, {N + stages, N + stages}, asked);
  for (int k = 1; k < stages; ++k) {
    const bool last = k == stages - 1;
    const std::string before = stage(k - 1);
    const Expr sum = at(before, {i, j}) + at(before, {i + 1, j}) + at(before, {i, j + 1}) +
                     at(before, {i + 1, j + 1});
    program = last ? define(program, stage(k), {range("i", "N"), range("j", "N")}, sum)
                   : define(program, stage(k), {i, j}, sum);
  }
  return program;
}

// Sums, each of the stage before: s_k(i) = sum over j < N of s_(k-1)(i) * s_(k-1)(j).
Program chain_of_sums(std::shared_ptr<Session> session, int stages) {
  Program program = with_input(with_session(std::move(session)), "s0", f32, {N}, asked);
  for (int k = 1; k < stages; ++k) {
    const Var own = range("i", "N"), other = range("j", "N");
    const std::string before = stage(k - 1);
    program = define(program, stage(k), {own}, sum(other, at(before, {own}) * at(before, {other})));
  }
  return program;
}

using Build = Program (*)(std::shared_ptr<Session>, int);

// How many of isl's operations building takes, to one percent.
double operations(Build build, int stages) {
  const auto suffices = [&](double budget) {
    const auto session = std::make_shared<Session>();
    return session->within(static_cast<unsigned long>(budget), [&] { build(session, stages); });
  };
  double enough = 1000;
  while (!suffices(enough)) enough *= 2;
  for (double step = enough / 4; step > enough / 100; step /= 2)
    if (suffices(enough - step)) enough -= step;
  return enough;
}

bool same_reads(const Definition& a, const Definition& b) {
  return std::equal(a.reads.begin(), a.reads.end(), b.reads.begin(), b.reads.end(),
                    [](const Read& x, const Read& y) {
                      return x.producer == y.producer && x.may == y.may &&
                             isl::map(x.relation).is_equal(y.relation);
                    });
}

// The program is what follows from all of its definitions at once.
void check_derived(const Program& program) {
  Algorithm algorithm = *program.algorithm;
  algorithm.derived = nullptr;
  const Program again = completed(program, std::move(algorithm), asked);
  for (const Definition& d : program.algorithm->definitions) {
    INFO(d.name);
    const Definition& other = *again.algorithm->find(d.name);
    CHECK(isl::set(d.domain).is_equal(other.domain));
    CHECK(same_reads(d, other));
  }
}

isl::set domain_of(const Program& program, const std::string& definition) {
  return program.algorithm->find(definition)->domain;
}

bool is_domain(const Program& program, const std::string& definition, const std::string& text) {
  return domain_of(program, definition).is_equal(isl::set(program.session->isl(), text));
}

}  // namespace

TEST_CASE("the work of building a chain is linear in its length", "[derive]") {
  const auto [name, build] = GENERATE(std::pair<std::string, Build>{"ranges", chain_with_ranges},
                                      std::pair<std::string, Build>{"inferred", inferred_chain},
                                      std::pair<std::string, Build>{"sums", chain_of_sums});
  INFO(name);
  const double shorter = operations(build, 64), longer = operations(build, 128);
  INFO(shorter << " operations for 64 stages, " << longer << " for 128");
  CHECK(longer < 2.3 * shorter);
}

TEST_CASE("what is derived step by step is what follows from all at once", "[derive]") {
  for (const Build build : {chain_with_ranges, inferred_chain, chain_of_sums})
    check_derived(build(std::make_shared<Session>(), 6));
}

TEST_CASE("a new reader makes the domains of all that it needs larger", "[derive]") {
  Program p = with_input(empty_program({"N"}), "in", f32, {N + 9}, asked);
  p = define(p, "a", {i}, at("in", {i}));
  p = define(p, "b", {i}, at("a", {i}) + at("a", {i + 1}));
  CHECK(domain_of(p, "a").is_empty());
  const Var own = range("i", "N");
  p = define(p, "c", {own}, at("b", {own + 2}));
  CHECK(is_domain(p, "a", "[N] -> { a[i] : 2 <= i <= N + 2 and N >= 1 }"));
  p = define(p, "d", {own}, at("b", {own + 4}));
  CHECK(is_domain(p, "b", "[N] -> { b[i] : N >= 1 and (2 <= i < N + 2 or 4 <= i < N + 4) }"));
  CHECK(
      isl::set(branches_of(p.mapping, "b").front().branch->instances).is_equal(domain_of(p, "b")));
  CHECK(isl::set(branches_of(p.algorithm->reference, "a").front().branch->instances)
            .is_equal(domain_of(p, "a")));
  check_derived(p);
  CHECK_THROWS_AS(define(p, "e", {own}, at("b", {own + 9})), Error);  // in(N + 9) is not there
}

TEST_CASE("who reads an array is derived again when it is updated or cut", "[derive]") {
  Program p = with_input(empty_program({"N"}), "in", f32, {N}, asked);
  const Var own = range("i", "N");
  p = define(p, "a", {own}, at("in", {own}));
  p = define(p, "b", {own}, at("a", {own}));
  NewDefinition update;
  update.array = "a";
  update.iterators = {own};
  update.element = {own};
  update.value = at("a", {own}) * 2.0f;
  p = with_definition(p, update, asked);
  p = define(p, "c", {own}, at("a", {own}));
  CHECK(p.algorithm->find("b")->reads.front().producer == "a");
  CHECK(p.algorithm->find("c")->reads.front().producer == "a_1");
  p = with_predicate(p, "a_1", own % 2 == 0, asked);
  CHECK(p.algorithm->find("c")->reads.size() == 2);
  check_derived(p);
}

TEST_CASE("in another context all is derived again", "[derive]") {
  Program p = with_input(empty_program({"N"}), "in", f32, {N}, asked);
  const Var own = range("i", "N");
  p = define(p, "a", {own}, at("in", {own}));
  p = with_assumption(p, N >= 5, asked);
  p = define(p, "b", {own}, at("a", {own}));
  CHECK(isl::map(p.algorithm->find("a")->reads.front().relation)
            .is_equal(
                isl::map(p.session->isl(), "[N] -> { a[i] -> in[i] : 0 <= i < N and N >= 5 }")));
  check_derived(p);
}

TEST_CASE("reads wait for the order until all is defined", "[derive]") {
  Program p = empty_program({"N"});
  const Var own = range("i", "N");
  NewDefinition declared;
  declared.array = "x";
  declared.iterators = {own};
  declared.type = f32;
  p = with_definition(p, declared, asked);
  declared.array = "y";
  p = with_definition(p, declared, asked);
  p = with_value(p, "x", at("y", {own}), asked);  // y stands after x
  CHECK_THROWS_AS(with_value(p, "y", real_constant(f32, 1), asked), Error);
  CHECK_THROWS_AS(with_value(p, "y", at("x", {own}), asked), Error);
}

TEST_CASE("a domain shrinks when a reader of it is gone", "[derive]") {
  Program p = with_input(empty_program({"N"}), "in", f32, {N + 9}, asked);
  p = define(p, "a", {i}, at("in", {i}));
  const Var own = range("i", "N");
  p = define(p, "b", {own}, at("a", {own}));
  p = define(p, "c", {own}, at("a", {own + 3}));
  Algorithm algorithm = *p.algorithm;
  algorithm.definitions.erase_if([](const Definition& d) { return d.name == "c"; });
  algorithm.reference.roots.pop_back();
  p.mapping.roots.pop_back();
  p = completed(p, std::move(algorithm), asked);
  CHECK(is_domain(p, "a", "[N] -> { a[i] : 0 <= i < N }"));
  check_derived(p);
}

TEST_CASE("pieces of a schedule stay when a new definition leaves their domain as it was",
          "[derive]") {
  Program p = with_input(empty_program({"N"}), "in", f32, {N}, asked);
  const Var own = range("i", "N");
  p = define(p, "a", {i}, at("in", {i}));
  p = define(p, "b", {own}, at("a", {own}));
  p = set_schedule(p, "a", "{ a[i] -> [-2, i, 0] : i < 5; a[i] -> [-1, i, 0] : i >= 5 }", {});
  p = define(p, "c", {own}, at("b", {own}));
  const auto pieces = branches_of(p.mapping, "a");
  REQUIRE(pieces.size() == 2);
  const isl::set first = pieces[0].branch->instances, second = pieces[1].branch->instances;
  CHECK(first.is_disjoint(second));
  CHECK(first.unite(second).is_equal(domain_of(p, "a")));
}

}  // namespace strata::test::derive_test
