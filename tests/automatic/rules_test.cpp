// Each rule writes candidates for a program that it is made for, and none for one that is nearly
// so.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/automatic/programs.h"

namespace strata::test::rules_test {

namespace {

// The candidates whose text has "part", such as "product of c".
int candidates(const Unscheduled& program, const std::string& part) {
  Function f = program.f;
  const Report report =
      f.autoschedule(machine("znver4"), {.arguments = program.arguments, .threads = 1});
  INFO(report.text());
  CHECK(report.refused == 0);
  return int(std::count_if(report.tried.begin(), report.tried.end(), [&](const auto& tried) {
    return tried.text.find(part) != std::string::npos;
  }));
}

// A sum of three factors: no operand of it is invariant along rows and columns alone.
Unscheduled triple_product() {
  Function f("triple");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M}), d = f.input("d", f32, {N, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j) * d(i, j)));
  return {f, {a.buffer(), b.buffer(), d.buffer(), c.buffer()}};
}

// b is in panels of columns:  { [k, j] -> [floor(j / columns), k, j mod columns] }.
Unscheduled product_in_panels(std::int64_t columns) {
  Function f("panels");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, columns * M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {M, K, Expr(columns)});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(j / columns, k, j % columns)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

// Softmax over the first index: a result needs all rows.
Unscheduled softmax_of_columns() {
  Function f("columns");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, W);
  Input x = f.input("x", f32, {N, W});
  Computation most = f.computation("most", {j}, maximum(i, x(i, j)));
  Computation e = f.computation("e", {i, j}, exp(x(i, j) - most(j)));
  Computation total = f.computation("total", {j}, sum(i, e(i, j)));
  Computation out = f.computation("out", {i, j}, e(i, j) / total(j));
  return {f, {x.buffer(), out.buffer()}};
}

// A blur whose first pass is an output, too: it has to be in memory whole.
Unscheduled blur_with_two_outputs() {
  Function f("both");
  Param N = f.param("N"), W = f.param("W");
  f.assume(N >= 2);
  f.assume(W >= 2);
  Var i("i", 0, N), k("k", 0, N - 2), w("w", 0, W - 2);
  Input in = f.input("in", f32, {N, W});
  Computation bx = f.computation("bx", {i, w}, in(i, w) + in(i, w + 1) + in(i, w + 2));
  Computation by = f.computation("by", {k, w}, bx(k, w) + bx(k + 1, w) + bx(k + 2, w));
  return {f, {in.buffer(), bx.buffer(), by.buffer()}};
}

// One step of heat: there is no time to tile.
Unscheduled one_step_of_heat() {
  Function f("step");
  Param N = f.param("N");
  f.assume(N >= 3);
  Var y("y", 1, N - 1), x("x", 1, N - 1);
  Input a = f.input("a", f64, {N, N});
  Computation b = f.computation("b", {y, x}, a(y, x) + a(y - 1, x) + a(y + 1, x) + a(y, x - 1));
  return {f, {a.buffer(), b.buffer()}};
}

// Sums of products of two rows: no result shares what it reads with the next one.
Unscheduled products_of_rows() {
  Function f("rows");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input a = f.input("a", f32, {N, M}), b = f.input("b", f32, {N, M});
  Computation y = f.computation("y", {i}, sum(k, a(i, k) * b(i, k)));
  return {f, {a.buffer(), b.buffer(), y.buffer()}};
}

// a b^T + (b a^T)^T: tiles of the result read tiles of the second product at another place.
Unscheduled product_and_turned_product() {
  Function f("sum");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, M);
  Input a = f.input("a", f64, {N, M}), b = f.input("b", f64, {N, M});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(j, k)));
  Computation ba = f.computation("ba", {i, j}, sum(k, b(i, k) * a(j, k)));
  Computation c = f.computation("c", {i, j}, ab(i, j) + ba(j, i));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

// The best divisions of intervals, with rows and columns exchanged: the values that need a final
// one are not beside each other.
Unscheduled divisions_in_columns() {
  Function f("columns");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), r("r", 0, N), c("c", N - r, N);
  const Expr row = N - 1 - r;
  Var k("k", row + 1, c);
  Input x = f.input("x", f64, {N});
  Computation best = f.computation("best", {i, j}, x(i) * x(j));
  f.loop(r, [&] {
    f.loop(c, [&] {
      best.update({r, c, k}, {c, row}, max(best(c, row), best(k, row) + best(c, k)));
      best.update({r, c}, {c, row}, max(best(c, row), best(c - 1, row)));
    });
  });
  return {f, {x.buffer(), best.buffer()}};
}

