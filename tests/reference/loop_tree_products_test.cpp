// Products of warps in the loop-tree interpreter, on a hand-built tree: one tile, and one to which
// not all threads come.
#include <catch2/catch.hpp>

#include "reference/loop_tree_interpreter.h"

namespace strata::test::loop_tree_products_test {

using reference::Point;
using reference::TreeRun;

namespace {

const Expr g = variable("g"), t = variable("t");
Expr number(std::int64_t value) { return constant(i64, value); }

StmtPtr threads(const std::string& name, std::int64_t count, StmtPtr body) {
  return make_stmt(
      For{{name, Processor::thread}, name, number(0), number(count), count, std::move(body)});
}

// D = A B, of 16 x 8 by 8 x 8, where "condition" holds.
StmtPtr tile(const Expr& condition) {
  Mma made{MmaShape::m16n8k8_tf32,
           "S",
           "d",
           {},
           {},
           {},
           make_stmt(Execute{"S", {}, "d", {g, t}, load("d", f32, {g, t})})};
  for (std::int64_t n = 0; n < 4; ++n)
    made.places[std::size_t(n)] = {g + number(8 * (n / 2)), t * 2 + number(n % 2)};
  for (std::int64_t n = 0; n < 4; ++n)
    made.a.push_back(load("a", f32, {g + number(8 * (n % 2)), t + number(4 * (n / 2))}));
  for (std::int64_t n = 0; n < 2; ++n) made.b.push_back(load("b", f32, {t + number(4 * n), g}));
  std::vector<StmtPtr> body;
  for (const auto& place : made.places)
    body.push_back(make_stmt(Execute{"Z", {}, "d", place, constant(f32, 0)}));
  body.push_back(make_stmt(If{condition, make_stmt(made), nullptr}));
  return make_stmt(Block{body});
}

float in_a(std::int64_t i, std::int64_t k) { return float((i * 5 + k * 3) % 13) - 6; }
float in_b(std::int64_t k, std::int64_t j) { return float((k * 7 + j * 11) % 9) - 4; }

reference::Array matrix(std::int64_t rows, float (*value)(std::int64_t, std::int64_t)) {
  reference::Array all = reference::Array::box(f32, {0, 0}, {rows, 8});
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < 8; ++j) all.set({i, j}, reference::real_scalar(f32, value(i, j)));
  return all;
}

TreeRun run(const Expr& condition, std::uint64_t seed) {
  Kernel k;
  k.name = "handmade";
  const auto box = [](const char* name, Access access, std::int64_t rows) {
    ArgumentBuffer buffer{name, f32, access, {number(0), number(0)}, {number(rows), number(8)}};
    buffer.resident = true;
    return buffer;
  };
  k.buffers = {box("a", Access::read, 16), box("b", Access::read, 8),
               box("d", Access::read_and_written, 16)};
  const StmtPtr warp = threads("g", 8, threads("t", 4, tile(condition)));
  const For blocks{{"x", Processor::block}, "x", number(0), number(1), 1, warp};
  k.body = make_stmt(Launch{"x", {number(1)}, {4, 8}, make_stmt(blocks)});
  reference::Arrays in;
  in["a"] = matrix(16, in_a);
  in["b"] = matrix(8, in_b);
  return reference::run_tree(k, {}, in, {reference::RunOptions::Lanes::outer, seed});
}

}  // namespace

TEST_CASE("a product of a warp is the product of its fragments", "[judge][gpu][mma]") {
  const TreeRun done = run(number(0) < number(1), 1);
  CHECK(done.findings.empty());
  for (std::int64_t i = 0; i < 16; ++i)
    for (std::int64_t j = 0; j < 8; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < 8; ++k) sum += double(in_a(i, k)) * in_b(k, j);
      CHECK(reference::real_of(done.buffers["d"][{i, j}]) == sum);
    }
}

TEST_CASE("a product to which not all threads of a warp come is found", "[judge][gpu][mma]") {
  const TreeRun done = run(t < number(3), 0);
  REQUIRE_FALSE(done.findings.empty());
  CHECK(done.findings[0] ==
        "S in a warp: divergent: not all 32 threads of a warp come to a product");
}

}  // namespace strata::test::loop_tree_products_test
