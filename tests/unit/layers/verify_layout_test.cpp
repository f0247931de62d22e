// The rules of layer III.
#include "layers/verify/verify_layout.h"

#include "schedule/commands/storage/store_in.h"
#include "tests/unit/programs.h"

namespace strata::test::verify_layout_test {

namespace {

Program with_store(const std::string& access, LayoutBuffer buffer) {
  Program p = grid();
  p.layout.buffers.push_back(std::move(buffer));
  p.layout.store.insert_or_assign("S", AccessRelation(p.session->isl(), access));
  return p;
}

Code code_of(const Program& program) {
  return refusal_of([&] { verify_layout(program, asked); }).code;
}

}  // namespace

TEST_CASE("a program's storage as store_in makes it satisfies every rule", "[layers]") {
  Var i("i"), j("j");
  CHECK_NOTHROW(verify_layout(store_in(grid(), "S", "b", {i, j}, {j, i}), asked));
}

TEST_CASE("R301: arrays go into buffers of their type and rank", "[layers]") {
  CHECK_NOTHROW(verify_layout(with_store("{ S[i, j] -> b[j, i] }", {"b", f32, 2}), asked));
  CHECK(code_of(with_store("{ S[i, j] -> c[j, i] }", {"b", f32, 2})) ==
        Code::E0306_malformed_layout);
  CHECK(code_of(with_store("{ S[i, j] -> b[j, i] }", {"b", f64, 2})) ==
        Code::E0306_malformed_layout);
  CHECK(code_of(with_store("{ S[i, j] -> b[j, i] }", {"b", f32, 3})) ==
        Code::E0306_malformed_layout);
  Program p = grid();
  p.layout.store.insert_or_assign("T", AccessRelation(p.session->isl(), "{ T[i] -> in[i, 0] }"));
  CHECK(code_of(p) == Code::E0306_malformed_layout);
}

TEST_CASE("R302: a value has exactly one place", "[layers]") {
  CHECK(code_of(with_store("{ S[i, j] -> b[k] : 0 <= k <= 1 }", {"b", f32, 1})) ==
        Code::E0306_malformed_layout);
  CHECK(code_of(with_store("{ S[i, j] -> b[i] : i > 0 }", {"b", f32, 1})) ==
        Code::E0306_malformed_layout);
}

TEST_CASE("R303: places are bounded by the parameters", "[layers]") {
  Program p = define(empty_program({"N"}), "P", {range("i", "N")}, 1.0f);
  p.layout.buffers.push_back({"b", f32, 1});
  p.layout.store.insert_or_assign("P", AccessRelation(p.session->isl(), "{ P[i] -> b[i] }"));
  CHECK_NOTHROW(verify_layout(p, asked));
  NewDefinition endless;
  endless.array = "P";
  endless.domain = "{ P[i] : i >= 0 }";
  endless.value = 1.0f;
  endless.type = f32;
  Program unbounded = with_definition(empty_program({}), endless, asked);
  unbounded.layout = p.layout;
  unbounded.layout.store.insert_or_assign(
      "P", AccessRelation(unbounded.session->isl(), "{ P[i] -> b[i] }"));
  CHECK(code_of(unbounded) == Code::E0112_unbounded_domain);
}

TEST_CASE("R304: extents are as many as dimensions, and affine in the parameters", "[layers]") {
  const Expr N = parameter("N"), M = parameter("M");
  LayoutBuffer b{"b", f32, 2};
  const std::string store = "{ S[i, j] -> b[j, i] }";
  b.extents = {M, N + 1};
  CHECK_NOTHROW(verify_layout(with_store(store, b), asked));
  b.extents = {M};
  CHECK(code_of(with_store(store, b)) == Code::E0306_malformed_layout);
  b.extents = {M, N * M};
  CHECK(code_of(with_store(store, b)) == Code::E0306_malformed_layout);
}

}  // namespace strata::test::verify_layout_test
