// Short unrolled loops whose number of iterations is decided outside of the innermost loop.
#include "codegen/passes/unswitch.h"

#include "codegen/tree/verify_loop_tree.h"
#include "core/expr/expr_text.h"
#include "reference/loop_tree_interpreter.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::unswitch_test {

namespace {

const Expr N = parameter("N"), K = parameter("K");
const Expr i = variable("i"), k = variable("k"), j = variable("j");

Expr number(std::int64_t value) { return constant(i64, value); }

StmtPtr loop(const std::string& name, Expr lower, Expr upper, StmtPtr body,
             Processor processor = Processor::sequential) {
  For out{{name, processor}, name, lower, upper, std::nullopt, std::move(body)};
  if (lower.op() == Op::constant && upper.op() == Op::constant)
    out.extent = upper.node().integer - lower.node().integer;
  return make_stmt(out);
}

StmtPtr unrolled(Expr lower, std::int64_t extent, StmtPtr body) {
  For out{{"j", Processor::unrolled}, "j", lower, lower + extent, extent, std::move(body)};
  return make_stmt(out);
}

StmtPtr execution() {
  return make_stmt(Execute{"S", {i, k, j}, "s", {j - 4 * i}, constant(i32, 1)});
}

StmtPtr when(const Expr& condition, StmtPtr then) {
  return make_stmt(If{condition, std::move(then), nullptr});
}

// for i in 0 .. 3: for k in 0 .. K: unrolled j in 4 i .. 4 i + extent: if (condition) S(i, k, j)
Kernel guarded(const Expr& condition, std::int64_t extent = 4) {
  Kernel kernel;
  kernel.name = "f";
  kernel.parameters = {"N", "K"};
  kernel.buffers = {{"s", i32, strata::Access::written, {number(0)}, {number(8)}},
                    {"d", i32, strata::Access::read, {number(0)}, {number(20)}}};
  const StmtPtr body = unrolled(4 * i, extent, when(condition, execution()));
  kernel.body = loop("i", number(0), number(3), loop("k", number(0), K, body));
  return kernel;
}

using Instances = std::vector<reference::Point>;

Instances instances(const Kernel& kernel, std::int64_t n, std::int64_t steps) {
  reference::Arrays arguments;
  arguments["d"] = reference::Array::box(i32, {0}, {20});
  for (std::int64_t x = 0; x < 20; ++x)
    arguments["d"].set({x}, reference::integer_scalar(i32, 15 - x));
  const auto run = reference::run_tree(kernel, {{"N", n}, {"K", steps}}, arguments);
  CHECK(run.findings.empty());
  Instances all;
  for (const reference::Executed& executed : run.trace) all.push_back(executed.instance);
  return all;
}

// The executions of the kernel "guarded", by plain loops.
template <typename Runs>
Instances expected(std::int64_t n, std::int64_t steps, std::int64_t extent, const Runs& runs) {
  Instances all;
  for (std::int64_t x = 0; x < 3; ++x)
    for (std::int64_t y = 0; y < steps; ++y)
      for (std::int64_t z = 4 * x; z < 4 * x + extent; ++z)
        if (runs(n, z)) all.push_back({x, y, z});
  return all;
}

// Is there a condition inside a loop over k?
bool has_condition_inside(const Kernel& kernel) {
  for (const For& one : loops(kernel))
    if (one.name == "k" && count_ifs(one.body) > 0) return true;
  return false;
}

}  // namespace

TEST_CASE("a guard that does not depend on the loop around is decided outside", "[unswitch]") {
  const std::vector<std::pair<Expr, bool (*)(std::int64_t, std::int64_t)>> guards{
      {N >= j + 1, [](std::int64_t n, std::int64_t z) { return n >= z + 1; }},
      {j < N, [](std::int64_t n, std::int64_t z) { return z < n; }},
      {2 * N + 1 > 3 * j, [](std::int64_t n, std::int64_t z) { return 2 * n + 1 > 3 * z; }},
      {j <= N && 2 * j <= N + 3,
       [](std::int64_t n, std::int64_t z) { return z <= n && 2 * z <= n + 3; }},
      {N >= 3 && N >= j, [](std::int64_t n, std::int64_t z) { return n >= 3 && n >= z; }}};
  for (const auto& [condition, runs] : guards)
    for (const std::int64_t extent : {2, 3, 4}) {
      const Kernel before = guarded(condition, extent), after = unswitch(before);
      INFO(to_c_text(after));
      CHECK(findings(after) == std::vector<std::string>{});
      CHECK_FALSE(has_condition_inside(after));
      for (std::int64_t n = -1; n < 15; ++n)
        for (const std::int64_t steps : {0, 1, 3})
          CHECK(instances(after, n, steps) == expected(n, steps, extent, runs));
    }
}

