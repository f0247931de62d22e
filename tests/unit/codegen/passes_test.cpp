// The rules of the loop tree, the passes on it, and its text.
#include "codegen/passes/passes.h"

#include <set>

#include "codegen/lower.h"
#include "codegen/passes/flatten.h"
#include "codegen/passes/narrow.h"
#include "codegen/passes/tighten.h"
#include "codegen/tree/verify_loop_tree.h"
#include "core/expr/expr_text.h"
#include "core/stage.h"
#include "reference/loop_tree_interpreter.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::passes_test {

namespace {

const Expr i = variable("i"), zero = constant(i64, 0), four = constant(i64, 4);

StmtPtr store(const Expr& index, const Expr& value) {
  return make_stmt(Execute{"S", {index}, "s", {index}, value});
}

StmtPtr loop(const std::string& name, StmtPtr body) {
  return make_stmt(For{{name, Processor::sequential}, name, zero, four, 4, std::move(body)});
}

Kernel passed(const Kernel& kernel, const Request& request) {
  StageRun stages(kernel.name);
  return run_passes(kernel, request, stages);
}

// f(N, alpha, s) { body }, alpha and s of int32.
Kernel kernel(StmtPtr body) {
  Kernel result;
  result.name = "f";
  result.parameters = {"N"};
  result.scalars = {{"alpha", i32}};
  result.buffers = {{"s", i32, strata::Access::written, {zero}, {four}}};
  result.body = std::move(body);
  return result;
}

bool breaks(const StmtPtr& body, const std::string& rule) {
  for (const std::string& finding : findings(kernel(body)))
    if (finding.substr(0, 4) == rule) return true;
  return false;
}

const Expr one = constant(i32, 1);

}  // namespace

TEST_CASE("a right loop tree breaks no rule", "[codegen]") {
  CHECK(findings(kernel(loop("i", store(i, one)))).empty());
  CHECK(findings(kernel(make_stmt(Block{}))).empty());
}

TEST_CASE("each rule of the loop tree is checked", "[codegen]") {
  CHECK(breaks(loop("i", loop("i", store(i, one))), "R601"));
  CHECK(breaks(loop("N", store(zero, one)), "R601"));
  CHECK(breaks(store(i, one), "R602"));
  CHECK(breaks(store(zero, cast(i32, parameter("M"))), "R602"));
  CHECK(breaks(make_stmt(If{i, store(zero, one), nullptr}), "R603"));
  CHECK(breaks(make_stmt(Execute{"S", {one}, "s", {zero}, one}), "R603"));
  CHECK(breaks(make_stmt(Execute{"S", {}, "t", {zero}, one}), "R604"));
  CHECK(breaks(make_stmt(Execute{"S", {}, "s", {zero, zero}, one}), "R604"));
  CHECK(breaks(store(zero, Expr(1.0f)), "R604"));
  CHECK(breaks(store(zero, load("s", i16, {zero})), "R604"));
  CHECK(!breaks(store(zero, load("alpha", i32, {})), "R604"));
  CHECK(breaks(make_stmt(Execute{"S", {}, "alpha", {}, one}), "R604"));
  CHECK(breaks(make_stmt(PrefetchBox{"alpha", {}, {}}), "R604"));
  CHECK(breaks(make_stmt(DeviceCopy{Transfer::to_device, "alpha"}), "R604"));
  For wrong{{"i", Processor::sequential}, "i", zero, four, 5, store(i, one)};
  CHECK(breaks(make_stmt(wrong), "R605"));
  For threads{{"i", Processor::thread}, "i", zero, parameter("N"), {}, store(i, one)};
  CHECK(breaks(make_stmt(threads), "R605"));
}

TEST_CASE("the rules hold for both bodies, and the passes run on both", "[codegen]") {
  Kernel both = kernel(loop("i", store(i, one)));
  both.fallback = loop("j", store(variable("j"), one));
  CHECK(findings(both).empty());
  const StmtPtr nested = make_stmt(Block{{make_stmt(Block{{both.fallback}})}});
  both.fallback = nested;
  const Kernel after = passed(both, {"codegen", {}});
  CHECK(after.before == std::vector<StmtPtr>{both.body, nested});
  CHECK(std::holds_alternative<For>(*after.fallback));
  both.fallback = store(i, one);
  REQUIRE(findings(both).size() == 2);
  CHECK(findings(both)[0].substr(0, 4) == "R602");
}

