// The pass that keeps in registers what a loop updates in memory.
#include "codegen/passes/keep.h"

#include <catch2/catch.hpp>

#include "codegen/tree/verify_loop_tree.h"
#include "reference/loop_tree_interpreter.h"

namespace strata::test::keep_test {

namespace {

const Expr i = variable("i"), j = variable("j"), k = variable("k"), n = parameter("N");
const Expr zero = constant(i64, 0), extent = constant(i64, 64);

Expr s(const Expr& index) { return load("s", i32, {index}); }

// s[place] = value
Execute update(const Expr& place, const Expr& value) {
  return {"S", {k, i, j}, "s", {place}, value};
}

StmtPtr loop(const char* name, Processor processor, const Expr& upper, const StmtPtr& body) {
  std::optional<std::int64_t> size;
  if (upper.op() == Op::constant) size = upper.node().integer;
  return make_stmt(For{{name, processor}, name, zero, upper, size, body});
}

// f(N, s, d): for k in 0 .. N: for i in 0 .. 3, unrolled: for j in 0 .. 4, in lanes: the update,
// where s and d have 64 numbers of int32.
Kernel kernel(const Execute& update) {
  const StmtPtr lanes = loop("j", Processor::vector, constant(i64, 4), make_stmt(update));
  Kernel result;
  result.name = "f";
  result.parameters = {"N"};
  result.buffers = {{"s", i32, strata::Access::read_and_written, {zero}, {extent}},
                    {"d", i32, strata::Access::read, {zero}, {extent}}};
  result.body =
      loop("k", Processor::sequential, n, loop("i", Processor::unrolled, constant(i64, 3), lanes));
  return result;
}

reference::Array numbers(std::int64_t first) {
  reference::Array array = reference::Array::box(i32, {0}, {64});
  for (std::int64_t x = 0; x < 64; ++x)
    array.set({x}, reference::integer_scalar(i32, std::uint64_t(first + x * x)));
  return array;
}

reference::TreeRun run(const Kernel& kernel, std::int64_t size) {
  reference::Arrays arguments;
  arguments["s"] = numbers(5);
  arguments["d"] = numbers(11);
  return reference::run_tree(kernel, {{"N", size}}, arguments);
}

bool is_kept(const Kernel& kernel) {
  return to_c_text(keep(kernel)).find("s_kept") != std::string::npos;
}

const Expr place = 16 * i + j + 2, more = s(place) + load("d", i32, {k}) * load("d", i32, {place});

}  // namespace

TEST_CASE("a tile that a loop updates is kept in registers", "[codegen]") {
  const Kernel plain = kernel(update(place, more)), kept = keep(plain);
  CHECK(findings(kept).empty());
  const std::string text = to_c_text(kept);
  CAPTURE(text);
  CHECK(text.find("s_kept[i, j] = load int32 s_kept[i, j] + ") != std::string::npos);
  for (const std::int64_t size : {0, 1, 7}) {
    const auto expected = run(plain, size), found = run(kept, size);
    CHECK(expected.findings.empty());
    CHECK(found.findings.empty());
    CHECK(reference::first_difference(expected.buffers["s"], found.buffers["s"]).empty());
    CHECK(expected.trace.size() == found.trace.size());
  }
}

TEST_CASE("what is undefined before the loop is not read for the tile", "[codegen]") {
  const Kernel kept = keep(kernel(update(place, select(k == 0, constant(i32, 3), more))));
  reference::Arrays arguments;
  arguments["s"] = reference::Array::box(i32, {0}, {64});
  arguments["d"] = numbers(11);
  CHECK(reference::run_tree(kept, {{"N", 4}}, arguments).findings.empty());
}

TEST_CASE("places that are one and the same, or move, stay in memory", "[codegen]") {
  CHECK(is_kept(kernel(update(place, more))));
  CHECK(is_kept(kernel(update(j + 4 * i, s(j + 4 * i) + 1))));
  CHECK(is_kept(kernel(update(40 - 4 * i - j, s(40 - 4 * i - j) + 1))));
  CHECK_FALSE(is_kept(kernel(update(j + 3 * i, s(j + 3 * i) + 1))));
  CHECK_FALSE(is_kept(kernel(update(16 * i, s(16 * i) + 1))));
  CHECK_FALSE(is_kept(kernel(update((16 * i + j) / 2, s((16 * i + j) / 2) + 1))));
  CHECK_FALSE(is_kept(kernel(update(place + k, s(place + k) + 1))));
}

TEST_CASE("a tile whose buffer is touched elsewhere stays in memory", "[codegen]") {
  CHECK_FALSE(is_kept(kernel(update(place, s(place) + s(constant(i64, 2))))));
  CHECK_FALSE(is_kept(kernel(update(place, load("d", i32, {place})))));
  Kernel overlapping = kernel(update(place, more));
  overlapping.may_overlap = {{"d", "s"}};
  CHECK_FALSE(is_kept(overlapping));
  Execute checked =
      update(place, s(place) + load("d", i32, {make(Op::checked, {k, zero, extent})}));
  CHECK_FALSE(is_kept(kernel(checked)));
  Execute atomic = update(place, s(place) + 1);
  atomic.atomic = Op::add;
  CHECK_FALSE(is_kept(kernel(atomic)));
}

namespace {

// for k in 0 .. steps: for i in 0 .. 3, unrolled: for j in first .. first + 4, in lanes:
//     c[i, j] = c[i, j] + d[j]
Kernel in_two_dimensions(const Expr& first, const Expr& steps) {
  Kernel result = kernel(update(place, more));
  result.buffers.push_back(
      {"c", i32, strata::Access::read_and_written, {zero, zero}, {extent, extent}});
  const Execute sum{"S", {k, i, j}, "c", {i, j}, load("c", i32, {i, j}) + load("d", i32, {j})};
  For lanes{{"j", Processor::vector}, "j", first, first + 4, 4, make_stmt(sum)};
  result.body = loop("k", Processor::sequential, steps,
                     loop("i", Processor::unrolled, constant(i64, 3), make_stmt(lanes)));
  return result;
}

bool is_c_kept(const Kernel& kernel) {
  return to_c_text(keep(kernel)).find("c_kept") != std::string::npos;
}

}  // namespace

TEST_CASE("a tile of two dimensions may begin anywhere, but at one place for all k", "[codegen]") {
  const Kernel plain = in_two_dimensions(n + 8, constant(i64, 5)), kept = keep(plain);
  CHECK(is_c_kept(plain));
  CHECK(findings(kept).empty());
  reference::Arrays arguments;
  arguments["s"] = numbers(5);
  arguments["d"] = numbers(11);
  arguments["c"] = reference::Array::box(i32, {0, 0}, {64, 64});
  for (std::int64_t x = 0; x < 64; ++x)
    for (std::int64_t y = 0; y < 64; ++y)
      arguments["c"].set({x, y}, reference::integer_scalar(i32, std::uint64_t(100 * x + y)));
  const auto run = reference::run_tree(kept, {{"N", 3}}, arguments);
  CHECK(run.findings.empty());
  for (std::int64_t x = 0; x < 4; ++x)
    for (std::int64_t y = 9; y < 16; ++y) {
      const bool inside = x < 3 && y >= 11 && y < 15;
      CHECK(run.buffers["c"].integer({x, y}) == 100 * x + y + (inside ? 5 * (11 + y * y) : 0));
    }
  for (const Expr& moving : {k, i}) CHECK_FALSE(is_c_kept(in_two_dimensions(moving, n)));
  for (const int steps : {-1, 0, 1})
    CHECK_FALSE(is_c_kept(in_two_dimensions(zero, constant(i64, steps))));
}

namespace {

// A step of an elimination, for the rows and columns from N on:
// for k in 0 .. steps: for i in N .. N + 3, unrolled: for j in N .. N + 4, in lanes:
//     c[i, j] = c[i, j] - c[i, column] c[row, j]
Kernel elimination(const Expr& steps, const Expr& column, const Expr& row) {
  Kernel result = in_two_dimensions(zero, steps);
  const auto c = [](const Expr& y, const Expr& x) { return load("c", i32, {y, x}); };
  const Execute update{"S", {k, i, j}, "c", {i, j}, c(i, j) - c(i, column) * c(row, j)};
  const For lanes{{"j", Processor::vector}, "j", n, n + 4, 4, make_stmt(update)};
  const For rows{{"i", Processor::unrolled}, "i", n, n + 3, 3, make_stmt(lanes)};
  result.body = loop("k", Processor::sequential, steps, make_stmt(rows));
  return result;
}

}  // namespace

TEST_CASE("a tile is kept that reads other places of its buffer beside or above it", "[codegen]") {
  const Kernel plain = elimination(n, k, k), kept = keep(plain);
  CHECK(is_c_kept(plain));
  CHECK(findings(kept).empty());
  reference::Arrays arguments;
  arguments["s"] = numbers(5);
  arguments["d"] = numbers(11);
  arguments["c"] = reference::Array::box(i32, {0, 0}, {64, 64});
  std::int64_t c[9][9];
  const std::int64_t size = 5;
  for (std::int64_t y = 0; y < 9; ++y)
    for (std::int64_t x = 0; x < 9; ++x) {
      c[y][x] = 3 * y * y - 7 * x + 2;
      arguments["c"].set({y, x}, reference::integer_scalar(i32, std::uint64_t(c[y][x])));
    }
  const auto run = reference::run_tree(kept, {{"N", size}}, arguments);
  CHECK(run.findings.empty());
  for (std::int64_t step = 0; step < size; ++step)
    for (std::int64_t y = size; y < size + 3; ++y)
      for (std::int64_t x = size; x < size + 4; ++x) c[y][x] -= c[y][step] * c[step][x];
  for (std::int64_t y = 0; y < 9; ++y)
    for (std::int64_t x = 0; x < 9; ++x)
      if (y < size + 3) CHECK(run.buffers["c"].integer({y, x}) == std::int32_t(c[y][x]));
}

TEST_CASE("a tile that reads another place of itself stays in memory", "[codegen]") {
  CHECK(is_c_kept(elimination(n, k, k)));
  CHECK(is_c_kept(elimination(n, k + n + 4, k)));
  CHECK_FALSE(is_c_kept(elimination(n, k + 1, k)));
  CHECK_FALSE(is_c_kept(elimination(n, k, k + 1)));
  CHECK_FALSE(is_c_kept(elimination(n + 1, k, k)));
  CHECK_FALSE(is_c_kept(elimination(n, k + n + 3, k)));
  CHECK_FALSE(is_c_kept(elimination(n, n, k)));  // in lane N; other lanes are apart
}

TEST_CASE("a tile whose array a call takes as a whole stays in memory", "[codegen]") {
  const Expr whole = call(i32, "total", {array_argument("s", i32, {zero}, {zero}, {extent})});
  CHECK_FALSE(is_kept(kernel(update(place, s(place) + whole))));
}

TEST_CASE("a buffer on the stack is left alone", "[codegen]") {
  Kernel result = kernel(update(place, more));
  result.buffers.erase(result.buffers.begin());
  const StmtPtr loops = result.body;
  result.body = make_stmt(Allocate{"s", i32, {zero}, {extent}, loops});
  CHECK_FALSE(is_kept(result));
  result.body = make_stmt(Allocate{"s", i32, {zero}, {n}, loops});
  CHECK(is_kept(result));
}

TEST_CASE("guarded executions and parallel loops are left alone", "[codegen]") {
  Kernel guarded = kernel(update(place, more));
  const StmtPtr guard = make_stmt(If{k < 3, make_stmt(update(place, more)), nullptr});
  guarded.body = loop("k", Processor::sequential, n,
                      loop("i", Processor::unrolled, constant(i64, 3),
                           loop("j", Processor::vector, constant(i64, 4), guard)));
  CHECK_FALSE(is_kept(guarded));
  Kernel parallel = kernel(update(place, more));
  For all = std::get<For>(*parallel.body);
  all.processor = Processor::parallel;
  parallel.body = make_stmt(all);
  CHECK_FALSE(is_kept(parallel));
}

}  // namespace strata::test::keep_test
