// The judges on programs with data-dependent indices and conditions.
#include <catch2/catch.hpp>

#include "layers/define/build.h"
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "reference/named.h"
#include "reference/shadow.h"
#include "reference/storage.h"

namespace strata::reference::data_test {

namespace {

const Request asked{"a test", {}};
const Expr i = variable("i"), n = parameter("N");
Expr at(const std::string& array, const Expr& index) { return access(array, i64, {index}); }

// h(i) = i; h(a(i)) = 10 h(i) + a(i), if "condition" holds (when given).
Program scattering(const Expr& condition = {}) {
  Program p = new_program(std::make_shared<Session>(), "f", asked);
  p = with_parameter(p, "N", asked);
  p = with_input(p, "a", i64, {n}, asked);
  NewDefinition first;
  first.array = "h";
  first.iterators = {Var("i", 0, n)};
  first.value = i;
  p = with_definition(p, first, asked);
  NewDefinition scatter = first;
  scatter.element = {at("a", i)};
  scatter.value = at("h", i) * 10 + at("a", i);
  p = with_definition(p, scatter, asked);
  return condition.defined() ? with_predicate(p, "h_1", condition, asked) : p;
}

Arrays given(const std::vector<std::int64_t>& data) {
  Arrays inputs;
  Array& a = inputs["a"] = Array::box(i64, {0}, {std::int64_t(data.size())});
  for (std::size_t x = 0; x < data.size(); ++x)
    a.set({std::int64_t(x)}, integer_scalar(i64, data[x]));
  return inputs;
}

std::vector<std::int64_t> result(const Program& p, const std::vector<std::int64_t>& data,
                                 Instances* idle = nullptr) {
  const std::int64_t size = std::int64_t(data.size());
  const Arrays values = run(p, {{"N", size}}, given(data), {}, {}, idle);
  std::vector<std::int64_t> h;
  for (std::int64_t x = 0; x < size; ++x) h.push_back(values["h"].integer({x}));
  return h;
}

}  // namespace

TEST_CASE("the interpreter puts values where the data says", "[judge]") {
  // h = 0 1 2 3; then h(2) = 2, h(0) = 10, h(2) = 22, h(2) = 32
  CHECK(result(scattering(), {2, 0, 2, 2}) == std::vector<std::int64_t>{10, 1, 32, 3});
  CHECK(result(scattering(), {}) == std::vector<std::int64_t>{});
  CHECK_THROWS_AS(result(scattering(), {0, 4, 0, 0}), Meaningless);
  CHECK_THROWS_AS(result(scattering(), {0, -1, 0, 0}), Meaningless);
}

TEST_CASE("the interpreter leaves out what a condition excludes", "[judge]") {
  Instances idle;
  // Only the updates of h(1) = 11 and h(3) = 33 happen.
  CHECK(result(scattering(at("a", i) % 2 == 1), {2, 1, 0, 3}, &idle) ==
        std::vector<std::int64_t>{0, 11, 2, 33});
  CHECK(idle == Instances{{"h_1", {0}}, {"h_1", {2}}});
}

TEST_CASE("the oracle finds a scatter out of order", "[judge]") {
  Program p = scattering();
  CHECK(judge_schedule(p, {{"N", 3}}, {true, {"h"}, 4}).empty());
  for (Node& root : p.mapping.roots)
    for_each_branch(root, [&](Branch& branch) {
      if (branch.definition == "h_1")
        branch.time = TimeMap::from(isl::map(p.session->isl(), "{ h_1[i] -> [-i] }"));
    });
  CHECK_FALSE(judge_schedule(p, {{"N", 3}}, {true, {"h"}, 4}).empty());
  CHECK(judge_schedule(p, {{"N", 1}}, {true, {"h"}, 4}).empty());
}

TEST_CASE("an instance names elements as far as no data are needed", "[judge]") {
  const Expr data = at("a", 2 * i) > 0;
  Definition d;
  d.name = "S";
  d.iterators = {"i"};
  d.value = select(i > 0 && data, at("h", i - 1), at("g", n)) +
            select(i > 1 || data, at("h", at("a", 3)), at("g", i * i * i - 1));
  const auto named = [&](std::int64_t at) { return named_by({}, d, {at}, {{"N", 9}}); };
  CHECK(names(named(0), "h", {-1}));  // h(a(3)) may be any element
  CHECK_FALSE(names(named(2), "g", {7}));
  CHECK(names(named(0), "g", {9}));
  CHECK(names(named(0), "g", {-1}));
  CHECK(names(named(0), "a", {0}));
  CHECK_FALSE(names(named(0), "a", {1}));
}

TEST_CASE("the oracle asks of a scatter's values for those that are read", "[judge]") {
  // h_2(i) = h(i) + h(i + 1), both made by h_1; run backwards, h(i + 1) is already made by h_2.
  Program p = scattering();
  NewDefinition again;
  again.array = "h";
  again.iterators = {Var("i", 0, n)};
  again.element = {i};
  again.value = at("h", i) + select(i < n - 1, at("h", i + 1), 0);
  p = with_automatic_places(with_definition(p, again, asked));
  CHECK(judge_schedule(p, {{"N", 4}}, {true, {"h"}, 4}).empty());
  for (Node& root : p.mapping.roots)
    for_each_branch(root, [&](Branch& branch) {
      if (branch.definition == "h_2")
        branch.time = TimeMap::from(isl::map(p.session->isl(), "{ h_2[i] -> [-i] }"));
    });
  CHECK_FALSE(judge_schedule(p, {{"N", 4}}, {true, {"h"}, 4}).empty());
}

TEST_CASE("the oracle lets steps of one atomic update commute, and of two not", "[judge]") {
  // h_1 is treated as a step that adds to h(a(i)), h_2 is one that takes minima.
  Program p = scattering();
  NewDefinition lowered;
  lowered.array = "h";
  lowered.iterators = {Var("i", 0, n)};
  lowered.element = {at("a", i)};
  lowered.value = min(at("h", at("a", i)), at("a", i));
  p = with_automatic_places(with_definition(p, lowered, asked));
  auto algorithm = std::make_shared<Algorithm>(*p.algorithm);
  for (const char* update : {"h_1", "h_2"}) algorithm->edit(update).is_atomic = true;
  p.algorithm = std::move(algorithm);
  CHECK(judge_schedule(p, {{"N", 3}}, {true, {"h"}, 4}).empty());
  Program backwards = p;
  for (Node& root : backwards.mapping.roots)
    for_each_branch(root, [&](Branch& branch) {
      if (branch.definition == "h_2")
        branch.time = TimeMap::from(isl::map(p.session->isl(), "{ h_2[i] -> [-i] }"));
    });
  CHECK(judge_schedule(backwards, {{"N", 3}}, {true, {"h"}, 4}).empty());
  std::swap(p.mapping.roots[1], p.mapping.roots[2]);
  CHECK_FALSE(judge_schedule(p, {{"N", 3}}, {true, {"h"}, 4}).empty());
}

TEST_CASE("the loop-tree interpreter notices an index out of range", "[judge]") {
  const Expr zero = constant(i64, 0), four = constant(i64, 4);
  Kernel kernel;
  kernel.name = "f";
  kernel.parameters = {"N"};
  kernel.buffers = {{"b", i64, strata::Access::read_and_written, {zero}, {four}}};
  const Expr index = checked("index 0 of b", n, zero, four);
  kernel.body = make_stmt(Execute{"S", {}, "b", {index}, load("b", i64, {index}) + 5});
  Arrays memory;
  Array& b = memory["b"] = Array::box(i64, {0}, {4});
  for (std::int64_t x = 0; x < 4; ++x) b.set({x}, integer_scalar(i64, x));
  for (const std::int64_t inside : {0, 3}) {
    const TreeRun run = run_tree(kernel, {{"N", inside}}, memory);
    CHECK_FALSE(run.failed);
    CHECK(run.buffers["b"].integer({inside}) == inside + 5);
  }
  for (const std::int64_t outside : {-1, 4}) {
    const TreeRun run = run_tree(kernel, {{"N", outside}}, memory);
    CHECK(run.failed);
    CHECK(run.findings.empty());
    for (std::int64_t x = 0; x < 4; ++x) CHECK(run.buffers["b"].integer({x}) == x);
  }
}

}  // namespace strata::reference::data_test
