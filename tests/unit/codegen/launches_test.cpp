// Launches: the loops over blocks and threads have one range each, and guards inside.
#include "tests/unit/codegen/trace.h"

namespace strata::test::launches_test {

namespace {

using P = Processor;

// S[i, j] over "domain" under loops l0, l1, .. of these processors, at "time".
Program launched(const std::string& domain, const std::string& time,
                 const std::vector<Processor>& processors) {
  Handmade made({"N", "M"});
  made.define("{ S[i, j] : " + domain + " }", cast(f32, variable("i") - variable("j")));
  made.store("{ S[i, j] -> s[i, j] }", BufferRole::output);
  std::vector<Node> body{made.branch("{ S[i, j] -> [" + time + "] }")};
  for (std::size_t d = processors.size(); d-- > 0;)
    body = {Handmade::loop("l" + std::to_string(d), body, processors[d])};
  made.schedule(body);
  return made.program();
}

const std::string rectangle = "0 <= i < N and 0 <= j < M";
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
  require_theta(launched(rectangle, tiles, grid_of_tiles), sizes());
  require_theta(launched(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread}),
                sizes());
  require_theta(launched(rectangle, "floor(i/4), j, i % 4", {P::block, P::sequential, P::thread}),
                sizes());
  require_theta(launched("0 <= j <= i < N and i < 6", "floor(j/2), i, j % 2",
                         {P::block, P::thread, P::thread}),
                sizes());
}

TEST_CASE("a grid and a block are boxes", "[gpu][codegen]") {
  const auto all = launches(launched(rectangle, tiles, grid_of_tiles));
  REQUIRE(all.size() == 1);
  CHECK(all[0].threads == std::vector<std::int64_t>{8, 4});
  REQUIRE(all[0].grid.size() == 2);
  CHECK(to_text(all[0].grid[0]) == "(M + 7) / 8");
  CHECK(to_text(all[0].grid[1]) == "(N + 3) / 4");
  // A triangle in a block: the threads of the longest row, with a condition.
  const auto triangle =
      launches(launched("0 <= j <= i < N and i < 6", "i, j", {P::block, P::thread}));
  REQUIRE(triangle.size() == 1);
  CHECK(triangle[0].threads == std::vector<std::int64_t>{6});
}

TEST_CASE("a step of a host loop is a launch", "[gpu][codegen]") {
  const Program steps =
      launched(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread});
  const auto found = launches(steps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "l1");
  const std::vector<For> all = loops(lowered(steps));
  REQUIRE(all.size() == 3);
  CHECK(all[0].processor == P::sequential);
}

}  // namespace strata::test::launches_test