TEST_CASE("copies of a nest may each allocate a buffer of one name", "[codegen]") {
  const auto allocated = [&](const StmtPtr& body) {
    return make_stmt(Allocate{"t", i32, {zero}, {four}, body});
  };
  const StmtPtr copy = allocated(make_stmt(Execute{"S", {}, "t", {zero}, one}));
  CHECK(findings(kernel(make_stmt(Block{{copy, copy}}))).empty());
  CHECK(breaks(allocated(copy), "R601"));
  CHECK(breaks(make_stmt(Block{{copy, loop("t", store(zero, one))}}), "R601"));
  CHECK(breaks(make_stmt(Allocate{"s", i32, {zero}, {four}, store(zero, one)}), "R601"));
}

TEST_CASE("a variable is known only inside its loop", "[codegen]") {
  CHECK(breaks(make_stmt(Block{{loop("i", store(i, one)), store(i, one)}}), "R602"));
}

TEST_CASE("flatten makes one list of nested blocks and drops what holds nothing", "[codegen]") {
  const StmtPtr a = store(zero, one), b = store(four, one);
  const StmtPtr nothing = make_stmt(Block{});
  const StmtPtr nested = make_stmt(Block{{a, make_stmt(Block{{b, nothing}}), loop("i", nothing)}});
  CHECK(to_c_text(flatten(kernel(nested))) == to_c_text(kernel(make_stmt(Block{{a, b}}))));
  CHECK(to_c_text(flatten(kernel(make_stmt(Block{{a}})))) == to_c_text(kernel(a)));
}

TEST_CASE("flatten turns a guard whose first side is empty", "[codegen]") {
  const StmtPtr a = store(zero, one), nothing = make_stmt(Block{});
  const Expr condition = parameter("N") > 3;
  const StmtPtr turned = make_stmt(If{!condition, a, nullptr});
  CHECK(to_c_text(flatten(kernel(make_stmt(If{condition, nothing, a})))) ==
        to_c_text(kernel(turned)));
  CHECK(to_c_text(flatten(kernel(make_stmt(If{condition, a, nothing})))) ==
        to_c_text(kernel(make_stmt(If{condition, a, nullptr}))));
  CHECK(to_c_text(flatten(kernel(make_stmt(If{condition, nothing, nothing})))) ==
        to_c_text(kernel(nothing)));
}

namespace {

// for i in 0 .. 4: for k in 0 .. N: if (condition) s[i] = 1, where d[0 .. 4) can be read.
Kernel guarded_by(const Expr& condition) {
  For inner{{"k", Processor::sequential}, "k", zero, parameter("N"), std::nullopt, {}};
  inner.body =
      make_stmt(If{condition, make_stmt(Execute{"S", {i, variable("k")}, "s", {i}, one}), nullptr});
  Kernel result = kernel(loop("i", make_stmt(inner)));
  result.buffers.push_back({"d", condition.type(), strata::Access::read, {zero}, {four}});
  visit(condition, [&](const Expr& e) {
    if (e.op() == Op::load) result.buffers.back().type = e.type();
  });
  return result;
}

// Do both execute the same statements for these contents of d?
bool same_executions(const Kernel& a, const Kernel& b, const std::vector<std::int64_t>& data) {
  reference::Array d = reference::Array::box(a.buffers.back().type, {0}, {4});
  for (std::int64_t x = 0; x < 4; ++x)
    d.set({x}, reference::integer_scalar(d.type(), data[std::size_t(x)]));
  reference::Arrays arguments;
  arguments["d"] = d;
  for (const std::int64_t n : {0, 1, 9}) {
    const auto x = reference::run_tree(a, {{"N", n}}, arguments);
    const auto y = reference::run_tree(b, {{"N", n}}, arguments);
    if (!x.findings.empty() || !y.findings.empty() || x.trace.size() != y.trace.size())
      return false;
    for (std::size_t t = 0; t < x.trace.size(); ++t)
      if (x.trace[t].instance != y.trace[t].instance) return false;
  }
  return true;
}

// Is no condition left inside the loop over k?
bool is_bare(const Kernel& kernel) {
  const auto all = loops(kernel);
  return std::holds_alternative<Execute>(*all.back().body);
}

}  // namespace