// A sum in atomic steps has no partial results.
Unscheduled atomic_sums() {
  Function f("atomic");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input a = f.input("a", i32, {N, M});
  Computation y = f.computation("y", {i}, sum(j, a(i, j)));
  y.atomic();
  return {f, {a.buffer(), y.buffer()}};
}

// A sum over a gather: neither its results nor its contributions are beside each other.
Unscheduled gathered_sums() {
  Function f("gathered");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input at = f.input("at", i32, {N, M}), x = f.input("x", f32, {M});
  Computation y = f.computation("y", {i}, sum(k, x(clamp(cast(i64, at(i, k)), 0, M - 1))));
  return {f, {at.buffer(), x.buffer(), y.buffer()}};
}

// What is read is turned: the loop along the writes is a gather of reads.
Unscheduled turned() {
  Function f("turn");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input x = f.input("x", f32, {N, N});
  Computation y = f.computation("y", {i, j}, x(j, i) * 2.0f);
  return {f, {x.buffer(), y.buffer()}};
}

// x = L \ b by substitution: a step needs the results of all before it.
Unscheduled triangular_solver() {
  Function f("solver");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, i);
  Input l = f.input("L", f64, {N, N}), b = f.input("b", f64, {N});
  Computation x = f.computation("x", {i}, b(i)), sums = x, solved = x;
  f.loop(i, [&] {
    sums = f.computation("sums", {i}, sum(j, l(i, j) * x(j)));
    solved = x.update({i}, {i}, (x(i) - sums(i)) / l(i, i));
  });
  return {f, {l.buffer(), b.buffer(), x.buffer()}};
}

// Steps of two recurrences along i: for distance 0 the elements of a step are independent.
Unscheduled two_filters(int distance) {
  Function f("filters");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N), c("i", 0, N);
  Input a = f.input("a", f32, {N});
  Computation p = f.computation("p", {c}, a(c)), q = f.computation("q", {c}, a(c) * 2.0f);
  f.loop(t, [&] {
    p.update({t, i}, {i}, p(i - distance) + 0.5f);
    q.update({t, i}, {i}, q(i - distance) + p(i) * 0.5f);
  });
  return {f, {a.buffer(), p.buffer(), q.buffer()}};
}

// As filter_of_rows, but y also reads the row above: no loop runs over lines.
Unscheduled filter_of_rows_above() {
  Function f("filter");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input x = f.input("x", f32, {N, N});
  Computation y = f.declare("y", {i, j}, f32);
  y.define(x(i, j) + select(j > 0, y(i, j - 1), 0.0f) + select(i > 0, y(i - 1, j), 0.0f));
  Computation z = f.computation("z", {i, j}, y(i, j) + y(i, N - 1 - j));
  return {f, {x.buffer(), z.buffer()}};
}

// As elimination, but each step reads what the one before wrote at all elements.
Unscheduled elimination_with_neighbours() {
  Function f("neighbours");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  f.loop(k, [&] {
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right},
             a(below, right) - a(below, k) * a(k, right) + a(below, min(right + 1, N - 1)));
  });
  return {f, {matrix.buffer(), a.buffer()}};
}

// All elements of a row read its first one: none is before it.
Unscheduled rows_minus_first_column() {
  Function f("minus");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input x = f.input("x", f32, {N, N});
  Computation d = f.computation("d", {i, j}, x(i, j));
  d.update({i, j}, {i, j}, d(i, j) - 0.5f * d(i, 0));
  return {f, {x.buffer(), d.buffer()}};
}

// Two arrays in turn: the next step reads all that a step has written, but for the last one.
Unscheduled two_fields() {
  Function f("fields");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), x("x", 0, N), y("y", 0, N), i("i", 1, N), j("j", 1, N);
  Input a = f.input("a", f64, {N, N});
  Computation e = f.computation("e", {x, y}, a(x, y)), h = f.computation("h", {x, y}, a(y, x));
  f.loop(t, [&] {
    e.update({t, i, j}, {i, j}, e(i, j) - 0.5 * (h(i, j) - h(i, j - 1)));
    h.update({t, i, j}, {i, j}, h(i, j) - 0.5 * (e(i, j) - e(i - 1, j)));
  });
  return {f, {a.buffer(), e.buffer(), h.buffer()}};
}

