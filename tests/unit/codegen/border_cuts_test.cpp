// Clamps, mirrors, wraps and selects in vectors: the interior of their loops is free of them, the
// copies of the body are few, and every instance runs once, in its order.
#include <algorithm>
#include <set>

#include "codegen/tree/code_size.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::border_cuts_test {

namespace {

const Processor sequential = Processor::sequential, vector = Processor::vector;
const Expr i = variable("i"), j = variable("j"), n = parameter("N"), m = parameter("M");

Expr in(const Expr& row, const Expr& column) { return access("in", f32, {row, column}); }

// S[i, j] = value over N x M elements, from such an input, at [i, floor(j/8), j % 8].
Program row_by_row(const Expr& value, Processor innermost = vector,
                   TailStrategy lanes = TailStrategy::automatic, const std::string& context = "") {
  Handmade made({"N", "M"}, context);
  made.input("{ in[i, j] : 0 <= i < N and 0 <= j < M }", f32);
  made.define("{ S[i, j] : 0 <= i < N and 0 <= j < M }", value,
              {"{ S[i, j] -> in[k, l] : 0 <= k < N and 0 <= l < M }"});
  made.store("{ in[i, j] -> in[i, j] }", BufferRole::input);
  made.store("{ S[i, j] -> s[i, j] }", BufferRole::output);
  Node lane =
      Handmade::loop("j1", {made.branch("{ S[i, j] -> [i, floor(j/8), j % 8] }")}, innermost);
  lane.loop().tail = lanes;
  made.schedule({Handmade::loop("i", {Handmade::loop("j0", {lane})})});
  return made.program();
}

void require_theta_around_the_border(const Program& program) {
  std::vector<Parameters> sizes;
  for (int rows : {1, 2, 4})
    for (int columns : {0, 1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 18, 24, 25, 26, 40, 41})
      sizes.push_back({{"N", rows}, {"M", columns}});
  require_theta(program, sizes);
}

// The operations that choose in the values of a statement, without the loops inside it.
std::set<Op> choices(const StmtPtr& stmt) {
  std::set<Op> found;
  if (const auto* execute = std::get_if<Execute>(stmt.get()))
    visit(execute->value, [&](const Expr& e) {
      for (const Op op : {Op::min, Op::max, Op::abs, Op::mod, Op::select})
        if (e.op() == op) found.insert(op);
    });
  for_each_inside(*stmt, [&](const StmtPtr& inside) {
    const auto more = choices(inside);
    found.insert(more.begin(), more.end());
  });
  return found;
}

// The choices in the loops over j0 that run full vectors: the interior of each row.
std::vector<std::set<Op>> interiors(const Program& program) {
  std::vector<std::set<Op>> found;
  for (const For& loop : loops(lowered(program)))
    if (loop.variable.rfind("j0", 0) == 0) found.push_back(choices(loop.body));
  return found;
}

const std::vector<std::set<Op>> one_without_choices{{}};

}  // namespace

TEST_CASE("a clamp, a mirror and a wrap leave the interior of a row", "[codegen][borders]") {
  const auto stencil = [](const auto& at) {
    return in(i, at(j - 2)) + in(i, at(j)) + in(i, at(j + 1));
  };
  const auto clamped = [](const Expr& e) { return clamp(e, 0, m - 1); };
  const auto mirrored = [](const Expr& e) { return m - 1 - abs(m - 1 - abs(e)); };
  const auto wrapped = [](const Expr& e) { return select(e < 0, e + m, select(e >= m, e - m, e)); };
  const auto remainder = [](const Expr& e) { return e % 32; };
  const Expr padded = select(j >= 2, in(i, clamped(j - 2)), real_constant(f32, 0)) +
                      select(j + 1 < m, in(i, clamped(j + 1)), real_constant(f32, 0));
  const std::string wide = "{ : M >= 3 }";
  for (const auto& [value, context] : {std::pair(stencil(clamped), std::string()),
                                       {stencil(mirrored), wide},
                                       {stencil(wrapped), wide},
                                       {stencil(remainder), std::string("{ : M = 32 }")},
                                       {padded, std::string()}}) {
    const Program program = row_by_row(value, vector, TailStrategy::automatic, context);
    INFO(to_c_text(lowered(program)));
    CHECK(interiors(program) == one_without_choices);
    CHECK(count_executes(lowered(program)) <= 5);
    if (context != "{ : M = 32 }") require_theta_around_the_border(program);
  }
}