TEST_CASE("tighten makes bounds of conditions on data", "[codegen]") {
  const Expr k = variable("k"), wide = load("d", i64, {i}),
             narrow32 = cast(i64, load("d", i32, {i}));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const Expr& condition :
       {k >= wide, k<wide, wide> k, k >= wide && k <= load("d", i64, {3 - i}), 3 * k + 1 < narrow32,
        narrow32 > 5 - 2 * k, k - narrow32 >= i, narrow32 + 2 * i <= k + 1}) {
    const Kernel before = guarded_by(condition), after = tighten(before);
    INFO(to_c_text(after));
    CHECK(is_bare(after));
    CHECK(same_executions(before, after, {2, 5, -3, 9}));
    CHECK(same_executions(before, after, {0, 0, 3, 100}));
    if (before.buffers.back().type == i64)
      CHECK(same_executions(before, after, {most, -most - 1, 3, most - 1}));
  }
}

TEST_CASE("tighten leaves conditions that the loop decides", "[codegen]") {
  const Expr k = variable("k"), own = load("s", i32, {i}), other = load("d", i64, {k % 4});
  const std::vector<Expr> kept{cast(i64, own) <= k,          // the loop writes s
                               other > k,                    // differs for each k
                               load("d", i64, {i}) + 1 > k,  // the sum may wrap
                               load("d", i64, {i}) != k,     // not a bound
                               parameter("N") > 2 * k};      // not data
  for (const Expr& condition : kept) {
    const Kernel before = guarded_by(condition);
    CHECK(to_c_text(tighten(before)) == to_c_text(before));
  }
  const Kernel both = guarded_by(load("d", i64, {i}) > k && other > k);
  const Kernel after = tighten(both);
  CHECK_FALSE(is_bare(after));
  CHECK(to_c_text(after) != to_c_text(both));
  CHECK(same_executions(both, after, {4, 2, 8, 1}));
}

// guarded_by with a loop over j in 0 .. upper inside of the loop over k.
Kernel guarded_inside(const Expr& condition, const Expr& upper) {
  Kernel result = guarded_by(condition);
  For outer = std::get<For>(*result.body);
  For middle = std::get<For>(*outer.body);
  middle.body =
      make_stmt(For{{"j", Processor::sequential}, "j", zero, upper, std::nullopt, middle.body});
  outer.body = make_stmt(middle);
  result.body = make_stmt(outer);
  return result;
}

TEST_CASE("tighten raises conditions on data out of the loops inside", "[codegen]") {
  const Expr k = variable("k"), wide = load("d", i64, {i});
  for (const Expr& upper : {constant(i64, 3), parameter("N"), parameter("N") - i}) {
    const Kernel before = guarded_inside(k >= wide && k < load("d", i64, {3 - i}), upper);
    const Kernel after = tighten(before);
    INFO(to_c_text(after));
    CHECK(is_bare(after));
    CHECK(loops(after).at(1).lower.op() == Op::max);
    CHECK(same_executions(before, after, {2, 5, -3, 9}));
    CHECK(same_executions(before, after, {0, 1, 3, 2}));
  }
}

TEST_CASE("tighten leaves conditions on data that the loops inside decide", "[codegen]") {
  const Expr j = variable("j"), k = variable("k"), wide = load("d", i64, {i});
  const Kernel of_j = guarded_inside(load("d", i64, {j}) > k, four);
  CHECK(to_c_text(tighten(of_j)) == to_c_text(of_j));
  const Kernel maybe_empty = guarded_inside(wide > k, k - 1);
  CHECK(to_c_text(tighten(maybe_empty)) == to_c_text(maybe_empty));
}