std::string commands_of(const Unscheduled& program,
                        const std::map<std::string, std::int64_t>& sizes) {
  Function f = program.f;
  const Report report = f.autoschedule(
      machine("znver4"), {.arguments = program.arguments, .sizes = sizes, .threads = 2});
  INFO(report.text());
  CHECK(report.refused == 0);
  std::string text;
  for (const std::string& command : report.commands) text += command + "\n";
  return text;
}

}  // namespace

TEST_CASE("the rule product takes sums of two factors alone") {
  CHECK(candidates(product_of_matrices(), "product of c") > 0);
  CHECK(candidates(triple_product(), "product of c") == 0);
  CHECK(candidates(product_of_row(), "product of out: tiles of 1 x 64") > 0);
  CHECK(candidates(product_with_bias(), "tiles of 1 x") == 0);
}

// In panels of 32 columns, a tile of 64, the best one here, would cross a border.
TEST_CASE("the rule product keeps its tiles within panels, and copies no panel") {
  CHECK(candidates(product_of_matrices(), "a panel") > 0);
  const Unscheduled program = product_in_panels(32);
  CHECK(candidates(program, " x 32") > 0);
  CHECK(candidates(program, "product of c") == candidates(program, " x 32"));
  CHECK(candidates(program, "a panel") == 0);
}

TEST_CASE("the rule product takes sums of windows, unless sums are long") {
  CHECK(candidates(windows(), "product of filtered: windows in tiles of 4 x 16") > 0);
  CHECK(candidates(windows(), "product of most: windows in tiles of 4 x 16") > 0);
  CHECK(candidates(row_sums(), "windows") == 0);
  CHECK(candidates(triple_product(), "windows") == 0);
}

TEST_CASE("the rule product computes products in the tiles of their reader") {
  const std::string commands = commands_of(symmetric_update(), {{"N", 240}, {"M", 200}});
  for (const char* part : {"compute_at(ab, c.i0)", "compute_at(ba, c.i0)",
                           "store_in(panel, panel, ", "store_in(panel2, panel2, "})
    CHECK(commands.find(part) != std::string::npos);
  CHECK(commands_of(product_and_turned_product(), {}).find("compute_at(ba, ") == std::string::npos);
}

TEST_CASE("the rule rows takes what reads its own row alone") {
  CHECK(candidates(softmax(), "rows of out") > 0);
  CHECK(candidates(softmax_of_columns(), "rows of out") == 0);
  CHECK(candidates(softmax_of_batches(), "rows of out: blocks of 4 rows") > 0);
  CHECK(candidates(product_and_mean(), "products in tiles of") > 0);
  CHECK(candidates(attention_of_products(), "rows of out") > 0);
  CHECK(candidates(layers(), "rows of out") > 0);
}

TEST_CASE("the rule stencil takes pipelines with one output alone") {
  CHECK(candidates(blur(), "stencil of by") > 0);
  CHECK(candidates(blur_with_two_outputs(), "stencil of by") == 0);
}

TEST_CASE("the rule blocks takes steps that leave a rest to the end of a block alone") {
  CHECK(candidates(factorization(), "blocks of a_3") > 0);
  CHECK(candidates(elimination(), "blocks of a_2") > 0);
  CHECK(candidates(elimination_with_neighbours(), "blocks of a_2") == 0);
  CHECK(candidates(sweeps_in_place(), "blocks of ") == 0);
  const std::string commands = commands_of(elimination(), {{"N", 2000}});
  for (const char* part :
       {"-> panel[1, floor(k/", "-> rows[1, floor(k/", "-> rest[1, floor(k/", "tile(a_2.rest.i, ",
        "vectorize(a_2.rows.j, 8)", "parallelize(a_2.rest.i0)"})
    CHECK(commands.find(part) != std::string::npos);
  CHECK(commands.find("cache_at(") == std::string::npos);
  const std::string triangle = commands_of(factorization(), {{"N", 2000}});
  CHECK(triangle.find("-> rows[") == std::string::npos);
  CHECK(triangle.find("cache_at(a_3.k, a, factor, {k2, i2, j2})") != std::string::npos);
}

TEST_CASE("the rule blocks takes no last step for a rest") {
  const Unscheduled program = two_fields();
  Function f = program.f;
  const Report report =
      f.autoschedule(machine("znver4"), {.arguments = program.arguments, .threads = 1});
  CHECK(report.text().find("blocks of ") == std::string::npos);
  for (const auto& tried : report.tried) CHECK(tried.text.find("blocks of ") == std::string::npos);
}

TEST_CASE("the rule bands takes time loops alone") {
  CHECK(candidates(heat(), "bands of ") > 0);
  CHECK(candidates(one_step_of_heat(), "bands of ") == 0);
}

