// On a machine with masks, a vector that the domain boundary cuts runs whole, with its other lanes
// switched off, and a register tile that it cuts keeps constant trip counts.
#include <strata/strata.h>

#include <algorithm>
#include <functional>

#include "schedule/finish.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::masked_vectors_test {

namespace {

Kernel lowered_for(const Function& f, const std::vector<std::string>& arguments, Masks masks) {
  LowerOptions options;
  options.arguments = arguments;
  options.masks = masks;
  return lower(finished(f.program(), arguments, {}), options);
}

// The number of loops of this kind whose trip count is not a constant.
int count_cut(const Kernel& kernel, Processor processor) {
  const std::vector<For> all = loops(kernel);
  return int(std::count_if(all.begin(), all.end(), [&](const For& loop) {
    return loop.processor == processor && !loop.extent;
  }));
}

bool has_masks(const StmtPtr& stmt) {
  const auto* branch = std::get_if<If>(stmt.get());
  bool found = branch && branch->masks;
  for_each_inside(*stmt, [&](const StmtPtr& inside) { found = found || has_masks(inside); });
  return found;
}

bool has(const StmtPtr& stmt, const std::function<bool(const Stmt&)>& what) {
  bool found = what(*stmt);
  for_each_inside(*stmt, [&](const StmtPtr& inside) { found = found || has(inside, what); });
  return found;
}

// Is there a loop of any number of steps around vectors, with nothing to test inside?
bool has_free_loop(const Kernel& kernel) {
  const auto is_vector = [](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s);
    return loop && loop->processor == Processor::vector;
  };
  const auto is_test = [](const Stmt& s) { return std::holds_alternative<If>(s); };
  return has(kernel.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s);
    return loop && !loop->extent && has(loop->body, is_vector) && !has(loop->body, is_test);
  });
}

// The contributions to "computation" under no mask.
int count_unmasked(const StmtPtr& s, const std::string& computation) {
  const auto* branch = std::get_if<If>(s.get());
  if (branch && branch->masks) return 0;
  const auto* execute = std::get_if<Execute>(s.get());
  int count = execute && execute->computation == computation;
  for_each_inside(*s, [&](const StmtPtr& part) { count += count_unmasked(part, computation); });
  return count;
}

Function squares() {
  Function f("squares");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, x(i) * x(i));
  y.vectorize(i, 8);
  return f;
}

struct Product {
  Function f;
  Computation sums;
  std::vector<std::string> arguments{"a", "b", "out"};
};

// A product whose tiles of 4 rows and 2 vectors are in registers.
Product product(Type type = f32) {
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", type, {N, K}), b = f.input("b", type, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation out = f.computation("out", {i, j}, max(sums(i, j), cast(type, 0)));
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), lane("lane");
  out.tile(i, j, 4, 16, i0, j0, i1, j1);
  sums.compute_at(out, j0);
  sums.interchange(j, k).interchange(i, k).vectorize(j, 8, j, lane).unroll(j).unroll(i);
  out.vectorize(j1, 8, j1, lane).unroll(j1).unroll(i1);
  return {f, sums};
}

}  // namespace

TEST_CASE("the last vector is masked where the machine has masks", "[masked vectors]") {
  const Function f = squares();
  const Kernel plain = lowered_for(f, {"x", "y"}, Masks::none);
  CHECK(count_cut(plain, Processor::vector) == 1);
  CHECK_FALSE(has_masks(plain.body));
  const Kernel masked = lowered_for(f, {"x", "y"}, Masks::all);
  CHECK(count_cut(masked, Processor::vector) == 0);
  CHECK(has_masks(masked.body));
}

TEST_CASE("full vectors have no masks", "[masked vectors]") {
  const Kernel masked = lowered_for(squares(), {"x", "y"}, Masks::all);
  const auto full = loops(masked);
  const auto first = std::find_if(full.begin(), full.end(), [](const For& loop) {
    return loop.processor == Processor::vector;
  });
  REQUIRE(first != full.end());
  CHECK_FALSE(has_masks(first->body));
}

TEST_CASE("the body for other strides, which runs lane after lane, has no masks",
          "[masked vectors]") {
  const Kernel masked = lowered_for(squares(), {"x", "y"}, Masks::all);
  REQUIRE(masked.fallback);
  CHECK_FALSE(has_masks(masked.fallback));
}

// What a masked store leaves behind, a load of these places has to wait for.
TEST_CASE("vectors that update memory in place are not masked by default", "[masked vectors]") {
  Function f("steps");
  Param N = f.param("N"), T = f.param("T");
  Var i("i", 0, N), t("t", 0, T);
  Input x = f.input("x", f32, {N});
  Computation y = f.computation("y", {i}, x(i));
  Computation again = y.update({t, i}, {i}, y(i) * 0.5f + x(i));
  again.vectorize(i, 8);
  const Kernel plain = lowered_for(f, {"x", "y"}, Masks::none);
  const Kernel masked = lowered_for(f, {"x", "y"}, Masks::all);
  CHECK(to_c_text(masked) == to_c_text(plain));
}

