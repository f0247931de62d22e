// Launches: the loops over blocks and threads have one range each, and guards inside.
#include "core/expr/expr_text.h"
#include "tests/unit/codegen/nest.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::launches_test {

namespace {

using P = Processor;

const std::string tiles = "floor(i/4), floor(j/8), i % 4, j % 8";
const std::vector<Processor> grid_of_tiles{P::block, P::block, P::thread, P::thread};

std::vector<Parameters> sizes() {
  std::vector<Parameters> all;
  for (int n : {0, 1, 3, 4, 9})
    for (int m : {0, 1, 8, 17}) all.push_back({{"N", n}, {"M", m}});
  return all;
}

void find_launches(const StmtPtr& s, std::vector<Launch>& found) {
  if (const auto* launch = std::get_if<Launch>(s.get())) found.push_back(*launch);
  for_each_inside(*s, [&](const StmtPtr& inside) { find_launches(inside, found); });
}

std::vector<Launch> launches(const Program& program) {
  std::vector<Launch> found;
  find_launches(lowered(program).body, found);
  return found;
}

}  // namespace

TEST_CASE("a launch runs every instance once, at any size", "[gpu][codegen]") {
  require_theta(nest_at(rectangle, tiles, grid_of_tiles), sizes());
  require_theta(nest_at(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread}),
                sizes());
  require_theta(nest_at(rectangle, "floor(i/4), j, i % 4", {P::block, P::sequential, P::thread}),
                sizes());
  require_theta(nest_at("0 <= j <= i < N and i < 6", "floor(j/2), i, j % 2",
                        {P::block, P::thread, P::thread}),
                sizes());
}

TEST_CASE("a grid and a block are boxes", "[gpu][codegen]") {
  const auto all = launches(nest_at(rectangle, tiles, grid_of_tiles));
  REQUIRE(all.size() == 1);
  CHECK(all[0].threads == std::vector<std::int64_t>{8, 4});
  REQUIRE(all[0].grid.size() == 2);
  CHECK(to_text(all[0].grid[0]) == "(M + 7) / 8");
  CHECK(to_text(all[0].grid[1]) == "(N + 3) / 4");
  // A triangle in a block: the threads of the longest row, with a condition.
  const auto triangle =
      launches(nest_at("0 <= j <= i < N and i < 6", "i, j", {P::block, P::thread}));
  REQUIRE(triangle.size() == 1);
  CHECK(triangle[0].threads == std::vector<std::int64_t>{6});
}

TEST_CASE("a step of a host loop is a launch", "[gpu][codegen]") {
  const Program steps =
      nest_at(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread});
  const auto found = launches(steps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "l1");
  const std::vector<For> all = loops(lowered(steps));
  REQUIRE(all.size() == 3);
  CHECK(all[0].processor == P::sequential);
}

}  // namespace strata::test::launches_test