TEST_CASE("tighten keeps lanes apart whose ranges differ", "[codegen]") {
  For lanes{{"i", Processor::vector}, "i", zero, four, 4, {}};
  const Kernel inner = guarded_by(load("d", i64, {i}) > variable("k"));
  Kernel vector = inner;
  lanes.body = std::get<For>(*inner.body).body;
  vector.body = make_stmt(lanes);
  CHECK_FALSE(loops(tighten(vector)).front().lockstep);
  CHECK(loops(vector).front().lockstep);
}

TEST_CASE("narrow drops quotients and remainders that the loops decide", "[codegen]") {
  const Expr j = variable("j"), n = parameter("N");
  // for i in 0 .. 4, for j in 0 .. min(8, N): s[index] = s[index] + 1
  auto narrowed = [&](const Expr& index) {
    For inner{{"j", Processor::sequential}, "j", zero, min(constant(i64, 8), n), std::nullopt, {}};
    inner.body = store(index, load("s", i32, {index}) + one);
    const Kernel result = narrow(kernel(loop("i", make_stmt(inner))));
    const auto& outer = std::get<For>(*result.body);
    const auto& execute = std::get<Execute>(*std::get<For>(*outer.body).body);
    CHECK(same(execute.indices[0], execute.instance[0]));
    CHECK(same(execute.value, load("s", i32, execute.indices) + one));
    return to_text(execute.indices[0]);
  };
  CHECK(narrowed(i % 4) == "i");
  CHECK(narrowed(i / 4) == "0");
  CHECK(narrowed((8 * i + j) / 32 + j % 8) == "j");
  CHECK(narrowed((8 * i + j) % 32) == "8 * i + j");
  CHECK(narrowed((i + 4) / 4) == "1");
  CHECK(narrowed((i - 8) % 4) == "i");
  CHECK(narrowed((3 - i) / 4) == "0");
  CHECK(narrowed((max(i, j) % 7) / 7) == "0");
  // Multiples of a divisor.
  CHECK(narrowed((8 * i + j) % 16) == "j + 8 * (i % 2)");
  CHECK(narrowed((8 * i + j) / 16) == "i / 2");
  CHECK(narrowed((8 * n + j + 8) % 16) == "j + 8 * ((N + 1) % 2)");
  CHECK(narrowed((j + 12 * n) % 24) == "j + 12 * (N % 2)");
  CHECK(narrowed((8 * n - 8 * i + j) % 8) == "j");
  CHECK(narrowed((16 * n + 2 * j + 1) / 16) == "N");
  CHECK(narrowed((6 * n + j) % 24) == "(6 * N + j) % 24");
  // Not inside one multiple, or not known to be.
  CHECK(narrowed(i % 3) == "i % 3");
  CHECK(narrowed((i + 1) / 4) == "(i + 1) / 4");
  CHECK(narrowed((i + n) % 4) == "(i + N) % 4");
  CHECK(narrowed((i - 1) / 4) == "(i - 1) / 4");
}

TEST_CASE("narrow leaves alone what a loop outside says of another variable", "[codegen]") {
  For second{{"j", Processor::sequential}, "j", zero, parameter("N"), std::nullopt, {}};
  second.body = store(variable("j") % 4, one);
  const Kernel both =
      kernel(make_stmt(Block{{loop("i", store(i % 4, one)), make_stmt(std::move(second))}}));
  const std::string text = to_c_text(narrow(both));
  CHECK(text.find("s[i] = ") != std::string::npos);
  CHECK(text.find("s[j % 4] = ") != std::string::npos);
}

TEST_CASE("every stage has a name of its own and a reason", "[codegen]") {
  std::set<std::string> names;
  const auto check = [&](const auto& table) {
    for (const auto& stage : table) {
      CHECK(names.insert(stage.name).second);
      CHECK_FALSE(std::string(stage.why).empty());
    }
  };
  check(loop_stages());
  check(passes());
  check(kernel_stages());
  CHECK(names.size() >= 20);
}