TEST_CASE("vectors that read at data are not masked by default", "[masked vectors]") {
  Function f("gather");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N);
  Input at = f.input("at", i32, {N}), x = f.input("x", f32, {M});
  Computation y = f.computation("y", {i}, x(clamp(cast(i64, at(i)), 0, M - 1)));
  y.vectorize(i, 8);
  const std::vector<std::string> arguments{"at", "x", "y"};
  const Kernel plain = lowered_for(f, arguments, Masks::none);
  const Kernel masked = lowered_for(f, arguments, Masks::all);
  CHECK(to_c_text(masked) == to_c_text(plain));
}

TEST_CASE("a register tile that the boundary cuts has constant trip counts", "[masked vectors]") {
  const Product p = product();
  const Kernel plain = lowered_for(p.f, p.arguments, Masks::none);
  CHECK(count_cut(plain, Processor::unrolled) > 0);
  const Kernel masked = lowered_for(p.f, p.arguments, Masks::all);
  CHECK(count_cut(masked, Processor::unrolled) == 0);
  CHECK(count_cut(masked, Processor::vector) == 0);
  // A full tile, and what remains along each of two axes: not more code than without masks.
  CHECK(count_executes(masked) <= count_executes(plain));
}

// Everything else of it is as without masks, since stores, and narrow numbers, have none.
TEST_CASE("with masked loads, a register tile that the boundary cuts has constant trip counts",
          "[masked vectors]") {
  const Product p = product();
  const Kernel kept = lowered_for(p.f, p.arguments, Masks::loads);
  CHECK(to_c_text(kept) == to_c_text(lowered_for(p.f, p.arguments, Masks::all)));
  const Product bytes = product(i8);
  CHECK(to_c_text(lowered_for(bytes.f, bytes.arguments, Masks::loads)) ==
        to_c_text(lowered_for(bytes.f, bytes.arguments, Masks::none)));
  const Function f = squares();
  CHECK_FALSE(has_masks(lowered_for(f, {"x", "y"}, Masks::loads).body));
}

// Layers of products, of which the first one reads other data.
TEST_CASE("a register tile that is full is so at the border of a choice", "[masked vectors]") {
  Function f("layers");
  Param L = f.param("L"), M = f.param("M"), K = f.param("K");
  Var l("l", 0, L), i("i", 0, 4), j("j", 0, M), k("k", 0, K), j0("j0"), j1("j1"), lane("lane");
  Input a = f.input("a", f32, {L, 4, K}), first = f.input("first", f32, {4, K});
  Input b = f.input("b", f32, {K, M});
  Computation given = f.computation("given", {l, i, k}, select(l > 0, a(l - 1, i, k), first(i, k)));
  Computation sums = f.computation("sums", {l, i, j}, sum(k, given(l, i, k) * b(k, j)));
  Computation out = f.computation("out", {l, i, j}, sums(l, i, j));
  out.interchange(i, j).split(j, 16, j0, j1).interchange(j1, i);
  sums.compute_at(out, j0);
  given.fuse(l, out, l).vectorize(k, 8);
  sums.interchange(j, k).interchange(i, k).vectorize(j, 8, j, lane).unroll(j).unroll(i);
  out.vectorize(j1, 8, j1, lane).unroll(j1).unroll(i);
  for (const bool parallel : {false, true}) {
    if (parallel) out.parallelize(l);
    const Kernel masked = lowered_for(f, {"a", "first", "b", "out"}, Masks::loads);
    CHECK(count_unmasked(masked.body, "sums") == 2);
  }
}

// The vectors that are cleared before the loop are full or not for all of its steps.
TEST_CASE("partial sums in separate lanes are full in all steps but the last", "[masked vectors]") {
  Function f("totals");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M), k0("k0"), lane("lane"), v("v");
  Input x = f.input("x", f32, {N, M});
  Computation sums = f.computation("sums", {i}, sum(k, x(i, k)));
  Computation out = f.computation("out", {i}, sums(i));
  sums.compute_at(out, i);
  sums.split(k, 16, k0, lane);
  Computation part = sums.rfactor(lane, "part");
  part.vectorize(lane, 8, lane, v).separate(v).unroll(lane).separate(lane);
  for (const Masks masks : {Masks::none, Masks::loads, Masks::all})
    CHECK(has_free_loop(lowered_for(f, {"x", "out"}, masks)));
}

TEST_CASE("the author's tail strategy comes before masks", "[masked vectors]") {
  Product p = product();
  p.sums.guard("j").guard("i");
  const Kernel masked = lowered_for(p.f, p.arguments, Masks::all);
  const auto extents = extents_around(masked, "sums");
  REQUIRE_FALSE(extents.empty());
  for (const auto& around : extents) CHECK(std::count(around.begin(), around.end(), 4) == 1);
}

}  // namespace strata::test::masked_vectors_test
