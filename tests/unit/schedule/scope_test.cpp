// Legality of buffers that each iteration of a loop allocates for itself.
#include "schedule/legality/scope.h"

#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/legality/legality.h"
#include "tests/unit/programs.h"

namespace strata::test::scope_test {

namespace {

const Var h("h"), i("i"), j("j");

Program allocated(Program program, const std::string& buffer, const std::vector<Path>& loops) {
  for (const Path& path : loops)
    node_at(program.mapping, path).loop().allocations.push_back(buffer);
  return program;
}

// The code of the first violation, if any.
std::optional<Code> found(const Program& program) {
  const auto violation = find_violation(program);
  return violation ? std::optional(violation->code) : std::nullopt;
}

// P(h) recomputed for each Q(i), with P stored at "places".
Program recomputed(const Expr& places) {
  return store_in(compute_at(stencil(), "P", {{"Q", "i"}}), "P", "P", {h}, {places},
                  {{"a test", 0}, Check::deferred});
}

}  // namespace

TEST_CASE("the buffer of an array is that of its store_in, or of its name", "[scope]") {
  const Program program = store_in(stencil(), "P", "b", {h}, {h});
  CHECK(buffer_of(program.layout, "P") == "b");
  CHECK(buffer_of(program.layout, "Q") == "Q");
}

TEST_CASE("values are read in the iteration that makes them", "[scope]") {
  const Program beside = after(three_stages(), "Q", "P", "i");
  CHECK(found(allocated(beside, "Q", {{0}})) == Code::E0307_out_of_scope);  // R reads it
  const Program all = after(beside, "R", "Q", "i");
  CHECK(found(allocated(all, "Q", {{0}})) == std::nullopt);
  CHECK(found(allocated(all, "Q", {{0, 1}})) == Code::E0307_out_of_scope);
  CHECK(found(allocated(all, "R", {{0, 2}})) == std::nullopt);  // nothing reads it
}

TEST_CASE("values that are never read need their buffer too", "[scope]") {
  CHECK(found(allocated(three_stages(), "R", {{0}})) == Code::E0307_out_of_scope);
}

TEST_CASE("values of an iteration do not meet those of another", "[scope]") {
  for (const auto& tagged : {recomputed(h % 2), parallelize(recomputed(h % 2), {"Q", "i"}),
                             vectorize(recomputed(h % 2), {"Q", "i"}, 4)})
    CHECK(found(tagged) == std::nullopt);
  CHECK(found(recomputed(h * 0)) == Code::E0301_value_overwritten);
  Program shared = recomputed(h);
  shared.mapping.roots[0].loop().allocations.clear();
  CHECK(found(shared) == std::nullopt);
  shared.mapping.roots[0].loop().processor = Processor::parallel;
  CHECK(found(shared) == Code::E0303_race);
  shared.mapping.roots[0].loop().processor = Processor::vector;
  CHECK(found(shared) == Code::E0305_lanes_collide);
}

TEST_CASE("a rotating buffer of all iterations holds what is computed again", "[scope]") {
  Program shared = recomputed(h % 2);
  shared.mapping.roots[0].loop().allocations.clear();
  CHECK(found(shared) == std::nullopt);
}

TEST_CASE("results that iterations compute for themselves never meet", "[scope]") {
  // D(i, j) = C(i), the sum, recomputed for each j.
  Program program = define(sums(), "D", {range("i", "N"), range("j", "N")}, at("C", {i}));
  program = compute_at(program, "C", {{"D", "j"}});
  CHECK_NOTHROW(parallelize(parallelize(program, {"D", "i"}), {"D", "j"}));
  CHECK(refusal_of([&] { parallelize(program, {"C", "k"}); }).code ==
        Code::E0207_reduction_concurrent);
}

}  // namespace strata::test::scope_test