TEST_CASE("fuel runs the first optional stages alone", "[codegen]") {
  const std::vector<Stage<int>> table{
      {"one", [](int n) { return n + 1; }, "", true},
      {"ten", [](int n) { return n + 10; }, "", false},
      {"hundred", [](int n) { return n + 100; }, "", true},
  };
  const auto with_fuel = [&](const char* fuel) {
    setenv("STRATA_FUEL", fuel, 1);
    StageRun stages("f");
    unsetenv("STRATA_FUEL");
    return stages.run("loops", table, 0, Watch<int>{});
  };
  CHECK(with_fuel("0") == 10);
  CHECK(with_fuel("1") == 11);
  CHECK(with_fuel("2") == 111);
  CHECK(with_fuel("") == 111);
}

TEST_CASE("stages are timed and watched by name", "[codegen]") {
  const std::vector<Stage<int>> table{{"one", [](int n) { return n + 1; }, "", false},
                                      {"two", [](int n) { return 2 * n; }, "", false}};
  StageRun stages("f");
  std::vector<std::string> verified;
  const Watch<int> watch{nullptr,
                         [&](int, const std::string& stage) { verified.push_back(stage); }};
  CHECK(stages.run("loops", table, 3, watch) == 8);
  CHECK(verified.empty());
  setenv("STRATA_VERIFY", "1", 1);
  stages.run("machine code", table, 3, watch);
  unsetenv("STRATA_VERIFY");
  CHECK(verified == std::vector<std::string>{"one", "two"});
  REQUIRE(stages.times().size() == 4);
  CHECK(stages.times()[1].stage == "two");
  CHECK(stages.times()[3].part == "machine code");
  CHECK(seconds_of(stages.times(), "loops") >= 0);
}

TEST_CASE("STRATA_VERIFY refuses a broken tree", "[codegen]") {
  const Kernel broken = kernel(store(i, one));
  setenv("STRATA_VERIFY", "1", 1);
  CHECK_THROWS_WITH(passed(broken, {"codegen(f)", {}}),
                    Catch::Contains("R602") && Catch::Contains("codegen(f)"));
  unsetenv("STRATA_VERIFY");
  CHECK_NOTHROW(passed(broken, {"codegen(f)", {}}));
}

TEST_CASE("the text of a kernel shows names, processors and full tiles", "[codegen]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32);
  made.define("{ A[i] : 0 <= i < N }", access("in", i32, {i}) * 2, {"{ A[i] -> in[i] }"});
  made.define("{ B[i] : 0 <= i < N }", access("A", i32, {i}) + 1, {"{ B[i] -> A[i] }"});
  made.store("{ in[i] -> in[i] }", BufferRole::input);
  made.store("{ A[i] -> a[i % 8] }");
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  made.schedule({Handmade::loop(
      "i",
      {Handmade::loop("l", {made.branch("{ A[i] -> [floor(i/8), i % 8] }")}, Processor::vector),
       Handmade::loop("l", {made.branch("{ B[i] -> [floor(i/8), i % 8] }")})})});
  CHECK(to_c_text(lowered(made.program())) ==
        R"(// read in[0 : N]
// written b[0 : N]
handmade(int64 N, int32 in, int32 b) {
  allocate int32 a[0 : 8];
  for i in 0 .. N / 8 {
    vector for l in 0 .. 8 /* full 8 */ {
      a[l] = load int32 in[8 * i + l] * 2i32;  // A(8 * i + l)
    }
    for l_1 in 0 .. 8 /* loop l, full 8 */ {
      b[8 * i + l_1] = load int32 a[l_1] + 1i32;  // B(8 * i + l_1)
    }
  }
  if (N >= 0 && N % 8 >= 1) {
    vector for l_2 in 0 .. (N - 1) % 8 + 1 /* loop l */ {
      a[l_2] = load int32 in[8 * ((N - 1) / 8) + l_2] * 2i32;  // A(8 * ((N - 1) / 8) + l_2)
    }
    for l_3 in 0 .. (N - 1) % 8 + 1 /* loop l */ {
      b[8 * ((N - 1) / 8) + l_3] = load int32 a[l_3] + 1i32;  // B(8 * ((N - 1) / 8) + l_3)
    }
  }
}
)");
}

}  // namespace strata::test::passes_test