TEST_CASE("a select over rows splits the rows too, in three", "[codegen][borders]") {
  const Expr above = select(i > 0, in(max(i - 1, 0), j), real_constant(f32, 0));
  const Expr below = select(i + 1 < n, in(min(i + 1, n - 1), j), real_constant(f32, 0));
  const Program program = row_by_row(above + below);
  INFO(to_c_text(lowered(program)));
  require_theta_around_the_border(program);
  const auto rows = interiors(program);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].empty());
}

TEST_CASE("a clamp over rows is a scalar, and stays", "[codegen][borders]") {
  const Program program = row_by_row(in(clamp(i - 1, 0, n - 1), j));
  CHECK(extents_around(lowered(program), "S") ==
        std::vector<std::vector<std::int64_t>>{{0, 0, 8}, {0, 0}});
}

TEST_CASE("a loop over taps inside is not split, but the one over vectors", "[codegen][borders]") {
  Handmade made({"M"});
  made.input("{ in[j] : 0 <= j < M }", f32);
  const Expr k = variable("k");
  made.reduce("{ S[j, k] : 0 <= j < M and 0 <= k < 5 }", "{ S_init[j] : 0 <= j < M }",
              Reduction::sum, access("in", f32, {clamp(j + k - 2, 0, m - 1)}),
              {"{ S[j, k] -> in[l] : 0 <= l < M }"}, "{ S[j, k] -> S[j] }");
  made.store("{ in[j] -> in[j] }", BufferRole::input);
  made.store("{ S[j] -> s[j] }", BufferRole::output);
  const Node lane =
      Handmade::loop("j1", {made.branch("{ S[j, k] -> [floor(j/8), k, j % 8] }")}, vector);
  made.schedule({Handmade::loop("j0", {Handmade::loop("k", {lane})})});
  INFO(to_c_text(lowered(made.program())));
  CHECK(interiors(made.program()) == one_without_choices);
}

TEST_CASE("a condition without a thin side splits nothing", "[codegen][borders]") {
  const Expr a = in(i, j), b = real_constant(f32, 1);
  for (const Expr& condition : {j < i, j % 2 == 0, 2 * j < m, i % 3 == 1}) {
    const Kernel kernel = lowered(row_by_row(select(condition, a, b)));
    INFO(to_c_text(kernel));
    CHECK(count_executes(kernel) == 2);
  }
}

TEST_CASE("without vectors, and with guards or masks, borders are not cut", "[codegen][borders]") {
  const Expr value = in(i, clamp(j - 2, 0, m - 1));
  CHECK(count_executes(lowered(row_by_row(value, sequential))) == 2);
  CHECK(count_executes(lowered(row_by_row(value, vector, TailStrategy::mask))) == 1);
  // One copy without the border and the partial vector, the rest in order.
  CHECK(count_executes(lowered(row_by_row(value, vector, TailStrategy::separate))) <= 4);
  CHECK(interiors(row_by_row(value, vector, TailStrategy::separate)).front().empty());
}

TEST_CASE("code beyond its limit has no copies for borders", "[codegen][borders]") {
  const Program program = row_by_row(in(i, clamp(j - 2, 0, m - 1)));
  LowerOptions options{{"in", "s"}};
  const Kernel all = lower(program, options);
  CHECK(count_executes(all) > 2);
  options.code_limit = code_size(all).units - 1;
  CHECK(count_executes(lower(program, options)) == 2);
}

TEST_CASE("what a condition is everywhere needs no split", "[codegen][borders]") {
  const Program program = row_by_row(in(i, clamp(j, 0, m - 1)), sequential);
  for (const For& loop : loops(lowered(program))) CHECK(choices(loop.body).empty());
}

}  // namespace strata::test::border_cuts_test