TEST_CASE("a loop that is alone in the loops around is decided outside of them", "[unswitch]") {
  Kernel kernel = guarded(N >= j + 1);
  const StmtPtr inner = std::get<For>(*kernel.body).body;
  kernel.body = loop("i", number(0), number(3), loop("t", number(0), number(2), inner));
  const Kernel after = unswitch(kernel);
  INFO(to_c_text(after));
  CHECK(findings(after) == std::vector<std::string>{});
  for (const For& one : loops(after))
    if (one.name == "t") CHECK(count_ifs(one.body) == 0);
  for (std::int64_t n = -1; n < 15; ++n) CHECK(instances(after, n, 2) == instances(kernel, n, 2));
}

TEST_CASE("guards that the loop decides, that read data or are not monotone stay", "[unswitch]") {
  const Expr data = cast(i64, load("d", i32, {j}));
  for (const Expr& condition :
       {N >= j + k, N >= data, j >= N, N != j, N >= j * j, N >= j || K >= j}) {
    const Kernel before = guarded(condition);
    INFO(to_c_text(before));
    CHECK(to_c_text(unswitch(before)) == to_c_text(before));
  }
}

TEST_CASE("long unrolled loops and loops around others keep their guards", "[unswitch]") {
  const Kernel tall = guarded(N >= j + 1, most_versions + 1);
  CHECK(to_c_text(unswitch(tall)) == to_c_text(tall));
  For rows{{"r", Processor::unrolled}, "r", number(0), number(2), 2, nullptr};
  const StmtPtr columns = unrolled(4 * i, 2, when(N >= j + 1, execution()));
  rows.body = when(K >= variable("r") + 1, columns);
  Kernel both = guarded(N >= j + 1);
  both.body = loop("i", number(0), number(3), loop("k", number(0), K, make_stmt(rows)));
  const Kernel after = unswitch(both);
  INFO(to_c_text(after));
  CHECK(findings(after) == std::vector<std::string>{});
  for (const For& one : loops(after))
    if (one.name == "k") CHECK(count_ifs(one.body) == 1);
  for (std::int64_t n = -1; n < 15; ++n)
    for (const std::int64_t steps : {0, 1, 3})
      CHECK(instances(after, n, steps) == instances(both, n, steps));
}

TEST_CASE("guards that read data of any type stay", "[unswitch]") {
  for (const char* buffer : {"d", "s"}) {
    const Kernel before = guarded(load(buffer, i32, {number(0)}) > constant(i32, 0));
    CHECK(to_c_text(unswitch(before)) == to_c_text(before));
  }
}

TEST_CASE("a loop in which other statements run, too, keeps its guards", "[unswitch]") {
  const StmtPtr one = unrolled(4 * i, 4, when(N >= j + 1, execution()));
  For more{{"l", Processor::unrolled}, "l", number(0), number(2), 2, nullptr};
  more.body =
      when(K >= variable("l") + 1,
           make_stmt(Execute{"T", {i, k, variable("l")}, "s", {variable("l")}, constant(i32, 2)}));
  for (const StmtPtr& other :
       {make_stmt(more), make_stmt(Execute{"T", {i, k}, "s", {number(0)}, constant(i32, 2)})}) {
    Kernel both = guarded(N >= j + 1);
    both.body =
        loop("i", number(0), number(3), loop("k", number(0), K, make_stmt(Block{{one, other}})));
    const Kernel after = unswitch(both);
    INFO(to_c_text(after));
    for (std::int64_t n = -1; n < 6; ++n) CHECK(instances(after, n, 3) == instances(both, n, 3));
  }
}

TEST_CASE("loops that are not reductions keep their guards", "[unswitch]") {
  Kernel kernel = guarded(N >= j + 1);
  const StmtPtr stored = make_stmt(Execute{"S", {i, k, j}, "s", {k}, constant(i32, 1)});
  const StmtPtr body = unrolled(4 * i, 4, when(N >= j + 1, stored));
  kernel.body = loop("i", number(0), number(3), loop("k", number(0), K, body));
  CHECK(to_c_text(unswitch(kernel)) == to_c_text(kernel));
}

TEST_CASE("a vector loop around and the fallback stay as they are", "[unswitch]") {
  Kernel kernel = guarded(N >= j + 1);
  kernel.fallback = kernel.body;
  CHECK(unswitch(kernel).fallback == kernel.fallback);
  kernel.body =
      loop("i", number(0), number(3), std::get<For>(*kernel.body).body, Processor::vector);
  kernel.fallback = nullptr;
  CHECK(to_c_text(unswitch(kernel)) == to_c_text(kernel));
}

}  // namespace strata::test::unswitch_test