TEST_CASE("the rule bands writes vectors of what carries nothing alone") {
  CHECK(candidates(sweeps_in_place(), "bands of ") > 0);
  const std::map<std::string, std::int64_t> sizes = {{"T", 100}, {"N", 400}};
  CHECK(commands_of(sweeps_in_place(), sizes).find("vectorize(u_1") == std::string::npos);
  CHECK(commands_of(heat(), sizes).find("vectorize(") != std::string::npos);
}

TEST_CASE("the rule bands writes diagonals where a point needs its neighbour alone") {
  CHECK(candidates(sweeps_in_place(), "diagonals of 8 rows") > 0);
  CHECK(candidates(heat(), "diagonals") == 0);
}

TEST_CASE("the rule pieces takes updates that one iteration of a row divides alone") {
  CHECK(candidates(shortest_paths(), "pieces of d_1: blocks of ") > 0);
  CHECK(candidates(sweeps_in_place(), "pieces of ") == 0);
  const std::string commands = commands_of(shortest_paths(), {{"N", 500}});
  for (const char* part : {"-> before[1, k, 0, i, 0, j, 0] : ", "-> around[1, k, 0, i, 1, j, 0] : ",
                           "vectorize(d_1.before.j, ", "vectorize(d_1.behind.j, "})
    CHECK(commands.find(part) != std::string::npos);
  CHECK(commands.find("vectorize(d_1.around") == std::string::npos);
  CHECK(candidates(rows_minus_first_column(), "pieces of d_1: blocks of ") > 0);
}

TEST_CASE("the rule interchange takes updates along the loop that they share alone") {
  CHECK(candidates(best_divisions(), "interchange of best_2: vectors of 16") > 0);
  CHECK(candidates(divisions_in_columns(), "interchange of ") == 0);
  CHECK(candidates(triangular_solver(), "interchange of ") == 0);
  const std::string commands = commands_of(best_divisions(), {{"N", 500}});
  for (const char* part : {"best_1[r, c, k] -> [1, r, 0, k, 2, c, 0]", "vectorize(best_1."})
    CHECK(commands.find(part) != std::string::npos);
}

TEST_CASE("the rule lines takes recurrences of lines that do not need each other alone") {
  CHECK(candidates(filter_of_rows(), "lines of z: blocks of 16 lines i") > 0);
  CHECK(candidates(filter_of_rows_above(), "lines of ") == 0);
  const std::string commands = commands_of(filter_of_rows(), {});
  CHECK(commands.find("compute_at(y, z.i0)") != std::string::npos);
  CHECK(commands.find("store_in(y, y, j, i)") != std::string::npos);
  CHECK(commands_of(filters_in_steps(), {}).find("store_in(down, down, j, i)") !=
        std::string::npos);
}

TEST_CASE("the rule sums takes what is beside each other in memory alone") {
  CHECK(candidates(row_sums(), "sums of y") > 0);
  CHECK(candidates(gathered_sums(), "sums of y") == 0);
  CHECK(candidates(atomic_sums(), "sums of y") == 0);
  CHECK(candidates(row_sums(), "sums of y: 8 rows of 1 vectors of contributions") > 0);
  CHECK(candidates(products_of_rows(), "sums of y: 2 vectors of contributions") > 0);
  CHECK(candidates(products_of_rows(), "sums of y: 8 rows of ") == 0);
}

TEST_CASE("the rule plain writes vectors where results are beside each other") {
  CHECK(candidates(elementwise(), "plain of y: vectors of j") > 0);
  CHECK(candidates(turned(), "plain of y: vectors of j") > 0);
}

TEST_CASE("the rule steps keeps sums in registers") {
  const std::string commands = commands_of(recurrent_layer(), {{"T", 20}, {"H", 64}});
  CHECK(commands.find("copy_at(state.j0, state_sums, {") != std::string::npos);
  CHECK(commands.find("reorder(state.k, state.j1)") != std::string::npos);
}

TEST_CASE("the rule steps writes vectors inside of steps that are parallel alone") {
  CHECK(candidates(triangular_solver(), "steps of x_1") > 0);
  CHECK(candidates(triangular_solver(), "sums in tiles") == 0);
  CHECK(candidates(recurrent_layer(), "steps of h: vectors inside, sums in tiles of 4") > 0);
  CHECK(candidates(two_filters(1), "steps of q_1") == 0);
  CHECK(candidates(two_filters(0), "steps of q_1") > 0);
}

}  // namespace strata::test::rules_test
