// What autoschedule gives is legal, right at any size, and the same each time.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/automatic/programs.h"
#include "tests/execution/harness.h"

namespace strata::test::autoschedule_test {

namespace {

const Named& named(const std::string& name) {
  for (const Named& one : algorithms())
    if (one.name == name) return one;
  throw std::runtime_error("no algorithm " + name);
}

// The commands of the report, which are the last group of the history.
std::vector<std::string> commands(const Unscheduled& program, const Report& report) {
  CHECK(report.changed == !report.commands.empty());
  const std::vector<std::string> history = program.f.history();
  if (report.changed) {
    REQUIRE(history.size() >= report.commands.size() + 2);
    const auto first = history.end() - std::ptrdiff_t(report.commands.size()) - 1;
    CHECK(*(first - 1) == "together {");
    CHECK(std::vector<std::string>(first, history.end() - 1) == report.commands);
  }
  return report.commands;
}

void check_values(const Named& one, int threads) {
  INFO(one.name << " on " << threads << " threads");
  const Unscheduled program = one.make();
  Function f = program.f;
  const Report report = f.autoschedule(machine(), {.threads = threads});
  INFO(report.text());
  Options options;
  options.floats = Floats::fast;
  options.bound = 1e-3;
  Judged judged(f, program.arguments, options);
  for (const auto& sizes : one.sizes) judged.check(sizes);
}

// Of the programs first, first + step, ..
void check_values(std::size_t first, std::size_t step, int threads) {
  for (std::size_t n = first; n < algorithms().size(); n += step)
    check_values(algorithms()[n], threads);
}

// Does the budget allow to generate the loops?
bool has_loops(const Unscheduled& program) try {
  program.f.loops(program.arguments);
  return true;
} catch (const Error& e) {
  if (e.code() != Code::E0901_out_of_budget) throw;
  return false;
}

}  // namespace

TEST_CASE("autoschedule keeps what programs compute") { check_values(0, 2, 1); }
TEST_CASE("autoschedule keeps what other programs compute") { check_values(1, 2, 1); }
TEST_CASE("autoschedule keeps what programs compute on two threads") { check_values(0, 2, 2); }
TEST_CASE("autoschedule keeps what other programs compute on two threads") {
  check_values(1, 2, 2);
}

TEST_CASE("autoschedule gives the same commands each time") {
  for (const char* name : {"row_sums", "product", "blur", "softmax", "heat", "running_sum"})
    for (const char* cpu : {"znver4", "haswell"}) {
      INFO(name << " for " << cpu);
      const Unscheduled first = named(name).make(), second = named(name).make();
      Function f = first.f, g = second.f;
      const Report a = f.autoschedule(machine(cpu), {.threads = 2});
      blur();  // a program in between
      const Report b = g.autoschedule(machine(cpu), {.threads = 2});
      CHECK(a.commands == b.commands);
      CHECK(a.text() == b.text());
      CHECK(commands(first, a) == commands(second, b));
      CHECK(f.text() == g.text());
    }
}

TEST_CASE("autoschedule's commands replay, and are C++ source") {
  for (const char* name : {"column_sums", "product_of_transposed", "blur", "softmax", "heat"}) {
    INFO(name);
    const Unscheduled first = named(name).make(), second = named(name).make();
    Function f = first.f, g = second.f;
    f.autoschedule(machine("znver4"));
    std::string text;  // without the commands that both have already
    for (std::size_t n = g.history().size(); n < f.history().size(); ++n)
      text += f.history()[n] + "\n";
    g.replay(text);
    CHECK(f.text() == g.text());
    CHECK(f.history().empty() == f.history_source().empty());
  }
}

TEST_CASE("the model finds schedules faster than the plain ones") {
  for (const char* name :
       {"elementwise", "row_sums", "column_sums", "product", "product_with_bias", "two_products",
        "convolution", "blur", "softmax", "layer_norm", "attention"}) {
    const Unscheduled program = named(name).make();
    Function f = program.f;
    const Report report = f.autoschedule(machine("znver4"), {.threads = 1});
    INFO(name << "\n" << report.text());
    CHECK(report.changed);
    CHECK(report.cycles < 0.6 * report.cycles_before);
    CHECK(report.refused == 0);
    CHECK(report.tried.front().outcome == "chosen");
  }
}

TEST_CASE("what is cheap to compute again is computed where it is read") {
  const auto inlined = [](const Unscheduled& program) {
    Function f = program.f;
    const Report report = f.autoschedule(machine("znver4"), {.threads = 1});
    INFO(report.text());
    CHECK(report.changed);
    std::set<std::string> names;
    for (const Report::Member& m : report.members)
      if (m.where == "inlined") names.insert(m.computation);
    return names;
  };
  using Names = std::set<std::string>;
  CHECK(inlined(chain()) == Names{"a", "b", "c"});
  CHECK(inlined(softmax_of_rows_kept()) == Names{"shift"});  // e is read twice, and dear
  CHECK(inlined(product_of_copies()) == Names{"turned"});
  CHECK(inlined(blur()).empty());        // three reads of three operations
  CHECK(inlined(layer_norm()).empty());  // the mean is read in each element of a row
}

TEST_CASE("a long chain is inlined in pieces") {
  Function f("roots");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", f32, {N});
  Computation last = f.computation("c0", {i}, sqrt(x(i)));  // 6 operations each
  for (int k = 1; k < 30; ++k) {
    const std::string name = "c" + std::to_string(k);
    last = f.computation(name, {i}, sqrt(last(i)));
  }
  const Report report = f.autoschedule(machine("znver4"), {.threads = 1});
  INFO(report.text());
  std::size_t left = 0;
  for (const Report::Member& m : report.members) left += m.where != "inlined";
  CHECK(report.members.size() == 30);
  CHECK(left == 3);  // 180 operations, at most 60 in an expression
}

TEST_CASE("rows of sums that keep their dimension are computed row by row") {
  const Unscheduled program = softmax_of_rows_kept();
  Function f = program.f;
  const Report report = f.autoschedule(machine("znver4"), {.threads = 1});
  INFO(report.text());
  CHECK(report.tried.front().outcome == "chosen");
  CHECK(report.tried.front().text.starts_with("rows of out"));
}

TEST_CASE("autoschedule leaves what it is told to, and what has commands") {
  const Unscheduled program = product_with_bias();
  Function f = program.f;
  const Report none = f.autoschedule(machine("znver4"), {.sizes = {{"N", 64}}});
  CHECK(none.sizes == "K = 1000, M = 1000, N = 64");

  Function g("g");
  Param N = g.param("N");
  Var i("i", 0, N);
  Input x = g.input("x", f32, {N});
  Computation a = g.computation("a", {i}, x(i) + 1.0f), b = g.computation("b", {i}, x(i) + 2.0f);
  Computation c = g.computation("c", {i}, x(i) + 3.0f);
  c.reverse(i);
  const Report report = g.autoschedule(machine("znver4"), {.leave = {a}, .threads = 1});
  CHECK(report.commands == std::vector<std::string>{"vectorize(b.i, 16)"});
  CHECK(report.members.size() == 3);
  CHECK(report.text().find("a: left alone, as asked") != std::string::npos);
}

TEST_CASE("autoschedule keeps the values of the kernel's arguments") {
  for (const int threads : {1, 2}) {
    Function f("chain");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, N), j("j", 0, M);
    Input x = f.input("x", f32, {N, M});
    Computation twice = f.computation("twice", {i, j}, x(i, j) * 2.0f);
    Computation y = f.computation("y", {i, j}, max(twice(i, j), 0.0f));
    const std::vector<Buffer> arguments{x.buffer(), twice.buffer(), y.buffer()};
    const Report report = f.autoschedule(machine(), {.arguments = arguments, .threads = threads});
    INFO(report.text());
    CHECK(report.changed);
    Judged judged(f, arguments, Options{});
    for (const auto& sizes : {std::vector<std::int64_t>{1, 1}, {5, 33}, {40, 7}})
      judged.check(sizes);
  }
  Function g("g"), other("other");
  Var i("i", 0, 8);
  Computation a = g.computation("a", {i}, cast(f32, i));
  Computation b = other.computation("b", {i}, cast(f32, i));
  CHECK_THROWS_WITH(g.autoschedule(machine(), {.arguments = {b.buffer()}}),
                    Catch::Matchers::Contains("b is not a buffer of this function"));
}

TEST_CASE("autoschedule gives no schedule of too much code to a function with a scalar") {
  Function f("scaled");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Scalar alpha = f.scalar("alpha", f32);
  Input a = f.input("a", f32, {N, N}), b = f.input("b", f32, {N, N});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  f.computation("y", {i, j}, alpha * c(i, j));
  f.set_code_limit(40);
  const Report report = f.autoschedule(machine("znver4"), {.threads = 1});
  INFO(report.text());
  CHECK(std::any_of(report.tried.begin(), report.tried.end(),
                    [](const auto& tried) { return tried.outcome.starts_with("E0903"); }));
}

TEST_CASE("autoschedule chooses nothing whose loops exceed the budget of one command") {
  int changed = 0, unchanged = 0;
  for (int budget = 1'000; budget < 1'000'000; budget += budget / 3) {
    INFO("a budget of " << budget);
    const Unscheduled plain = blur(), program = blur();
    Function before = plain.f, f = program.f;
    for (Function* one : {&before, &f}) one->set_budget(budget);
    if (!has_loops(plain)) continue;
    const Report report =
        f.autoschedule(machine("znver4"), {.arguments = program.arguments, .threads = 1});
    ++(report.changed ? changed : unchanged);
    INFO(report.text());
    CHECK(has_loops(program));
  }
  CHECK(changed > 0);
  CHECK(unchanged > 0);
}

TEST_CASE("in the mode exact no sum of floats changes its order") {
  for (const char* name : {"row_sums", "softmax", "layer_norm", "product", "attention"}) {
    INFO(name);
    const Unscheduled program = named(name).make();
    Function f = program.f;
    f.autoschedule(machine(), {.floats = Floats::exact});
    Judged judged(f, program.arguments, Options{});
    for (const auto& sizes : named(name).sizes) judged.check(sizes);
  }
}

TEST_CASE("STRATA_AUTOSCHEDULE turns autoschedule off, or to plain vectors") {
  setenv("STRATA_AUTOSCHEDULE", "off", 1);
  const Unscheduled off = elementwise();
  Function f = off.f;
  const Report report = f.autoschedule();
  CHECK(!report.changed);
  CHECK(report.text() == "unchanged: STRATA_AUTOSCHEDULE is off\n");
  CHECK(f.history().empty());
  setenv("STRATA_AUTOSCHEDULE", "plain", 1);
  const Unscheduled plain = product_with_bias();
  Function g = plain.f;
  const Report vectors = g.autoschedule(machine("znver4"), {.threads = 1});
  CHECK(vectors.commands == std::vector<std::string>{"vectorize(y.j, 16)"});
  unsetenv("STRATA_AUTOSCHEDULE");
}

}  // namespace strata::test::autoschedule_test
